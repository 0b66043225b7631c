//! Finding dates and times among words, in the forms that people and frameworks print.
//!
//! Works on words and not on text runs: where a page puts its tags must not decide whether a date is
//! one, or C-WD would see a difference that C-W does not. Names of months and weekdays are in `calendar`, what
//! tells a time of day from a duration in `time_evidence`.

use crate::page::calendar::{is_beginning, is_month, is_weekday};
use crate::page::relative::relative;
use crate::page::time_evidence::{is_told_before, is_told_by_form, is_unit_of_time};

/// How many words make up a date, a time, or both; 0 where none begins with the first. `before` are the words in front of
/// them. All words are [`bare`].
pub(crate) fn date_length(before: &[&str], words: &[&str]) -> usize {
    let mut used = 0;
    let mut dated = false;
    // A weekday counts only before a date: "Sunday, 15 November".
    if words.first().is_some_and(|w| is_weekday(w)) {
        used = 1;
    }
    if let Some(n) = day(&words[used..]) {
        used += n;
        dated = true;
        // 15/Nov/2026:20:31:07 +0000: the time was in the word.
        if n == 1 && words[used - 1].contains(':') && words.get(used).is_some_and(|w| is_zone(w)) {
            return used + 1;
        }
        if words
            .get(used)
            .is_some_and(|w| matches!(*w, "at" | "um" | "à" | "a" | "las" | "om" | "-" | "–" | "|"))
            && time(&words[used + 1..]).is_some()
        {
            used += 1;
        }
    } else if used == 1 {
        return 0;
    }
    if let Some(n) = time(&words[used..])
        && (dated || is_time_of_day(before, &words[used..], n))
    {
        return used + n;
    }
    if dated {
        return used;
    }
    relative(words).unwrap_or(0)
}

/// Whether what could be a time of day alone is one, and not a duration, a score or a ratio: its form, the words before or
/// after it, or a date beside it say so.
fn is_time_of_day(before: &[&str], words: &[&str], length: usize) -> bool {
    let after = &words[length..];
    if after.first().is_some_and(|word| is_unit_of_time(word)) {
        return false;
    }
    // More than the figures alone: pm, a zone, a year.
    let is_alone = length == 1 && is_clock(words[0]) && !words[0].contains(['+', 'Z', 'z']);
    !is_alone
        || is_told_by_form(words[0], before)
        || is_told_before(before)
        || day(after).is_some()
        || after.first().is_some_and(|word| is_weekday(word)) && day(&after[1..]).is_some()
}

/// Quick no for the words, [`bare`], that cannot begin a date.
pub(crate) fn may_begin_date(word: &str) -> bool {
    match word.as_bytes().first() {
        Some(b'0'..=b'9' | b'+') => true,
        Some(b'a'..=b'z' | b'A'..=b'Z') => is_beginning(word),
        _ => false,
    }
}

/// A word without the punctuation around it, and without a label grown to it: `Date:2026-11-15`.
pub(crate) fn bare(word: &str) -> &str {
    let around = |c: char| {
        matches!(
            c,
            ',' | '.'
                | ';'
                | ':'
                | '('
                | ')'
                | '['
                | ']'
                | '"'
                | '\''
                | '!'
                | '?'
                | '„'
                | '“'
                | '”'
                | '⟨'
                | '⟩'
        )
    };
    // Most words have none, and every word of every page comes here.
    let plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = word.as_bytes();
    let word = if plain(bytes.first()) && plain(bytes.last()) { word } else { word.trim_matches(around) };
    // Nor a label.
    if !word.ends_with(|c: char| c.is_ascii_alphanumeric()) || !word.bytes().any(|b| matches!(b, b':' | b'='))
    {
        return word;
    }
    match word.split_once([':', '=']) {
        Some((label, rest))
            if !label.is_empty()
                && label.chars().all(char::is_alphabetic)
                && rest.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            rest
        }
        _ => word,
    }
}

/// A calendar day, in one word or several.
fn day(words: &[&str]) -> Option<usize> {
    let first = *words.first()?;
    if is_numeric_date(first) || is_stamp(first) || is_range(first, is_numeric_date) {
        return Some(1);
    }
    let word = |i: usize| words.get(i).copied();
    let linked = |i: usize| usize::from(word(i).is_some_and(|w| matches!(w, "of" | "de" | "di" | "del")));
    // 15 November 2026, 15th of November, 15 de noviembre de 2026, 15 Nov
    if day_number(first).is_some() {
        let month = 1 + linked(1);
        if word(month).is_some_and(is_month) {
            let year = month + 1 + linked(month + 1);
            return Some(if word(year).is_some_and(is_year) { year + 1 } else { month + 1 });
        }
    }
    // November 15, 2026; Nov 15; November 2026
    if is_month(first) {
        let second = word(1)?;
        if day_number(second).is_some() {
            return Some(2 + usize::from(word(2).is_some_and(is_year)));
        }
        if is_year(second) {
            return Some(2);
        }
        // Nov 15 20:31:07 2026 has its year behind the time; the time is found by the caller.
    }
    None
}

