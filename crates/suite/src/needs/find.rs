//! Finding the needs of sessions.

use std::collections::{BTreeMap, HashMap};

use restage_model::{Groups, ValueShape};
use restage_state::Done;

use super::fields::is_account;
use super::names::{is_plain_id, meant, number_in, subject};
use super::need::{Need, Needs, Why};
use super::observed::{Observed, ObservedStep};
use super::parts::Parts;
use super::rows::{Writers, said};
use super::values::{Owned, is_striking, owned, sends};

/// More reasons for one need are not kept.
const REASONS: usize = 5;
/// A shorter cookie that the application made may be a word of its own.
const COOKIE: usize = 8;
/// How much of a text is told.
const SHOWN: usize = 40;

/// Finds which sessions need which. They are those of a trusted run, in the order they were replayed.
pub fn find_needs(sessions: &[Observed]) -> Needs {
    let writers = Writers::of(sessions);
    let tables = writers.tables();
    let finder = Finder {
        sessions,
        parts: Parts::of(sessions, &tables, &writers),
        tables,
        writers,
        values: owned(sessions),
        first_asked: first_asked(sessions),
        first_sent: first_sent(sessions),
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
    Needs { all, groups: Groups::default() }
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
    parts: Parts,
    values: HashMap<String, Vec<Owned>>,
    /// The session that asked for a path first.
    first_asked: HashMap<&'a str, usize>,
    /// The session that sent a parameter of a path with a number first, after it had done something.
    first_sent: HashMap<(&'a str, &'a str, &'a str), usize>,
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
            if let Some(table) = change.table.as_ref().filter(|_| change.done != Done::Added) {
                self.parts_of(&change.file, table, &change.key, found);
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
                    self.parts_of(file, table, value, found);
                }
            }
        }
    }

    /// By what others added to a row that the session uses, or made of it.
    fn parts_of(&self, file: &str, table: &str, key: &str, found: &mut Found) {
        let whole = || format!("{table}, row {key}");
        for (other, place) in self.parts.of_row(file, table, key) {
            found.note(*other, Why::Part { whole: whole(), place: Some(place.clone()) });
        }
    }

    /// By what the session sent.
    fn asked(&self, found: &mut Found) {
        for step in &self.sessions[found.session].steps {
            for (name, value) in &step.params {
                for owned in self.owned(value).filter(|owned| owned.is_meant_by(name, value)) {
                    let shown = cut(value);
                    let why = if step.logs_in() && is_account(name) && owned.is_account() {
                        Why::Account { value: shown, place: owned.row.clone() }
                    } else {
                        Why::Value { name: name.clone(), value: shown, place: owned.place() }
                    };
                    found.note(owned.by, why);
                }
            }
            for (name, value) in &step.cookies {
                // What the application made and gives is a token, however it looks.
                let given = |owned: &Owned| owned.sent_as.is_empty() && value.len() >= COOKIE;
                let is_meant =
                    |owned: &&Owned| !owned.was_there && (given(owned) || owned.is_meant_by(name, value));
                for owned in self.owned(value).filter(is_meant) {
                    found.note(owned.by, Why::Cookie { name: name.clone(), place: owned.place() });
                }
            }
            self.address(step, found);
        }
    }

    fn owned(&self, value: &str) -> impl Iterator<Item = &Owned> {
        self.values.get(value).into_iter().flatten()
    }

    /// By the address and the ids in query and body: `/order/12`, `/order?id=12`, `order[id]=12`, `/uploads/cat.png`,
    /// `/user/anna`.
    fn address(&self, step: &ObservedStep, found: &mut Found) {
        let address = |place: String| Why::Address { path: step.path.clone(), place };
        let segments: Vec<&str> = step.path.split('/').filter(|segment| !segment.is_empty()).collect();
        let mut numbers: Vec<AskedNumber<'_>> = Vec::new();
        for (at, segment) in segments.iter().enumerate() {
            let before: Vec<&str> = segments[..at].iter().rev().take(1).copied().collect();
            for owned in self.owned(segment).filter(|owned| self.is_named(owned, &before, segment, step)) {
                found.note(owned.by, address(owned.place()));
            }
            if is_number(segment) {
                numbers.push(AskedNumber { about: before, number: segment, parameter: None });
            }
        }
        let path: Vec<&str> = segments.iter().rev().copied().filter(|segment| !is_number(segment)).collect();
        for (name, value) in &step.params {
            let about = || subject(name).map_or_else(|| path.clone(), |subject| vec![subject]);
            for number in value.split(',').map(str::trim).filter(|number| is_number(number)) {
                numbers.push(AskedNumber { about: about(), number, parameter: Some(name) });
            }
            if let Some(number) = number_in(name) {
                let named = about();
                let meant =
                    named.iter().any(|name| !meant(name, &self.tables, |(_, table)| table).is_empty());
                numbers.push(AskedNumber {
                    about: if meant { named } else { path.clone() },
                    number,
                    parameter: Some(name),
                });
            }
        }
        for asked in numbers {
            let named: Vec<_> =
                asked.about.iter().flat_map(|name| meant(name, &self.tables, |(_, table)| table)).collect();
            for place @ (file, table) in &self.tables {
                let Some(other) = self.writers.adder(file, table, asked.number) else { continue };
                // Or somebody asked for this very address first who had added a row of this number.
                if named.contains(&place) || self.asked_first(&asked, step) == Some(other) {
                    let row = format!("{table}, row {}", asked.number);
                    found.note(other, address(row.clone()));
                    if let Some(changer) = self.writers.last_changer(found.session, file, table, asked.number)
                    {
                        found.note(changer, Why::Part { whole: row, place: None });
                    }
                    self.parts_of(file, table, asked.number, found);
                }
            }
        }
        if let Some(name) = segments.last().filter(|name| name.len() > 4 && name.contains('.'))
            && let Some((other, file)) = self.writers.maker_of_file(name)
        {
            found.note(other, address(file.to_owned()));
        }
    }

    /// Whether a part of an address means a value: what is before it says so, or the one who wrote it was the first to ask for it, or
    /// nothing else can be meant.
    fn is_named(&self, owned: &Owned, before: &[&str], value: &str, step: &ObservedStep) -> bool {
        let of_table = |name: &&str| {
            meant(name, &self.tables, |(_, table)| table).iter().any(|(_, t)| *t == owned.table)
        };
        let of_account = |name: &&str| owned.is_account() && is_account(name);
        !owned.was_there
            && (owned.is_unmistakable(value)
                || before.iter().any(|name| of_table(name) || of_account(name))
                || self.first_asked.get(step.path.as_str()) == Some(&owned.by))
    }

    /// Who was the first to ask for this number in this place.
    fn asked_first(&self, asked: &AskedNumber<'_>, step: &ObservedStep) -> Option<usize> {
        match asked.parameter {
            Some(name) => self.first_sent.get(&(step.path.as_str(), name, asked.number)).copied(),
            None => self.first_asked.get(step.path.as_str()).copied(),
        }
    }

    /// By what the session was shown.
    fn shown(&self, found: &mut Found) {
        let session = &self.sessions[found.session];
        for (value, all) in &self.values {
            let own = all.iter().filter(|owned| !owned.was_there && is_striking(value, owned));
            let Some(owned) = own.min_by_key(|owned| owned.by) else { continue };
            if let Some((_, step)) = owned.shown.iter().find(|(at, _)| *at == found.session) {
                // Who sends a word is shown it again, whoever else has written it.
                if session.steps.iter().take(step + 1).any(|sent| sends(sent, value)) {
                    continue;
                }
                let (text, place) = (cut(value), owned.place());
                found.note(owned.by, Why::Shown { text, place, step: step + 1 });
            }
        }
    }
}

