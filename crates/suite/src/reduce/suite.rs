//! Suite → smaller suite.

use std::collections::HashMap;

use restage_model::{ExchangeId, Groups, KeyRules, NewSuite, Session, Suite};
use thiserror::Error;

use crate::reduce::receipt::{Receipt, ReplayTime, Size};
use crate::reduce::requirements::session_requirements;
use crate::reduce::{Coverage, Requirement, RequirementNames, Technique, Ties, reduce, with_needed};
use crate::source::{ExchangeSource, SourceError};

/// How many of the lost requirements a receipt names.
const NAMED: usize = 100;

/// How a suite is to be reduced.
#[derive(Clone, Debug)]
pub struct Plan {
    /// By what.
    pub technique: Technique,
    /// What is kept.
    pub require: Requirement,
    /// Who is chosen among equals.
    pub ties: Ties,
    /// The new suite's name.
    pub into: String,
    /// What keys are made by.
    pub keys: KeyRules,
}

/// How long each request took in a run.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    /// The run's name.
    pub run: String,
    /// Microseconds by exchange.
    pub took: HashMap<ExchangeId, u64>,
}

/// A smaller suite, and what was done.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The sessions that are kept, in their order. The store gives it its id.
    pub suite: NewSuite,
    /// What was done.
    pub receipt: Receipt,
}

/// Why a suite cannot be reduced.
#[derive(Debug, Error)]
pub enum ReduceError {
    /// What the application did is not known.
    #[error(
        "--require {0}: no run has facts yet, so that what the application does for a request is not known\n  hint: `restage baseline --facts={1}` stores them; --require key, key-pairs, params or values go by the requests"
    )]
    NoFacts(Requirement, &'static str),
    /// An exchange could not be read.
    #[error("{0}")]
    Source(#[from] SourceError),
}

/// What the application did for a session, as the names of what is required of it: `cart.php:12`.
pub type SessionFacts<'a> = dyn Fn(&Session) -> Result<Vec<String>, SourceError> + 'a;

/// Reduces a suite. `facts`, where a run has some, say what the application did for a session. `needs`, where it is known, says which sessions, by place, one needs to find its data: they are kept,
/// too; and so are all that met one that is kept.
pub fn reduce_suite(
    suite: &Suite,
    source: &dyn ExchangeSource,
    plan: &Plan,
    facts: Option<&SessionFacts<'_>>,
    timing: Option<&Timing>,
    needs: Option<&dyn Fn(usize) -> Vec<usize>>,
    groups: &Groups,
) -> Result<Reduction, ReduceError> {
    let in_requests = plan.require.is_in_requests();
    let facts = match facts {
        None if !in_requests => return Err(ReduceError::NoFacts(plan.require, plan.require.facts())),
        facts => facts.filter(|_| !in_requests),
    };
    let (mut names, mut coverage) = (RequirementNames::default(), Coverage::new());
    for session in &suite.sessions {
        let met = match facts {
            Some(facts) => facts(session)?,
            None => session_requirements(source, &session.exchanges, plan.require, &plan.keys)?,
        };
        coverage.push(&names.set(met.iter().map(String::as_str)));
    }
    let chosen = reduce(&coverage, plan.technique, plan.ties);
    let units = groups.units(&suite.sessions);
    let met: HashMap<usize, &Vec<usize>> = units
        .iter()
        .filter(|unit| unit.len() > 1)
        .flat_map(|unit| unit.iter().map(move |place| (*place, unit)))
        .collect();
    let kept = with_needed(&chosen, &|place| {
        let mut with = needs.map_or_else(Vec::new, |needs| needs(place));
        with.extend(met.get(&place).copied().into_iter().flatten());
        with
    });
    let met = coverage.met(kept.iter().copied());
    let lost: Vec<u32> = (0..names.len() as u32).filter(|&number| !met[number as usize]).collect();
    let requests = |sessions: &[usize]| sessions.iter().map(|&s| suite.sessions[s].exchanges.len()).sum();
    let time = timing.and_then(|timing| {
        let ms = |sessions: &[usize]| -> Option<f64> {
            let exchanges = sessions.iter().flat_map(|&s| &suite.sessions[s].exchanges);
            let took = exchanges.map(|id| timing.took.get(id).copied()).sum::<Option<u64>>()?;
            Some(took as f64 / 1000.0)
        };
        let all: Vec<usize> = (0..suite.sessions.len()).collect();
        Some(ReplayTime { run: timing.run.clone(), before_ms: ms(&all)?, after_ms: ms(&kept)? })
    });
    let receipt = Receipt {
        suite: suite.name.clone(),
        by: plan.technique.to_string(),
        require: plan.require.to_string(),
        seed: match plan.ties {
            Ties::First => None,
            Ties::Seed(seed) => Some(seed),
        },
        before: Size { sessions: suite.sessions.len(), requests: suite.steps(), requirements: names.len() },
        after: Size {
            sessions: kept.len(),
            requests: requests(&kept),
            requirements: names.len() - lost.len(),
        },
        needed: kept.len() - chosen.len(),
        lost: lost.len(),
        lost_ones: lost.iter().take(NAMED).map(|&number| names.name(number).to_owned()).collect(),
        time,
    };
    let with = if needs.is_some() { " --with-dependencies" } else { "" };
    let origin = format!("reduce {} --by {} --require {}{with}", suite.name, plan.technique, plan.require);
    let sessions = kept.iter().map(|&session| suite.sessions[session].clone());
    Ok(Reduction { suite: NewSuite::of(&plan.into, &origin, sessions), receipt })
}
