//! How faithful a run was: which steps were answered as when they were recorded.

use restage_model::{Headers, Received, Step};
use restage_oracle::{find_errors, new_errors, redirect_shape};
use restage_store::{Store, StoreError};
use serde::Serialize;

/// How many requests of a run carried a live value, and how many of those the server took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LiveCount {
    /// Requests with a live value.
    pub requests: usize,
    /// Of those, the ones answered as when they were recorded: the same class of status, the same redirect but for
    /// ids, and no error of the server that was not there.
    pub accepted: usize,
}

impl LiveCount {
    /// Counts the steps of a run.
    pub fn of(store: &Store, steps: &[Step]) -> Result<Self, StoreError> {
        let mut count = Self::default();
        for step in steps.iter().filter(|s| !s.substitutions.is_empty()) {
            count.requests += 1;
            count.accepted += usize::from(answered_as_recorded(store, step)?);
        }
        Ok(count)
    }
}

/// Whether a step was answered as when it was recorded.
pub fn answered_as_recorded(store: &Store, step: &Step) -> Result<bool, StoreError> {
    let Some(received) = step.answer.received() else { return Ok(false) };
    let exchange = store.exchange(step.exchange)?;
    let Some(recorded) = exchange.response else { return Ok(true) };
    let host = step.sent.headers.get("host");
    let leads =
        |headers: &Headers| headers.get("location").map(|l| redirect_shape(&Headers::readable(l), host));
    if recorded.status / 100 != received.status / 100 || leads(&recorded.headers) != leads(&received.headers)
    {
        return Ok(false);
    }
    // Most pages have no error: then the recorded one need not be read.
    let body = store.body(&received.body)?;
    if !is_text(received) || find_errors(&body).is_empty() {
        return Ok(true);
    }
    Ok(new_errors(&store.body(&recorded.body)?, &body).is_empty())
}

fn is_text(received: &Received) -> bool {
    let media_type = received.headers.media_type();
    let is = |t: &str| t.starts_with("text/") || t.contains("json") || t.contains("xml");
    media_type.is_none_or(|t| is(&t))
}
