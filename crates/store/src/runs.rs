//! What was replayed.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::de::DeserializeOwned;

use restage_model::{
    Answer, ExchangeId, Headers, Moment, Received, Run, RunId, RunKind, RunState, Sent, StatePolicy, Step,
    StepAt, Substitution, SuiteId,
};

use crate::bodies::{Packer, body_ref, put};
use crate::exchanges::{origin, to_json};
use crate::facts::forget_unused_facts;
use crate::{Store, StoreError};

/// A run about to begin.
#[derive(Clone, Debug)]
pub struct NewRun {
    /// The name users give it.
    pub name: String,
    /// What it is for.
    pub kind: RunKind,
    /// What is replayed.
    pub suite: SuiteId,
    /// The app it runs on.
    pub app: String,
    /// What happens to the state between sessions.
    pub policy: StatePolicy,
    /// Whether requests are sent as they were recorded, without live values.
    pub as_recorded: bool,
}

/// A step on its way to the store: its bodies still with it.
#[derive(Clone, Debug)]
pub struct ReplayedStep {
    /// Its place in the run.
    pub at: StepAt,
    /// The exchange it replays.
    pub exchange: ExchangeId,
    /// The method sent.
    pub method: String,
    /// The path and query sent.
    pub uri: String,
    /// The header fields sent.
    pub headers: Headers,
    /// The body sent.
    pub body: Vec<u8>,
    /// Status, header fields and decoded body that came back; or why none did.
    pub answer: Result<(u16, Headers, Arc<Vec<u8>>), String>,
    /// Which values were taken from the live application.
    pub substitutions: Vec<Substitution>,
    /// Why the live application did not offer what the recorded request used, where it did not.
    pub stale: Option<String>,
    /// Microseconds from sending to the end of the response.
    pub took: u64,
}

const RUN: &str = "SELECT r.id, r.name, r.kind, r.suite, s.name, r.app, r.policy, r.started, r.finished, \
     r.state, r.checked, r.as_recorded FROM run r JOIN suite s ON s.id = r.suite";

const STEP: &str = "SELECT session, ordinal, exchange, method, uri, headers, body, body_size, status, \
     response_headers, response_body, response_size, error, substitutions, stale, took, \
     (SELECT origin FROM exchange WHERE id = step.exchange) FROM step";

