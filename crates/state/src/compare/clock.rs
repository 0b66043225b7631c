//! Values that move with the clock: the time between them is the time between the runs that wrote them.
//!
//! A time is noise, and a run's check may not show it: two runs within one second, or on one day, write the same.
//! So times are not learnt but known. They still have to move: one that stands still, is NULL, or lies an hour off
//! is a difference.

use super::times::{DAY, Moment, Piece, pieces};

/// A session takes its time, and a value may be written at its beginning or its end.
const SLACK: i64 = 300;
/// The time zones there are, in seconds ahead of UTC.
const ZONES: std::ops::RangeInclusive<i64> = -12 * 3600..=14 * 3600;

/// What the app's clock showed when the two snapshots that are compared were saved, in seconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    pub(super) expected: i64,
    pub(super) actual: i64,
    /// By how much more the app's clock was shifted for the second than for the first: a database server beside the app
    /// writes times that are not.
    pub(super) shifted: i64,
}

impl Clock {
    /// Whether two texts differ in nothing but times that move with the clock.
    pub(super) fn moves_text(self, expected: &str, actual: &str) -> bool {
        let (expected, actual) = (pieces(expected, self.expected), pieces(actual, self.actual));
        expected.len() == actual.len()
            && expected.iter().zip(&actual).all(|(was, is)| match (was, is) {
                (Piece::Text(was), Piece::Text(is)) => was == is,
                (Piece::Time(was), Piece::Time(is)) => was == is || self.moves(*was, *is),
                _ => false,
            })
    }

    /// Whether one time became the other because the clock went on: the app's, or the one of a server that was not shifted with it.
    pub(super) fn moves(self, expected: Moment, actual: Moment) -> bool {
        let unshifted = Clock { actual: self.actual - self.shifted, shifted: 0, ..self };
        self.moves_by_app(expected, actual) || (self.shifted != 0 && unshifted.moves_by_app(expected, actual))
    }

    fn moves_by_app(self, expected: Moment, actual: Moment) -> bool {
        match (expected, actual) {
            (Moment::At(was), Moment::At(is)) => {
                self.moves_seconds(is - was)
                    || (was.rem_euclid(DAY) == is.rem_euclid(DAY)
                        && self.moves_days(was.div_euclid(DAY), is.div_euclid(DAY)))
            }
            (Moment::Day(was, other_was), Moment::Day(is, other_is)) => {
                let either = |day, other: Option<i64>| std::iter::once(day).chain(other);
                either(was, other_was).any(|was| either(is, other_is).any(|is| self.moves_days(was, is)))
            }
            (Moment::Clock(was), Moment::Clock(is)) => {
                let off = (is - was - (self.actual - self.expected)).rem_euclid(DAY);
                off <= SLACK || off >= DAY - SLACK
            }
            _ => false,
        }
    }

    fn moves_seconds(self, apart: i64) -> bool {
        let between = self.actual - self.expected;
        let off = (apart - between).abs();
        // Between summer and winter, local time does not move with the clock.
        off <= SLACK || (between.abs() > DAY && (off - 3600).abs() <= SLACK)
    }

    /// A date turns at midnight, which is at another time in each zone. A date that is not today's, such as one
    /// in two weeks, turns with it.
    fn moves_days(self, was: i64, is: i64) -> bool {
        let today = |at: i64, zone: i64| (at + zone).div_euclid(DAY);
        ZONES.step_by(900).any(|zone| is - was == today(self.actual, zone) - today(self.expected, zone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15 10:30:05.
    const THEN: i64 = 1_794_738_605;

    fn moves(between: i64, expected: &str, actual: &str) -> bool {
        Clock { expected: THEN, actual: THEN + between, shifted: 0 }.moves_text(expected, actual)
    }

    /// Catches: a run under a shifted clock, all of whose times are told as differences or masked.
    #[test]
    fn under_a_shifted_clock_times_move_with_it_or_with_the_servers() {
        let shifted = Clock { expected: THEN, actual: THEN + 100 * DAY + 60, shifted: 100 * DAY };
        let moves = |is: &str| shifted.moves_text("2026-11-15 10:30:00", is);
        assert!(moves("2027-02-23 10:31:00"), "the app's");
        assert!(moves("2026-11-15 10:31:00"), "the server's");
        assert!(!moves("2027-01-23 10:31:00"));
        assert!(!moves("2026-11-15 12:31:00"));
    }

    #[test]
    fn times_move_with_the_clock_or_are_told() {
        assert!(moves(60, "2026-11-15 10:30:00", "2026-11-15 10:31:00"));
        assert!(moves(60, "{\"at\":1794738605}", "{\"at\":1794738667}"));
        assert!(!moves(60, "2026-11-15 10:30:00", "2026-11-15 11:31:00"), "an hour off");
        assert!(!moves(60, "2026-11-15 10:30:00", "1970-01-01 00:00:00"));
        assert!(!moves(9 * DAY, "2026-11-15 10:30:00", "2026-11-15 10:29:00"), "stands still");
        assert!(!moves(60, "paid 2026-11-15 10:30:00", "open 2026-11-15 10:31:00"), "more than the time");
        assert!(!moves(60, "2026-11-15 10:30:00", ""));
        assert!(moves(120 * DAY, "2026-11-15 10:30:00", "2027-03-15 11:30:00"), "summer time");
        assert!(moves(3600, "10:30:05", "11:30:05") && !moves(3600, "10:30:05", "10:30:04"));
        assert!(moves(60, "1797330605", "1797330665"), "in thirty days");
    }

    #[test]
    fn dates_turn_at_midnight() {
        assert!(moves(DAY, "2026-11-15", "2026-11-16"));
        assert!(moves(DAY, "15 November 2026", "16 November 2026"));
        assert!(moves(14 * 3600, "2026-11-15", "2026-11-16"), "at UTC's midnight");
        assert!(moves(6 * 3600, "2026-11-15", "2026-11-16"), "at Tokyo's midnight, 15:00 UTC");
        assert!(!moves(1, "2026-11-15", "2026-11-16"), "at no zone's midnight");
        assert!(!moves(DAY, "2026-11-15", "2026-11-18"));
        assert!(moves(DAY, "2026-11-29", "2026-11-30"), "in two weeks");
        assert!(moves(DAY, "2026-11-16 00:00:00", "2026-11-17 00:00:00"), "until midnight");
        assert!(moves(DAY, "11/12/2026", "11/13/2026") && moves(DAY, "11/12/2026", "12/12/2026"));
        assert!(!moves(DAY, "11/12/2026", "11/25/2026"));
    }
}
