//! The processes of apps, known by a mark in their environment: they may leave the process group they began in.

use std::cell::RefCell;
use std::collections::HashSet;

use restage_state::{PROCESS_MARK, is_orphan};
use rustix::process::Pid;

use crate::app_spec::STOP_TIMEOUT;
use crate::ending::end_processes;

/// The processes that carry this mark.
pub(crate) fn marked(mark: &str) -> Vec<Pid> {
    apps().into_iter().filter(|(_, m)| m == mark).map(|(pid, _)| pid).collect()
}

/// Ends apps whose restage was killed before it could: nobody else will, and they may hold the state open. They are given
/// time to leave, as any app is.
///
/// Returns when they have ended: one that goes on for a moment would write into what is being put back. How many there were.
pub fn end_orphans() -> usize {
    let seen = RefCell::new(HashSet::new());
    end_processes(STOP_TIMEOUT, &|| {
        let orphans = apps().into_iter().filter(|(_, mark)| is_orphan(mark)).map(|(pid, _)| pid);
        let orphans: Vec<Pid> = orphans.collect();
        seen.borrow_mut().extend(orphans.iter().map(|pid| pid.as_raw_nonzero()));
        orphans
    });
    seen.into_inner().len()
}

/// The processes of every app that a restage of this user started, with their marks.
fn apps() -> Vec<(Pid, String)> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let prefix = format!("{PROCESS_MARK}=");
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
