//! A run as it goes on: a bar and notes for people, a log of its events for programs.

use indicatif::ProgressBar;
use restage_model::RunEvent;

use crate::args::Global;
use crate::terminal::event_log::EventLog;
use crate::terminal::progress::{bar, note};

/// Shows the events of one or several runs. The bar is gone when it is dropped, however the runs ended.
pub(crate) struct RunProgress<'a> {
    global: &'a Global,
    bar: ProgressBar,
    log: EventLog,
}

impl<'a> RunProgress<'a> {
    /// Over so many steps of all runs together; a run that begins makes room for its own.
    pub(crate) fn new(global: &'a Global, what: &str, steps: usize, log: EventLog) -> Self {
        Self { global, bar: bar(global, what, steps), log }
    }

    /// The log of its events, for the runs that follow.
    pub(crate) fn into_log(mut self) -> EventLog {
        std::mem::take(&mut self.log)
    }

    /// Shows an event.
    pub(crate) fn show(&mut self, event: &RunEvent) {
        self.log.write(event);
        match event {
            RunEvent::RunStarted { steps, .. } => {
                let end = self.bar.position() + *steps as u64;
                self.bar.set_length(self.bar.length().unwrap_or(0).max(end));
            }
            RunEvent::AppStarting { .. } => self.bar.set_message("starting the app"),
            RunEvent::SessionStarted { session, .. } => self.bar.set_message(session.clone()),
            RunEvent::StepReplayed { .. } => self.bar.inc(1),
            RunEvent::AppFailed { what, output } => {
                let text = format!("note: {what}\n{output}");
                self.bar.suspend(|| note(self.global, text.trim_end()));
            }
            RunEvent::FactsGathered { problems, .. } => {
                for problem in problems {
                    self.bar.suspend(|| note(self.global, format!("note: {problem}")));
                }
            }
            RunEvent::SessionEnded { .. } | RunEvent::RunFinished { .. } => {}
        }
    }
}

impl Drop for RunProgress<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