/// A number that was asked for, and what it may be the number of.
struct AskedNumber<'a> {
    about: Vec<&'a str>,
    number: &'a str,
    /// The parameter that it was sent by; none where it is a part of the path.
    parameter: Option<&'a str>,
}

/// Parameters whose numbers are no ids, whatever rows have the same.
const NO_IDS: [&str; 16] = [
    "page", "p", "limit", "offset", "size", "count", "quantity", "qty", "per_page", "start", "year", "month",
    "day", "step", "tab", "rating",
];

/// Who was the first to send a number by a parameter of a path, after having done something.
fn first_sent(sessions: &[Observed]) -> HashMap<(&str, &str, &str), usize> {
    let mut first = HashMap::new();
    let mut before = HashMap::new();
    for (at, session) in sessions.iter().enumerate() {
        let mut acted = false;
        for step in &session.steps {
            for (name, value) in &step.params {
                if is_number(value) && !NO_IDS.contains(&name.to_ascii_lowercase().as_str()) {
                    let sent = (step.path.as_str(), name.as_str(), value.as_str());
                    if acted && !before.contains_key(&sent) {
                        first.entry(sent).or_insert(at);
                    }
                    before.entry(sent).or_insert(at);
                }
            }
            acted |= !matches!(step.method.as_str(), "GET" | "HEAD");
        }
    }
    first
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
