//! The dates and times in a value, as far as a program writes them.

use std::sync::LazyLock;

use regex_lite::{Captures, Regex};

/// A number counts as a time only within this many days of the run: any ten digits could be one.
const NEAR: i64 = 400 * DAY;
pub(super) const DAY: i64 = 86_400;
/// What has fewer digits holds no time.
const FEWEST_DIGITS: usize = 5;

/// A date or a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// Seconds since 1970, in whatever zone it was written.
    At(i64),
    /// Days since 1970; and what else it may be, where day and month could be either way round.
    Day(i64, Option<i64>),
    /// Seconds of a day.
    Clock(i64),
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Text(&'t str),
    Time(Moment),
}

static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    let month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*";
    let week = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? +)?";
    let zone = r"Z|GMT|UTC|[+-]\d\d:?\d\d";
    let clock = |n: u8| {
        format!(r"(?P<h{n}>\d\d):(?P<i{n}>\d\d)(?::(?P<s{n}>\d\d)(?:[.,]\d+)?)?(?: ?(?P<z{n}>{zone}))?")
    };
    let forms = [
        format!(r"(?P<y1>\d{{4}})[-/.](?P<m1>\d\d)[-/.](?P<d1>\d\d)(?:[T _]{})?", clock(1)),
        format!(r"(?P<d2>\d\d?)[/.-](?P<m2>\d\d?)[/.-](?P<y2>\d{{4}})(?:,? {})?", clock(2)),
        format!(
            r"{week}(?P<d3>\d\d?)[ /-](?P<m3>{month})[ /,.-]+(?P<y3>\d{{4}})(?:(?:,? |:| at ){})?",
            clock(3)
        ),
        format!(r"{week}(?P<m4>{month})\.? (?P<d4>\d\d?),? (?P<y4>\d{{4}})(?:(?:,? | at ){})?", clock(4)),
        format!(r"{week}(?P<m5>{month}) +(?P<d5>\d\d?) {}(?: [A-Z]+)? (?P<y5>\d{{4}})", clock(5)),
        r"(?P<h6>\d\d):(?P<i6>\d\d):(?P<s6>\d\d)(?:\.\d+)?(?P<z6>)".to_owned(),
        r"(?P<date>\d{8})T(?P<time>\d{6})Z?".to_owned(),
        r"(?P<digits>\d+)(?:\.\d+)?".to_owned(),
    ];
    Regex::new(&forms.join("|")).expect("the forms are one pattern")
});

/// The text cut into its times and what is between them. `now` is when it was written, about.
pub(super) fn pieces(text: &str, now: i64) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    // The shortest is `Jan 1, 2026`. Most cells have fewer digits, and the pattern is slow to find nothing.
    if text.bytes().filter(u8::is_ascii_digit).nth(FEWEST_DIGITS - 1).is_none() {
        pieces.extend((!text.is_empty()).then_some(Piece::Text(text)));
        return pieces;
    }
    let mut done = 0;
    for found in TIMES.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        let Some(moment) = moment(&found, text, now) else { continue };
        if done < whole.start() {
            pieces.push(Piece::Text(&text[done..whole.start()]));
        }
        pieces.push(Piece::Time(moment));
        done = whole.end();
    }
    if done < text.len() {
        pieces.push(Piece::Text(&text[done..]));
    }
    pieces
}

/// A number as a time: seconds or parts of seconds since 1970.
pub(super) fn of_number(number: i64, now: i64) -> Option<Moment> {
    [1, 1_000, 1_000_000, 1_000_000_000]
        .into_iter()
        .map(|unit| number.div_euclid(unit))
        .find(|seconds| (seconds - now).abs() <= NEAR)
        .map(Moment::At)
}

/// A number with a fraction as a time: seconds or milliseconds since 1970, or SQLite's Julian days.
pub(super) fn of_real(number: f64, now: i64) -> Option<Moment> {
    let julian = ((number - 2_440_587.5) * DAY as f64) as i64;
    of_number(number as i64, now).or_else(|| ((julian - now).abs() <= NEAR).then_some(Moment::At(julian)))
}

fn moment(found: &Captures<'_>, text: &str, now: i64) -> Option<Moment> {
    let whole = found.get(0)?;
    let (before, after) = (text[..whole.start()].chars().next_back(), text[whole.end()..].chars().next());
    // Part of a longer number or of a word: a token, not a time.
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if in_word(before) || in_word(after) {
        return None;
    }
    if let Some(digits) = found.name("digits") {
        return of_digits(digits.as_str(), now);
    }
    if let (Some(date), Some(time)) = (found.name("date"), found.name("time")) {
        return of_digits(&format!("{}{}", date.as_str(), time.as_str()), now);
    }
    (1..=6).find_map(|form| of_form(found, form))
}