impl Store {
    /// Begins a run. Its name must be free.
    pub fn begin_run(&mut self, new: &NewRun) -> Result<RunId, StoreError> {
        if self.run_named(&new.name)?.is_some() {
            return Err(StoreError::Taken { kind: "run", name: new.name.clone() });
        }
        self.connection.execute(
            "INSERT INTO run (name, kind, suite, app, policy, started, state, as_recorded) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                new.name,
                new.kind.name(),
                new.suite.0,
                new.app,
                new.policy.name(),
                Moment::now().0,
                to_json(&RunState::Unfinished),
                new.as_recorded
            ],
        )?;
        Ok(RunId(self.connection.last_insert_rowid()))
    }

    /// Ends a run.
    pub fn finish_run(&mut self, run: RunId, state: &RunState) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE run SET finished = ?, state = ? WHERE id = ?",
            params![Moment::now().0, to_json(state), run.0],
        )?;
        Ok(())
    }

    /// Says which run checked a baseline.
    pub fn set_check(&mut self, baseline: RunId, check: RunId) -> Result<(), StoreError> {
        self.connection.execute("UPDATE run SET checked = ? WHERE id = ?", params![check.0, baseline.0])?;
        Ok(())
    }

    /// Stores steps, all or none of them.
    pub fn add_steps(&mut self, run: RunId, steps: &[ReplayedStep]) -> Result<(), StoreError> {
        let transaction =
            self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        for step in steps {
            insert(&transaction, &self.packer, run, step)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Every run, oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{RUN} ORDER BY r.id"))?;
        statement.query_and_then([], run)?.collect()
    }

    /// The run of a name.
    pub fn run_named(&self, name: &str) -> Result<Option<Run>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{RUN} WHERE r.name = ?"))?;
        statement.query_and_then([name], run)?.next().transpose()
    }

    /// A run by its id.
    pub fn run(&self, id: RunId) -> Result<Run, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{RUN} WHERE r.id = ?"))?;
        statement
            .query_and_then([id.0], run)?
            .next()
            .unwrap_or_else(|| Err(StoreError::Unreadable(format!("run {} is missing", id.0))))
    }

    /// A run's steps, in order.
    pub fn steps(&self, run: RunId) -> Result<Vec<Step>, StoreError> {
        let mut statement =
            self.connection.prepare_cached(&format!("{STEP} WHERE run = ? ORDER BY session, ordinal"))?;
        statement.query_and_then([run.0], step)?.collect()
    }

    /// The steps of a run's session, in order.
    pub fn steps_of_session(&self, run: RunId, ordinal: u32) -> Result<Vec<Step>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("{STEP} WHERE run = ? AND session = ? ORDER BY ordinal"))?;
        statement.query_and_then(params![run.0, ordinal], step)?.collect()
    }

    /// How many steps each session of a run has, of those that have any, by their places.
    pub fn step_counts(&self, run: RunId) -> Result<Vec<(u32, usize)>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT session, count(*) FROM step WHERE run = ? GROUP BY session ORDER BY session",
        )?;
        Ok(statement.query_map([run.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }

    /// How many steps a run has.
    pub fn step_count(&self, run: RunId) -> Result<u64, StoreError> {
        Ok(self.connection.query_row("SELECT count(*) FROM step WHERE run = ?", [run.0], |r| r.get(0))?)
    }

    /// How many steps of a run got no answer.
    pub fn unanswered_count(&self, run: RunId) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM step WHERE run = ? AND status IS NULL";
        Ok(self.connection.query_row(sql, [run.0], |r| r.get(0))?)
    }

    /// One step.
    pub fn step(&self, run: RunId, at: StepAt) -> Result<Option<Step>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("{STEP} WHERE run = ? AND session = ? AND ordinal = ?"))?;
        statement.query_and_then(params![run.0, at.session, at.step], step)?.next().transpose()
    }

    /// Removes a run, its steps with their facts, and what was judged with it. Bodies stay: other runs may share them.
    pub fn remove_run(&mut self, run: RunId) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        let check: Option<i64> = transaction
            .query_row("SELECT checked FROM run WHERE id = ?", [run.0], |r| r.get(0))
            .optional()?
            .flatten();
        transaction.execute("UPDATE run SET checked = NULL WHERE id = ?1 OR checked = ?1", [run.0])?;
        for id in [Some(run.0), check].into_iter().flatten() {
            transaction.execute("DELETE FROM judgement WHERE expected = ?1 OR actual = ?1", [id])?;
            for table in ["step", "run_session"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE run = ?"), [id])?;
            }
            transaction.execute("DELETE FROM run WHERE id = ?", [id])?;
        }
        forget_unused_facts(&transaction)?;
        transaction.commit()?;
        Ok(())
    }
}

/// Stores one step.
pub(crate) fn insert(
    connection: &Connection,
    packer: &Packer,
    run: RunId,
    step: &ReplayedStep,
) -> Result<(), StoreError> {
    let body = put(connection, packer, &step.body)?;
    let (status, headers, answer, size, error) = match &step.answer {
        Ok((status, headers, bytes)) => {
            (Some(*status), Some(to_json(headers)), put(connection, packer, bytes)?, bytes.len(), None)
        }
        Err(error) => (None, None, None, 0, Some(error)),
    };
    connection
        .prepare_cached(
            "INSERT INTO step (run, session, ordinal, exchange, method, uri, headers, body, body_size, \
             status, response_headers, response_body, response_size, error, substitutions, stale, took) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            run.0,
            step.at.session,
            step.at.step,
            step.exchange.0,
            step.method,
            step.uri,
            to_json(&step.headers),
            body,
            step.body.len(),
            status,
            headers,
            answer,
            size,
            error,
            to_json(&step.substitutions),
            step.stale,
            step.took,
        ])?;
    Ok(())
}

