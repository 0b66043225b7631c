//! `restage reduce`, `test --suite`, `export` and `record --keep reduced`, as a user runs them.

use std::time::{Duration, Instant};

use crate::support::{
    Recording, agent, demo_project, echo_server, json, project, restage, run, stderr, stdout,
};

/// Catches a reduction that loses keys or its receipt, and a part of a suite that is not replayed on the states of the whole.
#[test]
fn a_reduced_suite_is_tested_on_the_baselines_states() {
    let folder = demo_project();
    let shop = folder.path().join("shop");
    let reduced = json(&shop, &["reduce", "recorded", "--by", "hgs", "--into", "small"]);
    let receipt = &reduced["receipt"];
    assert_eq!(receipt["before"]["requirements"], receipt["after"]["requirements"]);
    assert_eq!(receipt["before"]["sessions"], 40);
    let sessions = reduced["sessions"].as_array().unwrap().len();
    assert!((5..20).contains(&sessions), "{reduced}");
    assert!(reduced["saved"].as_f64().unwrap() > 0.3);
    let shown = run(&shop, &["suites", "show", "small"]);
    assert!(stdout(&shown).contains("requirements (key)"), "{}", stdout(&shown));

    let clean = run(&shop, &["test", "--suite", "small"]);
    assert_eq!(clean.status.code(), Some(0), "{}{}", stdout(&clean), stderr(&clean));
    assert!(
        stdout(&clean).contains(&format!("in {sessions} sessions: no differences")),
        "{}",
        stdout(&clean)
    );
    let faulty = run(&shop, &["test", "--suite", "small", "--app", "faulty"]);
    assert_eq!(faulty.status.code(), Some(1), "{}{}", stdout(&faulty), stderr(&faulty));
    assert!(stdout(&faulty).contains(&format!("{sessions} sessions)")), "{}", stdout(&faulty));
}

/// Catches: `[keys] templates` that name one page, and a reduction that keeps a session for each of its addresses.
#[test]
fn pages_that_a_template_names_are_one_requirement() {
    let line = |user: usize, slug: &str| {
        format!(
            "10.0.0.{user} - - [10/Oct/2026:13:00:0{user} +0000] \"GET /book/{slug} HTTP/1.1\" 200 512 \"-\" \"Mozilla/5.0\"\n"
        )
    };
    let log: String =
        ["dune", "emma", "ulysses"].iter().zip(1..).map(|(slug, user)| line(user, slug)).collect();
    let folder = project(&[("a.log", &log), ("restage.toml", "[keys]\ntemplates = [\"/book/{slug}\"]\n")]);
    let folder = folder.path();
    json(folder, &["import", "a.log"]);
    let reduced = json(folder, &["reduce", "recorded", "--by", "hgs", "--into", "small"]);
    assert_eq!(reduced["receipt"]["before"]["sessions"], 3);
    assert_eq!(reduced["sessions"].as_array().unwrap().len(), 1, "{reduced}");
}

/// Catches a mistake that is not told with its remedy.
#[test]
fn what_cannot_be_reduced_is_said() {
    let folder = demo_project();
    let shop = folder.path().join("shop");
    for (args, says) in [
        (
            &["reduce", "recorded", "--by", "hgs", "--require", "lines", "--into", "x"][..],
            "no run has facts yet",
        ),
        (&["reduce", "recorded", "--by", "hgs", "--require", "files", "--into", "x"], "hint: one of key"),
        (&["reduce", "recorded", "--by", "hgs", "--into", "recorded"], "a name of its own"),
        (&["reduce", "none", "--by", "hgs", "--into", "x"], "there is: recorded"),
        (&["export", "recorded", "--to", "hurl"], "name a folder"),
        (&["export", "recorded", "--to", "tar"], "hint: one of har"),
    ] {
        let output = run(&shop, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(says), "{args:?}: {}", stderr(&output));
    }
    let half = json(&shop, &["reduce", "recorded", "--by", "every-nth", "--nth", "2", "--into", "half"]);
    assert_eq!(half["receipt"]["after"]["sessions"], 20);
    assert_eq!(
        half["receipt"]["lost"].as_u64().unwrap() as usize,
        half["receipt"]["lost_ones"].as_array().unwrap().len()
    );
    assert!(half["receipt"]["lost"].as_u64().unwrap() > 0);
}

