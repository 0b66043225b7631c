//! Who wrote which row and which file.

use std::collections::{BTreeSet, HashMap, HashSet};

use restage_model::ValueShape;
use restage_state::{Done, StateChange};

use super::observed::Observed;
use super::values::is_telling;

/// A row: file, table, key. A file: itself, no table, no key.
type RowId = (String, Option<String>, String);

/// The writers of rows and files, by their places among the sessions.
pub(super) struct Writers {
    by_place: HashMap<RowId, Vec<(usize, Done)>>,
    /// The rows that texts were written to, and not only numbers, times and tokens.
    telling: HashSet<RowId>,
    sessions: usize,
}

impl Writers {
    pub(super) fn of(sessions: &[Observed]) -> Self {
        let mut by_place: HashMap<RowId, Vec<(usize, Done)>> = HashMap::new();
        let mut telling = HashSet::new();
        for (at, session) in sessions.iter().enumerate() {
            for change in session.writes.iter().filter(|change| is_known(change)) {
                by_place.entry(place_of(change)).or_default().push((at, change.done));
                if change
                    .values
                    .iter()
                    .any(|(_, value)| is_telling(value) && !ValueShape::of(value).is_token())
                {
                    telling.insert(place_of(change));
                }
            }
        }
        Self { by_place, telling, sessions: sessions.len() }
    }

    /// Who wrote this last before a session. Whoever did needs the one before in turn. A row that was there before, and of
    /// which most sessions write numbers and times alone, is a counter: nobody needs another for it.
    pub(super) fn last_before(&self, session: usize, change: &StateChange) -> Option<usize> {
        if is_known(change) { self.last_writer(session, &place_of(change)) } else { None }
    }

    /// Who changed a row last before a session, where somebody did after it was added.
    pub(super) fn last_changer(&self, session: usize, file: &str, table: &str, key: &str) -> Option<usize> {
        let place = (file.to_owned(), Some(table.to_owned()), key.to_owned());
        let last = self.last_writer(session, &place)?;
        let changed = |(at, done): &(usize, Done)| *at == last && *done == Done::Changed;
        self.by_place.get(&place)?.iter().any(changed).then_some(last)
    }

    fn last_writer(&self, session: usize, place: &RowId) -> Option<usize> {
        let writers = self.by_place.get(place)?;
        let distinct: BTreeSet<usize> = writers.iter().map(|(at, _)| *at).collect();
        let of_sessions =
            writers.iter().any(|(_, done)| *done == Done::Added) || self.telling.contains(place);
        if !of_sessions && distinct.len() > 3 && distinct.len() * 2 > self.sessions {
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