fn of_form(found: &Captures<'_>, form: u8) -> Option<Moment> {
    let part = |name: &str| found.name(&format!("{name}{form}")).map(|part| part.as_str());
    let number = |name: &str| part(name).and_then(|text| text.parse::<i64>().ok());
    let clock = match (number("h"), number("i")) {
        (Some(h), Some(m)) if h < 24 && m < 60 => Some(h * 3600 + m * 60 + number("s").unwrap_or(0)),
        (Some(_), Some(_)) => return None,
        _ => None,
    };
    let Some((year, day)) = number("y").zip(number("d")) else { return clock.map(Moment::Clock) };
    let month = part("m").and_then(|text| text.parse().ok().or_else(|| month_named(text)))?;
    let days = days(year, month, day);
    let swapped = if form == 2 { self::days(year, day, month) } else { None };
    match (clock, days.or(swapped)) {
        (Some(clock), Some(days)) => Some(Moment::At(days * DAY + clock - zone(part("z")))),
        (None, Some(first)) => Some(Moment::Day(first, swapped.filter(|s| *s != first))),
        (_, None) => None,
    }
}

/// `20261115`, `20261115103000`, seconds or parts of seconds since 1970.
fn of_digits(digits: &str, now: i64) -> Option<Moment> {
    let near = |days: i64| (days * DAY - now).abs() <= NEAR;
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|text| text.parse::<i64>().ok());
    match digits.len() {
        8 => days(part(0, 4)?, part(4, 6)?, part(6, 8)?).filter(|d| near(*d)).map(|d| Moment::Day(d, None)),
        10 | 13 | 16 | 19 => of_number(digits.parse().ok()?, now),
        14 => {
            let days = days(part(0, 4)?, part(4, 6)?, part(6, 8)?).filter(|d| near(*d))?;
            let (hours, minutes, seconds) = (part(8, 10)?, part(10, 12)?, part(12, 14)?);
            let is_clock = hours < 24 && minutes < 60 && seconds < 61;
            is_clock.then_some(Moment::At(days * DAY + hours * 3600 + minutes * 60 + seconds))
        }
        _ => None,
    }
}

fn month_named(text: &str) -> Option<i64> {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    names.iter().position(|name| text.starts_with(name)).map(|at| at as i64 + 1)
}

/// Seconds that a zone such as `+01:00` is ahead.
fn zone(text: Option<&str>) -> i64 {
    let Some((sign, rest)) = text.and_then(|t| t.split_at_checked(1)) else { return 0 };
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    let ahead = match (digits.get(..2).and_then(|h| h.parse::<i64>().ok()), digits.get(2..4)) {
        (Some(hours), Some(minutes)) => hours * 3600 + minutes.parse::<i64>().unwrap_or(0) * 60,
        _ => 0,
    };
    if sign == "-" { -ahead } else { ahead }
}

/// Days since 1970 of a date, by the civil calendar; none where there is no such date.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March here, so that a leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15 10:30:05.
    const NOW: i64 = 1_794_738_605;

    fn times(text: &str) -> Vec<Moment> {
        let time = |piece| if let Piece::Time(moment) = piece { Some(moment) } else { None };
        pieces(text, NOW).into_iter().filter_map(time).collect()
    }

    #[test]
    fn what_programs_write() {
        for text in [
            "2026-11-15 10:30:05",
            "2026-11-15T10:30:05.123Z",
            "2026-11-15T12:30:05+02:00",
            "2026/11/15 10:30:05",
            "Sun, 15 Nov 2026 10:30:05 GMT",
            "[15/Nov/2026:10:30:05 +0000]",
            "Sun Nov 15 10:30:05 2026",
            "Sun Nov 15 10:30:05 UTC 2026",
            "November 15, 2026 at 10:30:05",
            "15.11.2026, 10:30:05",
            "11/15/2026 10:30:05",
            "20261115103005",
            "20261115T103005Z",
            "1794738605",
            "1794738605.25",
            "{\"at\":1794738605123}",
            "i:1794738605;",
            "1794738605123456",
        ] {
            assert_eq!(times(text), [Moment::At(NOW)], "{text}");
        }
        let day = NOW / DAY;
        for text in ["2026-11-15", "15 November 2026", "Nov 15, 2026", "20261115", "15.11.2026"] {
            assert_eq!(times(text), [Moment::Day(day, None)], "{text}");
        }
        assert_eq!(times("11/12/2026"), [Moment::Day(day + 26, Some(day - 3))]);
        assert_eq!(times("at 10:30:05 sharp"), [Moment::Clock(37_805)]);
    }

    #[test]
    fn what_is_none() {
        for text in ["", "none", "2125551234", "17", "a1794738605", "17947386051", "2026-13-41", "99:99:99"] {
            assert_eq!(times(text), [], "{text}");
        }
        assert_eq!(of_number(17, NOW), None);
        assert_eq!(of_real(0.5, NOW), None);
    }

    #[test]
    fn numbers() {
        assert_eq!(of_number(NOW * 1000 + 7, NOW), Some(Moment::At(NOW)));
        assert_eq!(of_real(NOW as f64 + 0.5, NOW), Some(Moment::At(NOW)));
        assert!(matches!(of_real(2_461_359.937_557_87, NOW), Some(Moment::At(at)) if (at - NOW).abs() < 2));
    }

    #[test]
    fn what_is_between_is_kept() {
        let cut = pieces("from 2026-11-15 to 2026-11-16!", NOW);
        let day = |n| Piece::Time(Moment::Day(NOW / DAY + n, None));
        assert_eq!(cut, [Piece::Text("from "), day(0), Piece::Text(" to "), day(1), Piece::Text("!")]);
    }
}
