//! How a table is looked at: what counts as the same in two of its rows.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::cell::Cell;
use super::rows::Row;
use super::schema::Table;
use crate::compare::clock::Clock;
use crate::compare::masks::ColumnMask;

/// More pairs than these are not searched for those most alike.
const PAIRS: usize = 250_000;

/// How a table is looked at.
#[derive(Debug, Clone)]
pub(in crate::compare) struct TableView {
    pub(in crate::compare) table: Table,
    /// How each column is masked, where it is.
    masks: Vec<Option<ColumnMask>>,
    pub(in crate::compare) clock: Clock,
    /// Whether rows are known by their key.
    pub(in crate::compare) is_keyed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sameness {
    Same,
    Masked,
    Different,
}

impl TableView {
    pub(in crate::compare) fn of<'a>(
        table: Table,
        masks: impl Iterator<Item = &'a ColumnMask>,
        clock: Clock,
    ) -> Self {
        let mut of_column: Vec<Option<ColumnMask>> = vec![None; table.columns.len()];
        for mask in masks {
            for (at, _) in table.columns.iter().enumerate().filter(|(_, name)| **name == mask.column) {
                of_column[at] = Some(mask.clone());
            }
        }
        let is_keyed = !table.key.is_empty() && table.key.iter().all(|at| of_column[*at].is_none());
        Self { table, masks: of_column, clock, is_keyed }
    }

    pub(in crate::compare) fn is_masked(&self, column: usize) -> bool {
        self.masks[column].is_some()
    }

    fn sameness(&self, column: usize, expected: &Cell, actual: &Cell) -> Sameness {
        let null_alike = (*expected == Cell::Null) == (*actual == Cell::Null);
        if expected == actual {
            return Sameness::Same;
        }
        let masked = self.masks[column].as_ref().is_some_and(|mask| mask.or_null || null_alike);
        if masked || expected.moves(actual, self.clock) { Sameness::Masked } else { Sameness::Different }
    }

    /// The columns in which two rows differ beside what is masked.
    pub(in crate::compare) fn differing(&self, expected: &Row, actual: &Row) -> Vec<usize> {
        let differs = |at: &usize| self.sameness(*at, &expected[*at], &actual[*at]) == Sameness::Different;
        (0..expected.len()).filter(differs).collect()
    }

    /// In how many columns two rows are the same, those aside that are masked.
    fn alike(&self, expected: &Row, actual: &Row) -> usize {
        let counts = |at: &usize| {
            !self.is_masked(*at) && self.sameness(*at, &expected[*at], &actual[*at]) != Sameness::Different
        };
        (0..expected.len()).filter(counts).count()
    }

    /// A hash that rows have in common which do not differ.
    pub(in crate::compare) fn firm(&self, row: &Row, now: i64) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (cell, mask) in row.iter().zip(&self.masks) {
            match mask {
                Some(mask) => (!mask.or_null && *cell == Cell::Null).hash(&mut hasher),
                None => cell.hash_firm(now, &mut hasher),
            }
        }
        hasher.finish()
    }

    /// Pairs of rows, those most alike first, as long as they are alike in `least` columns; and what is left.
    pub(in crate::compare) fn pairs(&self, expected: Vec<Row>, actual: Vec<Row>, least: usize) -> Paired {
        let mut scores: Vec<(usize, usize, usize)> = Vec::new();
        if expected.len() * actual.len() <= PAIRS {
            for (i, was) in expected.iter().enumerate() {
                scores.extend(actual.iter().enumerate().map(|(j, is)| (self.alike(was, is), i, j)));
            }
        } else {
            scores.extend((0..expected.len().min(actual.len())).map(|i| {
                let alike = self.alike(&expected[i], &actual[i]);
                (alike, i, i)
            }));
        }
        scores.retain(|(alike, ..)| *alike >= least);
        scores.sort_by_key(|(alike, i, j)| (std::cmp::Reverse(*alike), *i, *j));
        let (mut expected, mut actual): (Vec<Option<Row>>, Vec<Option<Row>>) =
            (expected.into_iter().map(Some).collect(), actual.into_iter().map(Some).collect());
        let mut pairs = Vec::new();
        for (_, i, j) in scores {
            if expected[i].is_some() && actual[j].is_some() {
                pairs.extend(expected[i].take().zip(actual[j].take()));
            }
        }
        Paired {
            pairs,
            gone: expected.into_iter().flatten().collect(),
            appeared: actual.into_iter().flatten().collect(),
        }
    }
}

/// Rows that belong together, and those that are alone.
pub(in crate::compare) struct Paired {
    pub(in crate::compare) pairs: Vec<(Row, Row)>,
    pub(in crate::compare) gone: Vec<Row>,
    pub(in crate::compare) appeared: Vec<Row>,
}
