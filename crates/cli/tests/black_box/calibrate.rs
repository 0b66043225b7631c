//! `restage calibrate`: what varies is learnt, masked and told; what does not is judged strictly.

use std::path::Path;

use crate::own_app::{Browser, start_script};
use crate::support::{Recording, demo_project, json, project, restage, run, stderr, stdout};

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
    let later = "[app.later]\nclock = \"shift:+100d\"\n";
    std::fs::write(shop.join("restage.toml"), format!("{config}\n{later}")).unwrap();
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

const EXPIRING: &str = r#"
[app]
command = "exec python3 expiring.py {port}"
[app.hours]
env = { FAULT = "hours" }
[app.total]
env = { FAULT = "total" }
[app.licensed]
env = { LICENCE = "1" }
[state]
sqlite = ["cart.db"]
"#;

/// A shop with an old cart, and two shoppers: one looks at it, one fills another. With its baseline.
fn expiring_shop() -> tempfile::TempDir {
    let folder = project(&[("expiring.py", include_str!("../apps/expiring.py")), ("restage.toml", EXPIRING)]);
    let path = folder.path();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
    std::fs::write(path.join("licence.txt"), (now + 20 * 86_400).to_string()).unwrap();
    let (app, upstream) = start_script(path, "expiring.py");
    let data = rusqlite::Connection::open(path.join("cart.db")).unwrap();
    data.execute_batch("CREATE TABLE IF NOT EXISTS cart (id INTEGER PRIMARY KEY, user TEXT, item TEXT, price INTEGER, at INTEGER)").unwrap();
    data.execute(
        "INSERT INTO cart (user, item, price, at) VALUES ('ann', 'lamp', 10, ?), ('ann', 'rope', 10, ?)",
        [now, now],
    )
    .unwrap();
    drop(data);
    let recording = Recording::start(restage(
        path,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    let url = |path: &str| recording.url(path);
    let mut ann = Browser::new(&url);
    ann.go("/start?user=ann", None);
    ann.go("/cart", None);
    let mut bob = Browser::new(&url);
    bob.go("/start?user=bob", None);
    bob.go("/add?item=saw", None);
    bob.go("/cart", None);
    recording.stop();
    drop(app);
    // As it was before.
    let data = rusqlite::Connection::open(path.join("cart.db")).unwrap();
    data.execute("DELETE FROM cart WHERE user = 'bob'", []).unwrap();
    drop(data);
    json(path, &["baseline"]);
    folder
}

/// Catches: what expires under the clock of next month is masked, and the suite goes blind.
#[test]
fn what_expires_under_a_shifted_clock_is_not_learnt_from() {
    let folder = expiring_shop();
    let folder = folder.path();
    let told = json(folder, &["calibrate", "--runs", "5"]);
    let left_out: Vec<(u64, &str)> = told["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["hours_ahead"].as_u64().unwrap(), one["session"].as_str().unwrap()))
        .collect();
    assert_eq!(left_out, [(201, "s1"), (853, "s1")], "{told}");
    assert_eq!(told["failing"], 0, "{told}");
    let profile = std::fs::read_to_string(folder.join("restage.noise.toml")).unwrap();
    let masks = profile.split("format = ").nth(1).unwrap();
    assert_eq!(masks.matches("[[page.mask]]").count(), 1, "{masks}");
    assert!(masks.contains("text = \"is {day}\"") && !masks.contains("state"), "{masks}");
    assert_eq!(run(folder, &["test"]).status.code(), Some(0));
    // A duration, and a total of what would have expired.
    for fault in ["hours", "total"] {
        let found = run(folder, &["test", "--app", fault]);
        assert_eq!(found.status.code(), Some(1), "{fault}: {}", stdout(&found));
    }
    // What was learnt again is written again, as it was.
    json(folder, &["calibrate", "--runs", "5"]);
    assert_eq!(std::fs::read_to_string(folder.join("restage.noise.toml")).unwrap(), profile);
}

/// Catches: an application that does not start under the clock of next month, and takes the other runs with it.
#[test]
fn runs_are_kept_when_one_fails() {
    let folder = expiring_shop();
    let folder = folder.path();
    let told = json(folder, &["calibrate", "--runs", "5", "--app", "licensed"]);
    assert_eq!(told["runs"], 4, "{told}");
    assert_eq!(told["failed"].as_array().unwrap().len(), 1, "{told}");
    assert!(folder.join("restage.noise.toml").exists());
    let runs = json(folder, &["runs"]);
    assert_eq!(runs.as_array().unwrap().len(), 2, "the baseline and its check are left: {runs}");
}
