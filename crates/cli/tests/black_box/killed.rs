//! restage, the app or the database server killed at a random moment: after the next command the data is as it was, on all kinds
//! of state, and every moment of it was told.
//!
//! A few times in the tests; `scripts/study kills` sets RESTAGE_KILLS.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::subjects::{Kind, Random, Subject, rounds};
use crate::support::{restage, run, signal, stderr, stdout};

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Restage,
    App,
    Server,
}

/// What is killed in the middle.
const COMMANDS: [&[&str]; 5] = [
    &["test", "--into", "cut"],
    &["test", "--jobs", "2"],
    &["replay", "--state", "fresh"],
    &["baseline"],
    &["calibrate", "--runs", "1"],
];

/// What comes next: each of them uses the state.
const NEXT: [&[&str]; 4] = [
    &["snapshots", "save", "next", "--replace"],
    &["test", "-q"],
    &["snapshots", "save", "next", "--replace", "--json"],
    &["replay", "-q"],
];

const RESTORED: &str = "restored the application's data";

fn kill_at_random(kind: Kind, victim: Victim) {
    let rounds = rounds("RESTAGE_KILLS", 3);
    let mut subject = Subject::new(kind);
    let mut random = Random::new();
    let before = subject.dump();
    let databases = subject.databases();
    let begun = Instant::now();
    assert!(run(subject.path(), &["test"]).status.success());
    let whole = begun.elapsed();
    let (mut pending, mut copies) = (0, 0);
    for round in 0..rounds {
        let command = COMMANDS[random.below(COMMANDS.len() as u64) as usize];
        let longest = whole * if command[0] == "baseline" { 2 } else { 1 };
        let moment = Duration::from_micros(random.below(longest.as_micros() as u64));
        let what = format!("{kind:?}, {victim:?}, round {round}: {command:?} after {moment:?}");
        let mut child =
            restage(subject.path(), command).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // The moment is what is tested: it may be any.
        std::thread::sleep(moment);
        match victim {
            Victim::Restage => child.kill().unwrap(),
            Victim::App => kill_apps_of(child.id()),
            Victim::Server => subject.server().unwrap().kill(),
        }
        let ended = child.wait_with_output().unwrap();
        if victim == Victim::Server {
            subject.server().unwrap().revive();
        }
        let told = stderr(&ended);
        // Reading tells what is pending, and changes nothing of it.
        let aside = subject.snapshots("before ");
        let runs = run(subject.path(), &["runs", "-q"]);
        let said = stderr(&runs).contains("was interrupted before it could restore");
        assert_eq!(said, !aside.is_empty(), "{what}: {aside:?}\n{}\n{told}", stderr(&runs));
        pending += u64::from(!aside.is_empty());
        copies += u64::from(subject.databases() != databases);
        let next = NEXT[random.below(NEXT.len() as u64) as usize];
        let output = run(subject.path(), next);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{what}, then {next:?}: {}{said}\n{told}", stdout(&output));
        assert_eq!(
            said.matches(RESTORED).count(),
            usize::from(!aside.is_empty()),
            "{what}, then {next:?}: {said}"
        );
        let differs = differing(&before, &subject.dump());
        assert!(
            differs.is_empty(),
            "{what}, then {next:?}: the data is not as it was: {said}\n{told}\n{differs}"
        );
        assert_eq!(subject.snapshots("before "), [""; 0], "{what}");
        assert_eq!(subject.databases(), databases, "{what}: {said}");
        assert!(!subject.path().join(".restage/copies").exists(), "{what}");
        // Room for the next of the same name.
        let _ = run(subject.path(), &["runs", "remove", "cut"]);
    }
    println!(
        "{kind:?}, {victim:?} killed {rounds} times: 0 states wrong; {pending} had to be put back, {copies} left databases of copies"
    );
}

/// The lines that only one of two texts has.
fn differing(before: &str, now: &str) -> String {
    let only = |one: &str, other: &str, mark: char| -> String {
        let lines = one.lines().filter(|line| !other.lines().any(|there| there == *line));
        lines.map(|line| format!("{mark} {line}\n")).collect()
    };
    let told = only(before, now, '-') + &only(now, before, '+');
    if told.is_empty() && before != now { "lines come more often than before".to_owned() } else { told }
}

/// Kills the apps that a restage has started, as far as there are any.
fn kill_apps_of(restage: u32) {
    let mark = format!("RESTAGE_APP_MARK={restage}.");
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment.split(|&b| b == 0).any(|pair| pair.starts_with(mark.as_bytes())) {
            let pid = entry.file_name();
            let _ = Command::new("kill").arg("-9").arg(pid).stderr(Stdio::null()).status();
        }
    }
}

