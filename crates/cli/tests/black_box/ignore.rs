//! What never matters: on the pages it was written for, and nowhere else.

use std::path::Path;

use serde_json::Value;

use crate::support::{demo_project, json, run, stderr, stdout};

const FAULTY: [&str; 3] = ["compare", "baseline", "faulty"];

fn config(shop: &Path) -> String {
    std::fs::read_to_string(shop.join("restage.toml")).unwrap()
}

/// The change whose summary has these words.
fn change<'a>(changes: &'a Value, words: &str) -> &'a Value {
    let changes = changes["changes"].as_array().unwrap();
    changes
        .iter()
        .find(|c| c["summary"].as_str().unwrap().contains(words))
        .unwrap_or_else(|| panic!("{words}"))
}

fn ids(comparison: &Value, kind: &str) -> Vec<String> {
    comparison[kind].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_change_is_ignored_on_its_pages_and_their_other_faults_are_found() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let before = json(&shop, &FAULTY);
    let total = change(&before, "(after \"Total\")");
    let id = total["id"].as_str().unwrap();
    let written = config(&shop);
    let printed = run(&shop, &["ignore", id, "--print"]);
    assert!(stdout(&printed).contains("would add to"), "{}", stdout(&printed));
    assert_eq!(config(&shop), written, "--print writes nothing");

    let told = json(&shop, &["ignore", &id[..5], "--reason", "prices are made up"]);
    let text = config(&shop);
    assert_eq!(
        text,
        format!("{written}\n{}", told["rules"][0].as_str().unwrap()),
        "all else stays as it was"
    );
    assert!(text.contains("difference = 'text \"$#.#\" became \"$#.#\" (after \"Total\")'"), "{text}");
    assert!(text.contains("reason = \"prices are made up\""), "{text}");

    let after = json(&shop, &FAULTY);
    let failing = |of: &str| after["counts"][of].as_u64().unwrap();
    assert_eq!(told["failing"], failing("failing") + failing("failing_aftermaths"));
    assert_eq!(ids(&after, "ignored"), [id]);
    assert_eq!(after["ignored"][0]["count"], total["count"], "counted, and never dropped");
    let kept: Vec<String> = ids(&before, "changes").into_iter().filter(|other| other != id).collect();
    assert_eq!(ids(&after, "changes").len(), kept.len());
    assert!(
        kept.iter().all(|other| ids(&after, "changes").contains(other)),
        "the cart's other faults are found"
    );
    let said = stdout(&run(&shop, &FAULTY));
    assert!(said.contains("\nignored: 1 change in "), "{said}");
    assert!(!said.contains("(after \"Total\")\n"), "{said}");
    // Once is enough.
    let again = run(&shop, &["ignore", id]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("accepted or ignored already"), "{}", stderr(&again));
    assert_eq!(config(&shop), text);
}

#[test]
fn on_another_page_the_same_change_fails() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let total = change(&json(&shop, &FAULTY), "(after \"Total\")").clone();
    let pages = total["keys"].as_array().unwrap().len();
    assert!(pages > 1);
    let id = total["id"].as_str().unwrap();
    assert!(run(&shop, &["ignore", id, "--key", "GET /cart"]).status.success());
    let after = json(&shop, &FAULTY);
    assert_eq!(ids(&after, "ignored"), [id]);
    let left = change(&after, "(after \"Total\")");
    assert_eq!((&left["id"], left["keys"].as_array().unwrap().len()), (&total["id"], pages - 1));
}

#[test]
fn a_page_without_its_insides_is_judged_by_its_flow() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let output = run(&shop, &["ignore", "--key", "*"]);
    assert!(stdout(&output).contains("oracle = \"Flist\""), "{}{}", stdout(&output), stderr(&output));
    let after = json(&shop, &FAULTY);
    let changes = after["changes"].as_array().unwrap();
    let of_pages: Vec<&Value> = changes.iter().filter(|c| c["seen_by"] != "State").collect();
    assert!(!of_pages.is_empty() && of_pages.iter().all(|c| c["seen_by"] == "Flist"), "{changes:?}");
    // A page of its own is judged by what is asked for, before the rule for all.
    let output = run(&shop, &["ignore", "--key", "GET /cart", "--oracle", "C-WD"]);
    assert!(stdout(&output).contains("that passed fail now"), "{}", stdout(&output));
    let pages: Vec<Value> = json(&shop, &FAULTY)["changes"].as_array().unwrap().clone();
    assert!(pages.iter().any(|c| c["seen_by"] == "C-WD" && c["keys"][0] == "GET /cart"));

    let text = config(&shop);
    for (args, said) in [
        (["ignore", "--key", "/cart"], "`/cart` is no key"),
        (["ignore", "--key=GET /x", "--oracle=Q"], "no comparator is called `Q`"),
    ] {
        let output = run(&shop, &args);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(said) && stderr(&output).contains("hint:"), "{}", stderr(&output));
    }
    assert_eq!(config(&shop), text, "a mistake is not written");
    let typo = run(&shop, &["ignore", "--key", "GET /crat"]);
    assert!(typo.status.success() && stderr(&typo).contains("no page of"), "{}", stderr(&typo));
}

#[test]
fn a_mistake_in_a_rule_is_named_with_its_place() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let text = config(&shop);
    std::fs::write(shop.join("restage.toml"), format!("{text}\n[[ignore]]\nkey = \"GET /cart\"\n")).unwrap();
    let output = run(&shop, &FAULTY);
    assert_eq!(output.status.code(), Some(2));
    for said in ["restage.toml", "[[ignore]] 1", "it would ignore every difference", "hint:"] {
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
    }
}

/// Catches: a test that fails on a text though only errors should fail it, and a milder change that nobody is shown.
#[test]
fn what_is_milder_than_asked_for_is_listed_and_fails_nothing() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let before = json(&shop, &FAULTY);
    let text = config(&shop);
    let with = |kind: &str| {
        let written = format!("{text}\n[oracle]\nfail-on = \"{kind}\"\n");
        std::fs::write(shop.join("restage.toml"), written).unwrap();
        run(&shop, &FAULTY)
    };
    let output = with("data");
    let data = json(&shop, &FAULTY);
    assert_eq!(output.status.code(), Some(1));
    let kinds = |of: &str| -> Vec<String> {
        let mut kinds: Vec<String> =
            data[of].as_array().unwrap().iter().map(|c| c["kind"].as_str().unwrap().to_owned()).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds("changes"), ["data"]);
    assert!(kinds("ignored").contains(&"text".to_owned()) && !kinds("ignored").contains(&"data".to_owned()));
    assert_eq!(
        ids(&data, "changes").len() + ids(&data, "ignored").len(),
        ids(&before, "changes").len(),
        "nothing is dropped"
    );
    let said = stdout(&output);
    assert!(said.contains("\nmilder than data, so that no step fails on them: "), "{said}");
    assert!(said.contains("   flow: GET /book/{n}  —  "), "{said}");

    let output = with("error");
    let errors = json(&shop, &FAULTY);
    assert_eq!((output.status.code(), ids(&errors, "changes").len()), (Some(0), 0), "{}", stdout(&output));
    let output = with("colour");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("unknown variant `colour`"), "{}", stderr(&output));
}
