//! For each thing to cover, the steps of the suite that define it and those that use it; and which two of them are best put together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::aim::{Aiming, Setters};
use super::sequence::{StepPlace, Tried};
use crate::dynamics::{Access, Clearness, Dynamics, RowRelation, StateId, StepDynamics};
use crate::pairs::{Criterion, DefinitionMark, UseMark};

/// So many steps that define the same are looked at: those that the fewest requests lead to.
const DEFINERS: usize = 16;
/// So many steps that use the same are looked at, beside those of the same rows.
const USERS: usize = 64;
/// So many pairs of steps about different rows are looked at, whether the use can be aimed.
const AIMED: usize = 32;
/// What the server knows of two users counts as the same within so many percent.
const ALIKE: usize = 25;

/// A step that defines or uses, and the access by which it does.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'d> {
    pub(super) place: StepPlace,
    pub(super) access: &'d Access,
    pub(super) step: &'d StepDynamics,
}

/// The steps that use the same.
#[derive(Default)]
pub(super) struct Users<'d> {
    all: Vec<Candidate<'d>>,
    by_row: HashMap<(&'d str, &'d str), Vec<usize>>,
}

/// What there is of one state.
#[derive(Default)]
pub(super) struct OfState<'d> {
    pub(super) definers: BTreeMap<DefinitionMark, Vec<Candidate<'d>>>,
    pub(super) users: BTreeMap<UseMark, Users<'d>>,
}

/// All definitions and uses of a suite, by state.
pub(super) struct Candidates<'d> {
    pub(super) states: BTreeMap<StateId, OfState<'d>>,
    pub(super) setters: Setters<'d>,
    known: HashMap<StepPlace, [Vec<u64>; 2]>,
    by_rows: bool,
}

/// Two steps that are put together.
#[derive(Clone)]
pub(super) struct Chosen<'d> {
    pub(super) definer: Candidate<'d>,
    pub(super) user: Candidate<'d>,
    /// How the use gets at the definition's rows, where its own are others.
    pub(super) aiming: Option<Aiming<'d>>,
    /// Whether it stays with other rows.
    pub(super) other_rows: bool,
}

/// How often each step was chosen: of those that go together equally well, sequences have another one each time.
#[derive(Default)]
pub(super) struct Taken {
    definers: HashMap<StepPlace, usize>,
    users: HashMap<StepPlace, usize>,
}

/// How good two steps go together; the better is less.
type Rank = (RowRelation, Clearness, Reverse<usize>, usize, usize, StepPlace, StepPlace);

impl<'d> Candidates<'d> {
    pub(super) fn of(dynamics: &'d Dynamics, criterion: Criterion, by_rows: bool) -> Self {
        let mut states: BTreeMap<StateId, OfState<'d>> = BTreeMap::new();
        let mut known = HashMap::new();
        for ((session, number), step) in dynamics.steps() {
            let place = StepPlace { session, step: number };
            known.insert(place, [hashes(&step.before), hashes(&step.after)]);
            for access in &step.accesses {
                let candidate = Candidate { place, access, step };
                let state = || access.state.clone();
                if access.defines() && step.definitions(&access.state).any(|left| std::ptr::eq(left, access))
                {
                    let mark = criterion.definition(access);
                    let definers = states.entry(state()).or_default().definers.entry(mark).or_default();
                    if definers.last().is_none_or(|last| last.place != place) {
                        definers.push(candidate);
                    }
                }
                if access.uses() && can_follow(dynamics, candidate) {
                    let mark = criterion.usage(access, step);
                    states.entry(state()).or_default().users.entry(mark).or_default().push(candidate);
                }
            }
        }
        for definers in states.values_mut().flat_map(|state| state.definers.values_mut()) {
            definers.sort_by_key(|definer| (definer.place.step, definer.place.session));
        }
        Self { states, setters: Setters::of(dynamics), known, by_rows }
    }