#[test]
fn sqlite_when_restage_is_killed() {
    kill_at_random(Kind::Sqlite, Victim::Restage);
}

#[test]
fn sqlite_when_the_app_is_killed() {
    kill_at_random(Kind::Sqlite, Victim::App);
}

#[test]
fn folders_when_restage_is_killed() {
    kill_at_random(Kind::Folders, Victim::Restage);
}

#[test]
fn folders_when_the_app_is_killed() {
    kill_at_random(Kind::Folders, Victim::App);
}

#[test]
fn postgresql_when_restage_is_killed() {
    kill_at_random(Kind::Postgres, Victim::Restage);
}

#[test]
fn postgresql_when_the_app_is_killed() {
    kill_at_random(Kind::Postgres, Victim::App);
}

#[test]
fn postgresql_when_the_server_is_killed() {
    kill_at_random(Kind::Postgres, Victim::Server);
}

#[test]
fn mariadb_when_restage_is_killed() {
    kill_at_random(Kind::MariaDb, Victim::Restage);
}

#[test]
fn mariadb_when_the_app_is_killed() {
    kill_at_random(Kind::MariaDb, Victim::App);
}

#[test]
fn mariadb_when_the_server_is_killed() {
    kill_at_random(Kind::MariaDb, Victim::Server);
}

/// Catches: a second Ctrl-C, a closed terminal or SIGQUIT that leaves the data as a session left it.
#[test]
fn every_signal_restores_and_a_second_one_too() {
    let subject = Subject::new(Kind::Folders);
    let before = subject.dump();
    for signals in [&["-INT", "-INT", "-INT"][..], &["-QUIT"], &["-HUP"], &["-TERM", "-QUIT"]] {
        let events = subject.path().join("events");
        let _ = std::fs::remove_file(&events);
        let arguments = ["test", "--app", "slow", "--events", "events"];
        let mut child =
            restage(subject.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        while !std::fs::read_to_string(&events).is_ok_and(|text| text.contains("step-replayed")) {
            assert!(child.try_wait().unwrap().is_none(), "it has ended already");
            std::thread::yield_now();
        }
        for name in signals {
            signal(&child, name);
        }
        let ended = child.wait_with_output().unwrap();
        let said = stderr(&ended);
        assert_eq!(ended.status.code(), Some(3), "{signals:?}: {said}");
        assert!(said.contains("interrupted"), "{signals:?}: {said}");
        assert!(subject.dump() == before, "{signals:?}: {said}");
        assert_eq!(subject.snapshots("before "), [""; 0], "{signals:?}");
    }
}

/// Catches: an app of a killed restage that goes on writing into what was put back.
#[test]
fn the_app_of_a_killed_restage_is_ended_before_the_data_is_restored() {
    let subject = Subject::new(Kind::Sqlite);
    let before = subject.dump();
    let arguments = ["test", "--app", "slow", "--events", "events"];
    let mut child =
        restage(subject.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let events = subject.path().join("events");
    while !std::fs::read_to_string(&events).is_ok_and(|text| text.contains("step-replayed")) {
        assert!(child.try_wait().unwrap().is_none(), "it has ended already");
        std::thread::yield_now();
    }
    let mark = format!("RESTAGE_APP_MARK={}.", child.id());
    let apps = || {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        all.filter(|entry| {
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            environment.split(|&b| b == 0).any(|pair| pair.starts_with(mark.as_bytes()))
        })
        .count()
    };
    child.kill().unwrap();
    child.wait().unwrap();
    for reading in [&["sessions"][..], &["runs", "--json"], &["snapshots", "-q"]] {
        let output = run(subject.path(), reading);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains("was interrupted before it could restore"), "{reading:?}");
    }
    // It goes on until a command that uses a state ends it; one of another test may have been that.
    let saved = run(subject.path(), &["snapshots", "save", "next", "-q"]);
    assert!(stderr(&saved).contains(RESTORED), "{}", stderr(&saved));
    assert_eq!(apps(), 0);
    assert!(subject.dump() == before);
    // What was there is kept, and the state is told as it was only once.
    assert_eq!(subject.snapshots("found after ").len(), 1);
    let again = run(subject.path(), &["snapshots", "save", "next", "--replace"]);
    assert!(!stderr(&again).contains(RESTORED), "{}", stderr(&again));
}
