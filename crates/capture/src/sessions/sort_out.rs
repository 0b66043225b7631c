//! Which sessions are a test, and which are left out, and why.

use std::collections::HashMap;

use restage_model::{Exchange, ExchangeId, Session};

use crate::sessions::bots::is_bot;
use crate::sessions::filter::{Filter, Reason};
use crate::sessions::rules::SessionRules;
use crate::sessions::sessionize::sessionize_by;

/// The sessions of some traffic, and what was left out of them.
#[derive(Clone, Debug, Default)]
pub struct SortedOut {
    /// Those that are replayed, in order of first access.
    pub sessions: Vec<Session>,
    /// Those that are not, and why.
    pub left_out: Vec<(Session, Reason)>,
}

/// Sorts exchanges into sessions, and those that are no test out. Every exchange is in exactly one session.
pub fn sort_out(exchanges: &[Exchange], rules: &SessionRules) -> SortedOut {
    let mut all: Vec<&Exchange> = exchanges.iter().collect();
    all.sort_by_key(|e| (e.at, e.id));
    let filter = Filter::learn(rules, &all);
    let by_id: HashMap<ExchangeId, &Exchange> = exchanges.iter().map(|e| (e.id, e)).collect();
    let mut sorted = SortedOut::default();
    for session in sessionize_by(all, rules, &filter) {
        let found = |ids: &[ExchangeId]| -> Vec<&Exchange> {
            ids.iter().filter_map(|id| by_id.get(id).copied()).collect()
        };
        match whole_reason(&filter, rules, &found(&session.exchanges), &found(&session.left_out)) {
            Some(reason) => sorted.left_out.push((session, reason)),
            None => sorted.sessions.push(session),
        }
    }
    sorted
}

/// Why each of a session's left-out exchanges is.
pub fn reasons(exchanges: &[Exchange], rules: &SessionRules, session: &Session) -> Vec<(ExchangeId, Reason)> {
    let all: Vec<&Exchange> = exchanges.iter().collect();
    let filter = Filter::learn(rules, &all);
    let of_session = all.iter().filter(|e| session.left_out.contains(&e.id));
    of_session.filter_map(|e| Some((e.id, filter.reason(e)?))).collect()
}

fn whole_reason(
    filter: &Filter<'_>,
    rules: &SessionRules,
    kept: &[&Exchange],
    left_out: &[&Exchange],
) -> Option<Reason> {
    if !rules.bots {
        let mut all: Vec<&Exchange> = kept.iter().chain(left_out).copied().collect();
        all.sort_by_key(|e| (e.at, e.id));
        if let Some(how) = is_bot(&all) {
            return Some(Reason::Bot(how));
        }
    }
    if kept.is_empty() {
        // One reason where there is one; a mixture is told exchange by exchange.
        let first = left_out.first().and_then(|e| filter.reason(e));
        let same = left_out.iter().all(|e| filter.reason(e) == first);
        return first.filter(|_| same).or(Some(Reason::OnlyStatic));
    }
    kept.iter().all(|e| filter.is_static_page(e)).then_some(Reason::OnlyStatic)
}
