//! The date and time of the shop: the real one, or one fixed on the command line.

use std::str::FromStr;

use jiff::Zoned;
use jiff::civil::{Date, DateTime};

/// What tells the shop the date and time.
#[derive(Debug, Clone, Copy)]
pub enum Clock {
    /// The machine's clock, in its own time zone.
    Real,
    /// Always this moment.
    Fixed(DateTime),
}

/// Not a date.
#[derive(Debug, thiserror::Error)]
#[error("\"{0}\" is not a date: write it as YYYY-MM-DD, for example 2026-11-15")]
pub struct BadDate(String);

impl Clock {
    /// The moment that pages show and orders are dated with.
    pub(crate) fn now(self) -> DateTime {
        match self {
            Clock::Real => Zoned::now().datetime(),
            Clock::Fixed(moment) => moment,
        }
    }

    /// The moment as the database holds it.
    pub(crate) fn stamp(self) -> String {
        self.now().strftime("%Y-%m-%d %H:%M:%S").to_string()
    }
}

/// A date fixes the clock at ten in the morning of that day.
impl FromStr for Clock {
    type Err = BadDate;

    fn from_str(text: &str) -> Result<Self, BadDate> {
        let date: Date = text.parse().map_err(|_| BadDate(text.to_owned()))?;
        Ok(Clock::Fixed(date.at(10, 0, 0, 0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_fixes_the_clock() {
        assert_eq!("2026-11-15".parse::<Clock>().unwrap().stamp(), "2026-11-15 10:00:00");
        assert!("15/11/2026".parse::<Clock>().is_err());
    }
}
