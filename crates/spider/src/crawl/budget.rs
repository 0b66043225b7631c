//! How much a spider may send, and why it stopped.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;

/// How much a spider may do.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// So many requests at the most.
    pub requests: usize,
    /// So many steps away from home at the most.
    pub depth: usize,
    /// So long at the most.
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Self { requests: 5000, depth: 25, time: Duration::from_secs(600) }
    }
}

/// Why a spider stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// Nothing was left to look at.
    Complete,
    /// It had sent as many requests as it may.
    MaxRequests,
    /// It had taken as long as it may.
    MaxTime,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Complete => "nothing is left to look at",
            Self::MaxRequests => "as many requests were sent as --max-requests allows",
            Self::MaxTime => "it took as long as --max-time allows",
        })
    }
}

/// What of a budget is left.
#[derive(Debug)]
pub(crate) struct Spent {
    budget: Budget,
    begun: Instant,
    pub(crate) requests: usize,
}

impl Spent {
    pub(crate) fn of(budget: Budget) -> Self {
        Self { budget, begun: Instant::now(), requests: 0 }
    }

    pub(crate) fn depth(&self) -> usize {
        self.budget.depth
    }

    /// When the time is over.
    pub(crate) fn deadline(&self) -> Instant {
        // A time without an end is as good as a year.
        self.begun.checked_add(self.budget.time).unwrap_or(self.begun + Duration::from_secs(365 * 24 * 3600))
    }

    /// Why nothing more may be sent; none where something may.
    pub(crate) fn over(&self) -> Option<StopReason> {
        if self.requests >= self.budget.requests {
            Some(StopReason::MaxRequests)
        } else if self.begun.elapsed() >= self.budget.time {
            Some(StopReason::MaxTime)
        } else {
            None
        }
    }
}
