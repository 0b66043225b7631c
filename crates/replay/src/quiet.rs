//! Whether an app has come to rest: it may still be writing when its last answer is there.
//!
//! A process that is at work has a thread that runs or waits for the disk; one that waits for the next request
//! sleeps. The system tells which, for the price of reading a few small files.

use std::time::{Duration, Instant};

/// An app that is never at rest is not waited for any longer.
const LONGEST: Duration = Duration::from_millis(10);
const PAUSE: Duration = Duration::from_micros(200);

/// Waits until no thread of a process and its children is at work, for a moment at most.
pub(crate) fn wait_until_quiet(process: u32) {
    let begun = Instant::now();
    while is_at_work(process) && begun.elapsed() < LONGEST {
        std::thread::sleep(PAUSE);
    }
}

/// Where the system does not tell, nobody is at work.
fn is_at_work(process: u32) -> bool {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return false };
    threads.flatten().any(|thread| {
        let read = |name| std::fs::read_to_string(thread.path().join(name)).unwrap_or_default();
        // `17 (a name) S …`: the name may hold anything, also a parenthesis.
        let stat = read("stat");
        let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
        matches!(state, Some('R' | 'D'))
            || read("children").split_whitespace().filter_map(|pid| pid.parse().ok()).any(is_at_work)
    })
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    fn shell(script: &str) -> Running {
        Running(Command::new("/bin/sh").args(["-c", script]).stdin(Stdio::piped()).spawn().unwrap())
    }

    #[test]
    fn a_process_at_work_is_told_from_one_that_waits_also_as_a_child() {
        let waiting = shell("read line");
        let busy = shell("while :; do :; done");
        let parent = shell("(read line <&3) 3<&0 & wait");
        // It takes them a moment to get there.
        let begun = Instant::now();
        while (is_at_work(waiting.0.id()) || is_at_work(parent.0.id())) && begun.elapsed().as_secs() < 20 {
            std::thread::sleep(PAUSE);
        }
        assert!(!is_at_work(waiting.0.id()) && !is_at_work(parent.0.id()));
        assert!(is_at_work(busy.0.id()));
        wait_until_quiet(busy.0.id());
    }
}
