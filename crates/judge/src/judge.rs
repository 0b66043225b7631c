//! The call that judges, and the order in which things are done.

use std::collections::HashSet;

use restage_model::{Comparison, Run, RunState};
use restage_oracle::{Judged, compare_runs_knowing, settle};
use restage_store::Store;

use crate::aftermath::aftermaths;
use crate::bodies::Bodies;
use crate::keys::keys;
use crate::noise::noise;
use crate::session_pairs;
use crate::{JudgingError, Rules};

/// What happens while runs are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeEvent {
    /// So many steps are about to be compared.
    Steps(usize),
    /// One more was.
    Step,
    /// The run was asked for so many of the suite's sessions only.
    Sessions {
        /// How many it has.
        replayed: usize,
        /// How many the suite has.
        of: usize,
    },
}

/// Compares two runs of a store: `expected` is right, `actual` is judged. The comparison is complete.
///
/// In this order: which sessions belong together; what varies on the trusted version; each step; what sessions left behind; and
/// last what is accepted or ignored, which needs all that differs.
pub fn judge(
    store: &Store,
    expected: &Run,
    actual: &Run,
    rules: &Rules,
    on: &mut dyn FnMut(JudgeEvent),
) -> Result<Comparison, JudgingError> {
    let (expected_steps, actual_steps) = session_pairs::steps(store, expected, actual)?;
    let check = expected.check.map(|id| store.steps(id)).transpose()?;
    let sessions: Vec<String> = store.suite(expected.suite)?.sessions.into_iter().map(|s| s.name).collect();
    let keys = keys(store, &expected_steps, &rules.templates)?;
    let judged = Judged {
        expected: (&expected.name, &expected_steps),
        check: check.as_deref(),
        actual: (&actual.name, &actual_steps),
        sessions: &sessions,
        keys: &keys,
        oracle: &rules.oracle,
        profile: rules.profile.as_ref(),
    };
    on(JudgeEvent::Steps(expected_steps.len()));
    let noise = noise(store, expected, judged, rules)?;
    let mut comparison = compare_runs_knowing(&noise, judged, &Bodies(store), &mut || on(JudgeEvent::Step))?;
    // Sessions that a run was not asked to replay are not missing in it.
    if actual.state == RunState::Complete {
        let own: HashSet<u32> = store.run_sessions(actual.id)?.into_iter().map(|s| s.ordinal).collect();
        comparison.missing.retain(|at| own.contains(&at.session));
        if own.len() < sessions.len() {
            on(JudgeEvent::Sessions { replayed: own.len(), of: sessions.len() });
        }
    }
    comparison.aftermaths = aftermaths(store, expected, actual, &rules.aftermath)?;
    settle(&mut comparison, &rules.accepted, &rules.ignored);
    Ok(comparison)
}