fn run(row: &Row<'_>) -> Result<Run, StoreError> {
    let id: i64 = row.get(0)?;
    let bad = |e: String| StoreError::Unreadable(format!("run {id}: {e}"));
    Ok(Run {
        id: RunId(id),
        name: row.get(1)?,
        kind: row.get::<_, String>(2)?.parse::<RunKind>().map_err(bad)?,
        suite: SuiteId(row.get(3)?),
        suite_name: row.get(4)?,
        app: row.get(5)?,
        policy: row.get::<_, String>(6)?.parse::<StatePolicy>().map_err(bad)?,
        started: Moment(row.get(7)?),
        finished: row.get::<_, Option<i64>>(8)?.map(Moment),
        state: read_json("run", &row.get::<_, String>(9)?)?,
        check: row.get::<_, Option<i64>>(10)?.map(RunId),
        as_recorded: row.get(11)?,
    })
}

fn step(row: &Row<'_>) -> Result<Step, StoreError> {
    let status: Option<u16> = row.get(8)?;
    let answer = match status {
        Some(status) => Answer::Received(Received {
            status,
            headers: read_json("step", &row.get::<_, String>(9)?)?,
            body: body_ref(row.get(10)?, row.get(11)?, false),
        }),
        None => Answer::Failed(row.get::<_, Option<String>>(12)?.unwrap_or_default()),
    };
    Ok(Step {
        at: StepAt { session: row.get(0)?, step: row.get(1)? },
        exchange: ExchangeId(row.get(2)?),
        sent: Sent {
            method: row.get(3)?,
            uri: row.get(4)?,
            headers: read_json("step", &row.get::<_, String>(5)?)?,
            body: body_ref(row.get(6)?, row.get(7)?, false),
        },
        answer,
        substitutions: read_json("step", &row.get::<_, String>(13)?)?,
        stale: row.get(14)?,
        took: row.get(15)?,
        origin: origin(row.get(2)?, row.get(16)?)?,
    })
}

pub(crate) fn read_json<T: DeserializeOwned>(what: &str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|e| StoreError::Unreadable(format!("a {what}: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_reads_back_and_its_name_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
        let suite = store.save_suite(restage_model::NewSuite::of("recorded", "recorded", [])).unwrap().id;
        store.connection.execute_batch(
            "INSERT INTO exchange VALUES (7, 0, 0, '', 'GET', '/', '[]', NULL, 0, 0, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL)",
        ).unwrap();
        let new = NewRun {
            name: "r".to_owned(),
            kind: RunKind::Replay,
            suite,
            app: "default".to_owned(),
            policy: StatePolicy::Keep,
            as_recorded: true,
        };
        let run = store.begin_run(&new).unwrap();
        assert!(store.run(run).unwrap().as_recorded);
        assert!(matches!(store.begin_run(&new), Err(StoreError::Taken { .. })));
        let at = StepAt { session: 0, step: 1 };
        let draft = ReplayedStep {
            at,
            exchange: ExchangeId(7),
            method: "GET".to_owned(),
            uri: "/x".to_owned(),
            headers: Headers::new(),
            body: Vec::new(),
            answer: Ok((200, Headers::new(), Arc::new(b"page".to_vec()))),
            substitutions: Vec::new(),
            stale: Some("gone".to_owned()),
            took: 5,
        };
        store.add_steps(run, &[draft]).unwrap();
        let step = store.step(run, at).unwrap().unwrap();
        assert_eq!(store.body(&step.answer.received().unwrap().body).unwrap(), b"page");
        assert_eq!(step.stale.as_deref(), Some("gone"));
        store.finish_run(run, &RunState::Broken("why".to_owned())).unwrap();
        assert_eq!(store.run(run).unwrap().state, RunState::Broken("why".to_owned()));
        store.remove_run(run).unwrap();
        assert!(store.runs().unwrap().is_empty());
    }
}
