//! Which values of a run's requests were live: how many, whether the server took them, and why each was chosen.

use restage_model::{Headers, Received, RunSession, Step};
use restage_oracle::{find_errors, new_errors, redirect_shape};
use restage_store::{Store, StoreError};
use serde::Serialize;

use crate::output::{self, count, cut};

/// How many requests of a run carried a live value, and how many of those the server took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct LiveCount {
    /// Requests with a live value.
    pub(crate) requests: usize,
    /// Of those, the ones answered as when they were recorded: the same class of status, the same redirect but for
    /// ids, and no error of the server that was not there.
    pub(crate) accepted: usize,
}

impl LiveCount {
    /// Counts the steps of a run.
    pub(crate) fn of(store: &Store, steps: &[Step]) -> Result<Self, StoreError> {
        let mut count = Self::default();
        for step in steps.iter().filter(|s| !s.substitutions.is_empty()) {
            count.requests += 1;
            count.accepted += usize::from(is_accepted(store, step)?);
        }
        Ok(count)
    }

    /// In words.
    pub(crate) fn told(self) -> String {
        format!(
            "{} with live values, {} accepted by the server",
            count(self.requests, "request"),
            self.accepted
        )
    }
}

/// Whether a step was answered as when it was recorded.
pub(crate) fn is_accepted(store: &Store, step: &Step) -> Result<bool, StoreError> {
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

/// A step whose request carried live values, or asked for what was not offered.
#[derive(Serialize)]
pub(crate) struct Explained<'a> {
    session: &'a str,
    step: u32,
    method: &'a str,
    uri: &'a str,
    substitutions: &'a [restage_model::Substitution],
    stale: Option<&'a str>,
}

/// The steps of which there is something to explain.
pub(crate) fn explained<'a>(sessions: &'a [RunSession], steps: &'a [Step]) -> Vec<Explained<'a>> {
    let worth = steps.iter().filter(|s| !s.substitutions.is_empty() || s.stale.is_some());
    let explain = |step: &'a Step| Explained {
        session: sessions.get(step.at.session as usize).map_or("", |s| s.session.as_str()),
        step: step.at.step + 1,
        method: &step.sent.method,
        uri: &step.sent.uri,
        substitutions: &step.substitutions,
        stale: step.stale.as_deref(),
    };
    worth.map(explain).collect()
}

/// Prints what was sent in place of what, where it came from and why.
pub(crate) fn print(explained: &[Explained<'_>]) {
    for step in explained {
        output::line(&format!("{}/{}  {} {}", step.session, step.step, step.method, cut(step.uri, 100)));
        for substitution in step.substitutions {
            print_one(substitution);
        }
        if let Some(why) = step.stale {
            output::line(&format!("  stale: {}", cut(why, 200)));
        }
    }
}

/// Prints one substitution.
pub(crate) fn print_one(s: &restage_model::Substitution) {
    output::line(&format!("  {}: {} → {}", s.target, cut(&s.recorded, 60), cut(&s.live, 60)));
    let why = if s.why.is_empty() { String::new() } else { format!(" ({})", cut(&s.why, 120)) };
    output::line(&format!("      from {}{why}", cut(&s.source, 160)));
}
