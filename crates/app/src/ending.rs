//! Ending processes: asked first (`SIGTERM`), given time to leave, then made to (`SIGKILL`).
//!
//! Everybody is asked: the whole process group, since a shell that takes the signal does not pass it on, and those that left
//! the group and still carry the app's mark. Waited for is the last of them, and no longer than that takes.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, getpgid, kill_process, kill_process_group, test_kill_process_group};

use crate::app_mark::marked;

/// How long the system may take to end a process that was made to end: one that waits for a broken disk does not end even
/// then, and nothing more can be done about it.
const CERTAIN: Duration = Duration::from_secs(5);
/// How long to wait between two looks, at first and at most: who leaves at once is not waited for.
const PAUSES: (Duration, Duration) = (Duration::from_micros(250), Duration::from_millis(10));
/// After so long, those left of a group may be nothing but dead processes that nobody has buried.
const SOON: Duration = Duration::from_millis(50);

/// Ends a process group and all that carry a mark; `bury` takes note of the end of a child of our own.
pub(crate) fn end_app(group: Pid, mark: &str, patience: Duration, bury: &mut dyn FnMut()) {
    let _ = kill_process_group(group, Signal::TERM);
    // One that was halted hears nothing until it goes on.
    let _ = kill_process_group(group, Signal::CONT);
    let mut asked = HashSet::new();
    // A second signal makes some leave at once, without tidying up: nobody is asked twice.
    let outside = marked(mark).into_iter().filter(|pid| getpgid(Some(*pid)) != Ok(group));
    ask(&outside.collect::<Vec<_>>(), &mut asked);
    let left = wait_until(patience, &mut |waited| {
        bury();
        is_gone(group, waited) && {
            // One may have been starting another when it was asked.
            let left = marked(mark);
            ask(&left, &mut asked);
            left.is_empty()
        }
    });
    if left {
        return;
    }
    wait_until(CERTAIN, &mut |waited| {
        let _ = kill_process_group(group, Signal::KILL);
        bury();
        let left = marked(mark);
        for pid in &left {
            let _ = kill_process(*pid, Signal::KILL);
        }
        left.is_empty() && is_gone(group, waited)
    });
}

/// Ends processes of which each is asked by itself: nothing is known of their groups.
pub(crate) fn end_processes(patience: Duration, left: &dyn Fn() -> Vec<Pid>) {
    let mut asked = HashSet::new();
    let all_left = wait_until(patience, &mut |_| {
        let left = left();
        ask(&left, &mut asked);
        left.is_empty()
    });
    if all_left {
        return;
    }
    wait_until(CERTAIN, &mut |_| {
        let left = left();
        for pid in &left {
            let _ = kill_process(*pid, Signal::KILL);
        }
        left.is_empty()
    });
}

fn ask(processes: &[Pid], asked: &mut HashSet<Pid>) {
    for pid in processes {
        if asked.insert(*pid) {
            let _ = kill_process(*pid, Signal::TERM);
            let _ = kill_process(*pid, Signal::CONT);
        }
    }
}

/// Looks until all is over or patience ends; whether all is over. Each look is told how long was waited.
fn wait_until(patience: Duration, is_over: &mut dyn FnMut(Duration) -> bool) -> bool {
    let begun = Instant::now();
    let (mut pause, longest) = PAUSES;
    loop {
        let waited = begun.elapsed();
        if is_over(waited) {
            return true;
        }
        if waited >= patience {
            return false;
        }
        std::thread::sleep(pause.min(patience - waited));
        pause = (pause * 2).min(longest);
    }
}

/// Whether nobody of a process group lives any more.
fn is_gone(group: Pid, waited: Duration) -> bool {
    match test_kill_process_group(group) {
        Err(Errno::SRCH) => true,
        // The dead count until they are buried, and in a container without an init nobody does that.
        _ => waited >= SOON && !lives(group),
    }
}

/// Whether a process of a group is there that is not dead.
fn lives(group: Pid) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return true };
    processes.flatten().any(|entry| {
        let number = entry.file_name().to_str().is_some_and(|name| name.bytes().all(|b| b.is_ascii_digit()));
        let stat = if number {
            std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default()
        } else {
            String::new()
        };
        // State, parent and group follow the program's name, which stands in parentheses and may hold anything.
        let mut fields = stat.rsplit_once(") ").map(|(_, rest)| rest.split(' ')).into_iter().flatten();
        let dead = matches!(fields.next(), None | Some("Z" | "X"));
        !dead && fields.nth(1).and_then(|field| field.parse().ok()) == Some(group.as_raw_nonzero().get())
    })
}
