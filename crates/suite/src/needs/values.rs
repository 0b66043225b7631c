//! Who wrote which value first.

use std::collections::{BTreeMap, HashMap};

use restage_model::ValueShape;
use restage_state::Done;

use super::fields::{agree, is_account};
use super::observed::{Observed, ObservedStep};
use super::rows::said;
use super::texts::{needle, shown};

/// A value that one session was the first and only one to write into a column.
#[derive(Debug)]
pub(super) struct Owned {
    /// The session's place among the sessions.
    pub(super) by: usize,
    /// The table and the column it is in.
    pub(super) table: String,
    pub(super) column: String,
    /// The row: `members, row 12`.
    pub(super) row: String,
    /// The parameters by which the session sent it; none where the application made it.
    pub(super) sent_as: Vec<String>,
    /// Whether it was there before, in whatever place.
    pub(super) was_there: bool,
    /// The sessions that are shown it, with the step that does first.
    pub(super) shown: Vec<(usize, usize)>,
}

impl Owned {
    /// Where it is: `name of members, row 12`.
    pub(super) fn place(&self) -> String {
        format!("{} of {}", self.column, self.row)
    }

    /// Whether a user logs in with it.
    pub(super) fn is_account(&self) -> bool {
        is_account(&self.column) || self.sent_as.iter().any(|name| is_account(name))
    }

    /// Whether a parameter that has this value means this one. The same word may be somebody's login and somebody's last name: of
    /// a word, the field must be of the same kind.
    pub(super) fn is_meant_by(&self, name: &str, value: &str) -> bool {
        if is_account(name) && self.is_account() {
            // Logins are given once.
            return !self.was_there || !self.sent_as.is_empty();
        }
        let same =
            || agree(name, &self.column) || self.sent_as.iter().any(|sent| sent == name || agree(sent, name));
        !self.was_there && (self.is_unmistakable(value) || same())
    }

    /// Whether the same value elsewhere is no accident: a long text, a token, or what the application drew.
    pub(super) fn is_unmistakable(&self, value: &str) -> bool {
        use ValueShape::{CasedLetters, EncodedToken, Hash, Mixed, ShortId, Token};
        let length = value.chars().count();
        let drawn = match ValueShape::of(value) {
            Token | EncodedToken | CasedLetters => true,
            Hash | ShortId | Mixed => self.sent_as.is_empty(),
            _ => false,
        };
        drawn || length >= 24 || length >= 12 && value.trim().contains(' ')
    }
}

/// The values that one session was the first and only one to write into a column, by value.
pub(super) fn owned(sessions: &[Observed]) -> HashMap<String, Vec<Owned>> {
    // By value, then by table and column: who wrote it there first, into which row, and who else did. What several sessions write
    // there is a word of the application's, as `paid` is.
    let mut first: HashMap<&str, BTreeMap<(&str, &str), FirstWriter>> = HashMap::new();
    for (at, session) in sessions.iter().enumerate() {
        for change in session.writes.iter().filter(|change| change.done != Done::Removed) {
            let table = change.table.as_deref().unwrap_or_default();
            for (column, value) in change.values.iter().filter(|(_, value)| is_telling(value)) {
                let columns = first.entry(value).or_default();
                let writer = columns.entry((table, column)).or_insert_with(|| FirstWriter {
                    by: at,
                    row: said(change),
                    alone: true,
                });
                writer.alone &= writer.by == at;
            }
        }
    }
    first.retain(|_, columns| {
        columns.retain(|_, writer| writer.alone);
        !columns.is_empty()
    });
    let values: Vec<&str> = first.keys().copied().collect();
    let needles: Vec<String> = values.iter().map(|value| needle(value)).collect();
    let shown = shown(&needles, sessions);
    let mut owned = HashMap::new();
    for (value, shown) in values.into_iter().zip(shown) {
        let of_value = first.remove(value).into_iter().flatten().map(|((table, column), writer)| {
            let FirstWriter { by, row, .. } = writer;
            let steps = &sessions[by].steps;
            let names = steps.iter().flat_map(|step| &step.params).filter(|(_, sent)| sent == value);
            let mut sent_as: Vec<String> = names.map(|(name, _)| name.clone()).collect();
            sent_as.sort();
            sent_as.dedup();
            Owned {
                by,
                table: table.to_owned(),
                column: column.to_owned(),
                row,
                sent_as,
                was_there: was_there(&sessions[by], by, value, &shown),
                shown: shown.clone(),
            }
        });
        owned.insert(value.to_owned(), of_value.collect());
    }
    owned
}

/// Who wrote a value into a column first.
struct FirstWriter {
    by: usize,
    row: String,
    /// Nobody else did.
    alone: bool,
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

/// Whether a step sends a value.
pub(super) fn sends(step: &ObservedStep, value: &str) -> bool {
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
    length >= 6 && (!owned.sent_as.is_empty() || length >= 16 || value.trim().contains(' '))
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