    /// The definer and the user of these that go together best; none where all were tried.
    pub(super) fn best(
        &self,
        definers: &[Candidate<'d>],
        users: &Users<'d>,
        tried: &Tried,
        taken: &Taken,
    ) -> Option<Chosen<'d>> {
        let ranked = definers.iter().take(DEFINERS).flat_map(|definer| {
            let others = users.fitting(definer, self.by_rows);
            others
                .filter(|user| !tried.contains(&(definer.place, user.place)))
                .map(move |user| (self.rank(definer, user, taken), *definer, *user))
        });
        let mut ranked: Vec<(Rank, Candidate<'d>, Candidate<'d>)> = ranked.collect();
        let (rank, definer, user) = ranked.iter().min_by(|one, other| one.0.cmp(&other.0))?;
        let best =
            Chosen { definer: *definer, user: *user, aiming: None, other_rows: rank.0 == RowRelation::Other };
        if rank.0 == RowRelation::Same {
            return Some(best);
        }
        ranked.retain(|(rank, ..)| rank.0 == RowRelation::Other);
        ranked.sort_by_key(|one| one.0);
        ranked.dedup_by_key(|(rank, ..)| (rank.5, rank.6));
        let aimed = ranked.into_iter().take(AIMED).find_map(|(_, definer, user)| {
            let aiming = self.setters.aiming(&definer, &user)?;
            Some(Chosen { definer, user, aiming: Some(aiming), other_rows: false })
        });
        aimed.or(Some(best))
    }

    fn rank(&self, definer: &Candidate<'d>, user: &Candidate<'d>, taken: &Taken) -> Rank {
        let relation = match self.by_rows && user.access.state.is_table() {
            true => definer.access.rows.relation(&user.access.rows),
            false => RowRelation::Unknown,
        };
        (
            relation,
            user.step.clearness(user.access),
            Reverse(self.alike(definer.place, user.place) / ALIKE),
            taken.times(definer.place, user.place),
            definer.place.step + user.step.pages.len(),
            definer.place,
            user.place,
        )
    }

    /// How much of what the server knew of the user before the use it knows after the definition, too, in percent. A request of another
    /// kind of user is likely to be refused.
    fn alike(&self, definer: StepPlace, user: StepPlace) -> usize {
        if definer.session == user.session {
            return 100;
        }
        let (Some([_, after]), Some([before, _])) = (self.known.get(&definer), self.known.get(&user)) else {
            return 0;
        };
        let common = before.iter().filter(|value| after.binary_search(value).is_ok()).count();
        let all = before.len() + after.len() - common;
        (common * 99).checked_div(all).unwrap_or(99)
    }
}

impl Taken {
    /// Notes what was chosen; a definer that many uses stand behind is not changed for each of them.
    pub(super) fn note(&mut self, chosen: &Chosen<'_>, with_definer: bool) {
        *self.users.entry(chosen.user.place).or_default() += 1;
        if with_definer {
            *self.definers.entry(chosen.definer.place).or_default() += 1;
        }
    }

    fn times(&self, definer: StepPlace, user: StepPlace) -> usize {
        let of = |taken: &HashMap<StepPlace, usize>, place| taken.get(&place).copied().unwrap_or(0);
        of(&self.definers, definer) + of(&self.users, user)
    }
}

impl<'d> Users<'d> {
    fn push(&mut self, candidate: Candidate<'d>) {
        for (column, value) in &candidate.access.rows.0 {
            self.by_row.entry((column, value)).or_default().push(self.all.len());
        }
        self.all.push(candidate);
    }

    /// Those of a definition's rows, and some others.
    fn fitting(&self, definer: &Candidate<'d>, by_rows: bool) -> impl Iterator<Item = &Candidate<'d>> {
        let keys = definer.access.rows.0.iter().filter(move |_| by_rows);
        let of_rows = keys.flat_map(|(column, value)| {
            let key = (column.as_str(), value.as_str());
            self.by_row.get(&key).into_iter().flatten().take(USERS)
        });
        let of_rows: Vec<&Candidate<'d>> = of_rows.map(|at| &self.all[*at]).collect();
        let session = definer.place.session;
        let own = self.all.partition_point(|user| user.place.session < session);
        let own = self.all[own..].iter().take_while(move |user| user.place.session == session).take(USERS);
        // All over the suite, not only its first sessions.
        let apart = self.all.len().div_ceil(USERS).max(1);
        of_rows.into_iter().chain(own).chain(self.all.iter().step_by(apart))
    }
}

/// Whether a use may stand behind a definition: nothing defines its state once more on the way to it.
fn can_follow(dynamics: &Dynamics, user: Candidate<'_>) -> bool {
    let state = &user.access.state;
    let redefines =
        |page: &usize| dynamics.step(user.place.session, *page).is_none_or(|page| page.redefines(state));
    user.step.usable
        && user.step.clearness(user.access) != Clearness::Blocked
        && !user.step.pages.iter().any(redefines)
}

fn hashes(values: &std::collections::BTreeSet<String>) -> Vec<u64> {
    let mut hashes: Vec<u64> = values
        .iter()
        .map(|value| {
            let mut hasher = DefaultHasher::new();
            value.hash(&mut hasher);
            hasher.finish()
        })
        .collect();
    hashes.sort_unstable();
    hashes
}
