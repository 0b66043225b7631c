//! Comparing snapshots, and learning what varies between those that should be the same.

use super::change::{self, StateChange};
use super::clock::Clock;
use super::database::{Copies, database_diff};
use super::finding::{Compared, Findings};
use super::masks::StateMasks;
use super::{contents, describe, files, learn, server};
use crate::error::Result;
use crate::snapshot_store::SnapshotStore;

/// How often what was learnt is tried on what it was learnt from, with wider masks in the end.
const ROUNDS: usize = 6;
/// From this round on, masks are of whole tables and files.
const WIDER: usize = 4;

/// Compares snapshots of a snapshot store, one pair after another.
pub struct Comparer<'d> {
    store: &'d mut SnapshotStore,
    copies: Copies,
}

impl<'d> Comparer<'d> {
    /// For the snapshots of this snapshot store.
    pub fn new(store: &'d mut SnapshotStore) -> Self {
        Self { store, copies: Copies::default() }
    }

    /// Whether there is a snapshot of this name.
    pub fn has(&self, name: &str) -> Result<bool> {
        self.store.exists(name)
    }

    /// What differs between two snapshots, apart from what is masked.
    pub fn compare(&mut self, expected: &str, actual: &str, masks: &StateMasks) -> Result<Compared> {
        self.findings(expected, actual, masks).map(describe::described)
    }

    /// What was written between two snapshots, the later one second. What only moves with the clock is left out.
    pub fn changes(&mut self, before: &str, after: &str) -> Result<Vec<StateChange>> {
        self.findings(before, after, &StateMasks::default()).map(change::changes)
    }

    /// What varies between snapshots that should be the same: each list is of the snapshots after one session, from
    /// several runs of the same version.
    ///
    /// A column of rows that belong together varies; where it is of the primary key, rows are known by what else is
    /// in them. A table's rows vary where even that does not do: their number varies. Files vary in content, in
    /// name, or in number. With the masks that are the result, none of these pairs differs.
    pub fn learn(&mut self, sessions: &[Vec<String>]) -> Result<StateMasks> {
        let mut masks = StateMasks::default();
        for round in 0..ROUNDS {
            let mut learnt = false;
            for snapshots in sessions {
                for (one, other) in pairs(snapshots) {
                    let findings = self.findings(one, other, &masks)?;
                    if findings.has_differences() {
                        learnt = true;
                        masks.merge(learn::masks_for(&findings, round >= WIDER));
                    }
                }
            }
            if !learnt {
                break;
            }
        }
        Ok(masks)
    }

    /// The same, of sessions by name: what was seen after one session alone is masked after that one, and after those that were
    /// seen once, of which nothing else is known.
    pub fn learn_by_session(&mut self, sessions: &[(String, Vec<String>)]) -> Result<StateMasks> {
        let mut masks = StateMasks::default();
        let several = sessions.iter().filter(|(_, snapshots)| snapshots.len() > 1);
        for (session, snapshots) in several.clone() {
            masks.merge(self.learn(std::slice::from_ref(snapshots))?.seen_after(session));
        }
        let once = sessions.iter().filter(|(_, snapshots)| snapshots.len() < 2).map(|(session, _)| session);
        Ok(masks.widened(several.count()).after_these_too(once))
    }

    /// How many rows fewer there are in the second snapshot, apart from tables whose number of rows varies: what expired.
    pub fn rows_lost(&mut self, expected: &str, actual: &str, masks: &StateMasks) -> Result<usize> {
        let findings = self.findings(expected, actual, masks)?;
        let lost = findings.rows.iter().map(|(_, diff)| diff.gone.len().saturating_sub(diff.appeared.len()));
        Ok(lost.sum())
    }

    fn findings(&mut self, expected: &str, actual: &str, masks: &StateMasks) -> Result<Findings> {
        let copies = &mut self.copies;
        self.store.read(|store| {
            let [was_ahead, is_ahead] = [store.clock_ahead(expected)?, store.clock_ahead(actual)?];
            let clock = Clock {
                expected: store.saved_at(expected)? + was_ahead,
                actual: store.saved_at(actual)? + is_ahead,
                shifted: is_ahead - was_ahead,
            };
            let contents = contents::contents(store, expected, actual)?;
            let mut findings = Findings::default();
            for pair in files::files_diff(store, contents, masks, clock, &mut findings)? {
                database_diff(copies, store, &pair, masks, clock, &mut findings)?;
            }
            for (path, was, is) in server::server_pairs(store, expected, actual)? {
                server::server_diff(store, (&path, &was, &is), masks, clock, &mut findings)?;
            }
            Ok(findings)
        })
    }
}

/// The first with each other, and each with the one before it.
fn pairs(snapshots: &[String]) -> impl Iterator<Item = (&str, &str)> {
    let first = snapshots.first().map(String::as_str);
    let with_first = snapshots.iter().skip(1).filter_map(move |s| Some((first?, s.as_str())));
    let neighbours = snapshots.windows(2).skip(1).map(|two| (two[0].as_str(), two[1].as_str()));
    with_first.chain(neighbours)
}

/// What differs between two snapshots, apart from what is masked.
pub fn compare(
    store: &mut SnapshotStore,
    expected: &str,
    actual: &str,
    masks: &StateMasks,
) -> Result<Compared> {
    Comparer::new(store).compare(expected, actual, masks)
}
