//! `restage repair` and `restage test --repair`: the shoppers of the bookstore's first release on its fourth.

use std::path::{Path, PathBuf};

use crate::support::{demo_project, json, run, stderr, stdout};

/// The demo's project with a later release of the bookstore as the app `next`.
fn shop() -> (tempfile::TempDir, PathBuf) {
    let folder = demo_project();
    let shop = folder.path().join("shop");
    let settings = shop.join("restage.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    let command = text.lines().find(|line| line.starts_with("command")).unwrap().trim_end_matches('"');
    let next = format!("\n[app.next]\n{command} --release 4\"\n\n[state]");
    std::fs::write(&settings, text.replacen("\n[state]", &next, 1)).unwrap();
    (folder, shop)
}

fn names(shop: &Path, command: &str) -> Vec<String> {
    let listed = json(shop, &[command]);
    listed.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// Catches: a session that is lost or changed for nothing, repairs without a cause, and a suite that does not replay as its repair said.
#[test]
fn sessions_of_the_first_release_are_valid_on_a_later_one() {
    let (_folder, shop) = shop();
    let dry = json(&shop, &["repair", "recorded", "--into", "repaired", "--app", "next", "--dry-run"]);
    assert_eq!(dry["stored"], false);
    assert!(!names(&shop, "suites").contains(&"repaired".to_owned()), "--dry-run stores nothing");

    let made = json(&shop, &["repair", "recorded", "--into", "repaired", "--app", "next"]);
    let counts = &made["counts"];
    assert_eq!(counts["sessions"], 40);
    assert!(counts["repaired"].as_u64() > Some(15) && counts["unchanged"].as_u64() > Some(5), "{counts}");
    assert_eq!(counts["split"], 0, "{counts}");
    for session in made["sessions"].as_array().unwrap() {
        let changed = ["changed", "added", "dropped"].iter().any(|what| session["requests"][what] != 0);
        assert!(!changed || session["outcome"] != "unchanged", "{session}");
        assert!(
            session["outcome"] != "repaired" || session["repairs"].as_array().is_some_and(|r| !r.is_empty()),
            "{session}"
        );
    }

    let plain = json(&shop, &["replay", "recorded", "--app", "next", "--into", "plain"]);
    let replayed = json(&shop, &["replay", "repaired", "--app", "next", "--into", "again"]);
    let stale = |run: &serde_json::Value| run["stale"].as_u64().unwrap();
    assert!(
        stale(&replayed) * 8 <= stale(&plain),
        "{} of {} stale steps are left",
        stale(&replayed),
        stale(&plain)
    );

    // On the release that they were recorded on, all are valid as they are.
    let same = json(&shop, &["repair", "recorded", "--into", "same"]);
    assert_eq!(same["counts"]["unchanged"], 40, "{}", same["counts"]);
}

/// Catches: a test that does not say what helps, one whose repair changes its verdict, or a repair that passes for a plain pass.
#[test]
fn a_test_with_stale_steps_points_to_repair_and_can_do_both() {
    let (_folder, shop) = shop();
    let told = run(&shop, &["test", "--app", "next", "--into", "one"]);
    assert_eq!(told.status.code(), Some(1));
    assert!(
        stderr(&told).contains("`restage repair recorded --into repaired --app next`"),
        "{}",
        stderr(&told)
    );

    let both = json(&shop, &["test", "--app", "next", "--into", "two", "--repair"]);
    let alone = json(&shop, &["compare", "baseline", "one"]);
    assert_eq!(both["counts"]["failing"], alone["counts"]["failing"]);
    assert!(alone.get("repair").is_none());
    assert_eq!(both["repair"]["into"], "repaired-two");
    assert!(names(&shop, "suites").contains(&"repaired-two".to_owned()));

    // Nothing to repair, and nothing that differs.
    let clean = run(&shop, &["test", "--into", "three", "--repair"]);
    assert_eq!(clean.status.code(), Some(0), "{}", stdout(&clean));
    assert!(stderr(&clean).contains("nothing to repair"), "{}", stderr(&clean));
}
