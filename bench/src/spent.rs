//! What a program took: memory, and processor time, which others on the machine disturb less than the clock.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time that this thread has taken.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The processor time that child processes which have ended, and theirs, have taken.
pub fn children_time() -> Duration {
    // `PID (NAME) STATE …`, where the name may hold anything; 16th and 17th, in hundredths of a second.
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = line.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    Duration::from_millis(10 * fields.skip(13).take(2).flat_map(str::parse::<u64>).sum::<u64>())
}

/// The most memory, in bytes, that this program has had at any time; none where the system does not say.
pub fn peak_memory() -> Option<u64> {
    peak(&std::fs::read_to_string("/proc/self/status").ok()?)
}

/// The same of another process, while it runs.
pub fn peak_memory_of(process: u32) -> Option<u64> {
    peak(&std::fs::read_to_string(format!("/proc/{process}/status")).ok()?)
}

fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_counts_in_kilobytes() {
        assert_eq!(peak("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 7 kB\n"), Some(1234 * 1024));
    }

    #[test]
    fn work_takes_time_and_sleep_does_not() {
        let begun = processor_time();
        std::thread::sleep(Duration::from_millis(50));
        let slept = processor_time() - begun;
        assert!(slept < Duration::from_millis(40), "{slept:?}");
        let worked: u64 = (0..3_000_000).map(std::hint::black_box).sum();
        assert!(processor_time() - begun > slept, "{worked}");
    }
}
