//! The app's clock, where libfaketime is installed.
//!
//! Time goes on as usual, from another moment: an app whose clock stands still may wait for ever.

use std::path::PathBuf;
use std::time::Duration;

use crate::spec::AppSpec;

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

impl AppSpec {
    /// The same app with its clock ahead by so much.
    pub fn with_clock_ahead(mut self, by: Duration, libfaketime: &std::path::Path) -> Self {
        let preload = match self.env.get("LD_PRELOAD") {
            Some(others) => format!("{} {others}", libfaketime.display()),
            None => libfaketime.display().to_string(),
        };
        let settings = [
            ("LD_PRELOAD", preload),
            ("FAKETIME", format!("+{}", by.as_secs())),
            // What waits and measures goes by this clock.
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("DONT_FAKE_MONOTONIC", "1".to_owned()),
            // Files are as old as they are: restored ones must not look as if they came from the future.
            ("NO_FAKE_STAT", "1".to_owned()),
        ];
        self.env.extend(settings.map(|(name, value)| (name.to_owned(), value)));
        self
    }
}
