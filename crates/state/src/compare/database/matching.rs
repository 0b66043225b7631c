//! Which rows belong together, and what in them differs beside what is masked.
//!
//! Rows with the same primary key are the same row. Where that key is masked, or there is none, a row is known
//! again by all else that is in it; rows that are left over then are told as changed where they are much alike.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};

use rusqlite::{Connection, Result};

use super::cell::Cell;
use super::rows::{Row, Visit, differing};
use super::table_view::TableView;

/// More rows than these are counted.
const KEPT: usize = 20_000;

/// What differs in a table.
#[derive(Debug)]
pub(in crate::compare) struct RowsDiff {
    pub(in crate::compare) view: TableView,
    pub(in crate::compare) changed: Vec<Changed>,
    pub(in crate::compare) gone: Vec<Row>,
    pub(in crate::compare) appeared: Vec<Row>,
    /// What differs and is masked: an example a column.
    pub(in crate::compare) masked: BTreeMap<usize, (Cell, Cell)>,
    /// Rows that differ in nothing but columns that are masked.
    pub(in crate::compare) masked_rows: usize,
    /// Rows that differ beyond those above.
    pub(in crate::compare) more: usize,
}

/// A row of which values differ.
#[derive(Debug)]
pub(in crate::compare) struct Changed {
    pub(in crate::compare) expected: Row,
    pub(in crate::compare) actual: Row,
    /// Which, beside those that are masked.
    pub(in crate::compare) columns: Vec<usize>,
}

/// Finds what differs in a table.
pub(in crate::compare) fn rows_diff(connection: &Connection, view: TableView) -> Result<RowsDiff> {
    let table = view.table.clone();
    let diff = RowsDiff {
        view,
        changed: Vec::new(),
        gone: Vec::new(),
        appeared: Vec::new(),
        masked: BTreeMap::new(),
        masked_rows: 0,
        more: 0,
    };
    let mut gathered = Gathered { diff, expected: Vec::new(), actual: Vec::new() };
    differing(connection, &table, &mut gathered)?;
    Ok(gathered.finish())
}

/// The rows that differ, as they are read.
struct Gathered {
    diff: RowsDiff,
    /// Rows to be known again by what is in them.
    expected: Vec<Row>,
    actual: Vec<Row>,
}

impl Visit for Gathered {
    fn changed(&mut self, expected: Row, actual: Row) {
        if self.diff.view.is_keyed {
            self.diff.note(expected, actual);
        } else {
            self.gone(expected);
            self.appeared(actual);
        }
    }

    fn gone(&mut self, expected: Row) {
        let known = self.diff.view.is_keyed && self.has_key(&expected);
        let kept = if known { &mut self.diff.gone } else { &mut self.expected };
        push(kept, expected, &mut self.diff.more);
    }

    fn appeared(&mut self, actual: Row) {
        let known = self.diff.view.is_keyed && self.has_key(&actual);
        let kept = if known { &mut self.diff.appeared } else { &mut self.actual };
        push(kept, actual, &mut self.diff.more);
    }
}

impl Gathered {
    /// SQLite allows NULL in the keys of many tables, and then any number of times.
    fn has_key(&self, row: &Row) -> bool {
        self.diff.view.table.key.iter().all(|at| row[*at] != Cell::Null)
    }

