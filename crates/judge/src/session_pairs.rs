//! Which session of one run is which of the other. A run may be of a part of the other's suite.

use std::collections::{BTreeMap, HashMap, HashSet};

use restage_model::{Run, RunSession, RunState, Suite};
use restage_store::{Store, StoreError};

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

/// A session that is to be judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SessionPair {
    /// Its place in the run that is right.
    pub(crate) ordinal: u32,
    /// How many steps it has there.
    pub(crate) steps: usize,
    /// Its place in the run that is judged; none where that run lacks it.
    pub(crate) actual: Option<u32>,
    /// What is known of it in both runs.
    pub(crate) known: Option<(RunSession, RunSession)>,
}

/// The sessions that are to be judged, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SessionPairs {
    pub(crate) pairs: Vec<SessionPair>,
    /// The name of the session at each place of the run that is right.
    pub(crate) names: Vec<String>,
    /// How many sessions of that run's suite the other run has, where it was not asked for all of them.
    pub(crate) replayed: Option<usize>,
}

impl SessionPairs {
    /// Sessions of a part are those of its own names; else both runs are of one suite, and sessions go by their places.
    ///
    /// A session that a run was not asked to replay is not to be judged: of a complete run, each that it lacks.
    pub(crate) fn of(store: &Store, expected: &Run, actual: &Run) -> Result<Self, JudgingError> {
        let all = store.suite(expected.suite)?;
        let same_suite = expected.suite == actual.suite;
        let part: Option<HashSet<String>> = if same_suite {
            None
        } else {
            let part = store.suite(actual.suite)?;
            let part = part_of(&all, part).map_err(|_| different_suites(expected, actual))?;
            Some(part.sessions.into_iter().map(|session| session.name).collect())
        };
        let (was, mut is) = (Sessions::of(store, expected)?, Sessions::of(store, actual)?);
        let names: Vec<String> = all.sessions.into_iter().map(|session| session.name).collect();
        let complete = actual.state == RunState::Complete;
        let mut pairs = Vec::new();
        for (ordinal, (session, steps)) in was.by_place {
            let name = session.as_ref().map(|s| s.session.as_str());
            if part.as_ref().is_some_and(|part| name.is_none_or(|name| !part.contains(name))) {
                continue;
            }
            let place =
                if same_suite { Some(ordinal) } else { name.and_then(|name| is.places.get(name).copied()) };
            let other = place.and_then(|place| is.by_place.remove(&place).map(|found| (place, found)));
            match other {
                None if complete => {}
                None => pairs.push(SessionPair { ordinal, steps, actual: None, known: None }),
                Some((place, (other, _))) => {
                    pairs.push(SessionPair { ordinal, steps, actual: Some(place), known: session.zip(other) })
                }
            }
        }
        let has = pairs.iter().filter(|pair| pair.actual.is_some()).count();
        Ok(Self { replayed: (complete && has < names.len()).then_some(has), pairs, names })
    }
}

/// The sessions of a run: what is known of each and how many steps it has, by its place.
struct Sessions {
    by_place: BTreeMap<u32, (Option<RunSession>, usize)>,
    places: HashMap<String, u32>,
}

impl Sessions {
    fn of(store: &Store, run: &Run) -> Result<Self, StoreError> {
        let mut by_place: BTreeMap<u32, (Option<RunSession>, usize)> = BTreeMap::new();
        let mut places = HashMap::new();
        for session in store.run_sessions(run.id)? {
            places.insert(session.session.clone(), session.ordinal);
            by_place.insert(session.ordinal, (Some(session), 0));
        }
        for (ordinal, steps) in store.step_counts(run.id)? {
            by_place.entry(ordinal).or_default().1 = steps;
        }
        Ok(Self { by_place, places })
    }
}

fn different_suites(expected: &Run, actual: &Run) -> JudgingError {
    let suite = |run: &Run| format!("`{}` replays {} (version {})", run.name, run.suite_name, run.suite.0);
    JudgingError::DifferentSuites { expected: suite(expected), actual: suite(actual) }
}
