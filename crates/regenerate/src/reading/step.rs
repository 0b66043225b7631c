//! What one step does.

use restage_facts::StepFacts;

use super::tables::table_accesses;
use super::variables::{StateLines, known_of_user, variable_accesses};
use crate::dynamics::StepDynamics;

/// A step, as it was seen.
#[derive(Clone, Debug)]
pub struct ReadStep<'a> {
    /// The request's key.
    pub request: String,
    /// Its parameters: those of its address, and of its form.
    pub params: Vec<(String, String)>,
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
pub fn read_step(step: ReadStep<'_>, known: &StateLines) -> StepDynamics {
    let ReadStep { request, params, facts, pages, usable, logs_in } = step;
    let Some(facts) = facts else {
        return StepDynamics { request, params, pages, ..StepDynamics::default() };
    };
    let mut accesses = variable_accesses(facts, known, &request);
    accesses.extend(table_accesses(&facts.sql));
    let session = facts.session.as_ref();
    StepDynamics {
        before: known_of_user(session.and_then(|session| session.before.as_ref())),
        after: known_of_user(session.and_then(|session| session.after.as_ref())),
        request,
        params,
        accesses,
        pages,
        usable,
        logs_in,
    }
}
