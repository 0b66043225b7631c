//! The sessionizer as it was written first: it holds all exchanges, and is easy to read. The answers of the one that does
//! not must be the same.

mod bots;
mod cookie_names;
mod filter;
mod sessionize;

use std::collections::HashMap;

use restage_capture::{FilteredSessions, Reason, SessionRules};
use restage_model::{Exchange, ExchangeId};

use bots::is_bot;
use filter::Filter;
use sessionize::sessionize_by;

/// Sorts exchanges into sessions, and those that are no test out. Every exchange is in exactly one session.
pub(crate) fn sessionize_and_filter(exchanges: &[Exchange], rules: &SessionRules) -> FilteredSessions {
    let mut all: Vec<&Exchange> = exchanges.iter().collect();
    all.sort_by_key(|e| (e.at, e.id));
    let filter = Filter::learn(rules, &all);
    let by_id: HashMap<ExchangeId, &Exchange> = exchanges.iter().map(|e| (e.id, e)).collect();
    let mut sorted = FilteredSessions::default();
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
