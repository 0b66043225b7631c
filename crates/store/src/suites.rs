//! Named lists of sessions.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::Serialize;

use restage_model::{Moment, NewSession, NewStep, NewSuite, Session, Suite, SuiteId};

use crate::bodies::Packer;
use crate::exchanges::to_json;
use crate::made::put_made;
use crate::{Store, StoreError};

/// A suite in a listing.
#[derive(Clone, Debug, Serialize)]
pub struct SuiteSummary {
    /// Its name in the store.
    pub id: SuiteId,
    /// The name users give it.
    pub name: String,
    /// When it was made.
    pub created: Moment,
    /// How it came about.
    pub origin: String,
    /// Its sessions.
    pub sessions: u64,
}

impl Store {
    /// Stores a suite, and what it has that nobody recorded. The same name with the same sessions is the same suite; the
    /// same name with other sessions becomes the newest of that name.
    pub fn save_suite(&mut self, new: NewSuite) -> Result<Suite, StoreError> {
        let mut names = HashSet::with_capacity(new.sessions.len());
        if let Some(twice) = new.sessions.iter().find(|session| !names.insert(session.name.as_str())) {
            return Err(StoreError::Twice { suite: new.name, session: twice.name.clone() });
        }
        drop(names);
        let behavior = if new.has_new_requests() {
            TransactionBehavior::Immediate
        } else {
            TransactionBehavior::Deferred
        };
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        let NewSuite { name, origin, sessions } = new;
        let sessions = sessions.into_iter().map(|session| stored(&transaction, &self.packer, session));
        let sessions = sessions.collect::<Result<Vec<Session>, StoreError>>()?;
        // Each is written out twice, rather than all being held as text.
        let mut hasher = blake3::Hasher::new();
        for session in &sessions {
            hasher.update(to_json(session).as_bytes()).update(b"\n");
        }
        let digest = hasher.finalize();
        let known: Option<i64> = transaction
            .query_row(
                "SELECT id FROM suite WHERE name = ? AND digest = ?",
                params![name, digest.as_bytes()],
                |r| r.get(0),
            )
            .optional()?;
        let id = match known {
            Some(id) => id,
            None => insert(&transaction, &name, &origin, &digest, &sessions)?,
        };
        transaction.commit()?;
        self.suite_with(SuiteId(id), sessions)
    }

    /// A suite that was saved with these sessions.
    fn suite_with(&self, id: SuiteId, sessions: Vec<Session>) -> Result<Suite, StoreError> {
        let (name, created, origin) = self.connection.query_row(
            "SELECT name, created, origin FROM suite WHERE id = ?",
            [id.0],
            |r| Ok((r.get(0)?, Moment(r.get(1)?), r.get(2)?)),
        )?;
        Ok(Suite { id, name, created, origin, sessions })
    }

