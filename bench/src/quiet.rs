//! Waiting for a quiet machine: what others run would be measured too.

use std::time::{Duration, Instant};

/// How much of the processors others may use.
const BUSY: f64 = 0.15;
const SAMPLE: Duration = Duration::from_millis(300);
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until others leave the machine alone, for a while at most; whether they did.
pub fn wait_for_quiet() -> bool {
    let begun = Instant::now();
    loop {
        let before = Ticks::now();
        std::thread::sleep(SAMPLE);
        match (before, Ticks::now()) {
            (Some(before), Some(after)) if after.busy_since(before) > BUSY => {}
            _ => return true,
        }
        if begun.elapsed() > PATIENCE {
            return false;
        }
    }
}

/// The processors' time since the start of the system.
#[derive(Clone, Copy)]
struct Ticks {
    all: u64,
    idle: u64,
}

impl Ticks {
    fn now() -> Option<Self> {
        Self::parse(std::fs::read_to_string("/proc/stat").ok()?.lines().next()?)
    }

    /// `cpu  USER NICE SYSTEM IDLE IOWAIT …`
    fn parse(line: &str) -> Option<Self> {
        let ticks: Vec<u64> = line.strip_prefix("cpu ")?.split_whitespace().flat_map(str::parse).collect();
        Some(Self { all: ticks.iter().take(8).sum(), idle: ticks.get(3)? + ticks.get(4)? })
    }

    fn busy_since(self, before: Self) -> f64 {
        let (all, idle) = (self.all - before.all, self.idle.saturating_sub(before.idle));
        1.0 - idle as f64 / all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_is_not_busy() {
        let before = Ticks::parse("cpu  10 0 10 70 10 0 0 0 0 0").unwrap();
        let after = Ticks::parse("cpu  20 0 25 130 25 0 0 0 0 0").unwrap();
        assert_eq!(after.busy_since(before), 0.25);
    }
}
