//! What one step does.

use restage_facts::StepFacts;

use super::session_tables::SessionTables;
use super::tables::table_accesses;
use super::variables::{StateLines, known_of_user, variable_accesses};
use crate::dynamics::{Access, RequestPart, StateId, StepDynamics};

/// A step, as it was seen.
#[derive(Clone, Debug)]
pub struct ReadStep<'a> {
    /// The request's key.
    pub request: String,
    /// Its parts that have values.
    pub parts: Vec<(RequestPart, String)>,
    /// What the server did for it; none where no probe said so.
    pub facts: Option<&'a StepFacts>,
    /// The earlier steps of its session whose pages lead to it.
    pub pages: Vec<usize>,
    /// Whether it may be sent behind other steps.
    pub usable: bool,
    /// Whether it sends a password.
    pub logs_in: bool,
}

/// What a step defines and uses.
pub fn read_step(step: ReadStep<'_>, known: &StateLines, session_tables: &SessionTables) -> StepDynamics {
    let ReadStep { request, parts, facts, pages, usable, logs_in } = step;
    let Some(facts) = facts else {
        return StepDynamics { request, parts, pages, ..StepDynamics::default() };
    };
    let mut accesses = variable_accesses(facts, known, &request);
    let is_own = |access: &Access| match &access.state {
        StateId::Table(name) => !session_tables.contains(name),
        StateId::Variable(_) | StateId::Session => true,
    };
    accesses.extend(table_accesses(&facts.sql).into_iter().filter(is_own));
    let session = facts.session.as_ref();
    StepDynamics {
        before: known_of_user(session.and_then(|session| session.before.as_ref())),
        after: known_of_user(session.and_then(|session| session.after.as_ref())),
        request,
        parts,
        accesses,
        pages,
        usable,
        logs_in,
    }
}
