//! The app's clock, where libfaketime is installed.
//!
//! Time goes on as usual, from another moment: an app whose clock stands still may wait for ever.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use restage_model::Moment;

use crate::app_spec::AppSpec;
use crate::error::AppError;

/// Where to look for libfaketime, if not where Debian puts it.
const LIBRARY: &str = "RESTAGE_LIBFAKETIME";

/// Where Debian, Fedora and others put it; `*` stands for one folder.
const FOLDERS: [&str; 6] = [
    "/usr/lib/*/faketime",
    "/usr/lib/faketime",
    "/usr/lib64/faketime",
    "/usr/local/lib/faketime",
    "/opt/homebrew/lib/faketime",
    "/usr/lib/libfaketime",
];

/// How far ahead the clock of each run of a calibration is: another day, another week, another month.
pub const CALIBRATION_HOURS_AHEAD: [u64; 5] = [0, 26, 77, 201, 853];

/// Libfaketime, where it is installed.
pub fn libfaketime() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(LIBRARY) {
        return Some(PathBuf::from(path)).filter(|path| path.is_file());
    }
    FOLDERS.iter().flat_map(|folder| folders(folder)).find_map(|folder| {
        // The one for several threads first: most servers have them.
        ["libfaketimeMT.so.1", "libfaketime.so.1"].iter().map(|name| folder.join(name)).find(|p| p.is_file())
    })
}

fn folders(pattern: &str) -> Vec<PathBuf> {
    let Some((before, after)) = pattern.split_once("/*/") else { return vec![PathBuf::from(pattern)] };
    let Ok(entries) = std::fs::read_dir(before) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path().join(after)).collect();
    found.sort();
    found
}

/// What an app's clock shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The time.
    #[default]
    Real,
    /// The time at which each step was recorded.
    Recorded,
    /// This time, at the start of every session.
    Fixed(Moment),
    /// The time, so many microseconds later.
    Shift(i64),
}

impl Clock {
    /// Whether it shows the same time in every run of a suite.
    pub fn is_same_in_every_run(self) -> bool {
        matches!(self, Self::Recorded | Self::Fixed(_))
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real => f.write_str("real"),
            Self::Recorded => f.write_str("recorded"),
            Self::Fixed(at) => write!(f, "fixed:{}Z", at.to_string().replace(' ', "T")),
            Self::Shift(by) => {
                let sign = if *by < 0 { '-' } else { '+' };
                let text = humantime::format_duration(Duration::from_micros(by.unsigned_abs())).to_string();
                write!(f, "shift:{sign}{}", text.replace(' ', ""))
            }
        }
    }
}

impl FromStr for Clock {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = |why: &str| {
            format!(
                "`{text}` is no clock: {why}\n  hint: real, recorded, fixed:2026-11-15T19:10:00Z, shift:+3d or shift:-2h"
            )
        };
        match text.split_once(':') {
            None if text == "real" => Ok(Self::Real),
            None if text == "recorded" => Ok(Self::Recorded),
            Some(("fixed", at)) => {
                Moment::parse(at).map(Self::Fixed).ok_or_else(|| bad(&format!("`{at}` is no time")))
            }
            Some(("shift", by)) => {
                let (sign, length) = match by.strip_prefix('-') {
                    Some(length) => (-1, length),
                    None => (1, by.strip_prefix('+').unwrap_or(by)),
                };
                let length = humantime::parse_duration(length).map_err(|e| bad(&e.to_string()))?;
                let length = i64::try_from(length.as_micros()).map_err(|_| bad("that is too far"))?;
                Ok(Self::Shift(sign * length))
            }
            _ => Err(bad("it is none of those there are")),
        }
    }
}

impl AppSpec {
    /// The same app with its clock ahead by so much more. A clock that is the same in every run stays so.
    pub fn with_clock_ahead(mut self, by: Duration) -> Self {
        let by = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.clock = match self.clock {
            Clock::Real => Clock::Shift(by),
            Clock::Shift(already) => Clock::Shift(already.saturating_add(by)),
            same => same,
        };
        self
    }

    /// What is added to the app's environment, with what makes it see its clock.
    pub(crate) fn environment(&self) -> Result<BTreeMap<OsString, OsString>, AppError> {
        let mut all: BTreeMap<OsString, OsString> =
            self.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        if self.clock == Clock::Real {
            return Ok(all);
        }
        let missing = || AppError::NoFaketime { app: self.name.clone(), clock: self.clock };
        let mut preload = libfaketime().ok_or_else(missing)?.into_os_string();
        if let Some(others) = self.env.get("LD_PRELOAD") {
            preload.push(" ");
            preload.push(others);
        }
        // It would win over the file.
        all.remove(OsStr::new("FAKETIME"));
        let mut set = |name: &str, value: OsString| all.insert(name.into(), value);
        set("LD_PRELOAD", preload);
        // What waits and measures goes by this clock.
        set("FAKETIME_DONT_FAKE_MONOTONIC", "1".into());
        set("DONT_FAKE_MONOTONIC", "1".into());
        if !matches!(self.clock, Clock::Shift(_)) {
            // Files are as old as they are: restored ones must not look as if they came from the future. Where all of
            // time is shifted, files are, too: pages that show when one was written then show another day.
            set("NO_FAKE_STAT", "1".into());
        }
        if let Clock::Shift(by) = self.clock {
            set("FAKETIME", seconds(by).into());
        } else {
            set("FAKETIME_TIMESTAMP_FILE", self.clock_path().into_os_string());
            // It is looked at whenever the app looks at its clock.
            set("FAKETIME_NO_CACHE", "1".into());
        }
        Ok(all)
    }

    /// The file that a running app's clock follows: one for each app that runs, as its output is.
    pub(crate) fn clock_path(&self) -> PathBuf {
        self.log.with_extension("clock")
    }
}

/// How libfaketime is told how far off a clock is: `+93600.000000`.
pub(crate) fn seconds(micros: i64) -> String {
    let sign = if micros < 0 { '-' } else { '+' };
    let micros = micros.unsigned_abs();
    format!("{sign}{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_written_as_it_is_read() {
        for text in
            ["real", "recorded", "fixed:2026-11-15T19:10:00Z", "shift:+3days", "shift:-2h", "shift:+1h30m"]
        {
            assert_eq!(text.parse::<Clock>().unwrap().to_string(), text);
        }
        assert_eq!("shift:+3d".parse(), Ok(Clock::Shift(3 * 86_400_000_000)));
        assert_eq!("shift:3d".parse(), Ok(Clock::Shift(3 * 86_400_000_000)));
    }

    #[test]
    fn what_is_no_clock_is_told_with_those_there_are() {
        for text in ["", "yesterday", "fixed:noon", "shift:+much", "shift:+99999999999y", "frozen:1"] {
            let told = text.parse::<Clock>().unwrap_err();
            assert!(told.contains(text) && told.contains("hint: real, recorded"), "{told}");
        }
    }

    /// Catches: a shift to the past of less than a second is written without its sign.
    #[test]
    fn shifts_are_told_to_the_microsecond() {
        assert_eq!(seconds(-500_000), "-0.500000");
        assert_eq!(seconds(93_600_000_001), "+93600.000001");
    }
}
