//! Which values of a run's requests were live, for people: what was sent in place of what, and why.

use restage_judge::LiveCount;
use restage_model::{RunSession, Step};
use serde::Serialize;

use crate::terminal::output::{self, count, cut};

/// How many requests carried live values, in words.
pub(crate) fn live_count(live: LiveCount) -> String {
    format!("{} with live values, {} answered as recorded", count(live.requests, "request"), live.accepted)
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
