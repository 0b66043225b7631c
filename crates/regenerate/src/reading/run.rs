//! What the sessions of a run did, and the errors in it.

use restage_model::{Answer, BodyRef, KeyRules, RunId, StepAt};
use restage_store::{Store, StoreError};

use super::session_tables::SessionTables;
use super::step::{ReadStep, read_step};
use super::variables::StateLines;
use super::variants::RequestVariants;
use crate::dynamics::SessionDynamics;
use crate::making::SourceSession;
use crate::outcome::Fault;

/// What a session of a run did.
#[derive(Clone, Debug, Default)]
pub struct SessionSeen {
    /// Its definitions and uses.
    pub dynamics: SessionDynamics,
    /// The errors that the server made.
    pub faults: Vec<Fault>,
    /// How many of its steps have facts.
    pub with_facts: usize,
    /// How many microseconds its requests took.
    pub took: u64,
}

/// What facts are read with.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// How requests are named.
    pub rules: KeyRules,
    /// Which of their parameters say what they ask for.
    pub variants: RequestVariants,
    /// Where the source code defines and uses the user's session.
    pub lines: StateLines,
    /// Where it is kept.
    pub session_tables: SessionTables,
}

/// Reads what a session did in a run, in which it has this place; `log` is what the app wrote to its log meanwhile.
pub fn read_session(
    store: &Store,
    run: RunId,
    (place, log): (u32, Option<&BodyRef>),
    source: &SourceSession,
    reader: &Reader,
) -> Result<SessionSeen, StoreError> {
    let mut seen = SessionSeen::default();
    seen.dynamics.name.clone_from(&source.session.name);
    for (number, id) in source.session.exchanges.iter().enumerate() {
        let at = StepAt { session: place, step: number as u32 };
        let exchange = store.exchange(*id)?;
        let named = reader.variants.read(store, &reader.rules, &exchange)?;
        let request = named.name;
        let facts = store.step_facts(run, at)?;
        let replayed = store.step(run, at)?;
        let answer = match replayed.as_ref().map(|step| &step.answer) {
            Some(Answer::Received(received)) => Some((received.status, store.body(&received.body)?)),
            Some(Answer::Failed(_)) | None => None,
        };
        let shown = answer.as_ref().map(|(status, body)| (*status, body.as_slice()));
        seen.faults.extend(Fault::of_step(facts.as_ref(), shown, &request));
        seen.took += replayed.as_ref().map_or(0, |step| step.took);
        seen.with_facts += usize::from(facts.is_some());
        let usable = facts.is_some()
            && !exchange.request.body.cut
            && replayed.as_ref().is_some_and(|step| step.stale.is_none())
            && answer.is_some_and(|(status, _)| status < 500);
        let pages = source.pages.get(number).cloned().unwrap_or_default();
        let (parts, logs_in) = (named.parts, named.logs_in);
        let step = ReadStep { request, parts, facts: facts.as_ref(), pages, usable, logs_in };
        seen.dynamics.push(read_step(step, &reader.lines, &reader.session_tables));
    }
    if let Some(log) = log {
        seen.faults.extend(Fault::of_log(&store.body(log)?));
    }
    Ok(seen)
}
