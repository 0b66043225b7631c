//! `--events`: what happens during a run, as it happens, one JSON object a line.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use restage_model::RunEvent;

use crate::failure::Failure;

/// Where a run's events are written, if anywhere.
#[derive(Default)]
pub(crate) struct EventLog {
    lines: Option<Box<dyn Write>>,
}

impl EventLog {
    /// Writes to a file, or to standard error where it is `-`; to nothing where there is none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let lines: Option<Box<dyn Write>> = match path {
            None => None,
            Some(path) if path == Path::new("-") => Some(Box::new(std::io::stderr())),
            Some(path) => {
                let failed = |error| Failure::user(format!("cannot write {}: {error}", path.display()));
                Some(Box::new(File::create(path).map_err(failed)?))
            }
        };
        Ok(Self { lines })
    }

    /// Writes an event. A reader that went away ends the log, not the run.
    pub(crate) fn write(&mut self, event: &RunEvent) {
        let Some(lines) = &mut self.lines else { return };
        let Ok(mut line) = serde_json::to_string(event) else { return };
        line.push('\n');
        if lines.write_all(line.as_bytes()).is_err() {
            self.lines = None;
        }
    }
}
