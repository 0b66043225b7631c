//! A smaller suite made of one of the project's, and stored beside it.

use std::collections::HashMap;

use restage_capture::StoredExchanges;
use restage_model::{ExchangeId, Run, RunKind, RunState, Suite};
use restage_store::Store;
use restage_suite::reduce::{Plan, Receipt, Timing, reduce_suite};

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
    let needed = if with_dependencies { Some(needed(project, store, suite)?) } else { None };
    let needs =
        needed.as_ref().map(|(needed, _)| |place: usize| needed.get(place).cloned().unwrap_or_default());
    let needs = needs.as_ref().map(|needs| needs as &dyn Fn(usize) -> Vec<usize>);
    let reduction = reduce_suite(suite, &StoredExchanges(store), plan, timing.as_ref(), needs)?;
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
