//! How a date is written, whichever day it is: a mask covers the day, and a date that is written otherwise all at once shows.
//!
//! Only what no day changes counts as form. A month may be spelled out or shortened: in May one cannot tell. A year may be left
//! out while it lasts. Leading zeros, the half of the day and the time zone come and go with the day, too.

use super::atoms::dates;
use crate::page::calendar::{is_month, is_weekday};
use crate::page::dates::bare;

/// One and the same date in the form of this one, marked as a stand-in; none where its form cannot be told. It is a date
/// itself: who does not look at dates does not see it either.
pub(crate) fn in_form_of(date: &str) -> Option<String> {
    let words: Vec<&str> = date.split_whitespace().map(bare).collect();
    // What is told from now is told otherwise in a week.
    if words.iter().any(|w| ["today", "yesterday", "tomorrow"].iter().any(|now| w.eq_ignore_ascii_case(now)))
    {
        return None;
    }
    let mut out: Vec<String> = Vec::new();
    if words.first().is_some_and(|word| is_weekday(word)) {
        out.push("Saturday".to_owned());
    }
    let day = words.iter().position(|word| is_figure(word) && !is_clock(word));
    match words.iter().position(|word| is_month(word)) {
        Some(month) if day.is_some_and(|day| day < month) => out.push("01 January".to_owned()),
        Some(_) => out.push("January 01".to_owned()),
        None => out.extend(words.iter().find_map(|word| numeric(word))),
    }
    if words.iter().any(|word| is_clock(word) || is_figure(word) && word.contains('T')) {
        out.push("01:01".to_owned());
    }
    let form = out.join(" ");
    let whole = 0..form.len();
    (dates(&form) == [whole]).then(|| format!("\u{27e8}{form}\u{27e9}"))
}

/// 2026-11-15 as 2000-01-01, 15/Nov/2026 as 01/Jan/2000.
fn numeric(word: &str) -> Option<String> {
    let sign = word.chars().find(|c| matches!(c, '-' | '/' | '.'))?;
    let parts: Vec<&str> = word.split(sign).collect();
    let [first, second, ..] = parts[..] else { return None };
    let month = if is_month(second) { "Jan" } else { "01" };
    match first.len() {
        4 => Some(format!("2000{sign}{month}{sign}01")),
        1 | 2 => Some(format!("01{sign}{month}{sign}2000")),
        _ => None,
    }
}

fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

fn is_clock(word: &str) -> bool {
    is_figure(word) && word.contains(':') && !word.contains(['/', 'T'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_on_every_day() {
        let same = [
            ["Monday, 16 November 2026", "Sat, 1 May 2027"],
            ["Monday, 16 November 2026", "Tuesday, 17 November 2026"],
            ["November 16, 2026", "May 1st"],
            ["16 Nov", "1 Mai 2027"],
            ["2026-11-16", "2027-01-02"],
            ["2026-11-16T20:31:07.25Z", "2027-01-02T03:04:05+01:00"],
            ["11/16/2026", "1/2/27"],
            ["16/Nov/2026", "02/May/2027"],
            ["20:31:07", "9:05 am"],
            ["Sun, 15 Nov 2026 20:31:07 GMT", "Mon, 16 May 2027 20:31:07 BST"],
        ];
        for [a, b] in same {
            assert!(in_form_of(a).is_some(), "{a}");
            assert_eq!(in_form_of(a), in_form_of(b), "{a} {b}");
        }
    }

    #[test]
    fn another_form_is_another() {
        let forms = [
            "16 November 2026",
            "November 16, 2026",
            "Monday, 16 November 2026",
            "2026-11-16",
            "16.11.2026",
            "11/16/2026",
            "20:31",
            "16 November 2026 20:31",
            "2026-11-16T20:31:07Z",
        ];
        let told: std::collections::BTreeSet<_> =
            forms.iter().map(|form| in_form_of(form).expect("a form")).collect();
        assert_eq!(told.len(), forms.len(), "{told:?}");
    }

    #[test]
    fn what_has_no_form_has_none() {
        for text in ["3 minutes ago", "just now", "1700000000", "2026年11月16日", "8pm", "Yesterday at 8:31"]
        {
            assert_eq!(in_form_of(text), None, "{text}");
        }
    }
}