/// A time of day, with what may follow it: am, a zone, and (as `ctime` prints it) the year.
pub(crate) fn time(words: &[&str]) -> Option<usize> {
    let first = *words.first()?;
    if !first.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let clock = without_half_day(first);
    let suffixed = clock.len() != first.len();
    let mut used = 1;
    let follows = |i: usize| words.get(i).copied();
    if is_clock(clock) || is_range(clock, is_clock) {
        if !suffixed && follows(used).is_some_and(is_half_day) {
            used += 1;
        }
    } else if suffixed && day_number(clock).is_some_and(|h| h <= 12) {
        // 8pm
    } else if day_number(clock).is_some_and(|h| h <= 12) && follows(1).is_some_and(is_half_day) {
        used += 1;
    } else {
        return None;
    }
    if follows(used).is_some_and(|w| is_zone(w) || w == "Uhr") {
        used += 1;
    }
    if follows(used).is_some_and(|w| is_year(w) && w.len() == 4) {
        used += 1;
    }
    Some(used)
}

/// 8pm as 8.
fn without_half_day(word: &str) -> &str {
    match word.as_bytes() {
        [.., b'a' | b'A' | b'p' | b'P', b'm' | b'M'] => &word[..word.len() - 2],
        _ => word,
    }
}

/// Two of a kind, from one to the other: 15.11.2026–20.11.2026.
fn is_range(word: &str, is_one: fn(&str) -> bool) -> bool {
    word.char_indices()
        .filter(|(_, c)| matches!(c, '-' | '–' | '—' | '/'))
        .any(|(at, c)| is_one(&word[..at]) && is_one(&word[at + c.len_utf8()..]))
}

/// 2026-11-15, 15.11.2026, 11/15/26, 15-Nov-2026, 2026-11-15T20:31:07Z, 15/Nov/2026:20:31:07, 2026-W46.
fn is_numeric_date(word: &str) -> bool {
    // 1/2/26
    if word.len() < 6 {
        return false;
    }
    let split = word.split_once(['T', 't', '_']).or_else(|| word.split_once(':'));
    let (date, clock) = match split {
        Some((date, clock)) if date.len() >= 8 => (date, Some(clock)),
        _ => (word, None),
    };
    if let Some(clock) = clock {
        let clock = clock.trim_end_matches(['Z', 'z']);
        let whole = clock.split(['+', '-']).next().unwrap_or_default();
        let compact = whole.len() == 6 && whole.bytes().all(|b| b.is_ascii_digit());
        if !is_clock(clock) && !is_clock(whole) && !compact {
            return false;
        }
    }
    if let Some((year, week)) = date.split_once("-W") {
        return is_year(year) && week.len() == 2 && week.parse::<u32>().is_ok_and(|w| (1..=53).contains(&w));
    }
    if let Some((year, rest)) = date.split_once('年') {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let month_and_day = rest.strip_suffix('日').and_then(|r| r.split_once('月'));
        return is_year(year) && month_and_day.is_some_and(|(month, day)| digits(month) && digits(day));
    }
    let Some(separator) = date.chars().find(|c| matches!(c, '-' | '/' | '.')) else {
        return clock.is_some() && date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit());
    };
    let mut parts = date.split(separator);
    let (Some(a), Some(b), Some(c), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let small = |text: &str, most: u32| {
        (1..=2).contains(&text.len()) && text.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n))
    };
    if is_year(a) && a.len() == 4 {
        return (small(b, 12) || is_month(b)) && small(c, 31);
    }
    let year = is_year(c) && c.len() == 4 || c.len() == 2 && c.bytes().all(|b| b.is_ascii_digit());
    // 1.2.26 is a version number more often than a date.
    let spelled = separator != '.' || c.len() == 4;
    year && spelled && (small(a, 31) && (small(b, 12) || is_month(b)) || small(a, 12) && small(b, 31))
}

/// Seconds or milliseconds since 1970, of the years 2001 to 2100.
fn is_stamp(word: &str) -> bool {
    let seconds = match word.len() {
        10 => word.parse::<u64>().ok(),
        13 => word.parse::<u64>().ok().map(|ms| ms / 1000),
        _ => return false,
    };
    word.bytes().all(|b| b.is_ascii_digit())
        && seconds.is_some_and(|s| (1_000_000_000..4_102_444_800).contains(&s))
}

