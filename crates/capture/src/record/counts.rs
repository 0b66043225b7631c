//! How many exchanges were seen, and what became of them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Live counts of a recorder. Reading them costs the traffic nothing.
#[derive(Debug, Default)]
pub struct Counts {
    pub(crate) seen: AtomicU64,
    pub(crate) stored: AtomicU64,
    pub(crate) cut_bodies: AtomicU64,
    pub(crate) upstream_errors: AtomicU64,
    pub(crate) upgrades: AtomicU64,
    not_stored: Mutex<BTreeMap<String, u64>>,
}

impl Counts {
    /// As they are now.
    pub fn tally(&self) -> Tally {
        let reasons: Vec<(String, u64)> = {
            let lost = self.not_stored.lock().unwrap_or_else(PoisonError::into_inner);
            lost.iter().map(|(reason, n)| (reason.clone(), *n)).collect()
        };
        let stored = self.stored.load(Ordering::Acquire);
        Tally {
            stored,
            not_stored: reasons.iter().map(|(_, n)| n).sum(),
            reasons,
            // Last, so that never more are stored than were seen.
            seen: self.seen.load(Ordering::Acquire),
            cut_bodies: self.cut_bodies.load(Ordering::Relaxed),
            upstream_errors: self.upstream_errors.load(Ordering::Relaxed),
            upgrades: self.upgrades.load(Ordering::Relaxed),
        }
    }

    /// Counts exchanges that are lost; whether they are the first for that reason.
    pub(crate) fn lose(&self, reason: &str, exchanges: u64) -> bool {
        let mut lost = self.not_stored.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = lost.get_mut(reason) {
            *n += exchanges;
            return false;
        }
        lost.insert(reason.to_owned(), exchanges);
        true
    }
}

/// What became of the exchanges a recorder saw. At the end, `seen = stored + not_stored`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests that arrived.
    pub seen: u64,
    /// Exchanges in the store.
    pub stored: u64,
    /// Exchanges that are not.
    pub not_stored: u64,
    /// Why not, and how many for each reason.
    pub reasons: Vec<(String, u64)>,
    /// Bodies of which only the beginning was kept.
    pub cut_bodies: u64,
    /// Requests the application did not answer to the end.
    pub upstream_errors: u64,
    /// Connections that became something else, such as WebSockets.
    pub upgrades: u64,
}
