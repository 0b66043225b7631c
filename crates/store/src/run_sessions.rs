//! The sessions of a run: what they began from, and what they left behind.

use rusqlite::params;

use restage_model::{RunId, RunSession};

use crate::bodies::{body_ref, put};
use crate::exchanges::to_json;
use crate::runs::read_json;
use crate::{Store, StoreError};

impl Store {
    /// Stores a session's begin.
    pub fn add_run_session(&mut self, run: RunId, session: &RunSession) -> Result<(), StoreError> {
        let met = (!session.group.is_empty()).then(|| to_json(&session.group));
        self.connection
            .prepare_cached(
                "INSERT INTO run_session (run, ordinal, session, snapshot, met) VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![run.0, session.ordinal, session.session, session.snapshot, met])?;
        Ok(())
    }

    /// The sessions that a run replayed together: each group by the names of its sessions.
    pub fn groups_of_run(&self, run: RunId) -> Result<Vec<Vec<String>>, StoreError> {
        let sessions = self.run_sessions(run)?.into_iter();
        // Each once: as its first session has it.
        Ok(sessions.filter(|s| s.group.first() == Some(&s.session)).map(|s| s.group).collect())
    }

    /// Stores what a session left behind: the snapshot after it; and what the app wrote meanwhile, or the end of
    /// it, with how many bytes it wrote.
    pub fn end_run_session(
        &mut self,
        run: RunId,
        ordinal: u32,
        after: Option<&str>,
        log: &[u8],
        written: u64,
    ) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let body = put(&transaction, &self.packer, log)?;
        transaction
            .prepare_cached(
                "UPDATE run_session SET after = ?, log = ?, log_size = ?, log_cut = ? WHERE run = ? AND ordinal = ?",
            )?
            .execute(params![after, body, written, written > log.len() as u64, run.0, ordinal])?;
        transaction.commit()?;
        Ok(())
    }

    /// A run's sessions, in order.
    pub fn run_sessions(&self, run: RunId) -> Result<Vec<RunSession>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT ordinal, session, snapshot, after, log, log_size, log_cut, met FROM run_session WHERE run = ? ORDER BY ordinal",
        )?;
        let rows = statement.query_and_then([run.0], |r| -> Result<RunSession, StoreError> {
            let size: Option<u64> = r.get(5)?;
            let (id, cut): (Option<i64>, Option<bool>) = (r.get(4)?, r.get(6)?);
            let met: Option<String> = r.get(7)?;
            Ok(RunSession {
                ordinal: r.get(0)?,
                session: r.get(1)?,
                snapshot: r.get(2)?,
                after: r.get(3)?,
                log: size.map(|size| body_ref(id, size, cut.unwrap_or(false))),
                group: met.map_or(Ok(Vec::new()), |met| read_json("run's session", &met))?,
            })
        })?;
        rows.collect()
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{RunKind, StatePolicy};

    use super::*;
    use crate::NewRun;

    #[test]
    fn what_a_session_left_behind_reads_back_and_nothing_written_is_not_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let suite = store.save_suite(restage_model::NewSuite::of("recorded", "recorded", [])).unwrap().id;
        let new = NewRun {
            name: "r".to_owned(),
            kind: RunKind::Replay,
            suite,
            app: "default".to_owned(),
            policy: StatePolicy::Restore,
            as_recorded: false,
        };
        let run = store.begin_run(&new).unwrap();
        for ordinal in 0..3 {
            let session = RunSession { ordinal, session: format!("s{ordinal}"), ..RunSession::default() };
            store.add_run_session(run, &session).unwrap();
        }
        store.end_run_session(run, 0, Some("r/after s0"), b"oops", 400).unwrap();
        store.end_run_session(run, 1, None, b"", 0).unwrap();
        let sessions = store.run_sessions(run).unwrap();
        assert_eq!(sessions[0].after.as_deref(), Some("r/after s0"));
        let log = sessions[0].log.as_ref().unwrap();
        assert_eq!((log.size, log.cut), (400, true));
        assert_eq!(store.body(log).unwrap(), b"oops");
        assert_eq!(store.body(sessions[1].log.as_ref().unwrap()).unwrap(), b"");
        assert_eq!((&sessions[2].after, &sessions[2].log), (&None, &None));
        for ordinal in 3..5 {
            let group = vec!["s3".to_owned(), "s4".to_owned()];
            let session =
                RunSession { ordinal, session: format!("s{ordinal}"), group, ..RunSession::default() };
            store.add_run_session(run, &session).unwrap();
        }
        assert_eq!(store.groups_of_run(run).unwrap(), [["s3", "s4"]]);
        assert_eq!(store.run_sessions(run).unwrap()[4].group, ["s3", "s4"]);
    }
}
