//! Changes that are intended: accepted once, they fail no test any more, and nothing else passes with them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{demo_project, json, run, stderr, stdout};

const FILE: &str = "restage.accepted.toml";

/// Two runs of the demo: baseline and faulty.
const FAULTY: [&str; 3] = ["compare", "baseline", "faulty"];

fn changes(shop: &Path) -> Vec<Value> {
    json(shop, &FAULTY)["changes"].as_array().unwrap().clone()
}

fn id(change: &Value) -> &str {
    change["id"].as_str().unwrap()
}

fn file(shop: &Path) -> String {
    std::fs::read_to_string(shop.join(FILE)).unwrap()
}

fn code(shop: &Path, args: &[&str]) -> Option<i32> {
    run(shop, args).status.code()
}

/// The shop with one more version of it, with faults of its own.
fn with_other(shop: &Path, faults: &str) {
    let path = shop.join("restage.toml");
    let config = std::fs::read_to_string(&path).unwrap();
    let command = config.lines().find(|line| line.starts_with("command")).unwrap();
    let command = command.trim_end_matches('"');
    std::fs::write(&path, format!("{config}\n[app.other]\n{command} {faults}\"\n")).unwrap();
}

fn shop(demo: &tempfile::TempDir) -> PathBuf {
    demo.path().join("shop")
}

#[test]
fn what_is_accepted_fails_no_test_and_all_else_does() {
    let demo = demo_project();
    let shop = shop(&demo);
    with_other(&shop, "--fault express-missing --fault orders-of-others");
    let found = changes(&shop);
    let noted = stderr(&run(&shop, &["accept", "--all", "--reason", "the new shop"]));
    assert!(noted.contains("from now on they pass on every page"), "{noted}");
    assert!(noted.contains("any number passes there"), "{noted}");
    assert_eq!(code(&shop, &["accept", "--remove", "--all"]), Some(0));
    let told = json(&shop, &["accept", "--all", "--reason", "the new shop"]);
    assert_eq!(told["accepted"].as_array().unwrap().len(), found.len());
    assert_eq!((told["failing"].as_u64(), told["changes"].as_u64()), (Some(0), Some(0)));
    let text = file(&shop);
    assert_eq!(text.matches("reason = \"the new shop\"").count(), found.len());

    // Now, in a later run, and in every command that judges.
    assert_eq!(code(&shop, &FAULTY), Some(0));
    let tested = run(&shop, &["test", "--app", "faulty"]);
    assert_eq!(tested.status.code(), Some(0), "{}", stdout(&tested));
    let said = stdout(&tested);
    assert!(said.contains("no differences but what is accepted"), "{said}");
    assert!(said.contains(&format!("\naccepted: {} changes in ", found.len())), "{said}");
    let report = json(&shop, &["report", "baseline", "faulty"]);
    assert_eq!(report["passes"], true);
    assert_eq!(report["accepted"].as_array().unwrap().len(), found.len());
    assert_eq!(report["accepted"][0]["reason"], "the new shop");
    assert!(report["steps"][0]["accepted"][0]["summary"].is_string());

    // Another fault is found as before.
    let other = run(&shop, &["test", "--app", "other"]);
    assert_eq!(other.status.code(), Some(1), "{}", stdout(&other));
    // That a page is gone was accepted; that a page is there which must not be was not.
    for said in ["Express, next day", "status 403 became 200"] {
        assert!(stdout(&other).contains(said), "{}", stdout(&other));
    }
    assert!(stderr(&other).contains("next: `restage accept "), "{}", stderr(&other));

    // On the clean version they are not seen, which is no failure; they can be removed.
    let clean = run(&shop, &["test"]);
    assert_eq!(clean.status.code(), Some(0));
    assert!(stderr(&clean).contains("not seen in this run"), "{}", stderr(&clean));
    let removed = json(&shop, &["accept", "--remove", "--unused"]);
    assert_eq!(removed["removed"].as_array().unwrap().len(), found.len());
    assert!(!file(&shop).contains("[[accepted]]") && file(&shop).starts_with("# Changes that are intended"));
    assert_eq!(code(&shop, &FAULTY), Some(1), "what was taken back fails again");
}

