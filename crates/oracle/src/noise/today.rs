//! Dates that say the day of the runs: where all runs are of one day, such a date was not seen to vary, and is known to.

use restage_model::Moment;

use crate::page::calendar::month_number;

const DAY: i64 = 86_400;
/// The time zones there are, in seconds ahead of UTC.
const ZONES: [i64; 3] = [-12 * 3600, 0, 14 * 3600];

/// Whether a date, or a date and a time, says the day of a moment, in seconds since 1970, in whatever zone.
pub(crate) fn says_day_of(date: &str, moment: i64) -> bool {
    if let Ok(stamp) = date.parse::<i64>()
        && matches!(date.len(), 10 | 13)
    {
        let seconds = if date.len() == 13 { stamp / 1000 } else { stamp };
        return (seconds - moment).abs() < DAY;
    }
    ZONES.iter().filter_map(|zone| civil(moment + zone)).any(|day| says(date, day))
}

fn says(date: &str, (year, month, day): (i64, i64, i64)) -> bool {
    let mut figures: Vec<i64> = Vec::new();
    let mut named = None;
    for piece in date.split(|c: char| !c.is_alphanumeric()) {
        let digits: String = piece.chars().take_while(char::is_ascii_digit).collect();
        if digits.len() == 8 {
            let part = |from: usize, to: usize| digits[from..to].parse::<i64>().ok();
            figures.extend([part(0, 4), part(4, 6), part(6, 8)].into_iter().flatten());
        } else if let Ok(figure) = digits.parse() {
            figures.push(figure);
        } else {
            named = named.or_else(|| month_number(piece));
        }
        // What follows is the time of day.
        if figures.len() + usize::from(named.is_some()) >= 3 {
            break;
        }
    }
    let is_year = |figure: i64| figure == year || figure == year % 100;
    match (named, &figures[..]) {
        (Some(name), [one]) => name == month && *one == day,
        (Some(name), [one, other]) => {
            name == month && (*one == day && is_year(*other) || is_year(*one) && *other == day)
        }
        (None, [a, b, c]) => {
            let both = |x: i64, y: i64| (x, y) == (month, day) || (x, y) == (day, month);
            *a == year && both(*b, *c) || is_year(*c) && both(*a, *b)
        }
        _ => false,
    }
}

/// Year, month and day of a moment in UTC, in seconds since 1970.
fn civil(seconds: i64) -> Option<(i64, i64, i64)> {
    let written = Moment(seconds.checked_mul(1_000_000)?).to_string();
    let mut parts = written.split(['-', ' ']).map(|part| part.parse::<i64>().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15 10:30:05.
    const NOW: i64 = 1_794_738_605;

    #[test]
    fn a_date_says_the_day_or_another_one() {
        assert_eq!([civil(0), civil(NOW)], [Some((1970, 1, 1)), Some((2026, 11, 15))]);
        for date in [
            "2026-11-15",
            "15 November 2026",
            "Sunday, 15 November 2026",
            "Nov 15, 2026",
            "Nov 15",
            "15.11.2026",
            "11/15/26",
            "2026-11-15T10:30:00Z",
            "20261115T103000Z",
            "15/Nov/2026:20:31:07 +0000",
            "16 novembre 2026",
            "1794738605",
            "1794738605123",
        ] {
            assert!(says_day_of(date, NOW), "{date}");
        }
        for date in
            ["2026-10-15", "2025-11-15", "15 October 2026", "09:15", "at 2:30", "3 minutes ago", "1763238667"]
        {
            assert!(!says_day_of(date, NOW), "{date}");
        }
    }
}
