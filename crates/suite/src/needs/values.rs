//! Who wrote which value first.

use std::collections::{HashMap, HashSet};

use restage_state::Done;

use super::observed::{Observed, ObservedStep};
use super::rows::said;
use super::texts::{needle, shown};

/// A value that one session wrote first.
#[derive(Debug)]
pub(super) struct Owned {
    /// The session's place among the sessions.
    pub(super) by: usize,
    /// Where it is: `name of members, row 12`.
    pub(super) place: String,
    /// Whether the session sent it.
    pub(super) typed: bool,
    /// The sessions that are shown it, with the step that does first.
    pub(super) shown: Vec<(usize, usize)>,
}

/// The values that one session wrote first, by value.
pub(super) fn owned(sessions: &[Observed]) -> HashMap<String, Owned> {
    let mut first: HashMap<&str, (usize, String)> = HashMap::new();
    // By table and column: what several sessions write there is a word of the application's, as `paid` is.
    let mut writers: HashMap<(&str, &str, &str), HashSet<usize>> = HashMap::new();
    let mut first_at: HashMap<&str, (&str, &str)> = HashMap::new();
    for (at, session) in sessions.iter().enumerate() {
        for change in session.writes.iter().filter(|change| change.done != Done::Removed) {
            let table = change.table.as_deref().unwrap_or_default();
            for (column, value) in change.values.iter().filter(|(_, value)| is_telling(value)) {
                writers.entry((table, column, value)).or_default().insert(at);
                first.entry(value).or_insert_with(|| {
                    first_at.insert(value, (table, column));
                    (at, format!("{column} of {}", said(change)))
                });
            }
        }
    }
    first.retain(|value, _| {
        let place = first_at.get(value).map(|(table, column)| (*table, *column, *value));
        place.and_then(|place| writers.get(&place)).is_some_and(|by| by.len() == 1)
    });
    let values: Vec<&str> = first.keys().copied().collect();
    let needles: Vec<String> = values.iter().map(|value| needle(value)).collect();
    let shown = shown(&needles, sessions);
    let mut owned = HashMap::new();
    for (value, shown) in values.into_iter().zip(shown) {
        let Some((by, place)) = first.remove(value) else { continue };
        if !was_there(&sessions[by], by, value, &shown) {
            let typed = sessions[by].steps.iter().any(|step| sends(step, value));
            owned.insert(value.to_owned(), Owned { by, place, typed, shown });
        }
    }
    owned
}

/// Whether a value was there before the session that is the first to write it: it was shown to an earlier one, or to this
/// one before it sent the value, or, where it never did, before it sent anything that changes something.
fn was_there(session: &Observed, by: usize, value: &str, shown: &[(usize, usize)]) -> bool {
    if shown.iter().any(|(at, _)| *at < by) {
        return true;
    }
    let Some((_, step)) = shown.iter().find(|(at, _)| *at == by) else { return false };
    let sent = session.steps.iter().position(|step| sends(step, value));
    let acts = || session.steps.iter().position(|step| !matches!(step.method.as_str(), "GET" | "HEAD"));
    sent.or_else(acts).is_none_or(|sent| *step < sent)
}

fn sends(step: &ObservedStep, value: &str) -> bool {
    step.params.iter().any(|(_, sent)| sent == value)
}

/// Whether a value is one that tells: a name, a text, a token. Numbers, dates and flags do not.
pub(super) fn is_telling(value: &str) -> bool {
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2 && value.chars().count() >= 3 && !is_time(value)
}

/// Whether a value is known again in the middle of a page: it is long enough; and a single word that nobody typed is the
/// application's own.
pub(super) fn is_striking(value: &str, owned: &Owned) -> bool {
    let length = value.chars().count();
    length >= 6 && (owned.typed || length >= 16 || value.trim().contains(' '))
}

/// Wider than `ValueShape::DateTime`, since columns hold times in every form of prose: `2026-11-15T10:00:00Z`,
/// `Sun, 15 Nov 2026`: more digits than letters, or nearly so.
fn is_time(value: &str) -> bool {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    value.len() < 40
        && digits >= 4
        && value.contains(['-', ':', '/', ','])
        && letters <= 8
        && digits * 3 > letters
}
