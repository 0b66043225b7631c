//! A smaller suite made of one of the project's, and stored beside it.

use std::collections::{BTreeMap, HashMap};

use restage_capture::StoredExchanges;
use restage_facts::{FactsReport, FileOutline};
use restage_model::{ExchangeId, Run, RunId, RunKind, RunState, Session, Suite};
use restage_store::{FactsOf, Store, StoreError};
use restage_suite::SourceError;
use restage_suite::reduce::{Plan, Receipt, Requirement, SessionFacts, Timing, reduce_suite};

use crate::error::ProjectError;
use crate::needs::{FoundNeeds, NeedsGap, find_needs};
use crate::project::Project;

/// A suite that was made smaller.
#[derive(Clone, Debug)]
pub struct ReducedSuite {
    /// The suite, as it is stored.
    pub suite: Suite,
    /// What was kept, and what a replay saves.
    pub receipt: Receipt,
    /// Why more sessions may be needed, where those that are needed are kept.
    pub gaps: Vec<NeedsGap>,
}

/// Reduces a suite, and stores the result with its receipt. Kept with their dependents, where asked for, are the
/// sessions that others need.
pub fn reduce(
    project: &Project,
    store: &mut Store,
    suite: &Suite,
    plan: &Plan,
    with_dependencies: bool,
) -> Result<ReducedSuite, ProjectError> {
    let timing = timing(store, suite)?;
    let groups = project.groups_of_suite(store, suite)?;
    let needed = if with_dependencies { Some(needed(project, store, suite)?) } else { None };
    let needs =
        needed.as_ref().map(|(needed, _)| |place: usize| needed.get(place).cloned().unwrap_or_default());
    let needs = needs.as_ref().map(|needs| needs as &dyn Fn(usize) -> Vec<usize>);
    let of_run =
        if plan.require.is_in_requests() { None } else { run_with_facts(store, suite, plan.require)? };
    let facts = of_run.as_ref().map(|run| {
        |session: &Session| session_facts(store, run, session, plan.require).map_err(SourceError::from)
    });
    let facts = facts.as_ref().map(|facts| facts as &SessionFacts<'_>);
    let reduction =
        reduce_suite(suite, &StoredExchanges(store), plan, facts, timing.as_ref(), needs, &groups)?;
    let reduced = store.save_suite(reduction.suite)?;
    store.set_receipt(reduced.id, &serde_json::to_string(&reduction.receipt).unwrap_or_default())?;
    let gaps = needed.map(|(_, gaps)| gaps).unwrap_or_default();
    Ok(ReducedSuite { suite: reduced, receipt: reduction.receipt, gaps })
}

/// The places of the sessions that each session of the suite needs, and why there may be more.
fn needed(
    project: &Project,
    store: &Store,
    suite: &Suite,
) -> Result<(Vec<Vec<usize>>, Vec<NeedsGap>), ProjectError> {
    let baseline = project.newest_baseline(store)?.filter(|baseline| baseline.suite == suite.id);
    let baseline = baseline.ok_or_else(|| ProjectError::NeedsUnknown { suite: suite.name.clone() })?;
    let FoundNeeds { needs, gaps } = find_needs(project, store, &baseline)?;
    let places: HashMap<&str, usize> = suite.sessions.iter().map(|s| s.name.as_str()).zip(0..).collect();
    let of =
        |name: &str| needs.needed_by([name]).into_iter().filter_map(|n| places.get(n).copied()).collect();
    Ok((suite.sessions.iter().map(|session| of(&session.name)).collect(), gaps))
}

/// A run that says what the application did for all sessions of a suite, and where they are in it.
struct RunFacts {
    run: RunId,
    places: HashMap<String, u32>,
    outlines: BTreeMap<String, FileOutline>,
}

/// The newest run that has facts of all sessions of a suite as they are there; a baseline before others.
fn run_with_facts(
    store: &Store,
    suite: &Suite,
    require: Requirement,
) -> Result<Option<RunFacts>, ProjectError> {
    let mut runs = store.runs()?;
    // The last is looked at first.
    runs.sort_by_key(|run| (run.kind == RunKind::Baseline, run.id));
    for run in runs.into_iter().rev() {
        let asked = |report: FactsReport| report.want.iter().any(|want| want.name() == require.facts());
        if !store.facts_report(run.id)?.is_some_and(asked) {
            continue;
        }
        let replayed = store.suite(run.suite)?;
        let exchanges: HashMap<&str, &Session> =
            replayed.sessions.iter().map(|s| (s.name.as_str(), s)).collect();
        let places: HashMap<String, u32> =
            store.run_sessions(run.id)?.into_iter().map(|s| (s.session, s.ordinal)).collect();
        let has = |session: &Session| {
            let same = exchanges.get(session.name.as_str()).is_some_and(|s| s.exchanges == session.exchanges);
            same && places.contains_key(&session.name)
        };
        if suite.sessions.iter().all(has) {
            let outlines = store.outlines(run.id)?;
            return Ok(Some(RunFacts { run: run.id, places, outlines }));
        }
    }
    Ok(None)
}

/// What the application did for a session, by names: `cart.php:12`, `cart.php: add_to_cart`, `cart.php branch 4`.
fn session_facts(
    store: &Store,
    of: &RunFacts,
    session: &Session,
    require: Requirement,
) -> Result<Vec<String>, StoreError> {
    let Some(place) = of.places.get(&session.name) else { return Ok(Vec::new()) };
    let coverage = store.coverage(of.run, FactsOf::Sessions(&[*place]))?;
    let mut met = Vec::new();
    for (file, ran) in &coverage.files {
        match require {
            Requirement::Functions => {
                let Some(outline) = of.outlines.get(file) else { continue };
                let functions = ran.functions_that_ran(outline);
                let ran = outline.functions.iter().filter(|function| functions.contains(function.first));
                met.extend(ran.map(|function| format!("{file}:{}: {}", function.first, function.name)));
            }
            Requirement::Branches => {
                met.extend(ran.branches.iter().map(|branch| format!("{file} branch {branch}")));
            }
            _ => met.extend(ran.lines.iter().map(|line| format!("{file}:{line}"))),
        }
    }
    Ok(met)
}

/// How long requests took in the newest baseline that has all of a suite's. Another run may be of another version, or of a busy
/// moment.
fn timing(store: &Store, suite: &Suite) -> Result<Option<Timing>, ProjectError> {
    let exchanges: Vec<ExchangeId> =
        suite.sessions.iter().flat_map(|s| s.exchanges.iter().copied()).collect();
    let is_baseline = |run: &Run| run.kind == RunKind::Baseline && run.state == RunState::Complete;
    for run in store.runs()?.into_iter().rev().filter(is_baseline) {
        if (store.step_count(run.id)? as usize) < exchanges.len() {
            continue;
        }
        let took = store.steps(run.id)?.into_iter().map(|step| (step.exchange, step.took));
        let timing = Timing { run: run.name, took: took.collect() };
        if exchanges.iter().all(|id| timing.took.contains_key(id)) {
            return Ok(Some(timing));
        }
    }
    Ok(None)
}