    /// A suite with its sessions.
    pub fn suite(&self, id: SuiteId) -> Result<Suite, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT session FROM suite_session WHERE suite = ? ORDER BY ordinal")?;
        let rows = statement.query_and_then([id.0], |row| -> Result<Session, StoreError> {
            let text: String = row.get(0)?;
            serde_json::from_str(&text).map_err(|e| StoreError::Unreadable(format!("suite {}: {e}", id.0)))
        })?;
        self.suite_with(id, rows.collect::<Result<_, _>>()?)
    }

    /// Removes a suite of which there is no run; what is in its sessions stays.
    pub fn remove_suite(&mut self, id: SuiteId) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute("DELETE FROM suite_session WHERE suite = ?", [id.0])?;
        transaction.execute("DELETE FROM suite WHERE id = ?", [id.0])?;
        Ok(transaction.commit()?)
    }

    /// The newest suite of a name.
    pub fn suite_named(&self, name: &str) -> Result<Option<SuiteId>, StoreError> {
        Ok(self
            .connection
            .query_row("SELECT id FROM suite WHERE name = ? ORDER BY id DESC LIMIT 1", [name], |r| r.get(0))
            .optional()?
            .map(SuiteId))
    }

    /// Keeps what the command that made a suite did, as JSON; the newest word counts.
    pub fn set_receipt(&mut self, suite: SuiteId, receipt: &str) -> Result<(), StoreError> {
        self.connection.execute("UPDATE suite SET receipt = ? WHERE id = ?", params![receipt, suite.0])?;
        Ok(())
    }

    /// What the command that made a suite did, as JSON; none where it left no word.
    pub fn receipt(&self, suite: SuiteId) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT receipt FROM suite WHERE id = ?")?;
        Ok(statement.query_row([suite.0], |row| row.get(0)).optional()?.flatten())
    }

    /// The newest suite of each name.
    pub fn suites(&self) -> Result<Vec<SuiteSummary>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT s.id, s.name, s.created, s.origin, \
             (SELECT count(*) FROM suite_session WHERE suite = s.id) \
             FROM suite s WHERE s.id = (SELECT max(id) FROM suite WHERE name = s.name) ORDER BY s.id",
        )?;
        let rows = statement.query_map([], |r| {
            Ok(SuiteSummary {
                id: SuiteId(r.get(0)?),
                name: r.get(1)?,
                created: Moment(r.get(2)?),
                origin: r.get(3)?,
                sessions: r.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

fn insert(
    connection: &Connection,
    name: &str,
    origin: &str,
    digest: &blake3::Hash,
    sessions: &[Session],
) -> Result<i64, StoreError> {
    connection.execute(
        "INSERT INTO suite (name, digest, created, origin) VALUES (?, ?, ?, ?)",
        params![name, digest.as_bytes(), Moment::now().0, origin],
    )?;
    let id = connection.last_insert_rowid();
    for (ordinal, session) in sessions.iter().enumerate() {
        connection
            .prepare_cached("INSERT INTO suite_session (suite, ordinal, session) VALUES (?, ?, ?)")?
            .execute(params![id, ordinal, to_json(session)])?;
    }
    Ok(id)
}

/// A session with its new requests stored.
fn stored(connection: &Connection, packer: &Packer, new: NewSession) -> Result<Session, StoreError> {
    let steps = new.steps.into_iter().map(|step| match step {
        NewStep::Stored(id) => Ok(id),
        NewStep::New(request) => put_made(connection, packer, &request),
    });
    Ok(Session {
        exchanges: steps.collect::<Result<_, StoreError>>()?,
        name: new.name,
        by: new.by,
        client: new.client,
        from: new.from,
        to: new.to,
        left_out: new.left_out,
        joined: new.joined,
        fresh: new.fresh,
    })
}

#[cfg(test)]
mod tests {
    use restage_model::ExchangeId;

    use super::*;

    fn session(first: i64) -> Session {
        Session {
            name: format!("s{first}"),
            by: "ip+agent".to_owned(),
            client: "127.0.0.1".to_owned(),
            from: Moment(first),
            to: Moment(first + 1),
            exchanges: vec![ExchangeId(first), ExchangeId(first + 1)],
            left_out: Vec::new(),
            joined: Vec::new(),
            fresh: false,
        }
    }

    fn save<const N: usize>(store: &mut Store, name: &str, origin: &str, sessions: [Session; N]) -> SuiteId {
        store.save_suite(NewSuite::of(name, origin, sessions)).unwrap().id
    }

    /// Catches two snapshots of one name: a session's is named after it.
    #[test]
    fn two_sessions_of_one_name_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let twice = NewSuite::of("small", "reduce", [session(1), session(1)]);
        assert!(matches!(store.save_suite(twice), Err(StoreError::Twice { .. })));
    }

    #[test]
    fn a_suite_that_grows_leaves_the_old_one_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let old = save(&mut store, "recorded", "recorded", [session(1)]);
        assert_eq!(save(&mut store, "recorded", "recorded", [session(1)]), old);
        let new = save(&mut store, "recorded", "recorded", [session(1), session(5)]);
        assert_ne!(old, new);
        assert_eq!(store.suite(old).unwrap().sessions, [session(1)]);
        assert_eq!(store.suite_named("recorded").unwrap(), Some(new));
        assert_eq!(store.suites().unwrap().len(), 1);
    }

    /// Catches a receipt that goes to another suite of the same name.
    #[test]
    fn a_receipt_stays_with_its_suite() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let one = save(&mut store, "small", "reduce", [session(1)]);
        let two = save(&mut store, "small", "reduce", [session(5)]);
        store.set_receipt(one, "{}").unwrap();
        assert_eq!(store.receipt(one).unwrap().as_deref(), Some("{}"));
        assert_eq!(store.receipt(two).unwrap(), None);
    }
}
