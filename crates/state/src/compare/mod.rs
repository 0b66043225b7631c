//! What differs between two snapshots: rows of tables, and files (the state oracle).
//!
//! Two snapshots after the same session, from the same state before it, should be the same but for noise. Some noise
//! is learnt from runs of the same version ([`StateMasks`], `learn`); times are known by how they move (`clock`).
//! Only what differs is opened: chunks tell which files and databases do, SQLite tells which rows.
//!
//! - `things`: what the snapshots hold, as far as it may differ;
//! - `files`: files, links and folders;
//! - `copies`, `schema`, `rows`, `sight`, `matching`, `database`: databases, table by table and row by row;
//! - `server`: databases on servers, by way of the same;
//! - `touched`, `btree`: which rows may differ at all, told by the pages that do;
//! - `cell`, `times`, `clock`: values, and those that move with the clock;
//! - `masks`, `glob`: what varies and is not looked at; `learn`: how that is known;
//! - `finding`, `words`: what was found, and how it is said; `change`: the same as data.

mod btree;
mod cell;
mod change;
mod clock;
mod copies;
mod database;
mod files;
mod finding;
mod glob;
mod learn;
mod masks;
mod matching;
mod rows;
mod schema;
mod server;
mod sight;
mod things;
mod times;
mod touched;
mod words;

pub use change::{Done, StateChange};
pub use finding::{Compared, MaskedState, StateDifference};
pub use masks::{ColumnMask, FileMask, FileVaries, StateMasks, TableMask};

use self::clock::Clock;
use self::copies::Copies;
use self::finding::Findings;
use crate::depot::Depot;
use crate::error::Result;

/// How often what was learnt is tried on what it was learnt from, with wider masks in the end.
const ROUNDS: usize = 6;
/// From this round on, masks are of whole tables and files.
const WIDER: usize = 4;

/// Compares snapshots of a depot, one pair after another.
pub struct Comparer<'d> {
    depot: &'d mut Depot,
    copies: Copies,
}

impl<'d> Comparer<'d> {
    /// For the snapshots of this depot.
    pub fn new(depot: &'d mut Depot) -> Self {
        Self { depot, copies: Copies::default() }
    }

    /// Whether there is a snapshot of this name.
    pub fn has(&self, name: &str) -> Result<bool> {
        self.depot.exists(name)
    }

    /// What differs between two snapshots, apart from what is masked.
    pub fn compare(&mut self, expected: &str, actual: &str, masks: &StateMasks) -> Result<Compared> {
        self.findings(expected, actual, masks).map(words::compared)
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

    fn findings(&mut self, expected: &str, actual: &str, masks: &StateMasks) -> Result<Findings> {
        let copies = &mut self.copies;
        self.depot.read(|depot| {
            let clock = Clock { expected: depot.saved_at(expected)?, actual: depot.saved_at(actual)? };
            let things = things::things(depot, expected, actual)?;
            let mut findings = Findings::default();
            for pair in files::files_diff(depot, things, masks, clock, &mut findings)? {
                database::database_diff(copies, depot, &pair, masks, clock, &mut findings)?;
            }
            for (path, was, is) in server::server_pairs(depot, expected, actual)? {
                server::server_diff(depot, (&path, &was, &is), masks, clock, &mut findings)?;
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
pub fn compare(depot: &mut Depot, expected: &str, actual: &str, masks: &StateMasks) -> Result<Compared> {
    Comparer::new(depot).compare(expected, actual, masks)
}
