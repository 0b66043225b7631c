//! Who wrote which row and which file.

use std::collections::{BTreeSet, HashMap};

use restage_state::{Done, StateChange};

use super::observed::Observed;

/// A row: file, table, key. A file: itself, no table, no key.
type RowId = (String, Option<String>, String);

/// The writers of rows and files, by their places among the sessions.
pub(super) struct Writers {
    by_place: HashMap<RowId, Vec<(usize, Done)>>,
    sessions: usize,
}

impl Writers {
    pub(super) fn of(sessions: &[Observed]) -> Self {
        let mut by_place: HashMap<RowId, Vec<(usize, Done)>> = HashMap::new();
        for (at, session) in sessions.iter().enumerate() {
            for change in session.writes.iter().filter(|change| is_known(change)) {
                by_place.entry(place_of(change)).or_default().push((at, change.done));
            }
        }
        Self { by_place, sessions: sessions.len() }
    }

    /// Who wrote this last before a session. A row that most sessions write is a counter: nobody needs another for it.
    pub(super) fn last_before(&self, session: usize, change: &StateChange) -> Option<usize> {
        let writers = self.by_place.get(&place_of(change)).filter(|_| is_known(change))?;
        let distinct: BTreeSet<usize> = writers.iter().map(|(at, _)| *at).collect();
        if distinct.len() > 3 && distinct.len() * 2 > self.sessions {
            return None;
        }
        distinct.into_iter().rev().find(|at| *at < session)
    }

    /// Who added a row, where one of the sessions did.
    pub(super) fn adder(&self, file: &str, table: &str, key: &str) -> Option<usize> {
        let place = (file.to_owned(), Some(table.to_owned()), key.to_owned());
        let added = self.by_place.get(&place)?.iter().find(|(_, done)| *done == Done::Added);
        added.map(|(at, _)| *at)
    }

    /// The tables that rows were written to, with their files.
    pub(super) fn tables(&self) -> Vec<(String, String)> {
        let tables = self.by_place.keys().filter_map(|(file, table, _)| Some((file.clone(), table.clone()?)));
        tables.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Who made a file, by the end of its path.
    pub(super) fn maker_of_file(&self, name: &str) -> Option<(usize, &str)> {
        self.by_place.iter().find_map(|((file, table, _), writers)| {
            let is_it = table.is_none() && file.rsplit('/').next() == Some(name);
            let added = writers.iter().find(|(_, done)| *done == Done::Added).filter(|_| is_it)?;
            Some((added.0, file.as_str()))
        })
    }
}

/// Rows without a key cannot be told from others.
fn is_known(change: &StateChange) -> bool {
    change.table.is_none() || !change.key.is_empty()
}

fn place_of(change: &StateChange) -> RowId {
    (change.file.clone(), change.table.clone(), change.key.clone())
}

/// A row or a file, as it is said: `members, row 12`.
pub(super) fn said(change: &StateChange) -> String {
    match &change.table {
        Some(table) if change.key.is_empty() => table.clone(),
        Some(table) => format!("{table}, row {}", change.key),
        None => change.file.clone(),
    }
}
