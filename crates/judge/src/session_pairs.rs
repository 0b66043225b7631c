//! Which session of one run is which of the other. A run may be of a part of the other's suite.

use std::collections::{HashMap, HashSet};

use restage_model::{Run, Step, StepAt, Suite};
use restage_store::Store;

use crate::JudgingError;

/// The part itself, where it is one: all of its sessions are the suite's, with the same requests.
pub fn part_of(all: &Suite, part: Suite) -> Result<Suite, JudgingError> {
    let known: HashMap<&str, _> = all.sessions.iter().map(|s| (s.name.as_str(), &s.exchanges)).collect();
    let stranger = part.sessions.iter().find(|s| known.get(s.name.as_str()) != Some(&&s.exchanges));
    match stranger {
        None => Ok(part),
        Some(session) => Err(JudgingError::NotAPart {
            session: session.name.clone(),
            part: part.name,
            all: all.name.clone(),
        }),
    }
}

/// The steps of two runs that belong together, at their places in the run that is right. Where the other is of a part of
/// that run's suite, only the steps of its sessions.
pub(crate) fn steps(
    store: &Store,
    expected: &Run,
    actual: &Run,
) -> Result<(Vec<Step>, Vec<Step>), JudgingError> {
    let (mut was, is) = (store.steps(expected.id)?, store.steps(actual.id)?);
    if expected.suite == actual.suite {
        return Ok((was, is));
    }
    let (all, part) = (store.suite(expected.suite)?, store.suite(actual.suite)?);
    if part_of(&all, part.clone()).is_err() {
        let suite =
            |run: &Run| format!("`{}` replays {} (version {})", run.name, run.suite_name, run.suite.0);
        return Err(JudgingError::DifferentSuites { expected: suite(expected), actual: suite(actual) });
    }
    let places: HashMap<String, u32> =
        store.run_sessions(expected.id)?.into_iter().map(|s| (s.session, s.ordinal)).collect();
    let wanted: HashSet<u32> = part.sessions.iter().filter_map(|s| places.get(&s.name).copied()).collect();
    was.retain(|step| wanted.contains(&step.at.session));
    let moved: HashMap<u32, u32> = (store.run_sessions(actual.id)?.into_iter())
        .filter_map(|session| Some((session.ordinal, *places.get(&session.session)?)))
        .collect();
    let at_its_place = |step: Step| {
        let at = StepAt { session: *moved.get(&step.at.session)?, ..step.at };
        Some(Step { at, ..step })
    };
    Ok((was, is.into_iter().filter_map(at_its_place).collect()))
}
