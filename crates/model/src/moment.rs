//! Points in time.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A point in time: microseconds since 1970, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    /// The clock's time.
    pub fn now() -> Self {
        Self(jiff::Timestamp::now().as_microsecond())
    }

    /// Reads `2026-11-15T19:10:00Z`, with any offset; a time without one is UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let civil = || text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok();
        let at = text.parse::<jiff::Timestamp>().ok().or_else(|| civil().map(|zoned| zoned.timestamp()))?;
        Some(Self(at.as_microsecond()))
    }

    /// Reads a date as HTTP writes it: `Sun, 15 Nov 2026 19:10:00 GMT`.
    pub fn from_http_date(text: &str) -> Option<Self> {
        Some(Self(jiff::fmt::rfc2822::parse(text).ok()?.timestamp().as_microsecond()))
    }

    /// Microseconds from `earlier` to here; negative when it is later.
    pub fn since(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }
}

impl fmt::Display for Moment {
    /// `2026-11-15 20:31:07`, in UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(at) => write!(f, "{}", at.strftime("%Y-%m-%d %H:%M:%S")),
            Err(_) => write!(f, "{} µs", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        let at = Moment(1_794_769_800_000_000);
        assert_eq!(at.to_string(), "2026-11-15 19:10:00");
        for text in ["2026-11-15T19:10:00Z", "2026-11-15T20:10:00+01:00", "2026-11-15 19:10:00"] {
            assert_eq!(Moment::parse(text), Some(at), "{text}");
        }
        assert_eq!(Moment::from_http_date("Sun, 15 Nov 2026 19:10:00 GMT"), Some(at));
        assert_eq!((Moment::parse("soon"), Moment::from_http_date("soon")), (None, None));
    }
}
