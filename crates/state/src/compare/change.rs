//! What was written between two snapshots, as data: for those who ask who wrote what.

use serde::{Deserialize, Serialize};

use super::database::Cell;
use super::database::Row;
use super::database::RowsDiff;
use super::database::Table;
use super::finding::Findings;

/// A longer value is cut.
const LONGEST: usize = 1 << 16;

/// What was done to a row or a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// It is new.
    Added,
    /// It is another.
    Changed,
    /// It is gone.
    Removed,
}

/// A row or a file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateChange {
    /// The file: a database's, or the one that was written.
    pub file: String,
    /// The table; none for a file that is no database.
    pub table: Option<String>,
    /// What was done to it.
    pub done: Done,
    /// The row's primary key; empty where it has none, and for files.
    pub key: String,
    /// The values that were written, by column: all of a row that is new or gone, those of another that are other.
    /// NULL is left out.
    pub values: Vec<(String, String)>,
}

/// What the findings say was written.
pub(super) fn changes(findings: Findings) -> Vec<StateChange> {
    let mut all = Vec::new();
    for (file, diff) in &findings.rows {
        rows(file, diff, &mut all);
    }
    let files = findings.files;
    let file =
        |file: String, done| StateChange { file, table: None, done, key: String::new(), values: Vec::new() };
    all.extend(files.appeared.into_iter().map(|(path, _)| file(path, Done::Added)));
    all.extend(files.changed.into_iter().map(|change| file(change.now, Done::Changed)));
    all.extend(files.gone.into_iter().map(|(path, _)| file(path, Done::Removed)));
    all
}

fn rows(file: &str, diff: &RowsDiff, all: &mut Vec<StateChange>) {
    let table = &diff.view.table;
    let change = |done, row: &Row, columns: &mut dyn Iterator<Item = usize>| StateChange {
        file: file.to_owned(),
        table: Some(table.name.clone()),
        done,
        key: key(table, row),
        values: columns.filter_map(|at| Some((table.columns[at].clone(), value(&row[at])?))).collect(),
    };
    let whole = || 0..table.columns.len();
    all.extend(diff.appeared.iter().map(|row| change(Done::Added, row, &mut whole())));
    all.extend(diff.changed.iter().map(|c| change(Done::Changed, &c.actual, &mut c.columns.iter().copied())));
    all.extend(diff.gone.iter().map(|row| change(Done::Removed, row, &mut whole())));
}

fn key(table: &Table, row: &Row) -> String {
    let parts: Vec<String> = table.key.iter().filter_map(|at| value(&row[*at])).collect();
    parts.join(", ")
}

fn value(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Null => None,
        Cell::Integer(number) => Some(number.to_string()),
        Cell::Real(number) => Some(number.to_string()),
        Cell::Text(text) => Some(text.chars().take(LONGEST).collect()),
        Cell::Bytes(bytes) => {
            std::str::from_utf8(bytes).ok().map(|text| text.chars().take(LONGEST).collect())
        }
    }
}
