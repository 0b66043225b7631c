//! Finding dates and times among words, in the forms that people and frameworks print.
//!
//! Works on words and not on text runs: where a page puts its tags must not decide whether a date is
//! one, or C-WD would see a difference that C-W does not.

/// How many words from `at` make up a date, a time, or both; 0 where none begins there.
pub(crate) fn date_length(words: &[&str]) -> usize {
    let mut used = 0;
    let mut dated = false;
    // A weekday counts only before a date: "Sunday, 15 November".
    if words.first().is_some_and(|w| is_weekday(bare(w))) {
        used = 1;
    }
    if let Some(n) = day(&words[used..]) {
        used += n;
        dated = true;
        if words.get(used).is_some_and(|w| matches!(bare(w), "at" | "um" | "à" | "-" | "–"))
            && time(&words[used + 1..]).is_some()
        {
            used += 1;
        }
    } else if used == 1 {
        return 0;
    }
    if let Some(n) = time(&words[used..]) {
        return used + n;
    }
    if dated {
        return used;
    }
    relative(words).unwrap_or(0)
}

/// Quick no for the words that cannot begin a date.
pub(crate) fn may_begin_date(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.iter().any(u8::is_ascii_digit)
        || bytes.iter().any(u8::is_ascii_uppercase)
        || matches!(bare(word), "a" | "an" | "one" | "in")
        || is_month(bare(word))
}

/// A word without the punctuation around it.
pub(crate) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| matches!(c, ',' | '.' | ';' | '(' | ')' | '[' | ']' | '"' | '\'' | '!' | '?'))
}

/// A calendar day, in one word or several.
fn day(words: &[&str]) -> Option<usize> {
    let first = bare(words.first()?);
    if is_numeric_date(first) || is_stamp(first) {
        return Some(1);
    }
    let word = |i: usize| words.get(i).map(|w| bare(w));
    // 15 November 2026, 15th of November, 15 Nov
    if day_number(first).is_some() {
        let skip = usize::from(word(1).is_some_and(|w| w.eq_ignore_ascii_case("of")));
        if word(1 + skip).is_some_and(is_month) {
            let year = word(2 + skip).is_some_and(is_year);
            return Some(2 + skip + usize::from(year));
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
fn time(words: &[&str]) -> Option<usize> {
    let first = bare(words.first()?).to_ascii_lowercase();
    let clock = first.strip_suffix("am").or_else(|| first.strip_suffix("pm")).unwrap_or(&first);
    let suffixed = clock.len() != first.len();
    let mut used = 1;
    let follows = |i: usize| words.get(i).map(|w| bare(w));
    if is_clock(clock) {
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
    if follows(used).is_some_and(is_zone) {
        used += 1;
    }
    if follows(used).is_some_and(|w| is_year(w) && w.len() == 4) {
        used += 1;
    }
    Some(used)
}

/// "3 minutes ago", "an hour ago", "in 2 days".
fn relative(words: &[&str]) -> Option<usize> {
    let word = |i: usize| words.get(i).map(|w| bare(w).to_ascii_lowercase());
    let number =
        |w: &str| matches!(w, "a" | "an" | "one") || w.bytes().all(|b| b.is_ascii_digit()) && !w.is_empty();
    let unit = |w: &str| {
        let w = w.strip_suffix('s').unwrap_or(w);
        matches!(w, "sec" | "second" | "min" | "minute" | "hour" | "hr" | "day" | "week" | "month" | "year")
    };
    let first = word(0)?;
    if number(&first) && unit(&word(1)?) && word(2)? == "ago" {
        return Some(3);
    }
    if first == "in" && number(&word(1)?) && unit(&word(2)?) {
        return Some(3);
    }
    None
}

/// 2026-11-15, 15.11.2026, 11/15/26, 15-Nov-2026, 2026-11-15T20:31:07Z.
fn is_numeric_date(word: &str) -> bool {
    let (date, clock) = match word.split_once(['T', 't', '_']) {
        Some((date, clock)) if date.len() >= 8 => (date, Some(clock)),
        _ => (word, None),
    };
    if let Some(clock) = clock {
        let clock = clock.trim_end_matches(['Z', 'z']);
        let clock = clock.split(['+', '-']).next().unwrap_or_default();
        let compact = clock.len() == 6 && clock.bytes().all(|b| b.is_ascii_digit());
        if !is_clock(clock) && !compact {
            return false;
        }
    }
    let Some(separator) = date.chars().find(|c| matches!(c, '-' | '/' | '.')) else {
        return clock.is_some() && date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit());
    };
    let parts: Vec<&str> = date.split(separator).collect();
    let [a, b, c] = parts[..] else { return false };
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
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let seconds = match word.len() {
        10 => word.parse::<u64>().ok(),
        13 => word.parse::<u64>().ok().map(|ms| ms / 1000),
        _ => None,
    };
    digits && seconds.is_some_and(|s| (1_000_000_000..4_102_444_800).contains(&s))
}

/// 20:31, 8:31:07, 20:31:07.250.
fn is_clock(word: &str) -> bool {
    let parts: Vec<&str> = word.split(':').collect();
    if !(2..=3).contains(&parts.len()) {
        return false;
    }
    let whole = |text: &str, most: u32| {
        (1..=2).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_digit())
            && text.parse::<u32>().is_ok_and(|n| n <= most)
    };
    whole(parts[0], 24)
        && parts[1].len() == 2
        && whole(parts[1], 59)
        && parts.get(2).is_none_or(|seconds| {
            let (s, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, "0"));
            s.len() == 2 && whole(s, 60) && fraction.bytes().all(|b| b.is_ascii_digit())
        })
}

/// 1 to 31, also 1st, 2nd, 15th.
fn day_number(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    if !matches!(suffix.to_ascii_lowercase().as_str(), "" | "st" | "nd" | "rd" | "th") || digits.len() > 2 {
        return None;
    }
    digits.parse().ok().filter(|n| (1..=31).contains(n))
}

fn is_year(word: &str) -> bool {
    let digits = word.strip_prefix('\'').unwrap_or(word);
    digits.len() == 4 && digits.parse::<u32>().is_ok_and(|y| (1900..=2199).contains(&y))
}

fn is_half_day(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "am" | "pm" | "a.m" | "p.m" | "a.m." | "p.m.")
}

fn is_zone(word: &str) -> bool {
    let offset = word.strip_prefix(['+', '-']).is_some_and(|digits| {
        let plain = digits.replace(':', "");
        (plain.len() == 4 || plain.len() == 2) && plain.bytes().all(|b| b.is_ascii_digit())
    });
    offset
        || matches!(
            word,
            "UTC"
                | "GMT"
                | "Z"
                | "CET"
                | "CEST"
                | "EST"
                | "EDT"
                | "CST"
                | "CDT"
                | "MST"
                | "MDT"
                | "PST"
                | "PDT"
                | "BST"
                | "IST"
        )
}

fn is_month(word: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.to_ascii_lowercase();
    word == "sept" || MONTHS.iter().any(|m| word == *m || word.len() == 3 && m.starts_with(&word))
}

fn is_weekday(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let word = word.to_ascii_lowercase();
    DAYS.iter().any(|d| word == *d || matches!(word.len(), 3..=5) && d.starts_with(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(text: &str) -> usize {
        date_length(&text.split_whitespace().collect::<Vec<_>>())
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
        ] {
            assert_eq!(length(text), 0, "{text}");
        }
    }
}
