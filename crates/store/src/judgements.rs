//! What judging two runs gave, step by step, kept with the pair of them.
//!
//! Kept is what differs, before anything is accepted or ignored: that is applied whenever it is read, so that accepting a change needs no pages.
//! A judgement goes by the digest of the rules it was made by, and is there only when it is finished.

use rusqlite::{OptionalExtension, params};

use restage_model::{Aftermath, Moment, RunId, StepAt, Verdict};

use crate::exchanges::to_json;
use crate::runs::read_json;
use crate::{Store, StoreError};

/// So many judgements of a pair of runs are kept: by other oracles, say.
const KEPT: u32 = 4;
/// So many verdicts are stored at once.
const BATCH: usize = 256;

/// Names a judgement in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgementId(i64);

/// A judgement on its way to the store. It is kept once it is finished.
#[derive(Debug)]
pub struct NewJudgement<'s> {
    store: &'s Store,
    id: JudgementId,
    runs: (RunId, RunId),
    waiting: Vec<(StepAt, String)>,
    aftermaths: Vec<(u32, String)>,
}

impl Store {
    /// The newest finished judgement of two runs by rules with this digest.
    pub fn judgement(
        &self,
        expected: RunId,
        actual: RunId,
        digest: &[u8],
    ) -> Result<Option<JudgementId>, StoreError> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT id FROM judgement WHERE expected = ? AND actual = ? AND digest = ? AND finished NOT NULL \
                 ORDER BY id DESC LIMIT 1",
            )?
            .query_row(params![expected.0, actual.0, digest], |row| row.get(0).map(JudgementId))
            .optional()?)
    }

    /// The newest finished judgement of a run, and the run that was right.
    pub fn newest_judgement(&self, actual: RunId) -> Result<Option<(JudgementId, RunId)>, StoreError> {
        let newest = "SELECT id, expected FROM judgement WHERE actual = ? AND finished NOT NULL ORDER BY id DESC LIMIT 1";
        Ok(self
            .connection
            .prepare_cached(newest)?
            .query_row([actual.0], |row| Ok((JudgementId(row.get(0)?), RunId(row.get(1)?))))
            .optional()?)
    }

    /// Begins a judgement of two runs.
    pub fn begin_judgement(
        &self,
        expected: RunId,
        actual: RunId,
        digest: &[u8],
    ) -> Result<NewJudgement<'_>, StoreError> {
        self.connection.execute(
            "INSERT INTO judgement (expected, actual, digest) VALUES (?, ?, ?)",
            params![expected.0, actual.0, digest],
        )?;
        let id = JudgementId(self.connection.last_insert_rowid());
        Ok(NewJudgement {
            store: self,
            id,
            runs: (expected, actual),
            waiting: Vec::new(),
            aftermaths: Vec::new(),
        })
    }

    /// The sessions of a judgement that have a verdict or an aftermath, by their place in the expected run.
    pub fn judged_sessions(&self, judgement: JudgementId) -> Result<Vec<u32>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT session FROM verdict WHERE judgement = ?1 UNION \
             SELECT session FROM aftermath WHERE judgement = ?1 ORDER BY session",
        )?;
        Ok(statement.query_map([judgement.0], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The verdicts on a session's steps, in order, before anything is accepted or ignored.
    pub fn verdicts(&self, judgement: JudgementId, session: u32) -> Result<Vec<Verdict>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT detail FROM verdict WHERE judgement = ? AND session = ? ORDER BY ordinal",
        )?;
        statement
            .query_and_then(params![judgement.0, session], |row| {
                read_json("verdict", &row.get::<_, String>(0)?)
            })?
            .collect()
    }

    /// The verdict on what a session left behind, before anything is accepted or ignored.
    pub fn aftermath(&self, judgement: JudgementId, session: u32) -> Result<Option<Aftermath>, StoreError> {
        self.connection
            .prepare_cached("SELECT detail FROM aftermath WHERE judgement = ? AND session = ?")?
            .query_and_then(params![judgement.0, session], |row| {
                read_json("aftermath", &row.get::<_, String>(0)?)
            })?
            .next()
            .transpose()
    }

    /// Forgets all that was judged with a run: its steps are no longer what they were.
    pub(crate) fn forget_judgements(&self, run: RunId) -> Result<(), StoreError> {
        self.connection
            .prepare_cached("DELETE FROM judgement WHERE expected = ?1 OR actual = ?1")?
            .execute([run.0])?;
        Ok(())
    }

    /// Forgets all that was ever judged.
    pub(crate) fn forget_all_judgements(&self) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM judgement", [])?;
        Ok(())
    }
}

