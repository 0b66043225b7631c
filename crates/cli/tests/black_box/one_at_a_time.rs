//! Two processes at once on one state: the second waits, or says who is there; the data is as it was.
//!
//! Each pair of commands once in the tests; `scripts/study kills` sets RESTAGE_PAIRS.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::subjects::{Kind, Subject, rounds};
use crate::support::{json, project, restage, run, signal, stderr, stdout};

/// Waits until a replay that writes its events to the file has replayed a step.
fn wait_for_step(child: &mut Child, events: &Path) {
    while !std::fs::read_to_string(events).is_ok_and(|text| text.contains("step-replayed")) {
        assert!(child.try_wait().unwrap().is_none(), "it has ended already");
        std::thread::yield_now();
    }
}

/// A replay that is in the middle of its work.
fn in_the_middle(folder: &Path) -> Child {
    let events = folder.join("events");
    let _ = std::fs::remove_file(&events);
    let mut command = restage(folder, &["test", "--app", "slow", "--events", "events"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_step(&mut child, &events);
    child
}

/// Reads what a process says on standard error until the words come.
fn read_until(child: &mut Child, words: &str) -> String {
    let mut said = String::new();
    let mut reader = BufReader::with_capacity(1, child.stderr.as_mut().unwrap());
    while !said.contains(words) {
        assert!(reader.read_line(&mut said).unwrap() > 0, "it ended without `{words}`: {said}");
    }
    said
}

/// Catches: a second process that takes the half-way state for the user's, one that waits for ever or without a word, reading
/// commands that wait.
#[test]
fn the_second_waits_or_names_the_first() {
    let subject = Subject::new(Kind::Sqlite);
    let folder = subject.path();
    let before = subject.dump();
    let mut first = in_the_middle(folder);
    let named = format!("`restage test --app slow --events events` (process {}, since ", first.id());
    for (arguments, json) in [
        (&["test", "--no-wait"][..], false),
        (&["baseline", "--no-wait", "-q"], false),
        (&["calibrate", "--no-wait", "--json"], true),
        (&["replay", "--no-wait"], false),
        (&["record", "--no-wait", "--upstream", "http://127.0.0.1:9", "--listen", "127.0.0.1:0"], false),
        (&["snapshots", "save", "x", "--no-wait"], false),
        (&["snapshots", "restore", "initial", "--no-wait"], false),
        (&["snapshots", "remove", "initial", "--no-wait"], false),
        (&["snapshots", "detach", "--no-wait"], false),
        (&["runs", "remove", "baseline-1", "--no-wait"], false),
    ] {
        let output = run(folder, arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(&named), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output).contains(&named), json, "{arguments:?}: {}", stdout(&output));
    }
    for arguments in
        [&["sessions"][..], &["runs"], &["snapshots"], &["runs", "show", "baseline-1"], &["suites"]]
    {
        let output = run(folder, arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains("interrupted"), "{arguments:?}: {}", stderr(&output));
    }
    let mut waiting =
        restage(folder, &["snapshots", "save", "x", "-q"]).stderr(Stdio::piped()).spawn().unwrap();
    assert!(read_until(&mut waiting, "waiting: ").contains(&named));
    assert!(first.try_wait().unwrap().is_none(), "it still goes on");
    signal(&waiting, "-INT");
    assert_eq!(waiting.wait().unwrap().code(), Some(3));
    assert!(first.try_wait().unwrap().is_none(), "it still goes on");
    let mut waiting = restage(folder, &["snapshots", "save", "x"]).stderr(Stdio::piped()).spawn().unwrap();
    read_until(&mut waiting, "waiting: ");
    assert_eq!(first.wait_with_output().unwrap().status.code(), Some(0));
    assert!(waiting.wait().unwrap().success());
    assert!(subject.dump() == before);
    assert_eq!(json(folder, &["snapshots", "diff", "x"]), serde_json::json!([]));
}

const COMMANDS: [&str; 5] = ["baseline", "test", "replay", "calibrate", "record"];

fn begin(folder: &Path, command: &str) -> Child {
    let arguments: &[&str] = match command {
        "calibrate" => &["calibrate", "--runs", "1", "--same-clock"],
        "record" => &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", "http://127.0.0.1:9"],
        other => &[other],
    };
    restage(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for its end; a recording is ended once it listens. What it said on standard error.
fn finish(mut child: Child, command: &str) -> String {
    if command == "record" {
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        if !line.contains("listening") {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("{line}{said}");
        }
        signal(&child, "-INT");
    }
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{command}: {}{said}", stdout(&output));
    said
}

/// Catches: data that two commands at once destroyed, and that nobody was told of.
#[test]
fn every_pair_of_commands_at_once() {
    let rounds = rounds("RESTAGE_PAIRS", 1);
    let subject = Subject::new(Kind::Folders);
    let folder = subject.path();
    let before = subject.dump();
    let (mut waited, mut pairs) = (0, 0);
    for round in 0..rounds {
        for (place, first) in COMMANDS.iter().enumerate() {
            for second in &COMMANDS[place..] {
                let what = format!("round {round}: {first} and {second}");
                // A recording has something to save.
                if !subject.snapshots("initial").is_empty() {
                    let removed = run(folder, &["snapshots", "remove", "initial"]);
                    assert!(removed.status.success(), "{what}: {}", stderr(&removed));
                }
                let (one, other) = (begin(folder, first), begin(folder, second));
                let ids = [one.id(), other.id()];
                let other = std::thread::scope(|scope| {
                    let other = scope.spawn(|| finish(other, second));
                    [finish(one, first), other.join().unwrap()]
                });
                let mut named = 0;
                for (said, id) in other.iter().zip([ids[1], ids[0]]) {
                    assert!(!said.contains("interrupted") && !said.contains("restored"), "{what}: {said}");
                    let waits: Vec<&str> =
                        said.lines().filter(|line| line.starts_with("waiting: ")).collect();
                    assert!(waits.len() <= 1, "{what}: {said}");
                    assert!(
                        waits.iter().all(|line| line.contains(&format!("(process {id},"))),
                        "{what}: {said}"
                    );
                    named += waits.len();
                }
                assert!(named <= 1, "{what}: each waited for the other: {other:?}");
                waited += named;
                pairs += 1;
                let initial = other.iter().filter(|said| said.contains("snapshot `initial`")).count();
                assert!(initial <= 1, "{what}: {other:?}");
                assert!(subject.dump() == before, "{what}: the data is not as it was: {other:?}");
                assert_eq!(subject.snapshots("before "), [""; 0], "{what}");
                if !subject.snapshots("initial").is_empty() {
                    let diff = run(folder, &["snapshots", "diff", "initial"]);
                    assert_eq!(diff.status.code(), Some(0), "{what}: {}{}", stdout(&diff), stderr(&diff));
                }
            }
        }
    }
    println!("{pairs} pairs of commands at once: 0 states wrong; in {waited} one waited for the other");
}

/// A project that names the data of another.
fn neighbour(of: &Path, state: &str) -> tempfile::TempDir {
    let config = format!(
        "[app]\ncommand = \"true\"\n[state]\n{}\n",
        state.replace("{there}", &of.display().to_string())
    );
    let neighbour = project(&[("restage.toml", &config)]);
    std::fs::create_dir(neighbour.path().join(".restage")).unwrap();
    neighbour
}

/// Catches: two projects that name one folder, one of them a folder inside of it, or one database, and destroy each other's data; a
/// killed replay of one that the other takes for the data.
#[test]
fn two_projects_that_name_the_same_data() {
    for (kind, theirs) in [
        (Kind::Folders, "sqlite = [\"{there}/work/notes.db\"]".to_owned()),
        (Kind::Sqlite, "folders = [\"{there}/work\"]".to_owned()),
        (Kind::Postgres, String::new()),
        (Kind::MariaDb, String::new()),
    ] {
        let mut subject = Subject::new(kind);
        let theirs = match subject.server().map(|server| server.url()) {
            // By another name of the same server.
            Some(url) => {
                let key = if kind == Kind::Postgres { "postgres" } else { "mariadb" };
                format!("{key} = \"{}\"", url.replace("127.0.0.1", "localhost"))
            }
            None => theirs,
        };
        let folder = subject.path();
        let before = subject.dump();
        let other = neighbour(folder, &theirs);
        let mut first = in_the_middle(folder);
        let refused = run(other.path(), &["snapshots", "save", "x", "--no-wait"]);
        assert_eq!(refused.status.code(), Some(3), "{kind:?}: {}", stderr(&refused));
        let named = format!("(process {}, since ", first.id());
        assert!(stderr(&refused).contains(&named), "{kind:?}: {}", stderr(&refused));
        first.kill().unwrap();
        first.wait().unwrap();
        let saved = run(other.path(), &["snapshots", "save", "x"]);
        assert_eq!(saved.status.code(), Some(0), "{kind:?}: {}", stderr(&saved));
        let said = stderr(&saved);
        assert_eq!(said.matches("restored the application's data").count(), 1, "{kind:?}: {said}");
        assert!(said.contains(&folder.canonicalize().unwrap().display().to_string()), "{kind:?}: {said}");
        assert!(subject.dump() == before, "{kind:?}: {said}");
        let again = run(folder, &["test"]);
        assert_eq!(again.status.code(), Some(0), "{kind:?}: {}{}", stdout(&again), stderr(&again));
        assert!(!stderr(&again).contains("restored"), "{kind:?}: {}", stderr(&again));
        assert!(subject.dump() == before, "{kind:?}");
    }
}

/// Catches: an advisory lock that a server does not know of, so that a restage on another machine does not either.
#[test]
fn a_database_is_locked_on_its_server() {
    for kind in [Kind::Postgres, Kind::MariaDb] {
        let mut subject = Subject::new(kind);
        let url = subject.server().unwrap().url();
        let key = if kind == Kind::Postgres { "postgres" } else { "mariadb" };
        let folder = subject.path();
        let other = neighbour(folder, &format!("{key} = \"{url}\""));
        let elsewhere = tempfile::tempdir().unwrap();
        let mut first = in_the_middle(folder);
        let mut second = restage(other.path(), &["snapshots", "save", "x", "--no-wait"]);
        // As on another machine: what is written down on this one is not seen there.
        let second = second.env("RESTAGE_LOCKS", elsewhere.path()).output().unwrap();
        assert_eq!(second.status.code(), Some(3), "{kind:?}: {}", stderr(&second));
        assert!(stderr(&second).contains("is using the database"), "{kind:?}: {}", stderr(&second));
        first.kill().unwrap();
        first.wait().unwrap();
    }
}

/// Catches: what restage puts into a database that stays there after a kill for ever, a database that is of no use afterwards.
#[test]
fn detaching_removes_all_of_restages_own_and_everything_works_afterwards() {
    for kind in [Kind::Postgres, Kind::MariaDb] {
        let subject = Subject::new(kind);
        let before = subject.dump();
        let mut first = in_the_middle(subject.path());
        first.kill().unwrap();
        first.wait().unwrap();
        assert!(subject.dump().contains("restage_"), "{kind:?}: it is there after a kill");
        let detached = run(subject.path(), &["snapshots", "detach"]);
        assert_eq!(detached.status.code(), Some(0), "{kind:?}: {}", stderr(&detached));
        assert!(stdout(&detached).contains("guests"), "{kind:?}: {}", stdout(&detached));
        assert!(subject.dump() == before, "{kind:?}");
        assert_eq!(run(subject.path(), &["snapshots", "save", "x"]).status.code(), Some(0));
        assert_eq!(run(subject.path(), &["test"]).status.code(), Some(0));
        assert!(subject.dump() == before, "{kind:?}");
    }
    let subject = Subject::new(Kind::Sqlite);
    assert_eq!(json(subject.path(), &["snapshots", "detach"]), serde_json::json!({ "detached": [] }));
}
