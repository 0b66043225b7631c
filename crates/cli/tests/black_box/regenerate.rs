//! `restage regenerate`: faults that show only where one user goes on as another one did.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::own_app::{Browser, Running};
use crate::support::{Recording, free_port, json, restage, run, stderr, stdout};

const FAULTS: &str = "retired-selection,unknown-kind,draft-after-logout,return-before-handover,empty-queue";

/// The tool shed in a project of its own, with some users recorded. Nobody meets a fault.
pub(crate) fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/toolshed");
    let copied = Command::new("cp").arg("-r").arg(example.join("app")).arg(folder.path()).status().unwrap();
    assert!(copied.success());
    // Nothing here is anybody's secret.
    let config = std::fs::read_to_string(example.join("restage.toml")).unwrap() + "\n[redact]\noff = true\n";
    std::fs::write(folder.path().join("restage.toml"), config).unwrap();
    let made = Command::new("php").arg("setup.php").current_dir(folder.path().join("app")).output().unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    std::fs::create_dir(folder.path().join("sessions")).unwrap();
    let saved = run(folder.path(), &["snapshots", "save", "initial"]);
    assert!(saved.status.success(), "{}", stderr(&saved));
    let port = free_port();
    let mut app = Command::new("php");
    app.args(["-d", "session.save_path=../sessions", "-S", &format!("127.0.0.1:{port}")]);
    app.current_dir(folder.path().join("app")).env("TOOLSHED_FAULTS", FAULTS);
    let app = Running::of(app.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::yield_now();
    }
    let upstream = format!("http://127.0.0.1:{port}");
    let recording = Recording::start(restage(
        folder.path(),
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    use_toolshed(&|path| recording.url(path));
    recording.stop();
    drop(app);
    folder
}

fn use_toolshed(url: &dyn Fn(&str) -> String) {
    // Mia borrows the drill; Ben the ladder, which he cancels, and the saw.
    for (name, tools, cancelled) in [("mia", &[1][..], None), ("ben", &[2, 3], Some("2"))] {
        let mut member = logged_in(url, name);
        for tool in tools {
            member.go(&format!("/tool.php?id={tool}"), None);
            send(&mut member, "/borrow.php", &[("step", "days"), ("days", "3")]);
            send(&mut member, "/borrow.php", &[("step", "confirm")]);
        }
        member.go("/notes.php", None);
        send(&mut member, "/notes.php", &[("body", "it is heavy")]);
        if let Some(loan) = cancelled {
            member.go("/loans.php", None);
            send(&mut member, "/loans.php", &[("loan", loan), ("do", "cancel")]);
        }
        member.go("/logout.php", None);
    }
    // Kay looks at a tool, and decides.
    let mut keeper = logged_in(url, "kay");
    keeper.go("/tool.php?id=5", None);
    keeper.go("/desk.php", None);
    send(&mut keeper, "/desk.php", &[("loan", "1"), ("do", "hand-out")]);
    keeper.go("/members.php?id=2", None);
    keeper.go("/logout.php", None);
    // She works on the stock, on another day.
    let mut keeper = logged_in(url, "kay");
    keeper.go("/tool.php?id=4", None);
    keeper.go("/stock.php", None);
    send(&mut keeper, "/stock.php", &[("tool", "4"), ("do", "kind"), ("kind", "garden")]);
    send(&mut keeper, "/stock.php", &[("tool", "4"), ("do", "retire")]);
    // Mia returns what she borrowed.
    let mut member = logged_in(url, "mia");
    member.go("/loans.php", None);
    send(&mut member, "/loans.php", &[("loan", "1"), ("do", "return")]);
}

fn logged_in<'a>(url: &'a dyn Fn(&str) -> String, name: &str) -> Browser<'a> {
    let mut browser = Browser::new(url);
    browser.go("/login.php", None);
    send(&mut browser, "/login.php", &[("name", name), ("password", &format!("{name}-secret"))]);
    assert!(browser.page.contains("Welcome back"), "{}", browser.page);
    browser
}

/// Sends a form of the page, with its token; asks for the page first where there is none.
fn send(browser: &mut Browser<'_>, path: &str, fields: &[(&str, &str)]) {
    if !browser.page.contains("name=\"token\"") {
        browser.go(path, None);
    }
    let token = browser.between("name=\"token\" value=\"", '"');
    browser.go(path, Some(&[fields, &[("token", token.as_str())]].concat()));
    assert!(!browser.page.contains("too old"), "{}", browser.page);
}