impl NewJudgement<'_> {
    /// Adds the verdicts on steps, and on what their session left behind.
    pub fn add(&mut self, verdicts: &[Verdict], aftermath: Option<&Aftermath>) -> Result<(), StoreError> {
        self.waiting.extend(verdicts.iter().map(|verdict| (verdict.at, to_json(verdict))));
        self.aftermaths.extend(aftermath.map(|aftermath| (aftermath.ordinal, to_json(aftermath))));
        if self.waiting.len() + self.aftermaths.len() >= BATCH { self.write() } else { Ok(()) }
    }

    /// Keeps it, in place of the oldest of these two runs where there are many.
    pub fn finish(mut self) -> Result<JudgementId, StoreError> {
        self.write()?;
        let connection = &self.store.connection;
        connection
            .execute("UPDATE judgement SET finished = ? WHERE id = ?", params![Moment::now().0, self.id.0])?;
        connection.execute(
            "DELETE FROM judgement WHERE expected = ?1 AND actual = ?2 AND id NOT IN \
             (SELECT id FROM judgement WHERE expected = ?1 AND actual = ?2 ORDER BY id DESC LIMIT ?3)",
            params![self.runs.0.0, self.runs.1.0, KEPT],
        )?;
        Ok(self.id)
    }

    /// Batches keep the recorder, which may write to the same store, from waiting for long.
    fn write(&mut self) -> Result<(), StoreError> {
        let transaction = self.store.connection.unchecked_transaction()?;
        for (at, detail) in self.waiting.drain(..) {
            transaction
                .prepare_cached(
                    "INSERT INTO verdict (judgement, session, ordinal, detail) VALUES (?, ?, ?, ?)",
                )?
                .execute(params![self.id.0, at.session, at.step, detail])?;
        }
        for (session, detail) in self.aftermaths.drain(..) {
            transaction
                .prepare_cached("INSERT INTO aftermath (judgement, session, detail) VALUES (?, ?, ?)")?
                .execute(params![self.id.0, session, detail])?;
        }
        Ok(transaction.commit()?)
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{Key, Outcome, RunKind, StatePolicy};

    use super::*;
    use crate::NewRun;

    fn verdict(session: u32, step: u32) -> Verdict {
        Verdict {
            at: StepAt { session, step },
            session: format!("s{session}"),
            key: Key::of("GET", "/", ""),
            outcome: Outcome::Pass,
            oracle: "D".to_owned(),
            weakened: false,
            differences: Vec::new(),
            accepted: Vec::new(),
            ignored: Vec::new(),
            masked: Vec::new(),
            stale: None,
            old_wording: Vec::new(),
            masked_share: restage_model::MaskedShare::default(),
        }
    }

    fn runs(store: &mut Store) -> (RunId, RunId) {
        let suite = store.save_suite(restage_model::NewSuite::of("recorded", "recorded", [])).unwrap().id;
        let mut run = |name: &str| {
            let new = NewRun {
                name: name.to_owned(),
                kind: RunKind::Replay,
                suite,
                app: "default".to_owned(),
                policy: StatePolicy::Keep,
                as_recorded: false,
            };
            store.begin_run(&new).unwrap()
        };
        (run("a"), run("b"))
    }

    #[test]
    fn what_is_judged_is_read_back_once_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let (a, b) = runs(&mut store);
        let mut new = store.begin_judgement(a, b, b"rules").unwrap();
        new.add(&[verdict(0, 0), verdict(0, 1)], None).unwrap();
        assert_eq!(store.judgement(a, b, b"rules").unwrap(), None);
        new.add(&[verdict(2, 0)], None).unwrap();
        let id = new.finish().unwrap();
        assert_eq!(store.judgement(a, b, b"rules").unwrap(), Some(id));
        assert_eq!(store.judgement(a, b, b"others").unwrap(), None);
        assert_eq!(store.judgement(b, a, b"rules").unwrap(), None);
        assert_eq!(store.newest_judgement(b).unwrap(), Some((id, a)));
        assert_eq!(store.newest_judgement(a).unwrap(), None);
        assert_eq!(store.judged_sessions(id).unwrap(), [0, 2]);
        assert_eq!(store.verdicts(id, 0).unwrap(), [verdict(0, 0), verdict(0, 1)]);
        assert_eq!(store.aftermath(id, 0).unwrap(), None);
    }

    /// Catches: judgements that fill the store, and verdicts of a run that is gone.
    #[test]
    fn the_oldest_go_and_so_do_those_of_a_run_that_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let (a, b) = runs(&mut store);
        for rules in 0..6u8 {
            let mut new = store.begin_judgement(a, b, &[rules]).unwrap();
            new.add(&[verdict(0, 0)], None).unwrap();
            new.finish().unwrap();
        }
        let kept: Vec<bool> = (0..6u8).map(|r| store.judgement(a, b, &[r]).unwrap().is_some()).collect();
        assert_eq!(kept, [false, false, true, true, true, true]);
        store.remove_run(b).unwrap();
        let left = |table: &str| -> u64 {
            store.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |r| r.get(0)).unwrap()
        };
        assert_eq!((left("judgement"), left("verdict")), (0, 0));
    }
}
