//! Finding the needs of sessions.

use std::collections::{BTreeMap, HashMap};

use restage_model::ValueShape;
use restage_state::Done;

use super::names::{is_plain_id, meant};
use super::need::{Need, Needs, Why};
use super::observed::{Observed, ObservedStep};
use super::rows::{Writers, said};
use super::values::{Owned, is_striking, owned};

/// More reasons for one need are not kept.
const REASONS: usize = 5;
/// How much of a text is told.
const SHOWN: usize = 40;

/// Finds which sessions need which. They are those of a trusted run, in the order they were replayed.
pub fn find_needs(sessions: &[Observed]) -> Needs {
    let writers = Writers::of(sessions);
    let finder = Finder {
        sessions,
        tables: writers.tables(),
        writers,
        values: owned(sessions),
        first_asked: first_asked(sessions),
    };
    let mut all = Vec::new();
    for at in 0..sessions.len() {
        let mut found = Found { session: at, by: BTreeMap::new() };
        finder.written(&mut found);
        finder.asked(&mut found);
        finder.shown(&mut found);
        for (other, mut why) in found.by {
            why.sort();
            why.dedup();
            why.truncate(REASONS);
            let name = |at: usize| sessions[at].session.clone();
            all.push(Need { session: name(at), needs: name(other), why });
        }
    }
    Needs { all }
}

/// What is found of one session.
struct Found {
    session: usize,
    by: BTreeMap<usize, Vec<Why>>,
}

impl Found {
    /// Takes in a reason to need another, where that is an earlier one.
    fn note(&mut self, other: usize, why: Why) {
        if other < self.session {
            self.by.entry(other).or_default().push(why);
        }
    }
}

struct Finder<'a> {
    sessions: &'a [Observed],
    /// The tables that rows were written to, with their files.
    tables: Vec<(String, String)>,
    writers: Writers,
    values: HashMap<String, Owned>,
    /// The session that asked for a path first.
    first_asked: HashMap<&'a str, usize>,
}

impl Finder<'_> {
    /// By the rows and files that the session wrote.
    fn written(&self, found: &mut Found) {
        for change in &self.sessions[found.session].writes {
            if change.done == Done::Added {
                self.refers(change, found);
            } else if let Some(other) = self.writers.last_before(found.session, change) {
                found
                    .note(other, Why::Changes { removes: change.done == Done::Removed, place: said(change) });
            }
        }
    }

    /// By the rows that a row of the session refers to: `member_id` is the id of `members`.
    fn refers(&self, change: &restage_state::StateChange, found: &mut Found) {
        let Some(own) = &change.table else { return };
        for (column, value) in change.values.iter().filter(|(column, _)| !is_plain_id(column)) {
            for (file, table) in meant(column, &self.tables, |(_, table)| table) {
                if *file == change.file
                    && let Some(other) = self.writers.adder(file, table, value)
                {
                    let from = format!("{column} of {own}");
                    found.note(other, Why::Refers { from, place: format!("{table}, row {value}") });
                }
            }
        }
    }

    /// By what the session sent.
    fn asked(&self, found: &mut Found) {
        for step in &self.sessions[found.session].steps {
            for (name, value) in &step.params {
                if let Some(Owned { by, place, .. }) = self.values.get(value) {
                    let (value, place) = (cut(value), place.clone());
                    let why = if step.logs_in() {
                        let place =
                            place.split_once(" of ").map_or(place.as_str(), |(_, row)| row).to_owned();
                        Why::Account { value, place }
                    } else {
                        Why::Value { name: name.clone(), value, place }
                    };
                    found.note(*by, why);
                }
            }
            for (name, value) in &step.cookies {
                if let Some(Owned { by, place, .. }) = self.values.get(value) {
                    found.note(*by, Why::Cookie { name: name.clone(), place: place.clone() });
                }
            }
            self.address(step, found);
        }
    }

    /// By the address: `/order/12`, `/order?id=12`, `/uploads/cat.png`, `/user/anna`.
    fn address(&self, step: &ObservedStep, found: &mut Found) {
        let address = |place: String| Why::Address { path: step.path.clone(), place };
        let segments: Vec<&str> = step.path.split('/').filter(|segment| !segment.is_empty()).collect();
        let mut numbers: Vec<(Vec<&str>, &str)> = Vec::new();
        for (at, segment) in segments.iter().enumerate() {
            if let Some(Owned { by, place, .. }) = self.values.get(*segment) {
                found.note(*by, address(place.clone()));
            }
            if is_number(segment) {
                numbers.push((segments[..at].iter().rev().take(1).copied().collect(), segment));
            }
        }
        let about = || segments.iter().rev().copied().filter(|segment| !is_number(segment)).collect();
        for (name, value) in step.params.iter().filter(|(_, value)| is_number(value)) {
            numbers.push((if is_plain_id(name) { about() } else { vec![name.as_str()] }, value));
        }
        for (names, number) in numbers {
            let named: Vec<_> =
                names.iter().flat_map(|name| meant(name, &self.tables, |(_, table)| table)).collect();
            for place @ (file, table) in &self.tables {
                let named = named.contains(&place);
                let other = self.writers.adder(file, table, number);
                // Or somebody asked for this very address first who had added a row of this number.
                let first = other.is_some() && self.first_asked.get(step.path.as_str()).copied() == other;
                if let Some(other) = other.filter(|_| named || (first && step.path.contains(number))) {
                    found.note(other, address(format!("{table}, row {number}")));
                }
            }
        }
        if let Some(name) = segments.last().filter(|name| name.len() > 4 && name.contains('.'))
            && let Some((other, file)) = self.writers.maker_of_file(name)
        {
            found.note(other, address(file.to_owned()));
        }
    }

    /// By what the session was shown.
    fn shown(&self, found: &mut Found) {
        for (value, owned) in self.values.iter().filter(|(value, owned)| is_striking(value, owned)) {
            if let Some((_, step)) = owned.shown.iter().find(|(at, _)| *at == found.session) {
                let (text, place) = (cut(value), owned.place.clone());
                found.note(owned.by, Why::Shown { text, place, step: step + 1 });
            }
        }
    }
}

fn first_asked(sessions: &[Observed]) -> HashMap<&str, usize> {
    let mut first = HashMap::new();
    for (at, session) in sessions.iter().enumerate() {
        for step in &session.steps {
            first.entry(step.path.as_str()).or_insert(at);
        }
    }
    first
}

fn is_number(text: &str) -> bool {
    ValueShape::of(text) == ValueShape::Number
}

fn cut(value: &str) -> String {
    let line: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
