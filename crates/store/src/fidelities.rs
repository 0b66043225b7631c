//! How faithful runs were to the recording, session by session, kept with the run.

use rusqlite::params;

use restage_model::{Fidelity, RunId, SessionFidelity};

use crate::exchanges::to_json;
use crate::runs::read_json;
use crate::{Store, StoreError};

impl Store {
    /// Keeps the measure of a run, in place of an earlier one.
    pub fn save_fidelity(
        &mut self,
        run: RunId,
        sessions: &[(u32, SessionFidelity)],
    ) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        transaction.execute("DELETE FROM fidelity WHERE run = ?", [run.0])?;
        for (ordinal, session) in sessions {
            transaction
                .prepare_cached("INSERT INTO fidelity (run, session, detail) VALUES (?, ?, ?)")?
                .execute(params![run.0, ordinal, to_json(session)])?;
        }
        Ok(transaction.commit()?)
    }

    /// The measure of a run; none where it was not measured.
    pub fn fidelity(&self, run: RunId) -> Result<Option<Fidelity>, StoreError> {
        let mut statement =
            self.connection.prepare_cached("SELECT detail FROM fidelity WHERE run = ? ORDER BY session")?;
        let sessions: Vec<SessionFidelity> = statement
            .query_and_then([run.0], |row| read_json("measure of fidelity", &row.get::<_, String>(0)?))?
            .collect::<Result<_, StoreError>>()?;
        Ok((!sessions.is_empty()).then(|| Fidelity::of(sessions)))
    }

    /// Forgets the measure of a run: its steps are no longer what they were.
    pub(crate) fn forget_fidelity(&self, run: RunId) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM fidelity WHERE run = ?")?.execute([run.0])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{Cause, CauseKind, Departure, LeftAt, RunKind, StatePolicy};

    use super::*;
    use crate::NewRun;

    #[test]
    fn a_measure_reads_back_and_goes_with_its_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let suite = store.save_suite(restage_model::NewSuite::of("recorded", "recorded", [])).unwrap().id;
        let new = NewRun {
            name: "r".to_owned(),
            kind: RunKind::Replay,
            suite,
            app: "default".to_owned(),
            policy: StatePolicy::Keep,
            as_recorded: false,
        };
        let run = store.begin_run(&new).unwrap();
        assert_eq!(store.fidelity(run).unwrap(), None);
        let left = LeftAt::new(2, "POST", "/login?next=/", Departure::Status { was: 302, is: 200 });
        let astray = SessionFidelity {
            name: "s7".to_owned(),
            steps: 3,
            as_recorded: 1,
            left_at: Some(left),
            cause: Some(Cause {
                kind: CauseKind::RefusedLogin,
                began_at: None,
                explanation: "refused".to_owned(),
                remedy: "give it".to_owned(),
            }),
            differing: vec![2, 3],
        };
        let faithful =
            SessionFidelity { name: "s1".to_owned(), steps: 2, as_recorded: 2, ..Default::default() };
        store.save_fidelity(run, &[(1, astray.clone()), (0, faithful.clone())]).unwrap();
        let read = store.fidelity(run).unwrap().unwrap();
        assert_eq!(read.sessions, [faithful, astray]);
        assert_eq!((read.steps, read.as_recorded, read.percent(), read.is_whole()), (5, 3, 60, false));
        store.remove_run(run).unwrap();
        assert_eq!(store.fidelity(run).unwrap(), None);
    }
}
