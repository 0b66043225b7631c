//! State that a program of the user's own saves and restores: an index server, a queue, a service elsewhere.
//!
//! The hook is called with `save NAME`, `restore NAME` and `remove NAME`, and keeps what it saves itself; the snapshot store
//! knows the names. Each save has a name of its own, so that no save changes another.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process_group};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::manifest::PartRecord;
use crate::part::Part;
use crate::process_mark::{PROCESS_MARK, process_mark};
use crate::report::{Difference, RestoreReport, SaveReport};
use crate::snapshot_store::SnapshotStore;

/// How much of its last output is shown when it fails.
const SHOWN: u64 = 4 << 10;
/// How long to wait between two looks whether it has ended: at first, and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));

/// A program that saves and restores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HookSpec {
    /// The program, by absolute path.
    pub program: PathBuf,
    /// The folder it runs in.
    pub dir: PathBuf,
    /// How long it may take.
    pub time_limit: Duration,
}

impl HookSpec {
    /// Calls the hook with `remove` for all that it saved and no snapshot needs any more. What could not be removed
    /// is the result: it is not asked for again.
    pub fn remove_unused(&self, store: &mut SnapshotStore) -> Result<Vec<Error>> {
        let mut failures = Vec::new();
        for name in store.unused_hook_saves()? {
            failures.extend(self.call("remove", &name).err());
            store.forget_hook_save(&name)?;
        }
        Ok(failures)
    }

    /// Calls the hook, by its arguments and without a shell.
    fn call(&self, action: &'static str, name: &str) -> Result<()> {
        let cannot = |source| Error::io("run the state's hook", &self.program)(source);
        let mut output = tempfile::tempfile().map_err(cannot)?;
        let child = Command::new(&self.program)
            .args([action, name])
            .current_dir(&self.dir)
            .env(PROCESS_MARK, process_mark("hook"))
            .stdin(Stdio::null())
            .stdout(output.try_clone().map_err(cannot)?)
            .stderr(output.try_clone().map_err(cannot)?)
            .process_group(0)
            .spawn()
            .map_err(cannot)?;
        let how = match self.wait(child).map_err(cannot)? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => format!("ended with {status}"),
            None => format!("took longer than {} s", self.time_limit.as_secs_f64()),
        };
        let call = format!("{} {action} {name}", self.program.display());
        Err(Error::Hook { call, how, output: shown(&mut output) })
    }

    /// How it ended; none where it took too long and was ended, with what it started.
    fn wait(&self, mut child: Child) -> std::io::Result<Option<ExitStatus>> {
        let begun = Instant::now();
        let (mut pause, longest) = PAUSES;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if begun.elapsed() >= self.time_limit {
                if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                    let _ = kill_process_group(group, Signal::KILL);
                }
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(longest);
        }
    }
}

/// The hook as a part of the state.
pub(crate) struct HookPart {
    spec: HookSpec,
    label: PathBuf,
}

impl HookPart {
    pub(crate) fn new(label: PathBuf, spec: HookSpec) -> Self {
        Self { spec, label }
    }
}

impl Part for HookPart {
    fn kind(&self) -> &'static str {
        "hook"
    }

    fn label(&self) -> &PathBuf {
        &self.label
    }

    fn set_patience(&mut self, _: Duration) {}

    fn save(&mut self, store: &mut SnapshotStore, _: &mut SaveReport) -> Result<PartRecord> {
        let name = unique_name();
        self.spec.call("save", &name)?;
        store.keep_hook_save(&name)?;
        Ok(PartRecord::Hook { name })
    }

    fn restore(&mut self, _: &mut SnapshotStore, record: &PartRecord, _: &mut RestoreReport) -> Result<()> {
        match record {
            PartRecord::Hook { name } => self.spec.call("restore", name),
            _ => Ok(()),
        }
    }

    /// What a hook keeps is not known here.
    fn compare(&mut self, _: &mut SnapshotStore, _: &PartRecord, _: &mut Vec<Difference>) -> Result<()> {
        Ok(())
    }
}

/// A name that no save had before: letters, digits and dashes, good for the name of a file or a database.
fn unique_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("restage-{:x}-{:x}-{count:x}", since.as_micros(), std::process::id())
}

/// The end of what it printed, indented for a message.
fn shown(output: &mut File) -> String {
    let mut read = || -> std::io::Result<Vec<u8>> {
        let size = output.metadata()?.len();
        output.seek(SeekFrom::Start(size.saturating_sub(SHOWN)))?;
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    if text.trim().is_empty() {
        return "  it printed nothing\n".to_owned();
    }
    text.lines().map(|line| format!("    | {line}\n")).collect()
}
