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
