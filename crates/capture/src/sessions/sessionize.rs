//! The sessions of exchanges that are all at hand.

use restage_model::{Exchange, Session};

use crate::sessions::filter::Reason;
use crate::sessions::rules::SessionRules;
use crate::sessions::session_list::SessionList;
use crate::sessions::sessionizer::Sessionizer;

/// The sessions of some traffic, and what was left out of them.
#[derive(Clone, Debug, Default)]
pub struct FilteredSessions {
    /// Those that are replayed, in order of first access.
    pub sessions: Vec<Session>,
    /// Those that are not, and why.
    pub left_out: Vec<(Session, Reason)>,
}

/// The sessions of these exchanges, in order of first access, those among them that are no test.
pub fn sessionize<'a>(
    exchanges: impl IntoIterator<Item = &'a Exchange>,
    rules: &SessionRules,
) -> Vec<Session> {
    session_list(exchanges, rules).all().map(|(session, _)| session).collect()
}

/// Sorts exchanges into sessions, and those that are no test out. Every exchange is in exactly one session.
pub fn sessionize_and_filter(exchanges: &[Exchange], rules: &SessionRules) -> FilteredSessions {
    let mut out = FilteredSessions::default();
    for (session, reason) in session_list(exchanges, rules).all() {
        match reason {
            Some(reason) => out.left_out.push((session, reason)),
            None => out.sessions.push(session),
        }
    }
    out
}

fn session_list<'a>(exchanges: impl IntoIterator<Item = &'a Exchange>, rules: &SessionRules) -> SessionList {
    let mut sessionizer = Sessionizer::new(rules);
    exchanges.into_iter().for_each(|exchange| sessionizer.add(exchange));
    sessionizer.finish()
}
