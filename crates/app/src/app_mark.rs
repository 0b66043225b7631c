//! The processes of apps, known by a mark in their environment: they may leave the process group they began in.

use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};

/// The name of the mark.
pub(crate) const MARK: &str = "RESTAGE_APP_MARK";

/// The processes that carry this mark.
pub(crate) fn marked(mark: &str) -> Vec<Pid> {
    apps().into_iter().filter(|(_, m)| m == mark).map(|(pid, _)| pid).collect()
}

/// Ends apps whose restage was killed before it could: nobody else will, and they may hold the state open.
pub(crate) fn end_orphans() {
    for (pid, mark) in apps() {
        let owner = mark.split('-').next().and_then(|pid| pid.parse::<u32>().ok());
        if owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists()) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// The processes of every app that a restage of this user started, with their marks.
fn apps() -> Vec<(Pid, String)> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let prefix = format!("{MARK}=");
    processes
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let pid = entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)?;
            let environment = std::fs::read(entry.path().join("environ")).ok()?;
            let mark =
                environment.split(|&b| b == 0).find_map(|pair| pair.strip_prefix(prefix.as_bytes()))?;
            Some((pid, String::from_utf8_lossy(mark).into_owned()))
        })
        .collect()
}
