//! Waiting until an app is idle. Some applications answer first and work on afterwards: a state that is saved or put
//! back in the middle of that would be half of one and half of another.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an app may work on after its last answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_micros(500);

/// Waits until neither a process nor its children are running, or patience ends: an app that is always busy is
/// never idle.
pub(crate) fn wait_until_idle(process: u32) {
    let begun = Instant::now();
    let pause = || {
        std::thread::sleep(PAUSE);
        begun.elapsed() < PATIENCE
    };
    wait_while(|| is_busy(process), pause);
}

/// Looks until nobody is busy any more; `pause` waits between two looks, and says whether to look again.
fn wait_while(mut is_busy: impl FnMut() -> bool, mut pause: impl FnMut() -> bool) {
    // The usual case: one look, nobody runs. Where somebody ran, it may only have paused.
    let mut looks_needed = if is_busy() { 2 } else { 0 };
    while looks_needed > 0 && pause() {
        looks_needed = if is_busy() { 2 } else { looks_needed - 1 };
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

    /// How many looks are taken at an app that is busy or not as listed, and busy from then on; at most `patience` of them.
    fn looks(busy: &[bool], patience: usize) -> usize {
        let (mut looks, mut pauses) = (0, 1);
        let look = || {
            looks += 1;
            busy.get(looks - 1).copied().unwrap_or(true)
        };
        let pause = || {
            pauses += 1;
            pauses <= patience
        };
        wait_while(look, pause);
        looks
    }

    /// Catches: the state is put back under an application that only paused, or a busy one is waited for for ever.
    #[test]
    fn one_that_was_busy_must_be_idle_twice() {
        assert_eq!(looks(&[false], 9), 1);
        assert_eq!(looks(&[true, false, false], 9), 3);
        assert_eq!(looks(&[true, false, true, false, false], 9), 5);
        assert_eq!(looks(&[], 9), 9);
    }

    /// A shell whose child does this, once it has begun to; and the child.
    fn shell(script: &str) -> (Child, u32) {
        let shell = Command::new("/bin/sh").args(["-c", &format!("{script} & wait")]).spawn().unwrap();
        let child = || threads(shell.id()).flat_map(|t| children(&t)).next();
        until(|| child().is_some());
        let child = child().unwrap();
        (shell, child)
    }

    fn until(condition: impl Fn() -> bool) {
        while !condition() {
            std::thread::yield_now();
        }
    }

    /// Catches: the state is put back under an application whose child still writes its search index.
    #[test]
    fn a_child_that_works_is_busy_and_one_that_waits_is_not() {
        let end = |(mut shell, child): (Child, u32)| {
            assert!(Command::new("kill").arg(child.to_string()).status().unwrap().success());
            shell.wait().unwrap();
        };
        let working = shell("while :; do :; done");
        until(|| is_busy(working.0.id()));
        end(working);
        let waiting = shell("sleep 1000000");
        until(|| !is_busy(waiting.0.id()));
        end(waiting);
    }
}