/// Catches exports that are cut off, that lose the sessions, or that no tool can read.
#[test]
fn suites_are_written_for_other_tools() {
    let folder = demo_project();
    let shop = folder.path().join("shop");
    let har: serde_json::Value =
        serde_json::from_slice(&run(&shop, &["export", "recorded", "--to", "har"]).stdout).unwrap();
    assert_eq!(har["log"]["_restage"]["sessions"].as_array().unwrap().len(), 40);
    let steps = har["log"]["entries"].as_array().unwrap().iter().filter(|e| e["_restage"]["step"].is_u64());
    assert_eq!(steps.count(), 514);
    let script = run(&shop, &["export", "recorded", "--to", "curl", "-o", "all.sh"]);
    assert!(script.status.success(), "{}", stderr(&script));
    let checked = std::process::Command::new("sh").arg("-n").arg(shop.join("all.sh")).status().unwrap();
    assert!(checked.success());
    let files = json(&shop, &["export", "recorded", "--to", "hurl", "-o", "hurl/"]);
    assert_eq!(files["files"].as_array().unwrap().len(), 40);
    let text = std::fs::read_to_string(shop.join("hurl/s192.hurl")).unwrap();
    assert!(text.contains("csrf: {{csrf_2}}") && text.contains("csrf_2: xpath"), "{text}");
    for format in ["k6", "playwright"] {
        let text = stdout(&run(&shop, &["export", "recorded", "--to", format]));
        assert!(text.contains("const csrf_2 = "), "{format}");
    }
}

/// Catches a store that grows with the traffic though nothing new is done, and drops that are not told.
#[test]
fn recording_may_keep_only_what_is_new() {
    let upstream = format!("http://{}", echo_server());
    let folder = project(&[("restage.toml", "[sessions]\nby = [\"ip+agent\"]\nidle = \"1s\"\n")]);
    let args = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream, "--keep", "reduced"];
    let recording = Recording::start(restage(folder.path(), &args));
    for user in 0..30 {
        let client = agent();
        let paths: &[&str] = if user == 7 { &["/", "/cart"] } else { &["/", "/list"] };
        for path in paths {
            let asked = client.get(recording.url(path)).header("user-agent", format!("browser {user}"));
            asked.call().unwrap();
        }
    }
    let tally = recording.stop();
    assert_eq!(tally["stored"], 60);
    assert_eq!(
        (&tally["sessions"]["over"], &tally["sessions"]["dropped"]),
        (&30.into(), &28.into()),
        "{tally}"
    );
    let left = json(folder.path(), &["sessions"]);
    assert_eq!(left.as_array().unwrap().len(), 2);
}

/// Catches: a store that grows with the traffic while it is watched, a line that tells something else than what is stored.
#[test]
fn a_watched_recording_keeps_one_session_of_each_behaviour() {
    let upstream = format!("http://{}", echo_server());
    let folder = project(&[("restage.toml", "[sessions]\nby = [\"ip+agent\"]\nidle = \"1s\"\n")]);
    let folder = folder.path();
    let args = ["watch", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
    let recording = Recording::start(restage(folder, &args));
    for user in 0..50 {
        let client = agent();
        let paths = match user {
            7 => ["/", "/cart"],
            23 => ["/list", "/help"],
            _ => ["/", "/list"],
        };
        for path in paths {
            let asked = client.get(recording.url(path)).header("user-agent", format!("browser {user}"));
            asked.call().unwrap();
        }
    }
    // While it is recorded: the store has three sessions before anybody ends it.
    let stored = || json(folder, &["sessions"]).as_array().unwrap().len();
    let deadline = Instant::now() + Duration::from_secs(60);
    while stored() != 3 {
        assert!(Instant::now() < deadline, "{} sessions are stored", stored());
    }
    let mut lines = recording.stop_and_read();
    let tally = lines.pop().unwrap();
    let seen: Vec<u64> = lines.iter().map(|line| line["seen"].as_u64().unwrap()).collect();
    assert!(seen.is_sorted() && seen.last() == Some(&50), "{lines:?}");
    for told in [lines.last().unwrap(), &tally["sessions"]] {
        assert_eq!((&told["kept"], &told["behaviours"]), (&3.into(), &3.into()), "{told}");
        assert_eq!((&told["dropped"], &told["exchanges_dropped"]), (&47.into(), &94.into()), "{told}");
        assert!(told["bytes"].as_u64().unwrap() > 0);
    }
    assert_eq!((&tally["seen"], &tally["stored"]), (&100.into(), &100.into()));
    assert_eq!(stored(), 3);
    let refused = run(folder, &["watch", "--upstream", &upstream, "--require", "lines"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("no run has facts yet"), "{}", stderr(&refused));
}