#[test]
fn one_of_many_by_the_beginning_of_its_id() {
    let demo = demo_project();
    let shop = shop(&demo);
    let found = changes(&shop);
    let one = id(&found[0]).to_owned();
    assert_eq!(code(&shop, &["accept", &one[..5], "--run", "faulty", "--baseline", "baseline"]), Some(0));
    let left = changes(&shop);
    assert_eq!(left.len(), found.len() - 1);
    assert!(left.iter().all(|change| id(change) != one));
    // Again, in brackets as reports show it: nothing changes.
    let before = file(&shop);
    let again = run(&shop, &["accept", &format!("[{one}]")]);
    assert!(again.status.success() && stdout(&again).contains("was accepted already"), "{}", stdout(&again));
    assert_eq!(file(&shop), before);
    let listed = json(&shop, &["accept", "--list"]);
    assert_eq!(listed[0]["id"], one);
    assert_eq!(listed[0]["summary"], found[0]["summary"]);
    // More of them: sorted, and the first as it was, comment and all.
    let commented = before.replacen("[[accepted]]", "# talk to Ada first\n[[accepted]]", 1);
    std::fs::write(shop.join(FILE), commented).unwrap();
    assert_eq!(code(&shop, &["accept", id(&found[1]), id(&found[2])]), Some(0));
    let text = file(&shop);
    let ids: Vec<&str> = text.lines().filter(|line| line.starts_with("id = ")).collect();
    assert!(ids.len() == 3 && ids.is_sorted(), "{text}");
    assert!(text.contains(&format!("# talk to Ada first\n[[accepted]]\nid = \"{one}\"")), "{text}");
    assert_eq!(code(&shop, &["accept", "--remove", &one]), Some(0));
    assert!(!file(&shop).contains(&one));
    assert_eq!(changes(&shop).len(), found.len() - 2);
}

#[test]
fn names_that_are_none_or_many() {
    let demo = demo_project();
    let shop = shop(&demo);
    let found = changes(&shop);
    let mut by_letter: HashMap<char, usize> = HashMap::new();
    for change in &found {
        *by_letter.entry(id(change).chars().next().unwrap()).or_default() += 1;
    }
    let (letter, count) = by_letter.into_iter().max_by_key(|(_, n)| *n).unwrap();
    assert!(count > 1, "of {} ids, two begin alike", found.len());
    for (args, said) in [
        (vec!["accept", "zzz"], "no change is called `zzz`"),
        (vec!["accept", &letter.to_string()], "names more than one change"),
        (vec!["accept"], "say which changes, or --all"),
        (vec!["accept", "--remove", "abc"], "no change is called `abc`"),
        (vec!["ignore", "zzz"], "no change is called `zzz`"),
        (vec!["ignore"], "say which changes, or which pages"),
        (vec!["accept", "--all", "--run", "none"], "no run called `none`"),
    ] {
        let output = run(&shop, &args);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text.contains(said) && text.contains("hint:"), "{args:?}: {text}");
        if said.contains("zzz") {
            assert!(
                text.contains(&format!("[{}]", &id(&found[0])[..7])),
                "the known ones are listed: {text}"
            );
        }
    }
    assert!(!shop.join(FILE).exists());
}

#[test]
fn a_broken_file_is_named_with_its_line() {
    let demo = demo_project();
    let shop = shop(&demo);
    for (text, said) in [
        ("[[accepted]]\nid = \"4fd097\"\nsummary = \"x\"\n\n[[accepted]\n", "line 5"),
        ("[[accepted]]\nid = \"4FD097\"\nsummary = \"x\"\n", "line 2"),
        ("[[accepted]]\nid = \"4fd097\"\n", "missing field `summary`"),
        ("[[accepted]]\nid = \"4fd097\"\nsummary = \"x\"\nwhy = \"y\"\n", "unknown field `why`"),
    ] {
        std::fs::write(shop.join(FILE), text).unwrap();
        for args in [&FAULTY[..], &["test"], &["report"], &["accept", "--all"], &["accept", "--list"]] {
            let output = run(&shop, args);
            let error = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
            assert!(error.contains(FILE) && error.contains(said) && error.contains("hint:"), "{error}");
        }
        assert_eq!(file(&shop), text, "it is left as it is");
    }
    // An id that does not fit what the entry says is told of, and counts.
    let first = changes_without_file(&shop);
    std::fs::write(shop.join(FILE), format!(
            "[[accepted]]\nid = \"{}\"\nformat = 2\nsummary = \"x\"\nplace = {{ in = \"text\" }}\nwas = \"x\"\nis = \"y\"\n",
            id(&first)
        ),
    )
    .unwrap();
    let output = run(&shop, &FAULTY);
    assert!(stderr(&output).contains("does not describe the change of its id"), "{}", stderr(&output));
    assert!(stdout(&output).contains("accepted: 1 change in"), "{}", stdout(&output));
}

fn changes_without_file(shop: &Path) -> Value {
    std::fs::remove_file(shop.join(FILE)).unwrap();
    changes(shop)[0].clone()
}
