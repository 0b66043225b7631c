//! Times as logs write them.

use restage_model::Moment;

const MONTHS: &[u8; 36] = b"JanFebMarAprMayJunJulAugSepOctNovDec";

/// `10/Oct/2026:13:55:36 -0700`, as servers write it, every field in its place.
pub(super) fn common(text: &[u8]) -> Option<Moment> {
    let [d1, d2, b'/', m1, m2, m3, b'/', y1, y2, y3, y4, b':', h1, h2, b':', n1, n2, b':', s1, s2, rest @ ..] =
        text
    else {
        return None;
    };
    let two = |a: &u8, b: &u8| Some(i64::from(digit(*a)?) * 10 + i64::from(digit(*b)?));
    let month = MONTHS.chunks(3).position(|m| m == [*m1, *m2, *m3])? as i64 + 1;
    let year = two(y1, y2)? * 100 + two(y3, y4)?;
    let (day, hour, minute, second) = (two(d1, d2)?, two(h1, h2)?, two(n1, n2)?, two(s1, s2)?);
    if !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let offset = match rest {
        [] => 0,
        [b' ', sign @ (b'+' | b'-'), a, b, c, d] => {
            let seconds = two(a, b)? * 3600 + two(c, d)? * 60;
            if *sign == b'-' { -seconds } else { seconds }
        }
        _ => return None,
    };
    let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(Moment(seconds * 1_000_000))
}

/// Any of the ways logs write times: as above, ISO 8601, or seconds (or parts of them) since 1970.
pub(super) fn any(text: &str) -> Option<Moment> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return since_1970(number);
    }
    if let Some(at) = common(text.trim_start_matches('[').trim_end_matches(']').as_bytes()) {
        return Some(at);
    }
    if let Ok(at) = text.parse::<jiff::Timestamp>() {
        return Some(Moment(at.as_microsecond()));
    }
    // Apache's %z has no colon, and some say nothing of the offset at all.
    if let Ok(at) = jiff::fmt::strtime::parse("%Y-%m-%dT%H:%M:%S%.f%z", text).and_then(|t| t.to_timestamp()) {
        return Some(Moment(at.as_microsecond()));
    }
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    let at = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(Moment(at.timestamp().as_microsecond()))
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970: whichever makes it a time after 2001.
pub(super) fn since_1970(number: f64) -> Option<Moment> {
    let micros = match number {
        n if !n.is_finite() || n < 1e8 => return None,
        n if n < 1e11 => n * 1e6,
        n if n < 1e14 => n * 1e3,
        n if n < 1e17 => n,
        n if n < 1e20 => n / 1e3,
        _ => return None,
    };
    Some(Moment(micros as i64))
}

fn digit(byte: u8) -> Option<u8> {
    byte.is_ascii_digit().then(|| byte - b'0')
}

/// Days since 1970 in the Gregorian calendar; the year begins in March, so that a leap day ends it.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a wrong month, leap year, or an offset taken the wrong way.
    #[test]
    fn the_usual_ways() {
        let expected = "2026-10-10 20:55:36";
        for text in [
            "10/Oct/2026:13:55:36 -0700",
            "[10/Oct/2026:20:55:36 +0000]",
            "2026-10-10T13:55:36-07:00",
            "2026-10-10T13:55:36-0700",
            "2026-10-10T13:55:36.000000-0700",
            "2026-10-10T20:55:36Z",
            "2026-10-10T20:55:36",
            "2026-10-10 20:55:36",
            "1791665736",
            "1791665736.000",
            "1791665736000",
        ] {
            assert_eq!(any(text).unwrap_or_else(|| panic!("{text}")).to_string(), expected, "{text}");
        }
        assert_eq!(common(b"29/Feb/2028:00:00:00 +0000").unwrap().to_string(), "2028-02-29 00:00:00");
        for text in ["", "-", "10/Okt/2026:13:55:36 -0700", "32/Oct/2026:13:55:36 -0700", "12", "yesterday"] {
            assert_eq!(any(text), None, "{text}");
        }
    }
}