/// 20:31, 8:31:07, 20:31:07.250, 20:31:07+01:00, 20:31Z, 20h31.
fn is_clock(word: &str) -> bool {
    let word = match word.find(['+', '-']) {
        Some(at) if is_zone(&word[at..]) => &word[..at],
        _ => word.strip_suffix(['Z', 'z']).unwrap_or(word),
    };
    let (hours, minutes, seconds) =
        match word.split_once(['h', 'H']).filter(|(_, minutes)| minutes.len() == 2) {
            Some((hours, minutes)) => (hours, minutes, None),
            None => {
                let mut parts = word.split(':');
                match (parts.next(), parts.next(), parts.next(), parts.next()) {
                    (Some(hours), Some(minutes), seconds, None) => (hours, minutes, seconds),
                    _ => return false,
                }
            }
        };
    let whole = |text: &str, most: u32| {
        (1..=2).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_digit())
            && text.parse::<u32>().is_ok_and(|n| n <= most)
    };
    whole(hours, 24)
        && minutes.len() == 2
        && whole(minutes, 59)
        && seconds.is_none_or(|seconds| {
            let (s, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, "0"));
            s.len() == 2 && whole(s, 60) && fraction.bytes().all(|b| b.is_ascii_digit())
        })
}

/// 1 to 31, also 1st, 2nd, 15th.
fn day_number(word: &str) -> Option<u32> {
    if word.len() > 4 {
        return None;
    }
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    let ordinal = ["", "st", "nd", "rd", "th"].iter().any(|ending| ending.eq_ignore_ascii_case(suffix));
    if !ordinal || digits.len() > 2 {
        return None;
    }
    digits.parse().ok().filter(|n| (1..=31).contains(n))
}

fn is_year(word: &str) -> bool {
    let digits = word.strip_prefix('\'').unwrap_or(word);
    digits.len() == 4 && digits.parse::<u32>().is_ok_and(|y| (1900..=2199).contains(&y))
}

fn is_half_day(word: &str) -> bool {
    ["am", "pm", "a.m", "p.m", "a.m.", "p.m."].iter().any(|half| half.eq_ignore_ascii_case(word))
}

