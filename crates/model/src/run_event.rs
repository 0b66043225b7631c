//! What happens while a suite is replayed, as it happens: one stream for the terminal, for `--events` and for pages.

use serde::{Deserialize, Serialize};

use crate::{RunKind, RunState};

/// One event of a run. As JSON, an object with its name under `event`.
///
/// Events of a session come in their order. Those of sessions that are replayed side by side are mixed, and say which
/// session they are of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum RunEvent {
    /// A run begins.
    RunStarted {
        /// Its name.
        run: String,
        /// What it is for.
        kind: RunKind,
        /// The suite that is replayed.
        suite: String,
        /// The app that it is replayed on.
        app: String,
        /// How many sessions are replayed.
        sessions: usize,
        /// How many steps they have.
        steps: usize,
    },
    /// The app is being started.
    AppStarting {
        /// Which copy of it, from 1.
        copy: u16,
    },
    /// A session begins.
    SessionStarted {
        /// Its name.
        session: String,
        /// How many steps it has.
        steps: usize,
        /// The sessions that it is replayed together with, and itself; empty where it is replayed by itself.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        group: Vec<String>,
    },
    /// A step was replayed, or given up.
    StepReplayed {
        /// Its session.
        session: String,
        /// Its number, from 1.
        step: u32,
        /// The answer's status; none where there was no answer.
        status: Option<u16>,
        /// Why there was no answer.
        error: Option<String>,
        /// How many values were taken from the live application.
        live_values: usize,
        /// Whether the live application no longer offers what the recorded request used.
        stale: bool,
        /// Microseconds from sending to the end of the response.
        took: u64,
    },
    /// A session is over.
    SessionEnded {
        /// Its name.
        session: String,
        /// Whether the app served it to its end.
        served: bool,
    },
    /// The app ended or hangs. It is started again where sessions are left.
    AppFailed {
        /// What happened, and at which step.
        what: String,
        /// The app's last output; empty where it is not known.
        output: String,
    },
    /// The facts of a run are stored, as far as there are any.
    FactsGathered {
        /// How many steps the app answered.
        steps: u64,
        /// Of how many of them there are facts.
        with_facts: u64,
        /// What is missing, why, and what to do.
        problems: Vec<String>,
    },
    /// A run is over.
    RunFinished {
        /// Its name.
        run: String,
        /// How it ended.
        #[serde(flatten)]
        state: RunState,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a program that reads the events finds other names after a change here.
    #[test]
    fn events_are_objects_with_their_name() {
        let event = RunEvent::StepReplayed {
            session: "s17".to_owned(),
            step: 2,
            status: Some(200),
            error: None,
            live_values: 1,
            stale: false,
            took: 930,
        };
        let text = r#"{"event":"step-replayed","session":"s17","step":2,"status":200,"error":null,"live_values":1,"stale":false,"took":930}"#;
        assert_eq!(serde_json::to_string(&event).unwrap(), text);
        assert_eq!(serde_json::from_str::<RunEvent>(text).unwrap(), event);
        let broken =
            RunEvent::RunFinished { run: "test-1".to_owned(), state: RunState::Broken("why".to_owned()) };
        let text = r#"{"event":"run-finished","run":"test-1","state":"broken","why":"why"}"#;
        assert_eq!(serde_json::to_string(&broken).unwrap(), text);
        assert_eq!(serde_json::from_str::<RunEvent>(text).unwrap(), broken);
    }
}