    /// Rows whose keys differ in nothing but times that move with the clock are the same rows.
    fn pair_moved_keys(&mut self) {
        let view = self.diff.view.clone();
        if self.diff.gone.is_empty() || self.diff.appeared.is_empty() {
            return;
        }
        let of_key = |row: &Row, now: i64| {
            let mut hasher = DefaultHasher::new();
            view.table.key.iter().for_each(|at| row[*at].hash_firm(now, &mut hasher));
            hasher.finish()
        };
        let moves = |was: &Row, is: &Row| {
            view.table.key.iter().all(|at| was[*at] == is[*at] || was[*at].moves(&is[*at], view.clock))
        };
        let mut actual: Vec<Option<Row>> =
            std::mem::take(&mut self.diff.appeared).into_iter().map(Some).collect();
        let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, row) in actual.iter().enumerate() {
            let hash = row.as_ref().map(|row| of_key(row, view.clock.actual)).unwrap_or_default();
            by_key.entry(hash).or_default().push(at);
        }
        let mut expected: Vec<Row> = std::mem::take(&mut self.diff.gone);
        // Those that are the same in all else first.
        for least in [true, false] {
            for was in std::mem::take(&mut expected) {
                let fits = |is: &Row| moves(&was, is) && (!least || view.differing(&was, is).is_empty());
                let found = by_key.get_mut(&of_key(&was, view.clock.expected)).and_then(|places| {
                    let place = places.iter().position(|at| actual[*at].as_ref().is_some_and(&fits))?;
                    actual[places.remove(place)].take()
                });
                match found {
                    Some(is) => self.diff.note(was, is),
                    None => expected.push(was),
                }
            }
        }
        self.diff.gone = expected;
        self.diff.appeared = actual.into_iter().flatten().collect();
    }

    fn finish(mut self) -> RowsDiff {
        self.pair_moved_keys();
        let view = self.diff.view.clone();
        let mut by_content: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, row) in self.actual.iter().enumerate().rev() {
            by_content.entry(view.firm(row, view.clock.actual)).or_default().push(at);
        }
        let mut actual: Vec<Option<Row>> = self.actual.into_iter().map(Some).collect();
        let mut expected = Vec::new();
        for was in self.expected {
            let like = by_content.get_mut(&view.firm(&was, view.clock.expected));
            let same = like.and_then(|like| {
                let is_same =
                    |at: &usize| actual[*at].as_ref().is_some_and(|is| view.differing(&was, is).is_empty());
                like.iter().rposition(is_same).map(|place| like.remove(place))
            });
            match same.and_then(|at| actual[at].take()) {
                Some(is) => self.diff.note(was, is),
                None => expected.push(was),
            }
        }
        let unmasked = (0..view.table.columns.len()).filter(|at| !view.is_masked(*at)).count();
        let least = unmasked.div_ceil(2).max(1);
        let paired = view.pairs(expected, actual.into_iter().flatten().collect(), least);
        for (was, is) in paired.pairs {
            self.diff.note(was, is);
        }
        self.diff.gone.extend(paired.gone);
        self.diff.appeared.extend(paired.appeared);
        self.diff
    }
}

impl RowsDiff {
    pub(in crate::compare) fn has_differences(&self) -> bool {
        self.more > 0 || !(self.changed.is_empty() && self.gone.is_empty() && self.appeared.is_empty())
    }

    /// How many rows differ.
    pub(in crate::compare) fn told(&self) -> usize {
        self.changed.len() + self.gone.len() + self.appeared.len() + self.more
    }

    /// Leaves out the rows that one side has more than the other, where their number varies; whether there are any. As many as
    /// both have are rows that belong together, whatever is in them.
    pub(in crate::compare) fn leave_out_alone(&mut self) -> bool {
        let (gone, appeared) = (std::mem::take(&mut self.gone), std::mem::take(&mut self.appeared));
        let paired = self.view.pairs(gone, appeared, 0);
        for (was, is) in paired.pairs {
            self.note(was, is);
        }
        let more = std::mem::take(&mut self.more) + paired.gone.len() + paired.appeared.len();
        self.masked_rows += more;
        more > 0
    }

    /// Takes in two rows that belong together.
    fn note(&mut self, expected: Row, actual: Row) {
        let columns = self.view.differing(&expected, &actual);
        for at in 0..expected.len() {
            if expected[at] != actual[at] && !columns.contains(&at) {
                self.masked.entry(at).or_insert_with(|| (expected[at].clone(), actual[at].clone()));
            }
        }
        let is_masked = |at: usize| expected[at] != actual[at] && self.view.is_masked(at);
        if columns.is_empty() && (0..expected.len()).any(is_masked) {
            self.masked_rows += 1;
        }
        if !columns.is_empty() {
            push(&mut self.changed, Changed { expected, actual, columns }, &mut self.more);
        }
    }
}

fn push<T>(list: &mut Vec<T>, item: T, more: &mut usize) {
    if list.len() < KEPT { list.push(item) } else { *more += 1 }
}
