//! Rows that are parts of others: the moves of a game, the comments on a post, the lines of an order.
//!
//! A row is a part of what it refers to, where a session added that: each later part may hang on all that were there before. Where
//! it refers to something of its own session, as the line of an order does, it is a part of that alone, and not of the book that
//! was ordered. What an account has done is no part of it.

use std::collections::{HashMap, HashSet};

use restage_state::{Done, StateChange};

use super::fields::is_account;
use super::names::{is_plain_id, meant};
use super::observed::Observed;
use super::rows::{Writers, said};

/// A row: file, table, key.
type RowId = (String, String, String);

/// The parts of rows, with who added them.
pub(super) struct Parts {
    of: HashMap<RowId, Vec<(usize, String)>>,
}

impl Parts {
    pub(super) fn of(sessions: &[Observed], tables: &[(String, String)], writers: &Writers) -> Self {
        let accounts = account_tables(sessions);
        let mut of: HashMap<RowId, Vec<(usize, String)>> = HashMap::new();
        for (at, session) in sessions.iter().enumerate() {
            for change in session.writes.iter().filter(|change| change.done == Done::Added) {
                let wholes = wholes(change, tables, writers);
                let own: Vec<&(RowId, usize)> = wholes.iter().filter(|(_, by)| *by == at).collect();
                let wholes = if own.is_empty() { wholes.iter().collect() } else { own };
                for ((file, table, key), _) in wholes {
                    if !accounts.contains(&(file.as_str(), table.as_str())) {
                        let whole = (file.clone(), table.clone(), key.clone());
                        of.entry(whole).or_default().push((at, said(change)));
                    }
                }
            }
        }
        Self { of }
    }

    /// The parts of a row: who added each, and how it is said.
    pub(super) fn of_row(&self, file: &str, table: &str, key: &str) -> &[(usize, String)] {
        let row = (file.to_owned(), table.to_owned(), key.to_owned());
        self.of.get(&row).map_or(&[], Vec::as_slice)
    }
}

/// The rows that a row refers to and that sessions added, with who did.
fn wholes(change: &StateChange, tables: &[(String, String)], writers: &Writers) -> Vec<(RowId, usize)> {
    let mut all = Vec::new();
    for (column, value) in change.values.iter().filter(|(column, _)| !is_plain_id(column)) {
        for (file, table) in meant(column, tables, |(_, table)| table) {
            if *file == change.file
                && let Some(by) = writers.adder(file, table, value)
            {
                all.push(((file.clone(), table.clone(), value.clone()), by));
            }
        }
    }
    all
}

/// The tables whose rows users log in as.
fn account_tables(sessions: &[Observed]) -> HashSet<(&str, &str)> {
    let logins = sessions.iter().flat_map(|session| &session.steps).filter(|step| step.logs_in());
    let named: HashSet<&str> = logins
        .flat_map(|step| &step.params)
        .filter(|(name, value)| is_account(name) && !value.is_empty())
        .map(|(_, value)| value.as_str())
        .collect();
    let rows = sessions.iter().flat_map(|session| &session.writes);
    let is_one = |change: &&StateChange| {
        let mut values = change.values.iter();
        change.done == Done::Added
            && values.any(|(column, value)| is_account(column) && named.contains(value.as_str()))
    };
    rows.filter(is_one).filter_map(|change| Some((change.file.as_str(), change.table.as_deref()?))).collect()
}
