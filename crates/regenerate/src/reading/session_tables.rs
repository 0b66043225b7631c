//! Tables in which an application keeps its users' sessions.
//!
//! What is in them is seen as variables of the session. As tables they are defined and used by each request, and nothing is gained by
//! putting those together.

use std::collections::BTreeSet;

use restage_analysis::sql::classify_with_keys;
use restage_facts::{SqlFact, StepFacts};
use restage_model::{Answer, RunId, SetCookie, Step, StepAt, cookie_pairs};
use restage_store::{Store, StoreError};

use super::bound::with_bound;
use super::tables::dialect;

/// The id of a session is at least so long.
const SHORTEST_ID: usize = 16;

/// Tables that a row is read of by a cookie's value in each request for which the server knew something of the user's session. A table
/// that some of them read so is the application's own: of carts, say.
#[derive(Clone, Debug, Default)]
pub struct SessionTables {
    tables: Option<BTreeSet<String>>,
}

impl SessionTables {
    /// Finds them in the sessions of a run, each with its place in it and how many steps it has.
    pub fn of(
        store: &Store,
        run: RunId,
        sessions: impl IntoIterator<Item = (u32, usize)>,
    ) -> Result<Self, StoreError> {
        let mut found = Self::default();
        for (session, steps) in sessions {
            for number in 0..steps {
                let at = StepAt { session, step: number as u32 };
                if let (Some(facts), Some(step)) = (store.step_facts(run, at)?, store.step(run, at)?) {
                    found.note(&facts, &cookies(&step));
                }
            }
        }
        Ok(found)
    }

    fn note(&mut self, facts: &StepFacts, cookies: &BTreeSet<String>) {
        let before = facts.session.as_ref().and_then(|session| session.before.as_ref());
        if before.is_none_or(|before| before.is_empty()) {
            return;
        }
        let own: BTreeSet<String> = facts.sql.iter().flat_map(|fact| tables_by(fact, cookies)).collect();
        match &mut self.tables {
            Some(tables) => tables.retain(|table| own.contains(table)),
            None => self.tables = Some(own),
        }
    }

    /// Whether it is one of them.
    pub(super) fn contains(&self, table: &str) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.contains(table))
    }
}

/// The tables that a statement is about by one of these values.
fn tables_by(fact: &SqlFact, values: &BTreeSet<String>) -> Vec<String> {
    let is_in = |value: &String| {
        fact.text.contains(value) || fact.bound.iter().any(|bound| bound.as_str() == Some(value))
    };
    if !values.iter().any(is_in) {
        return Vec::new();
    }
    let text = with_bound(&fact.text, &fact.bound);
    let mut tables = Vec::new();
    for statement in classify_with_keys(&text, dialect(&text)) {
        if statement.keys.iter().any(|key| values.contains(&key.value)) {
            tables.extend(statement.reads.iter().chain(&statement.writes).map(|table| table.name.clone()));
        }
    }
    tables
}

/// The values of cookies that a step sent or was given, as far as they may be a session's id.
fn cookies(step: &Step) -> BTreeSet<String> {
    let mut values: BTreeSet<String> =
        step.sent.headers.all("cookie").flat_map(cookie_pairs).map(|(_, value)| value.to_owned()).collect();
    if let Answer::Received(received) = &step.answer {
        values.extend(SetCookie::all(&received.headers).map(|cookie| cookie.value));
    }
    values.retain(|value| value.len() >= SHORTEST_ID);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a table of the application's own taken for one of sessions, and the other way round.
    #[test]
    fn what_each_request_reads_by_its_cookie_is_a_table_of_sessions() {
        let mut found = SessionTables::default();
        let cookies = BTreeSet::from(["37d86105b1932bba01b6575a3e4d1d9b".to_owned()]);
        let step = |before: &str, tables: &[&str]| -> StepFacts {
            let sql: Vec<String> = tables
                .iter()
                .map(|table| {
                    format!(
                        r#"{{"text": "SELECT data FROM {table} WHERE id = ?", "bound": ["37d86105b1932bba01b6575a3e4d1d9b"]}}"#
                    )
                })
                .collect();
            let text = format!(
                r#"{{"step": "s/1", "session": {{"before": {before}}}, "sql": [{}]}}"#,
                sql.join(",")
            );
            serde_json::from_str(&text).unwrap()
        };
        assert!(!found.contains("session"));
        found.note(&step("{}", &["cart"]), &cookies);
        found.note(&step(r#"{"user": "1"}"#, &["session", "cart"]), &cookies);
        found.note(&step(r#"{"user": "1"}"#, &["session"]), &cookies);
        assert!(found.contains("session") && !found.contains("cart"));
        found.note(&step(r#"{"user": "1"}"#, &["session"]), &BTreeSet::new());
        assert!(!found.contains("session"), "read by something else");
    }
}
