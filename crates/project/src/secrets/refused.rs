//! Requests that were accepted when they were recorded, and are refused with the stand-ins of their secrets: the accounts were there before, and a replay has
//! to be given what opens them.

use std::collections::HashSet;

use restage_model::{Multipart, Params, RunId};
use restage_redact::Redactor;
use restage_store::{Store, StoreError};
use serde::Serialize;

use crate::fidelity::answered_as_recorded;

/// A step whose secrets the application did not take.
#[derive(Debug, Serialize)]
pub struct RefusedStep {
    session: String,
    step: u32,
    method: String,
    path: String,
}

impl RefusedStep {
    /// Where it is, in words.
    pub fn place(&self) -> String {
        format!("{} step {}, {} {}", self.session, self.step, self.method, self.path)
    }
}

/// The steps of a run that have stand-ins and are not answered as when they were recorded.
pub fn refused_steps(store: &Store, run: RunId) -> Result<Vec<RefusedStep>, StoreError> {
    let made: HashSet<u64> = store.stand_ins()?.into_iter().collect();
    let mut refused = Vec::new();
    if made.is_empty() {
        return Ok(refused);
    }
    for session in store.run_sessions(run)? {
        for step in store.steps_of_session(run, session.ordinal)? {
            let typed = typed(store, &step.sent)?;
            if typed.iter().any(|value| made.contains(&Redactor::hash(value)))
                && !answered_as_recorded(store, &step)?
            {
                refused.push(RefusedStep {
                    session: session.session.clone(),
                    step: step.at.step + 1,
                    path: step.sent.uri.split('?').next().unwrap_or_default().to_owned(),
                    method: step.sent.method,
                });
            }
        }
    }
    Ok(refused)
}

/// What a request's body holds: the values of a form, or the texts of JSON.
fn typed(store: &Store, sent: &restage_model::Sent) -> Result<Vec<String>, StoreError> {
    let body = store.body(&sent.body)?;
    if let Ok(value) = serde_json::from_slice(&body) {
        let mut texts = Vec::new();
        texts_of(&value, &mut texts);
        return Ok(texts);
    }
    let params = Multipart::parse(&sent.headers, &body)
        .map_or_else(|| Params::parse(&String::from_utf8_lossy(&body)), |form| form.params());
    Ok(params.pairs().into_iter().map(|(_, value)| value).collect())
}

fn texts_of(value: &serde_json::Value, texts: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => texts.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        serde_json::Value::Object(members) => members.values().for_each(|member| texts_of(member, texts)),
        _ => {}
    }
}
