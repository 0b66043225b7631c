//! Another day than today, by libfaketime in the app's environment: what a replay next month meets.

use std::path::PathBuf;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use restage_replay::AppSpec;

use crate::Trouble;

/// In seconds.
const A_DAY: u64 = 24 * 60 * 60;

/// A day, counted from today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day(pub u32);

impl Day {
    /// Starts the app on this day; its clock runs on from there.
    pub fn set(self, app: &mut AppSpec) -> Result<(), Trouble> {
        app.env.extend(self.env()?);
        Ok(())
    }

    /// An error where a program that is told that it is this day does not believe it.
    pub fn is_believed(self) -> Result<(), Trouble> {
        let told = Command::new("date").arg("+%s").envs(self.env()?).output()?.stdout;
        let told: u64 = String::from_utf8(told)?.trim().parse()?;
        let today = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        if told.abs_diff(today + u64::from(self.0) * A_DAY) < A_DAY / 2 {
            return Ok(());
        }
        let days = self.0;
        Err(format!("libfaketime has no effect: {days} days from {today}, `date` says {told}").into())
    }

    fn env(self) -> Result<Vec<(String, String)>, Trouble> {
        if self.0 == 0 {
            return Ok(Vec::new());
        }
        let env = [
            ("LD_PRELOAD", library()?.display().to_string()),
            ("FAKETIME", format!("+{}d", self.0)),
            // Waiting goes by another clock, which must go on as it does.
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ];
        Ok(env.map(|(name, value)| (name.to_owned(), value)).into())
    }
}

/// The one for programs with threads.
fn library() -> Result<PathBuf, Trouble> {
    let within = |folder: PathBuf| folder.join("faketime/libfaketimeMT.so.1");
    let folders = std::fs::read_dir("/usr/lib")?.flatten().map(|entry| within(entry.path()));
    let places = [PathBuf::from("/usr/local/lib"), PathBuf::from("/usr/lib")].map(within);
    places.into_iter().chain(folders).find(|library| library.is_file()).ok_or_else(|| {
        "libfaketimeMT.so.1 is not there: no other day than today\n  hint: apt-get install libfaketime".into()
    })
}
