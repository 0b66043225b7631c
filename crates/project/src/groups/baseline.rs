//! A baseline with its groups.

use restage_judge::Rules;
use restage_model::{Groups, Shard, Suite};
use restage_replay::{AppSpec, Baseline, EventSink, NewBaseline, Order, make_baseline, remove_run};

use super::find::GroupFinder;
use crate::error::ProjectError;
use crate::project::Project;

/// A baseline that is asked for.
#[derive(Clone, Debug)]
pub struct BaselineAsked<'a> {
    /// The run's name.
    pub name: String,
    /// What is replayed.
    pub suite: &'a Suite,
    /// The trusted version.
    pub app: &'a AppSpec,
    /// In which order sessions are checked.
    pub order: Order,
    /// Which part of them is checked; all where there is none.
    pub shard: Option<Shard>,
}

/// Makes a baseline and its check, with the groups that the settings list. Where they are to be found, it is made of single sessions
/// first; and if some of them met, again with these together, under the same name.
pub fn make_baseline_with_groups(
    project: &Project,
    work: &mut restage_replay::Project,
    asked: &BaselineAsked<'_>,
    rules: &Rules,
    events: &mut EventSink<'_>,
) -> Result<(Baseline, Groups), ProjectError> {
    let listed = project.listed_groups(asked.suite)?;
    let is_auto = listed.is_none();
    let groups = listed.unwrap_or_default();
    let alone = make_baseline(work, &new(asked, groups.clone()), events)?;
    if !is_auto {
        return Ok((alone, groups));
    }
    let finder = GroupFinder { project, app: asked.app, rules, order: asked.order };
    let groups = finder.find(work, &alone.run, events)?;
    if groups.is_empty() {
        return Ok((alone, groups));
    }
    match &mut work.state {
        Some(state) => remove_run(&mut work.store, state.snapshot_store_mut(), &alone.run)?,
        None => work.store.remove_run(alone.run.id)?,
    }
    Ok((make_baseline(work, &new(asked, groups.clone()), events)?, groups))
}

fn new<'a>(asked: &BaselineAsked<'a>, groups: Groups) -> NewBaseline<'a> {
    NewBaseline {
        name: asked.name.clone(),
        suite: asked.suite,
        app: asked.app,
        order: asked.order,
        checked: asked.shard.map(|shard| shard.places(asked.suite, &groups)),
        groups,
    }
}