fn errors(told: &Value) -> Vec<String> {
    let rounds = told["rounds"].as_array().unwrap().iter();
    let kept = rounds.flat_map(|round| round["kept"].as_array().unwrap());
    let errors = kept.flat_map(|sequence| sequence["errors"].as_array().unwrap());
    errors.map(|error| format!("{} {} {}", error["kind"], error["message"], error["file"])).collect()
}

/// Catches: a definition that does not come before its use, another one in between, a login that is the other user's, a form without its
/// token, and data that is not as it was.
#[test]
fn faults_of_an_order_are_found_and_kept_as_tests() {
    let folder = recorded();
    let folder = folder.path();
    let dump =
        || Command::new("sqlite3").arg("data/toolshed.db").arg(".dump").current_dir(folder).output().ok();
    let before = dump().map(|dump| dump.stdout);
    let plain = json(folder, &["regenerate", "recorded", "--by", "vadu", "--app", "faulty", "--dry-run"]);
    assert!(plain["sequences"].as_u64().unwrap() > 0, "{plain}");
    assert_eq!(plain["suite"], Value::Null);

    let told = json(
        folder,
        &["regenerate", "recorded", "--by", "vadu", "--app", "faulty", "--into", "anew", "--rounds", "2"],
    );
    let found = errors(&told);
    assert!(found.iter().any(|error| error.contains("notes.php")), "retired-selection: {found:?}");
    assert!(found.iter().any(|error| error.contains("borrow.php")), "unknown-kind: {found:?}");
    let first = &told["rounds"][0];
    assert!(
        first["met"].as_u64().unwrap() * 2 > first["asked"].as_u64().unwrap(),
        "most come about: {first}"
    );
    assert_eq!(before, dump().map(|dump| dump.stdout), "the data is as it was");

    // What is counted was seen in that order: the new suite's own pairs are covered by it.
    let again = json(folder, &["regenerate", "anew", "--by", "vadu", "--app", "faulty", "--dry-run"]);
    let gained: u64 =
        told["rounds"].as_array().unwrap().iter().map(|round| round["pairs"].as_u64().unwrap()).sum();
    assert!(again["covered"].as_u64().unwrap() >= gained, "{} < {gained}", again["covered"]);

    // It is a test like any other: nothing differs on the version that it was made on, and the repaired one does.
    let same = run(folder, &["test", "--app", "faulty"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
    let repaired = run(folder, &["test", "--app", "default"]);
    assert_eq!(repaired.status.code(), Some(1), "{}{}", stdout(&repaired), stderr(&repaired));
}

#[test]
fn limits_are_kept_and_names_that_are_taken_refused() {
    let folder = recorded();
    let folder = folder.path();
    let told =
        json(folder, &["regenerate", "recorded", "--by", "du", "--into", "few", "--max-requests", "40"]);
    let sent: u64 =
        told["rounds"].as_array().unwrap().iter().map(|round| round["requests"].as_u64().unwrap()).sum();
    assert!(sent <= 40 && sent > 0 && told["sequences_over_limit"].as_u64().unwrap() > 0, "{told}");
    let taken = run(folder, &["regenerate", "recorded", "--by", "random", "--into", "recorded"]);
    assert_eq!(taken.status.code(), Some(2), "{}", stderr(&taken));
    let chains = run(folder, &["regenerate", "recorded", "--by", "du", "--into", "more", "--chains"]);
    assert_eq!(chains.status.code(), Some(2), "{}", stderr(&chains));
    let random = json(folder, &["regenerate", "recorded", "--by", "random", "--dry-run"]);
    let du = json(folder, &["regenerate", "recorded", "--by", "du", "--dry-run"]);
    assert_eq!(random["sequences"], du["sequences"], "as many as DU makes");
}

/// Catches a second round that does not go on from what the first one defined: nobody asked for three tools, Ben asked for two.
#[test]
fn chains_define_three_times_before_the_use() {
    let folder = recorded();
    let asked = [
        "regenerate",
        "recorded",
        "--by",
        "vadu",
        "--chains",
        "--app",
        "faulty",
        "--rounds",
        "2",
        "--into",
        "more",
    ];
    let told = json(folder.path(), &asked);
    let longest = |round: &Value| {
        let kept = round["kept"].as_array().unwrap().iter();
        let pairs = kept.flat_map(|sequence| sequence["pairs"].as_array().unwrap());
        pairs.filter_map(|pair| pair["definition"]["earlier"].as_u64()).max()
    };
    let rounds = told["rounds"].as_array().unwrap();
    assert_eq!((longest(&rounds[0]), longest(&rounds[1])), (Some(1), Some(2)), "{rounds:?}");
}
