//! Who holds a lock.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use restage_model::Moment;
use serde::{Deserialize, Serialize};

use crate::process_mark::started;

/// A process that holds a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id.
    pub pid: u32,
    /// What it was called with: `restage test --app next`.
    pub command: String,
    /// Since when it holds the lock, in seconds since 1970.
    pub since: u64,
    /// Its project's folder.
    pub project: PathBuf,
    /// The project's store.
    pub store: PathBuf,
    /// When the process was started, by the kernel's clock: process ids are given again.
    #[serde(default)]
    started: Option<u64>,
}

impl Holder {
    /// This process, from now on.
    pub fn this_process(command: &str, project: &Path, store: &Path) -> Self {
        let pid = std::process::id();
        Self {
            pid,
            command: command.to_owned(),
            since: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            project: project.to_owned(),
            store: store.to_owned(),
            started: started(pid),
        }
    }

    /// Whether the process is there, and not another one of the same id.
    pub fn is_alive(&self) -> bool {
        match started(self.pid) {
            Some(now) => self.started.is_none_or(|then| then == now),
            None => false,
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since = Moment(self.since.saturating_mul(1_000_000) as i64);
        write!(f, "`{}` (process {}, since {since} UTC)", self.command, self.pid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a process id that was given again is taken for the process that had it.
    #[test]
    fn a_process_is_known_by_its_id_and_its_start() {
        let me = Holder::this_process("restage test", Path::new("/p"), Path::new("/p/s"));
        assert!(me.is_alive());
        assert!(!Holder { started: me.started.map(|at| at + 1), ..me.clone() }.is_alive());
        assert!(!Holder { pid: u32::MAX, ..me.clone() }.is_alive());
        let said = Holder { pid: 7, since: 0, ..me }.to_string();
        assert_eq!(said, "`restage test` (process 7, since 1970-01-01 00:00:00 UTC)");
    }
}