/// +0100, +01:00, -05, UTC, CEST, GMT+0100.
fn is_zone(word: &str) -> bool {
    let is_offset = |text: &str| {
        text.strip_prefix(['+', '-']).is_some_and(|digits| {
            let plain = digits.replace(':', "");
            (1..=4).contains(&plain.len()) && plain.bytes().all(|b| b.is_ascii_digit())
        })
    };
    let named = word.strip_prefix("GMT").or_else(|| word.strip_prefix("UTC"));
    word.len() > 2 && is_offset(word)
        || named.is_some_and(|rest| rest.is_empty() || is_offset(rest))
        || matches!(
            word,
            "Z" | "WET"
                | "WEST"
                | "CET"
                | "CEST"
                | "MEZ"
                | "MESZ"
                | "EET"
                | "EEST"
                | "MSK"
                | "EST"
                | "EDT"
                | "CST"
                | "CDT"
                | "MST"
                | "MDT"
                | "PST"
                | "PDT"
                | "AKST"
                | "AKDT"
                | "HST"
                | "BST"
                | "IST"
                | "JST"
                | "KST"
                | "AEST"
                | "AEDT"
                | "ACST"
                | "AWST"
                | "NZST"
                | "NZDT"
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn length(text: &str) -> usize {
        date_length(&[], &text.split_whitespace().map(bare).collect::<Vec<_>>())
    }

    /// The words of a text that are in dates.
    fn dated(text: &str) -> Vec<&str> {
        let words: Vec<&str> = text.split_whitespace().map(bare).collect();
        let (mut dated, mut at) = (Vec::new(), 0);
        while at < words.len() {
            let length = date_length(&words[..at], &words[at..]);
            dated.extend(&words[at..at + length]);
            at += length.max(1);
        }
        dated
    }

    /// Catches: a wrong total of hours, or a wrong score, that passes as another time of day.
    #[test]
    fn durations_scores_and_ratios_are_no_times_of_day() {
        for text in [
            "2:30",
            "Hours: 2:30",
            "Hours: 02:30",
            "Total 14:05",
            "Total of 12:45 hours",
            "took 02:30 min",
            "duration 1:02:03",
            "Elapsed: 01:02:03",
            "won 3:10",
            "at 2:30 minutes",
            "ratio 16:10",
            "Hours:2:30",
            "24:00",
        ] {
            assert_eq!(dated(text), [""; 0], "{text}");
        }
        for (text, times) in [
            ("14:05:33", "14:05:33"),
            ("at 2:30", "2:30"),
            ("2:30 pm", "2:30 pm"),
            ("09:15", "09:15"),
            ("saved at 14:05, 3 words", "14:05"),
            ("as of 10:31 you owe", "10:31"),
            ("from 9:00 to 17:30", "9:00 17:30"),
            ("um 8:15", "8:15"),
            ("open 10:00-12:30", "10:00-12:30"),
            ("14:05 on", ""),
            ("14:05 Uhr", "14:05 Uhr"),
            ("14:05Z", "14:05Z"),
            ("14:05 CET", "14:05 CET"),
            ("14:05 2026-11-15", "14:05 2026-11-15"),
            ("2026-11-15 2:30", "2026-11-15 2:30"),
            ("14:05 Sun, 15 Nov 2026", "14:05 Sun 15 Nov 2026"),
        ] {
            assert_eq!(dated(text).join(" "), times, "{text}");
        }
    }

    #[test]
    fn whole_phrases_are_dates() {
        for text in [
            "2026-11-15",
            "2026-11-15T20:31:07Z",
            "2026-11-15 20:31:07",
            "15.11.2026",
            "11/15/2026",
            "15-Nov-2026",
            "15 November 2026",
            "Sunday, 15 November 2026",
            "Sun, 15 Nov 2026 20:31:07 GMT",
            "November 15, 2026",
            "Nov 15, 2026 at 8:31 pm",
            "15th of November 2026",
            "November 2026",
            "8:31 PM",
            "8pm",
            "20:31:07.123 +0100",
            "3 minutes ago",
            "an hour ago",
            "1763238667",
            "2026-11-15 20:31:07+01:00",
            "2026-11-15T20:31Z",
            "20261115T203107Z",
            "2026-W46",
            "15/Nov/2026:20:31:07 +0000",
            "Sun Nov 15 20:31:07 CET 2026",
            "Sun Nov 15 2026 20:31:07 GMT+0100",
            "11/15/2026, 8:31:07 PM",
            "15.11.2026, 20:31 Uhr",
            "15. Dezember 2026 um 20:31 Uhr",
            "15 décembre 2026 à 20h31",
            "dimanche 15 novembre 2026",
            "15 de noviembre de 2026",
            "2026年11月15日 20:31",
            "15.11.2026–20.11.2026",
            "10:00-12:30",
            "about 2 hours ago",
            "less than a minute ago",
            "1 day, 2 hours ago",
            "2 days and 3 hours ago",
            "5m ago",
            "3 days from now",
            "just now",
            "yesterday at 8:31 pm",
            "Updated:2026-11-15",
        ] {
            assert_eq!(length(text), text.split_whitespace().count(), "{text}");
        }
    }

    #[test]
    fn other_numbers_are_not() {
        for text in [
            "42",
            "$12.50",
            "12 books",
            "1.2.26",
            "2026",
            "978-3-16-148410-0",
            "May I",
            "Sunday",
            "10 of 12",
            "1234567890123456",
            "4:3",
            "1/2",
            "10.11.12.13",
            "192.168.1.10",
            "March on",
            "3 days",
            "in 2 parts",
            "today only",
            "over 9000",
            "45/13/2026",
            "12,50",
            "a minute",
            "5m",
            "17763238667",
            "Room:12",
            "10-12",
            "1:2:3",
        ] {
            assert_eq!(length(text), 0, "{text}");
        }
    }

    fn word() -> impl Strategy<Value = String> {
        prop_oneof![
            "[0-9+:./-]{1,10}",
            "[0-9]{1,4}(st|th|pm|AM|m|h|H30|年1月2日)?",
            "\\PC{1,6}",
            prop::sample::select(vec![
                "Sunday",
                "nov",
                "MÄRZ",
                "Août",
                "at",
                "of",
                "de",
                "2026",
                "2026-W46",
                "20:31:07Z",
                "pm",
                "UTC",
                "+0100",
                "in",
                "About",
                "less",
                "than",
                "an",
                "hour",
                "days",
                "ago",
                "from",
                "now",
                "Just",
                "Yesterday",
                "and",
                "10:00-12:30",
                "1.2.2026–3.2.2026",
                "1763238667",
            ])
            .prop_map(str::to_owned),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_quick_no_is_right(words in prop::collection::vec(word(), 1..8)) {
            let words: Vec<&str> = words.iter().map(|word| bare(word)).collect();
            let length = date_length(&[], &words);
            prop_assert!(length <= words.len());
            prop_assert!(length == 0 || may_begin_date(words[0]), "{:?}", words);
        }
    }
}
