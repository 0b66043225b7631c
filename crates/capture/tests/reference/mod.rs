//! The sessionizer once more, written from the words of `docs/design/sessions.md` and not from the code: every question is
//! answered by looking through all earlier exchanges. It is slow and plain. The real one must give the same sessions.
//!
//! - `identifying`: which cookies name sessions, and what marks an exchange;
//! - `assigning`: which session an exchange belongs to;
//! - `leaving_out`: what is kept out of replays, and why.

mod assigning;
mod identifying;
mod leaving_out;

use restage_capture::{FilteredSessions, SessionRules};
use restage_model::{Exchange, ExchangeId, Session};

use assigning::assign;
use identifying::Identification;
use leaving_out::{exchange_reason, session_reason};

/// Sorts exchanges into sessions, and those that are no test out. Every exchange is in exactly one session.
pub(crate) fn sessionize_and_filter(exchanges: &[Exchange], rules: &SessionRules) -> FilteredSessions {
    let mut all: Vec<&Exchange> = exchanges.iter().collect();
    all.sort_by_key(|e| (e.at, e.id));
    let identification = Identification::learn(&rules.by, &all);
    let mut sorted = FilteredSessions::default();
    for members in assign(&all, &identification, rules.idle) {
        let own: Vec<&Exchange> = members.iter().map(|&m| all[m]).collect();
        let is_kept = |e: &&Exchange| exchange_reason(e, &all, rules).is_none();
        let ids = |kept: bool| -> Vec<ExchangeId> {
            own.iter().filter(|e| is_kept(e) == kept).map(|e| e.id).collect()
        };
        let (first, last) = (own[0], own[own.len() - 1]);
        let session = Session {
            name: format!("s{}", first.id.0),
            by: own
                .iter()
                .find_map(|e| identification.first_mark(e))
                .unwrap_or_else(|| identification.place_by.to_string()),
            client: first.client.clone(),
            from: first.at,
            to: last.at,
            exchanges: ids(true),
            left_out: ids(false),
            joined: Vec::new(),
            fresh: false,
        };
        match session_reason(&own, &all, rules) {
            Some(reason) => sorted.left_out.push((session, reason)),
            None => sorted.sessions.push(session),
        }
    }
    sorted
}
