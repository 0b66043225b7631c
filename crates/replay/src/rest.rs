//! Whether an app is at rest. Some applications answer first and work on afterwards: a state that is saved or put
//! back in the middle of that would be half of one and half of another.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an app may work on after its last answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_micros(500);

/// Waits until neither a process nor its children are running, or patience ends: an app that is always busy is
/// never at rest.
pub(crate) fn wait_for_rest(process: u32) {
    let begun = Instant::now();
    let mut quiet = !is_busy(process);
    // The usual case: one look, nobody runs. Where somebody ran, it may only have paused.
    let mut looks_needed = if quiet { 0 } else { 2 };
    while looks_needed > 0 && begun.elapsed() < PATIENCE {
        std::thread::sleep(PAUSE);
        quiet = !is_busy(process);
        looks_needed = if quiet { looks_needed - 1 } else { 2 };
    }
}

/// Whether a thread of the process or of a descendant has work to do: it runs, or waits for a disk.
fn is_busy(process: u32) -> bool {
    threads(process).any(|thread| {
        let stat = std::fs::read_to_string(thread.join("stat")).unwrap_or_default();
        // The state follows the program's name, which stands in parentheses and may hold anything.
        let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
        matches!(state, Some('R' | 'D')) || children(&thread).into_iter().any(is_busy)
    })
}

fn threads(process: u32) -> impl Iterator<Item = PathBuf> {
    let folder = std::fs::read_dir(format!("/proc/{process}/task"));
    folder.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

fn children(thread: &Path) -> Vec<u32> {
    let listed = std::fs::read_to_string(thread.join("children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    /// A shell whose child does this, once it has begun to.
    fn shell(script: &str) -> Child {
        let child = Command::new("/bin/sh").args(["-c", script]).spawn().unwrap();
        while threads(child.id()).flat_map(|t| children(&t)).next().is_none() {
            std::thread::yield_now();
        }
        child
    }

    /// Catches: the state is put back under an application that still writes its search index.
    #[test]
    fn a_child_that_works_is_waited_for_and_one_that_sleeps_is_not() {
        let mut working = shell("timeout 0.3 sh -c 'while :; do :; done' & wait");
        wait_for_rest(working.id());
        assert!(children(Path::new(&format!("/proc/{0}/task/{0}", working.id()))).is_empty());
        working.wait().unwrap();
        let mut sleeping = shell("sleep 30 & wait");
        let begun = Instant::now();
        wait_for_rest(sleeping.id());
        assert!(begun.elapsed() < PATIENCE);
        for child in threads(sleeping.id()).flat_map(|t| children(&t)).collect::<Vec<_>>() {
            Command::new("kill").arg(child.to_string()).status().unwrap();
        }
        sleeping.wait().unwrap();
    }
}
