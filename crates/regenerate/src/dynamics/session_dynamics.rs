//! What the steps of sessions do with the server's state.

use std::collections::{BTreeSet, HashMap};

use super::{Access, AccessLocation, RequestPart, RowKeys, RowRelation, StateId};

/// What a suite does with the server's state.
#[derive(Clone, Debug, Default)]
pub struct Dynamics {
    /// Its sessions, in order.
    pub sessions: Vec<SessionDynamics>,
}

impl Dynamics {
    /// A step of a session.
    pub fn step(&self, session: usize, step: usize) -> Option<&StepDynamics> {
        self.sessions.get(session)?.steps.get(step)
    }

    /// All steps with where they are: session and step.
    pub fn steps(&self) -> impl Iterator<Item = ((usize, usize), &StepDynamics)> {
        self.sessions
            .iter()
            .enumerate()
            .flat_map(|(s, session)| session.steps.iter().enumerate().map(move |(n, step)| ((s, n), step)))
    }
}

/// What a session does.
#[derive(Clone, Debug, Default)]
pub struct SessionDynamics {
    /// Its name.
    pub name: String,
    /// Its steps, in order.
    pub steps: Vec<StepDynamics>,
    /// In how many of them each place defined each state.
    defined: HashMap<(StateId, AccessLocation), usize>,
}

impl SessionDynamics {
    /// A session of these steps.
    pub fn new(name: &str, steps: impl IntoIterator<Item = StepDynamics>) -> Self {
        let mut session = Self { name: name.to_owned(), ..Self::default() };
        steps.into_iter().for_each(|step| session.push(step));
        session
    }

    /// Adds a step, and counts what it defines that earlier ones defined as well.
    pub fn push(&mut self, mut step: StepDynamics) {
        for access in step.accesses.iter_mut().filter(|access| access.defines()) {
            let same = self.defined.get(&(access.state.clone(), access.location.clone()));
            access.earlier = same.copied().unwrap_or(0);
        }
        let defined: BTreeSet<(StateId, AccessLocation)> = step
            .accesses
            .iter()
            .filter(|access| access.defines())
            .map(|access| (access.state.clone(), access.location.clone()))
            .collect();
        for what in defined {
            *self.defined.entry(what).or_default() += 1;
        }
        self.steps.push(step);
    }
}

/// What a step does.
#[derive(Clone, Debug, Default)]
pub struct StepDynamics {
    /// The request's key.
    pub request: String,
    /// Its parts that have values: parameters of its address and of its form, and segments of its path.
    pub parts: Vec<(RequestPart, String)>,
    /// What it defines and uses.
    pub accesses: Vec<Access>,
    /// The earlier steps of its session whose pages lead to it and hold what it sends, in order. A use takes them along.
    pub pages: Vec<usize>,
    /// What the server knew of the user before the step: variables of the session with their values.
    pub before: BTreeSet<String>,
    /// And after it.
    pub after: BTreeSet<String>,
    /// Whether it may stand behind other steps: a request that was answered.
    pub usable: bool,
    /// Whether it sends a password: the server knows another user after it, perhaps.
    pub logs_in: bool,
}

/// Whether a use in a request meets what was there before the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clearness {
    /// Nothing in the request defines it before.
    Clear,
    /// The request defines it as well, and nobody saw in which order.
    Unsure,
    /// The request has defined it before.
    Blocked,
}

impl StepDynamics {
    /// What it defines of a state that is still so after it: not what a later definition of the same rows has replaced.
    pub fn definitions<'a>(&'a self, state: &'a StateId) -> impl Iterator<Item = &'a Access> {
        let of_state = move || self.accesses.iter().filter(move |a| a.defines() && a.state == *state);
        of_state().filter(move |access| {
            let replaced = |later: &Access| {
                matches!((access.order, later.order), (Some(now), Some(then)) if then > now)
                    && (!state.is_table() || later.rows.relation(&access.rows) == RowRelation::Same)
            };
            !of_state().any(replaced)
        })
    }

    /// Whether it defines a state, and so ends what was defined before.
    pub fn redefines(&self, state: &StateId) -> bool {
        self.accesses.iter().any(|access| access.defines() && access.state == *state)
    }

    /// Whether a use in it meets what was there before it.
    pub fn clearness(&self, usage: &Access) -> Clearness {
        let before = |access: &&Access| access.defines() && access.state == usage.state;
        let other_rows =
            |rows: &RowKeys| usage.state.is_table() && rows.relation(&usage.rows) == RowRelation::Other;
        self.accesses
            .iter()
            .filter(before)
            .map(|definition| match (definition.order, usage.order) {
                _ if other_rows(&definition.rows) => Clearness::Clear,
                (Some(defined), Some(used)) if defined < used => Clearness::Blocked,
                (Some(_), Some(_)) => Clearness::Clear,
                _ => Clearness::Unsure,
            })
            .max()
            .unwrap_or(Clearness::Clear)
    }
}
