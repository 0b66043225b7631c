//! That a recording consists of errors, for people.

use restage_project::RecordedErrors;

use crate::terminal::output::count;

/// How many kinds of errors are told.
const SHOWN: usize = 5;

/// That what was recorded consists of errors, and what to do about it.
pub(crate) fn in_words(errors: &RecordedErrors) -> String {
    let mut kinds: Vec<(u16, usize)> = errors.statuses.iter().map(|(status, n)| (*status, *n)).collect();
    kinds.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let kind = |(status, n): &(u16, usize)| match status {
        0 => format!("{n} without an answer"),
        status => format!("{n} by {status}"),
    };
    let kinds: Vec<String> = kinds.iter().take(SHOWN).map(kind).collect();
    let sessions = match errors.sessions {
        0 => "no session is left to replay".to_owned(),
        all => format!("{} of {} consist of errors", errors.sessions_of_errors, count(all, "session")),
    };
    format!(
        "{} of {} answered by an error ({}): {sessions}\n  hint: tests of them would test only these errors; check that the application works at its own address, then record again",
        errors.errors,
        count(errors.requests, "request"),
        kinds.join(", ")
    )
}
