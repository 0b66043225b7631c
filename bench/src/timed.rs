//! A replay, and where its time went.

use std::time::{Duration, Instant};

use restage_model::{Groups, Run, RunEvent, RunId, RunKind, StatePolicy};
use restage_replay::{Order, Replay, replay};

use crate::Trouble;
use crate::subject::Subject;

/// A replay, and where its time went.
#[derive(Debug)]
pub struct Timed {
    /// The run.
    pub run: Run,
    /// From the first session, the app being started, to the last step's answer.
    pub steps: Duration,
    /// From there on: the last steps are stored, the app is stopped, the state put back.
    pub end: Duration,
}

/// Replays the subject's suite on its trusted release.
pub fn timed_replay(
    subject: &mut Subject,
    name: String,
    policy: StatePolicy,
    reference: Option<RunId>,
    order: Order,
) -> Result<Timed, Trouble> {
    let app = subject.app(&[])?;
    let asked = Replay {
        name,
        kind: RunKind::Replay,
        suite: &subject.suite,
        app: &app,
        policy,
        reference,
        order,
        only: None,
        groups: Groups::default(),
        as_recorded: false,
    };
    let (mut first, mut last) = (None, None);
    let run = replay(&mut subject.project, &asked, &mut |event| match event {
        RunEvent::SessionStarted { .. } if first.is_none() => first = Some(Instant::now()),
        RunEvent::StepReplayed { .. } => last = Some(Instant::now()),
        _ => {}
    })?;
    let (Some(first), Some(last)) = (first, last) else { return Err("the suite has no steps".into()) };
    Ok(Timed { run, steps: last - first, end: last.elapsed() })
}
