//! What the server has to know of the user before a request that uses: where another kind of user defined, the steps that make it known
//! come along, a login for example.
//!
//! A request of a keeper that a member's browser sends is refused, and uses nothing. Which values a use can do without is learnt from the
//! suite: one that was seen with some value, or without any, goes with it everywhere.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::sequence::{PlannedUse, StepPlace};
use crate::dynamics::{Access, AccessLocation, Dynamics, StateId, StepDynamics};

/// A use that needs more steps before it than this is sent without them.
const LONGEST: usize = 8;

/// What the server knows of a user: variables with their values.
pub(super) type Known<'d> = BTreeMap<&'d str, &'d str>;

/// With which values each use was seen.
pub(super) struct Contexts<'d> {
    dynamics: &'d Dynamics,
    names: BTreeSet<&'d str>,
    seen: HashMap<&'d AccessLocation, HashSet<(&'d str, Option<u64>)>>,
}

impl<'d> Contexts<'d> {
    pub(super) fn of(dynamics: &'d Dynamics) -> Self {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for (_, step) in dynamics.steps() {
            names.extend(known(&step.before).into_keys());
        }
        let mut seen: HashMap<&AccessLocation, HashSet<(&str, Option<u64>)>> = HashMap::new();
        // Many steps know the same: it is noted once for each use.
        let mut noted: HashSet<(&AccessLocation, &BTreeSet<String>)> = HashSet::new();
        for (_, step) in dynamics.steps().filter(|(_, step)| step.usable) {
            let before = known(&step.before);
            for usage in step.accesses.iter().filter(|access| access.uses()) {
                if noted.insert((&usage.location, &step.before)) {
                    let values = names.iter().map(|name| (*name, before.get(name).map(|value| hash(value))));
                    seen.entry(&usage.location).or_default().extend(values);
                }
            }
        }
        Self { dynamics, names, seen }
    }

    /// The request of a step with the pages that it needs, and with the steps that make the server know what it has to, where it knows this. One variable
    /// may be kept as it is: the use is aimed by it.
    pub(super) fn planned_use(
        &self,
        place: StepPlace,
        usage: &Access,
        now: &Known<'_>,
        kept: Option<&str>,
    ) -> Option<PlannedUse> {
        let mut planned = PlannedUse::of(self.dynamics, place)?;
        let mut context = self.missing(place, usage, now, kept);
        context.retain(|step| !planned.pages.contains(step));
        let redefines = |step: &usize| {
            let step = self.dynamics.step(place.session, *step);
            step.is_none_or(|step| !step.usable || step.redefines(&usage.state))
        };
        if context.len() + planned.pages.len() <= LONGEST && !context.iter().any(redefines) {
            planned.pages.extend(&context);
            planned.pages.sort_unstable();
            planned.context = context.into_iter().collect();
        }
        Some(planned)
    }

    /// The earlier steps of its session that make known what a use was never seen to do without, with the pages that they need.
    fn missing(
        &self,
        place: StepPlace,
        usage: &Access,
        now: &Known<'_>,
        kept: Option<&str>,
    ) -> BTreeSet<usize> {
        let mut steps = BTreeSet::new();
        let Some(session) = self.dynamics.sessions.get(place.session) else { return steps };
        let Some(step) = session.steps.get(place.step) else { return steps };
        let (wanted, seen) = (known(&step.before), self.seen.get(&usage.location));
        for name in &self.names {
            let (want, is) = (wanted.get(name), now.get(name));
            let goes = |value: Option<u64>| seen.is_some_and(|seen| seen.contains(&(*name, value)));
            if want == is
                || kept == Some(*name)
                || usage.state == StateId::Variable((*name).to_owned())
                || goes(is.map(|value| hash(value)))
            {
                continue;
            }
            let makes = |step: &StepDynamics| {
                known(&step.after).get(name) == want && known(&step.before).get(name) != want
            };
            let Some(at) = session.steps[..place.step].iter().rposition(makes) else { continue };
            let makes_kept = |kept: &str| {
                let step = &session.steps[at];
                known(&step.after).get(kept) != known(&step.before).get(kept)
            };
            if kept.is_some_and(makes_kept) {
                continue;
            }
            // Where the server knows something else of her, that is the new order that is looked for; but not another user's name.
            if is.is_none() || session.steps[at].logs_in {
                steps.extend(&session.steps[at].pages);
                steps.insert(at);
            }
        }
        steps
    }

    /// What is known after a use, that was known before it.
    pub(super) fn after(&self, planned: &PlannedUse, mut now: Known<'d>) -> Known<'d> {
        let session = planned.place.session;
        for step in planned.pages.iter().chain([&planned.place.step]) {
            let Some(step) = self.dynamics.step(session, *step) else { continue };
            let (before, after) = (known(&step.before), known(&step.after));
            for (name, value) in &after {
                if before.get(name) != Some(value) {
                    now.insert(name, value);
                }
            }
            for name in before.keys().filter(|name| !after.contains_key(*name)) {
                now.remove(name);
            }
        }
        now
    }
}

/// Variables with their values.
pub(super) fn known(values: &BTreeSet<String>) -> Known<'_> {
    values.iter().filter_map(|value| value.split_once('=')).collect()
}

fn hash(value: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
