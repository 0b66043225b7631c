//! Moments told from now: "3 minutes ago".

use crate::page::dates::time;

/// How many words make up a moment told from now: "3 minutes ago", "about an hour ago", "1 day, 2 hours ago", "in 2 days", "just now", "yesterday at 8:31".
pub(crate) fn relative(words: &[&str]) -> Option<usize> {
    let word = |i: usize| words.get(i).copied().unwrap_or_default();
    let is = |i: usize, any: &[&str]| any.iter().any(|one| one.eq_ignore_ascii_case(word(i)));
    if is(0, &["just"]) && is(1, &["now"]) {
        return Some(2);
    }
    if is(0, &["today", "yesterday", "tomorrow"]) {
        let at = 1 + usize::from(is(1, &["at"]));
        return time(words.get(at..)?).map(|n| at + n);
    }
    let ahead = is(0, &["in"]);
    let begin = if ahead || is(0, &["about", "over", "almost", "nearly", "around"]) {
        1
    } else if is(0, &["less"]) && is(1, &["than"]) {
        2
    } else {
        0
    };
    let mut at = begin;
    loop {
        if (is(at, &["a", "an", "one"]) || is_number(word(at))) && is_unit(word(at + 1)) {
            at += 2;
        } else if is_short_span(word(at)) {
            at += 1;
        } else {
            break;
        }
        at += usize::from(is(at, &["and"]));
    }
    if at == begin {
        None
    } else if is(at, &["ago"]) {
        Some(at + 1)
    } else if is(at, &["from"]) && is(at + 1, &["now"]) {
        Some(at + 2)
    } else {
        ahead.then_some(at)
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

pub(crate) fn is_unit(word: &str) -> bool {
    const UNITS: [&str; 10] =
        ["sec", "second", "min", "minute", "hour", "hr", "day", "week", "month", "year"];
    let one = word.strip_suffix(['s', 'S']).unwrap_or(word);
    UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(one))
}

/// 5m, 2h, 3d.
fn is_short_span(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && matches!(&word[digits.len()..], "s" | "m" | "min" | "h" | "hr" | "hrs" | "d" | "w" | "mo" | "y")
}
