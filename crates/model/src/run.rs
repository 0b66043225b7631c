//! A suite replayed on an app.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{BodyRef, ExchangeId, Headers, Moment, Origin, SuiteId};

/// Names a run in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub i64);

/// What happens to the app's state between sessions (paper 1, section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatePolicy {
    /// The state from before that session is restored before each session (the paper's `with_state`).
    Restore,
    /// The initial state is restored once, at the start (the paper's `without_state`).
    Initial,
    /// The initial state is restored before each session.
    Fresh,
    /// As `initial`, with the sessions added that those asked for need (the paper's augmented suite).
    Augment,
    /// Nothing is touched.
    Keep,
}

impl StatePolicy {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Restore => "restore",
            Self::Initial => "initial",
            Self::Fresh => "fresh",
            Self::Augment => "augment",
            Self::Keep => "keep",
        }
    }
}

impl fmt::Display for StatePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for StatePolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Restore, Self::Initial, Self::Fresh, Self::Augment, Self::Keep]
            .into_iter()
            .find(|p| p.name() == text)
            .ok_or_else(|| {
                format!("no state policy is called `{text}`: restore, initial, fresh, augment or keep")
            })
    }
}

/// What a run was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// On the trusted version, with a snapshot before each session.
    Baseline,
    /// The baseline once more, from its snapshots: what differs is noise.
    Check,
    /// Any other replay.
    Replay,
}

impl RunKind {
    /// Its name in the store and in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Check => "check",
            Self::Replay => "replay",
        }
    }
}

impl FromStr for RunKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Baseline, Self::Check, Self::Replay]
            .into_iter()
            .find(|k| k.name() == text)
            .ok_or_else(|| format!("no kind of run is called `{text}`"))
    }
}

/// Whether a run came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", content = "why", rename_all = "lowercase")]
pub enum RunState {
    /// It goes on, or the process making it was killed.
    Unfinished,
    /// Every session was replayed.
    Complete,
    /// It stopped early.
    Broken(String),
}

/// A suite replayed on an app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Its name in the store.
    pub id: RunId,
    /// The name users give it.
    pub name: String,
    /// What it was made for.
    pub kind: RunKind,
    /// What was replayed.
    pub suite: SuiteId,
    /// That suite's name.
    pub suite_name: String,
    /// The app it ran on.
    pub app: String,
    /// What happened to the state between sessions.
    pub policy: StatePolicy,
    /// When it began.
    pub started: Moment,
    /// When it ended.
    pub finished: Option<Moment>,
    /// Whether it came to its end.
    pub state: RunState,
    /// For a baseline, its check.
    pub check: Option<RunId>,
    /// Whether requests were sent as they were recorded, without live values.
    #[serde(default)]
    pub as_recorded: bool,
}

/// A session of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSession {
    /// Its place in the run, from 0.
    pub ordinal: u32,
    /// The session's name.
    pub session: String,
    /// The snapshot its state was restored from, or saved to before it.
    pub snapshot: Option<String>,
    /// The snapshot of the state after it; none where it did not come to its end, or no state is kept.
    #[serde(default)]
    pub after: Option<String>,
    /// What the app wrote to its output and its logs meanwhile; none where that is not known.
    #[serde(default)]
    pub log: Option<BodyRef>,
    /// The sessions that it was replayed together with, and itself, in order; empty where it was replayed by itself. They began
    /// from one snapshot, and what they left behind is the first one's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: Vec<String>,
}

/// A place in a run: which session, which step of it, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepAt {
    /// The session's place in the run.
    pub session: u32,
    /// The step's place in the session.
    pub step: u32,
}

/// A value of a request that was taken from the live application instead of the recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Substitution {
    /// Where in the request: `form field csrf`, `query parameter id`, `path`, `cookie sid`.
    pub target: String,
    /// What was recorded.
    pub recorded: String,
    /// What was sent instead.
    pub live: String,
    /// Where the live value came from: `step 3: hidden field csrf of form 2`.
    pub source: String,
    /// Why that place was taken for the one that the recorded value came from; empty where its source says it all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A request as a replay sent it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub uri: String,
    /// Its header fields.
    pub headers: Headers,
    /// Its body.
    pub body: BodyRef,
}

/// A response as a replay got it, its content encoding undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The status code.
    pub status: u16,
    /// Its header fields.
    pub headers: Headers,
    /// Its body.
    pub body: BodyRef,
}

/// What came back for a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// A response.
    Received(Received),
    /// None, and why.
    Failed(String),
}

impl Answer {
    /// The response, where there is one.
    pub fn received(&self) -> Option<&Received> {
        match self {
            Self::Received(received) => Some(received),
            Self::Failed(_) => None,
        }
    }
}

/// One request of a session, as replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its place in the run.
    pub at: StepAt,
    /// The exchange it replays.
    pub exchange: ExchangeId,
    /// Whether a user sent that exchange's request, or somebody made it.
    #[serde(default, skip_serializing_if = "Origin::is_recorded")]
    pub origin: Origin,
    /// What was sent.
    pub sent: Sent,
    /// What came back.
    pub answer: Answer,
    /// Which values were taken from the live application.
    pub substitutions: Vec<Substitution>,
    /// Why the live application did not offer what the recorded request used, where it did not.
    pub stale: Option<String>,
    /// Microseconds from sending to the end of the response.
    pub took: u64,
}
