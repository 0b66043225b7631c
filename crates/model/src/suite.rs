//! Sessions, and named lists of them.

use serde::{Deserialize, Serialize};

use crate::{ExchangeId, Moment};

/// One user's exchanges in order: a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its name: `s` and the number of its first exchange, so that it stays when others are added.
    pub name: String,
    /// How the user was told from others: `cookie:PHPSESSID`, `ip+agent`, …
    pub by: String,
    /// The client's address.
    pub client: String,
    /// When it began.
    pub from: Moment,
    /// When its last request began.
    pub to: Moment,
    /// The requests that are replayed; each exchange says whether it was recorded, edited or generated.
    pub exchanges: Vec<ExchangeId>,
    /// Exchanges that belong to it and are kept out of the replay (images, styles, scripts, fonts).
    pub left_out: Vec<ExchangeId>,
    /// The sessions that it was joined from, in the order of its steps; none where it was recorded as one. Left out of JSON
    /// then: a suite is known by that, and suites from before there was this stay the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<SessionPart>,
    /// Whether it begins from the initial state, whatever the sessions before it did. Nobody recorded what came before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
}

impl Session {
    /// Which of the sessions that it was joined from a step is of, from 0.
    pub fn part_of(&self, step: usize) -> usize {
        let mut end = 0;
        let ends = self.joined.iter().map(|part| {
            end += part.steps;
            end
        });
        ends.take_while(|end| *end <= step).count()
    }

    /// The session that a step was taken from, where this one was joined from several.
    pub fn taken_from(&self, step: usize) -> Option<&str> {
        self.joined.get(self.part_of(step)).map(|part| part.session.as_str())
    }
}

/// Steps in a row that a session has from another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionPart {
    /// The other session's name.
    pub session: String,
    /// How many steps.
    pub steps: usize,
}

/// Names a stored suite. A suite is immutable: when `recorded` grows, it becomes another suite of
/// the same name, and runs made on the old one still know what they replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SuiteId(pub i64);

/// A named, ordered, immutable list of sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suite {
    /// Its name in the store.
    pub id: SuiteId,
    /// The name users give it: `recorded`.
    pub name: String,
    /// When it was made.
    pub created: Moment,
    /// How it came about: `recorded`, or the command that made it.
    pub origin: String,
    /// Its sessions, in order of first access.
    pub sessions: Vec<Session>,
}

impl Suite {
    /// How many requests a replay of it sends.
    pub fn steps(&self) -> usize {
        self.sessions.iter().map(|s| s.exchanges.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn session() -> impl Strategy<Value = Session> {
        let ids = || proptest::collection::vec(any::<i64>().prop_map(ExchangeId), 0..5);
        (".*", ".*", ".*", any::<i64>(), any::<i64>(), ids(), ids()).prop_map(
            |(name, by, client, from, to, exchanges, left_out)| Session {
                name,
                by,
                client,
                from: Moment(from),
                to: Moment(to),
                exchanges,
                left_out,
                joined: Vec::new(),
                fresh: false,
            },
        )
    }

    /// A session as stores had it before sessions could be joined.
    #[derive(Serialize)]
    struct Before<'a> {
        name: &'a str,
        by: &'a str,
        client: &'a str,
        from: Moment,
        to: Moment,
        exchanges: &'a [ExchangeId],
        left_out: &'a [ExchangeId],
    }

    proptest! {
        /// Catches a recorded suite that becomes another one: suites are known by their sessions' JSON.
        #[test]
        fn a_recorded_session_is_written_as_ever(session in session()) {
            let Session { name, by, client, from, to, exchanges, left_out, .. } = &session;
            let before = Before { name, by, client, from: *from, to: *to, exchanges, left_out };
            let text = serde_json::to_string(&session).unwrap();
            prop_assert_eq!(&text, &serde_json::to_string(&before).unwrap());
            prop_assert_eq!(serde_json::from_str::<Session>(&text).unwrap(), session);
        }

        /// Catches a part that is lost or counted wrongly.
        #[test]
        fn a_joined_session_reads_back_and_knows_its_parts(
            mut session in session(),
            parts in proptest::collection::vec((".*", 0usize..4), 0..5),
        ) {
            let parts = parts.into_iter().map(|(session, steps)| SessionPart { session, steps });
            session.joined = parts.collect();
            let text = serde_json::to_string(&session).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Session>(&text).unwrap(), &session);
            let spelled: Vec<usize> =
                session.joined.iter().enumerate().flat_map(|(n, part)| vec![n; part.steps]).collect();
            for (step, part) in spelled.iter().enumerate() {
                prop_assert_eq!(session.part_of(step), *part);
                prop_assert_eq!(session.taken_from(step), Some(session.joined[*part].session.as_str()));
            }
            prop_assert_eq!(session.taken_from(spelled.len()), None);
        }
    }
}
