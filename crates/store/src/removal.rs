//! Removing exchanges: what a recording that keeps only new behaviour does without.

use std::collections::HashSet;

use rusqlite::TransactionBehavior;

use restage_model::{ExchangeId, Session};

use crate::{Store, StoreError};

/// The bodies that something has.
pub(crate) const BODIES_IN_USE: &str = "SELECT body FROM exchange WHERE body NOT NULL \
     UNION SELECT response_body FROM exchange WHERE response_body NOT NULL \
     UNION SELECT body FROM step WHERE body NOT NULL \
     UNION SELECT response_body FROM step WHERE response_body NOT NULL \
     UNION SELECT log FROM run_session WHERE log NOT NULL";

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Exchanges.
    pub exchanges: u64,
    /// Bodies that nothing else has.
    pub bodies: u64,
}

impl Store {
    /// The exchanges that must stay: those of runs, and of suites that were made by name or replayed, and those that
    /// edited and generated requests were made of. `recorded` is made anew of what there is.
    pub fn exchanges_in_use(&self, recorded: &str) -> Result<HashSet<ExchangeId>, StoreError> {
        let mut in_use = HashSet::new();
        let mut steps = self.connection.prepare_cached("SELECT DISTINCT exchange FROM step")?;
        for id in steps.query_map([], |row| row.get(0))? {
            in_use.insert(ExchangeId(id?));
        }
        let mut suites = self.connection.prepare_cached(
            "SELECT session FROM suite_session JOIN suite ON suite.id = suite_session.suite \
             WHERE suite.name <> ? OR EXISTS (SELECT 1 FROM run WHERE run.suite = suite.id)",
        )?;
        for session in suites.query_map([recorded], |row| row.get::<_, String>(0))? {
            let session: Session = serde_json::from_str(&session?)
                .map_err(|e| StoreError::Unreadable(format!("a suite's session: {e}")))?;
            in_use.extend(session.exchanges.iter().chain(&session.left_out));
        }
        // What was edited, and what values were taken from, is what a step comes from.
        in_use.extend(self.origins()?.values().flat_map(|origin| origin.sources().iter().copied()));
        Ok(in_use)
    }

    /// The newest exchange's id; 0 where there is none.
    pub fn last_exchange(&self) -> Result<ExchangeId, StoreError> {
        let last =
            self.connection.query_row("SELECT coalesce(max(id), 0) FROM exchange", [], |row| row.get(0))?;
        Ok(ExchangeId(last))
    }

    /// Removes exchanges, and the bodies that only they had; all or none. None of them may be
    /// [in use](Self::exchanges_in_use).
    pub fn remove_exchanges(&mut self, ids: &[ExchangeId]) -> Result<Removed, StoreError> {
        // SQLite would look through all steps for each exchange that goes: the caller has, once for all.
        self.connection.pragma_update(None, "foreign_keys", "off")?;
        let removed = self.remove(ids);
        self.connection.pragma_update(None, "foreign_keys", "on")?;
        removed
    }

    fn remove(&mut self, ids: &[ExchangeId]) -> Result<Removed, StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch("CREATE TEMP TABLE IF NOT EXISTS gone (body INTEGER); DELETE FROM gone")?;
        let mut removed = Removed::default();
        for id in ids {
            transaction
                .prepare_cached(
                    "INSERT INTO gone SELECT body FROM exchange WHERE id = ?1 \
                     UNION SELECT response_body FROM exchange WHERE id = ?1",
                )?
                .execute([id.0])?;
            removed.exchanges +=
                transaction.prepare_cached("DELETE FROM exchange WHERE id = ?")?.execute([id.0])? as u64;
        }
        let unused =
            format!("DELETE FROM body WHERE id IN (SELECT body FROM gone) AND id NOT IN ({BODIES_IN_USE})");
        removed.bodies = transaction.execute(&unused, [])? as u64;
        transaction.commit()?;
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{Captured, CapturedBody, Headers, Moment, NewSuite};

    use super::*;

    fn page(uri: &str, body: &str) -> Captured {
        let body = CapturedBody { bytes: body.as_bytes().to_vec(), size: body.len() as u64 };
        Captured {
            at: Moment(1),
            took: 1,
            client: "127.0.0.1".to_owned(),
            method: "GET".to_owned(),
            uri: uri.to_owned(),
            headers: Headers::new(),
            body: CapturedBody::default(),
            response: Some((200, Headers::new(), body)),
            error: None,
        }
    }

    /// Catches a body that goes though another exchange has it, and one that stays though nothing has.
    #[test]
    fn bodies_go_with_the_last_that_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let ids = store.append(&[page("/a", "same"), page("/b", "same"), page("/c", "own")]).unwrap();
        let removed = store.remove_exchanges(&[ids[0], ids[2]]).unwrap();
        assert_eq!(removed, Removed { exchanges: 2, bodies: 1 });
        let left = store.exchanges().unwrap();
        assert_eq!(left.len(), 1);
        assert_eq!(store.body(&left[0].response.as_ref().unwrap().body).unwrap(), b"same");
        assert_eq!(store.last_exchange().unwrap(), ids[1]);
    }

    /// Catches a suite that a recording takes the exchanges from.
    #[test]
    fn what_suites_have_is_in_use() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let session = |id: i64| Session {
            name: format!("s{id}"),
            by: "ip".to_owned(),
            client: String::new(),
            from: Moment(0),
            to: Moment(0),
            exchanges: vec![ExchangeId(id)],
            left_out: vec![ExchangeId(id + 1)],
            joined: Vec::new(),
            fresh: false,
        };
        store.save_suite(NewSuite::of("recorded", "recorded", [session(1)])).unwrap();
        store.save_suite(NewSuite::of("small", "reduce", [session(5)])).unwrap();
        assert_eq!(store.exchanges_in_use("recorded").unwrap(), [ExchangeId(5), ExchangeId(6)].into());
    }
}
