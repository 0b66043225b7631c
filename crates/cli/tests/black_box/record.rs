//! `restage record` under load, with the disk full, and killed.

use std::path::Path;
use std::process::Command;

use crate::support::{Recording, agent, echo_server, json, restage};

/// Sends `each` requests on each of `connections`; every one must be answered.
fn load(recording: &Recording, connections: usize, each: usize) -> usize {
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..connections)
            .map(|connection| {
                scope.spawn(move || {
                    let agent = agent();
                    (0..each)
                        .filter(|n| {
                            let mut answer =
                                agent.get(recording.url(&format!("/{connection}/{n}"))).call().unwrap();
                            let page = answer.body_mut().read_to_string().unwrap();
                            answer.status() == 200 && page.starts_with(&format!("<p>/{connection}/{n}</p>"))
                        })
                        .count()
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap()).sum()
    })
}

fn record(folder: &Path, upstream: &str) -> Command {
    restage(folder, &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", upstream])
}

#[test]
fn twenty_thousand_requests_on_64_connections_are_all_stored() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Recording::start(record(folder.path(), &format!("http://{}", echo_server())));
    let sent = load(&recording, 64, 313);
    assert_eq!(sent, 64 * 313);
    let tally = recording.stop();
    assert_eq!(tally["seen"], sent);
    assert_eq!(tally["stored"], sent);
    let sessions = json(folder.path(), &["sessions"]);
    let stored: usize =
        sessions.as_array().unwrap().iter().map(|s| s["exchanges"].as_array().unwrap().len()).sum();
    assert_eq!(stored, sent);
}

#[test]
fn with_the_disk_full_users_are_served_and_the_loss_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let upstream = format!("http://{}", echo_server());
    let binary = env!("CARGO_BIN_EXE_restage");
    // A file system of 400 KB, seen by this recorder alone.
    let script = format!(
        "mkdir full && mount -t tmpfs -o size=400k tmpfs full && exec '{binary}' record --json --listen 127.0.0.1:0 \
         --upstream {upstream} --store full/restage.db --quiet"
    );
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut command = if root { Command::new("unshare") } else { Command::new("sudo") };
    if !root {
        command.arg("unshare");
    }
    command.args(["--mount", "sh", "-c", &script]).current_dir(folder.path());
    let recording = Recording::start(command);
    let sent = load(&recording, 16, 250);
    assert_eq!(sent, 16 * 250, "every request is answered");
    let tally = recording.stop();
    assert_eq!(tally["seen"], sent);
    let (stored, lost) = (tally["stored"].as_u64().unwrap(), tally["not_stored"].as_u64().unwrap());
    assert_eq!(stored + lost, sent as u64);
    assert!(stored > 0 && lost > 0, "{tally}");
    assert!(tally["reasons"][0]["why"].as_str().unwrap().contains("full"), "{tally}");
}

/// Catches: exchanges that are kept in memory until the recording ends, and are gone when it is killed.
#[test]
fn what_is_stored_while_it_records_outlives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Recording::start(record(folder.path(), &format!("http://{}", echo_server())));
    let agent = agent();
    let paths: Vec<String> = (0..50).map(|n| format!("/{n}")).collect();
    for path in &paths {
        assert_eq!(agent.get(recording.url(path)).call().unwrap().status(), 200);
    }
    // Others see in the store what was recorded, with no more traffic and without its end.
    let stored = || -> usize {
        let sessions = json(folder.path(), &["sessions"]);
        sessions.as_array().unwrap().iter().map(|s| s["exchanges"].as_array().unwrap().len()).sum()
    };
    let looks = (0..1000).take_while(|_| stored() < paths.len()).count();
    assert!(looks < 1000, "only {} of {} are stored", stored(), paths.len());
    recording.kill();
    assert_eq!(stored(), paths.len());
}

#[test]
fn an_upstream_that_is_down_is_told_to_the_user_and_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Recording::start(record(folder.path(), "http://127.0.0.1:1"));
    let mut answer = agent().get(recording.url("/")).call().unwrap();
    assert_eq!(answer.status(), 502);
    assert!(answer.body_mut().read_to_string().unwrap().contains("127.0.0.1:1"));
    let tally = recording.stop();
    assert_eq!((tally["seen"].as_u64(), tally["stored"].as_u64()), (Some(1), Some(1)));
}
