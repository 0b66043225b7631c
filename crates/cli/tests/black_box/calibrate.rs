//! `restage calibrate`: what varies is learnt, masked and told; what does not is judged strictly.

use std::path::Path;

use crate::support::{demo_project, json, run, stderr, stdout};

/// Where Debian puts it; `scripts/test` installs it.
const LIBFAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/// How often the app is replayed on to learn from it.
const RUNS: usize = 3;

/// Has the shop draw by a seed, another at each of [`RUNS`] starts and then the same again. What calibrating has not seen
/// to vary is told, and so it must be: of books that tie, three runs of a shop that draws anew each time may leave out one
/// that the fourth shows.
fn draw_by_turns(shop: &Path) {
    let file = shop.join("restage.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    let command = config.lines().find(|line| line.starts_with("command = ")).unwrap();
    let seeded = command
        .replace("exec ", "n=$(cat starts 2>/dev/null || echo 0); echo $((n + 1)) > starts; exec ")
        .replace("--data data", &format!("--data data --seed $((n % {RUNS}))"));
    assert_ne!(command, seeded);
    std::fs::write(&file, config.replacen(command, &seeded, 1)).unwrap();
}

#[test]
fn a_calibrated_project_is_strict_and_quiet_on_other_days() {
    let project = demo_project();
    let shop = project.path().join("shop");
    draw_by_turns(&shop);
    let runs = json(&shop, &["runs"]).as_array().unwrap().len();
    let told = json(&shop, &["calibrate", "--runs", &RUNS.to_string()]);
    assert_eq!(told["failing"], 0, "{told}");
    assert_eq!(told["runs"], RUNS);
    assert_eq!(std::fs::read_to_string(shop.join("starts")).unwrap().trim(), RUNS.to_string());
    assert!(told["masks"].as_u64().unwrap() > 3, "{told}");
    // Most pages are deterministic but for what is masked, and are judged by their bytes.
    assert!(told["oracles"]["D"].as_u64().unwrap() > 40, "{told}");
    assert_eq!(json(&shop, &["runs"]).as_array().unwrap().len(), runs, "the runs it made are removed");
    let profile = std::fs::read_to_string(shop.join("restage.noise.toml")).unwrap();
    assert!(profile.contains("at = 'input[name=\"csrf\"]'"), "{profile}");

    let config = std::fs::read_to_string(shop.join("restage.toml")).unwrap();
    let later = "[app.later]\nenv = { LD_PRELOAD = \"LIBRARY\", FAKETIME = \"+100d\", FAKETIME_DONT_FAKE_MONOTONIC = \"1\" }\n";
    std::fs::write(shop.join("restage.toml"), format!("{config}\n{}", later.replace("LIBRARY", LIBFAKETIME)))
        .unwrap();
    for app in ["default", "later"] {
        let clean = run(&shop, &["test", "--app", app]);
        assert_eq!(clean.status.code(), Some(0), "{app}: {}", stdout(&clean));
    }
    let faulty = json(&shop, &["test", "--app", "faulty"]);
    let summaries = faulty["changes"].to_string();
    assert!(summaries.contains("a link on / leads to /books/"), "{summaries}");
    // What is masked is told, with what was and what is.
    let masked =
        faulty["steps"].as_array().unwrap().iter().flat_map(|s| s["masked"].as_array().unwrap().clone());
    let csrf: Vec<_> = masked.filter(|m| m["place"].as_str().unwrap().contains("csrf")).collect();
    assert!(!csrf.is_empty() && csrf.iter().all(|m| m["expected"] != m["actual"]), "{csrf:?}");
}

#[test]
fn the_profile_is_the_users_to_edit() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let file = shop.join("restage.noise.toml");
    // By hand, before any calibration: the account page's text is not looked at.
    std::fs::write(&file, "[[page]]\nkey = \"GET /account\"\nkeep = true\noracle = \"N\"\n[[page.mask]]\nat = \"main > dl.facts > dd\"\ntext = \"{text}\"\n").unwrap();
    let compared = stdout(&run(&shop, &["compare", "baseline", "faulty"]));
    assert!(!compared.contains("(after \"E-mail\")"), "{compared}");
    assert!(!compared.contains("noisy"), "what varies on other pages is masked all the same: {compared}");
    let told = json(&shop, &["calibrate", "--runs", "1", "--same-clock", "--at-most", "DB-W"]);
    assert_eq!(told["oracles"]["N"], 1, "a page that is to be kept is kept: {told}");
    assert!(told["oracles"]["DB-W"].as_u64().unwrap() > 30, "{told}");
    assert_eq!(told["oracles"].get("D"), None);

    // Calibrating on another version would hide its faults: nothing is learnt, and nothing written.
    let profile = std::fs::read_to_string(&file).unwrap();
    let other = run(&shop, &["calibrate", "--runs", "2", "--app", "faulty"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("no longer answers as in baseline"), "{}", stderr(&other));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), profile);

    for (text, said) in [
        (
            "[[page]]\nkey = \"*\"\n[[page.mask]]\nat = \"ul li\"\ntext = \"{text}\"\n",
            "`ul li` names no element",
        ),
        (
            "[[page]]\nkey = \"*\"\n[[page.mask]]\nat = \"ul\"\ntext = \"{letters}\"\n",
            "`{letters}` is no pattern",
        ),
        ("[[page]]\nkey = \"*\"\n[[page.mask]]\nat = \"ul\"\n", "says not what it covers"),
        ("[[page]]\nkey = \"*\"\noracle = \"X\"\n", "in the [[page]] \"*\": in the oracle `X`"),
        ("[[page]]\nkeys = \"*\"\n", "unknown field `keys`"),
    ] {
        std::fs::write(&file, text).unwrap();
        let output = run(&shop, &["test"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let told = stderr(&output);
        assert!(
            told.contains(said) && told.contains("restage.noise.toml") && told.contains("hint:"),
            "{told}"
        );
    }
}
