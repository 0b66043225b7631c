//! The file that a running app's clock follows.
//!
//! It says how far the clock is off, never a time: a clock that stands still makes applications wait for ever, and
//! one that begins anew with each process is another in each.

use std::path::PathBuf;

use restage_model::Moment;

use crate::app_spec::AppSpec;
use crate::clock::{Clock, seconds};
use crate::error::AppError;

const SECOND: i64 = 1_000_000;

/// The clock of a running app.
#[derive(Debug)]
pub struct ClockFile {
    path: PathBuf,
    clock: Clock,
    /// How far it is off; nothing where a session is about to begin.
    off: Option<i64>,
}

impl ClockFile {
    /// The clock of an app about to start, and of its first session; none where it shows the time, or a shifted one.
    pub fn of(app: &AppSpec, first: Option<Moment>) -> Result<Option<Self>, AppError> {
        let clock = app.clock;
        if !clock.is_same_in_every_run() {
            return Ok(None);
        }
        let mut file = Self { path: app.clock_path(), clock, off: None };
        file.step(first.unwrap_or_else(Moment::now))?;
        Ok(Some(file))
    }

    /// How far the clock is ahead, in microseconds; negative where it is behind.
    pub fn ahead(&self) -> i64 {
        self.off.unwrap_or(0)
    }

    /// A session begins: the clock may go back.
    pub fn begin(&mut self) {
        self.off = None;
    }

    /// Sets the clock for a step that was recorded at this time. It never goes back within a session.
    pub fn step(&mut self, recorded: Moment) -> Result<(), AppError> {
        let Some(off) = self.off_at(recorded, Moment::now()) else { return Ok(()) };
        self.off = Some(off);
        self.write(off)
    }

    /// How far the clock is to be off from now on, where that is another than before.
    fn off_at(&self, recorded: Moment, now: Moment) -> Option<i64> {
        let wanted = match self.clock {
            Clock::Fixed(at) if self.off.is_none() => at,
            Clock::Fixed(_) | Clock::Real | Clock::Shift(_) => return None,
            // By whole seconds: a page that shows them shows the same in every run, however long the app took.
            Clock::Recorded => Moment(recorded.0.div_euclid(SECOND) * SECOND),
        };
        let off = wanted.since(now);
        self.off.is_none_or(|before| off > before).then_some(off)
    }

    /// In one go: the app may be reading it.
    fn write(&self, off: i64) -> Result<(), AppError> {
        let failed = |source| AppError::Write { path: self.path.clone(), source };
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let new = self.path.with_extension("clock-new");
        std::fs::write(&new, seconds(off)).map_err(failed)?;
        std::fs::rename(&new, &self.path).map_err(failed)
    }
}

impl Drop for ClockFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(clock: Clock) -> ClockFile {
        ClockFile { path: PathBuf::from("/nonexistent/app.clock"), clock, off: None }
    }

    /// Catches: a clock that goes back within a session, where the replay is slower than the recording was.
    #[test]
    fn the_clock_follows_the_recording_and_never_goes_back() {
        let at = |second: i64| Moment(second * SECOND);
        let mut clock = file(Clock::Recorded);
        assert_eq!(
            clock.off_at(Moment(100 * SECOND + 400_000), at(500)),
            Some(-400 * SECOND),
            "whole seconds"
        );
        clock.off = Some(-400 * SECOND);
        assert_eq!(clock.off_at(at(160), at(501)), Some(-341 * SECOND), "a minute later, as recorded");
        assert_eq!(clock.off_at(at(101), at(509)), None, "it is 109 there already");
        clock.begin();
        assert_eq!(clock.off_at(at(50), at(510)), Some(-460 * SECOND), "another session was earlier");
    }

    #[test]
    fn a_fixed_clock_begins_anew_with_each_session_and_runs_on() {
        let mut clock = file(Clock::Fixed(Moment(7 * SECOND)));
        assert_eq!(clock.off_at(Moment(99), Moment(5 * SECOND)), Some(2 * SECOND));
        clock.off = Some(2 * SECOND);
        assert_eq!(clock.off_at(Moment(99), Moment(50 * SECOND)), None);
        clock.begin();
        assert_eq!(clock.off_at(Moment(99), Moment(50 * SECOND)), Some(-43 * SECOND));
    }
}
