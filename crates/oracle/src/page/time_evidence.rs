//! Whether figures such as `2:30` are a time of day: a duration, a score and a ratio look the same.
//!
//! They are one where something says so: their form (`14:05:33`, `09:15`), the word before them (`at 2:30`), what follows them
//! (`2:30 pm`, `14:05 CET`), or a date beside them. A word that speaks of durations or scores says that they are none, whatever their form.

use crate::page::relative::is_unit;

/// Words that stand before a time of day, in the languages of `calendar`.
#[rustfmt::skip]
const BEFORE_TIMES: &[&str] = &[
    "at", "by", "since", "until", "till", "from", "to", "before", "after", "time", "clock", "opens", "closes", "starts", "ends", "now", "@",
    "ordered", "created", "updated", "changed", "modified", "edited", "saved", "sent", "received", "posted", "published", "added", "logged", "seen",
    // German
    "um", "ab", "bis", "seit", "von", "uhrzeit", "zeit",
    // French, Spanish, Italian, Portuguese, Dutch
    "à", "dès", "depuis", "heure", "las", "alle", "ore", "às", "om", "tot", "vanaf",
];

/// Words that stand before durations, scores and ratios.
#[rustfmt::skip]
const BEFORE_OTHERS: &[&str] = &[
    "duration", "length", "elapsed", "took", "takes", "total", "sum", "remaining", "left", "score", "ratio", "result", "won", "lost", "runtime", "pace",
    "dauer", "durée", "duración", "durata", "gesamt", "summe", "stunden", "minuten",
];

/// Whether a word is a unit that durations are told in: hours, min, h.
pub(crate) fn is_unit_of_time(word: &str) -> bool {
    is_unit(word)
        || ["h", "hrs", "m", "s", "std", "stunden", "minuten"]
            .iter()
            .any(|unit| unit.eq_ignore_ascii_case(word))
}

/// Whether figures are written as times of day are and durations seldom: with a leading zero, or with seconds after an hour of two
/// figures; and no word before them says otherwise.
pub(crate) fn is_told_by_form(figures: &str, before: &[&str]) -> bool {
    let hour = figures.find(|c: char| !c.is_ascii_digit()).unwrap_or(figures.len());
    let is_range = figures.contains(['-', '–', '—', '/']);
    let has_seconds = figures.matches(':').count() == 2;
    let is_written_so = is_range || hour == 2 && (figures.starts_with('0') || has_seconds);
    is_written_so && !tells_of_others(before)
}

/// Whether the words before figures tell of a time of day: `at`, `as of`.
pub(crate) fn is_told_before(before: &[&str]) -> bool {
    match before {
        [.., as_, of] if as_.eq_ignore_ascii_case("as") && of.eq_ignore_ascii_case("of") => true,
        [.., last] => is_one_of(last, BEFORE_TIMES),
        [] => false,
    }
}

fn tells_of_others(before: &[&str]) -> bool {
    let last = before.iter().rev().find(|word| !is_one_of(word, &["of", "in", "is", "was", ""]));
    last.is_some_and(|word| is_unit_of_time(word) || is_one_of(word, BEFORE_OTHERS))
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}
