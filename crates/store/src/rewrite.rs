//! Putting other values in place of what was stored: for secrets that were stored before they were known as such.
//!
//! It is the one exception to what is stored being only added to. What is replaced must not be found in the file afterwards, so that freed
//! pages are overwritten and the log of the last changes is emptied.

use rusqlite::{TransactionBehavior, params};

use restage_model::{Answer, BodyRef, Captured, CapturedBody, ExchangeId, RunId};

use crate::bodies::put;
use crate::exchanges::to_json;
use crate::removal::BODIES_IN_USE;
use crate::{ReplayedStep, Store, StoreError};

impl Store {
    /// The exchanges that were stored after one.
    pub fn exchanges_after(&self, after: ExchangeId) -> Result<Vec<ExchangeId>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT id FROM exchange WHERE id > ? ORDER BY id")?;
        let rows = statement.query_map([after.0], |row| row.get(0).map(ExchangeId))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// An exchange as it was on its way to the store.
    pub fn captured(&self, id: ExchangeId) -> Result<Captured, StoreError> {
        let exchange = self.exchange(id)?;
        let response = match exchange.response {
            Some(response) => Some((response.status, response.headers, self.captured_body(&response.body)?)),
            None => None,
        };
        Ok(Captured {
            at: exchange.at,
            took: exchange.took,
            client: exchange.client,
            method: exchange.request.method,
            uri: exchange.request.uri,
            body: self.captured_body(&exchange.request.body)?,
            headers: exchange.request.headers,
            response,
            error: exchange.error,
        })
    }

    fn captured_body(&self, body: &BodyRef) -> Result<CapturedBody, StoreError> {
        let bytes = self.body(body)?;
        // What was packed on the wire is longer here.
        let size = if body.cut { body.size.max(bytes.len() as u64 + 1) } else { bytes.len() as u64 };
        Ok(CapturedBody { bytes, size })
    }

    /// Puts other addresses, header fields and bodies in place of those of exchanges; all or none.
    pub fn rewrite_exchanges(&mut self, exchanges: &[(ExchangeId, Captured)]) -> Result<(), StoreError> {
        self.delete_securely()?;
        // Verdicts name the pages that exchanges asked for.
        self.forget_all_judgements()?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (id, captured) in exchanges {
            let body = put(&transaction, &self.packer, &captured.body.bytes)?;
            let (headers, answer) = match &captured.response {
                Some((_, headers, body)) => {
                    (Some(to_json(headers)), put(&transaction, &self.packer, &body.bytes)?)
                }
                None => (None, None),
            };
            transaction
                .prepare_cached(
                    "UPDATE exchange SET uri = ?, headers = ?, body = ?, response_headers = ?, response_body = ?, error = ? WHERE id = ?",
                )?
                .execute(params![captured.uri, to_json(&captured.headers), body, headers, answer, captured.error, id.0])?;
        }
        Ok(transaction.commit()?)
    }

    /// The steps of a run's session as they were on their way to the store.
    pub fn replayed_steps(&self, run: RunId, ordinal: u32) -> Result<Vec<ReplayedStep>, StoreError> {
        let replayed = |step: restage_model::Step| {
            Ok(ReplayedStep {
                at: step.at,
                exchange: step.exchange,
                body: self.body(&step.sent.body)?,
                method: step.sent.method,
                uri: step.sent.uri,
                headers: step.sent.headers,
                answer: match step.answer {
                    Answer::Received(received) => {
                        Ok((received.status, received.headers, self.body(&received.body)?.into()))
                    }
                    Answer::Failed(why) => Err(why),
                },
                substitutions: step.substitutions,
                stale: step.stale,
                took: step.took,
            })
        };
        self.steps_of_session(run, ordinal)?.into_iter().map(replayed).collect()
    }

    /// Puts a run's steps in place of those at the same places; all or none.
    pub fn rewrite_steps(&mut self, run: RunId, steps: &[ReplayedStep]) -> Result<(), StoreError> {
        self.delete_securely()?;
        self.forget_judgements(run)?;
        self.forget_fidelity(run)?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for step in steps {
            transaction
                .prepare_cached("DELETE FROM step WHERE run = ? AND session = ? AND ordinal = ?")?
                .execute(params![run.0, step.at.session, step.at.step])?;
            crate::runs::insert(&transaction, &self.packer, run, step)?;
        }
        Ok(transaction.commit()?)
    }

    /// Puts another log in place of a session's.
    pub fn rewrite_log(&mut self, run: RunId, ordinal: u32, log: &[u8]) -> Result<(), StoreError> {
        self.delete_securely()?;
        self.forget_judgements(run)?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let body = put(&transaction, &self.packer, log)?;
        transaction.execute(
            "UPDATE run_session SET log = ? WHERE run = ? AND ordinal = ?",
            params![body, run.0, ordinal],
        )?;
        Ok(transaction.commit()?)
    }

    /// Removes the bodies and header fields that nothing has any more, so that none of their bytes are left in the store's files.
    pub fn forget_unused(&mut self) -> Result<(), StoreError> {
        self.delete_securely()?;
        // SQLite would look through all tables for each body that goes; `BODIES_IN_USE` has, once for all.
        self.connection.pragma_update(None, "foreign_keys", "off")?;
        let removed = self.connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; DELETE FROM body WHERE id NOT IN ({BODIES_IN_USE}); \
             DELETE FROM header_set WHERE id NOT IN (\
                 SELECT CAST(headers AS INTEGER) FROM exchange WHERE headers GLOB '[0-9]*' \
                 UNION SELECT CAST(response_headers AS INTEGER) FROM exchange WHERE response_headers GLOB '[0-9]*'); \
             COMMIT;"
        ));
        self.connection.pragma_update(None, "foreign_keys", "on")?;
        removed?;
        self.header_sets.forget();
        self.empty_log()
    }

    /// Writes the whole store anew, so that nothing is left of what was removed at any time.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.connection.execute_batch("VACUUM")?;
        self.empty_log()
    }

    fn empty_log(&self) -> Result<(), StoreError> {
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// What is removed from now on is overwritten.
    pub(crate) fn delete_securely(&self) -> Result<(), StoreError> {
        self.connection.query_row("PRAGMA secure_delete = on", [], |_| Ok(()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchanges::tests::captured;

    /// Catches: what was replaced and is still in a body, in the log of changes or in a freed page.
    #[test]
    fn nothing_of_what_was_replaced_is_left_in_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("restage.db");
        let mut store = Store::open_or_create(&path).unwrap();
        let ids = store
            .append(&[captured("/a?password=hunter2", b"x hunter2 y"), captured("/b", b"other")])
            .unwrap();
        let mut changed = store.captured(ids[0]).unwrap();
        changed.uri = "/a?password=qwertz9".to_owned();
        if let Some((_, _, body)) = &mut changed.response {
            body.bytes = b"x qwertz9 y".to_vec();
        }
        store.rewrite_exchanges(&[(ids[0], changed)]).unwrap();
        store.forget_unused().unwrap();
        let read = store.captured(ids[0]).unwrap();
        assert_eq!(
            (read.uri.as_str(), read.response.unwrap().2.bytes),
            ("/a?password=qwertz9", b"x qwertz9 y".to_vec())
        );
        assert_eq!(store.captured(ids[1]).unwrap().response.unwrap().2.bytes, b"other");
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!bytes.windows(7).any(|window| window == b"hunter2"));
        }
    }
}
