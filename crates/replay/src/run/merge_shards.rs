//! The runs of a suite's shards, made on several machines, become one run.

use std::collections::BTreeMap;

use restage_facts::FactsReport;
use restage_model::{Answer, Run, RunId, RunKind, RunSession, RunState, Suite, SuiteId};
use restage_state::{SnapshotCopier, SnapshotStore};
use restage_store::{NewRun, ReplayedStep, Store, StoreError};
use thiserror::Error;

use crate::run::snapshots::AFTER;

/// How many steps are copied at a time.
const BATCH: usize = 64;

/// A run to be merged, and where it is kept where that is elsewhere.
pub struct Piece<'a> {
    /// The run.
    pub run: Run,
    /// The other store, and the other snapshot store where there is one.
    pub elsewhere: Option<(&'a Store, Option<SnapshotStore>)>,
}

/// What came of merging.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The run.
    pub run: Run,
    /// How many sessions of the suite are in none of the runs.
    pub missing: usize,
    /// How many sessions' states could not be taken along.
    pub without_state: usize,
}

/// Why runs could not be merged.
#[derive(Debug, Error)]
pub enum MergeError {
    /// They were not replayed alike.
    #[error(
        "`{first}` and `{other}` cannot be merged: {what}\n  hint: merge the runs of one suite's shards, on the same app and with the same state policy"
    )]
    Different {
        /// One run.
        first: String,
        /// Another.
        other: String,
        /// In what they differ.
        what: String,
    },
    /// What was replayed is not recorded here.
    #[error(
        "`{run}` replays what is not recorded in this store\n  hint: shards are merged where the same recording is: begin every machine from a copy of this store"
    )]
    OtherRecording {
        /// The run.
        run: String,
    },
    /// A session is in two of the runs.
    #[error("session {session} is in `{first}` and in `{other}`\n  hint: name each shard once")]
    Overlap {
        /// The session.
        session: String,
        /// One run.
        first: String,
        /// Another.
        other: String,
    },
    /// Sessions are in none of the runs.
    #[error("{} of the suite's {of} sessions are in none of these runs: {}\n  hint: name the runs of all shards; --allow-missing merges what there is", sessions.len(), listed(sessions))]
    Missing {
        /// They.
        sessions: Vec<String>,
        /// How many the suite has.
        of: usize,
    },
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn listed(names: &[String]) -> String {
    let shown = names.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > 5 { format!("{shown}, …") } else { shown }
}

/// Merges runs into a new one of this name: each session at its place in the suite, with its steps, its log and the
/// snapshot after it.
pub fn merge_runs(
    store: &mut Store,
    snapshot_store: &mut SnapshotStore,
    mut pieces: Vec<Piece<'_>>,
    name: &str,
    allow_missing: bool,
) -> Result<Merged, MergeError> {
    let suite = common_suite(store, &pieces)?;
    let missing = missing_sessions(store, &suite, &pieces)?;
    let first = &pieces[0].run;
    if !missing.is_empty() && !allow_missing {
        return Err(MergeError::Missing { sessions: missing, of: suite.sessions.len() });
    }
    let new = NewRun {
        name: name.to_owned(),
        kind: RunKind::Replay,
        suite: suite.id,
        app: first.app.clone(),
        policy: first.policy,
        as_recorded: first.as_recorded,
    };
    let run = store.begin_run(&new)?;
    match copy_all(store, snapshot_store, &mut pieces, name, run) {
        Ok(without_state) => {
            store.finish_run(run, &state(&pieces))?;
            Ok(Merged { run: store.run(run)?, missing: missing.len(), without_state })
        }
        Err(error) => {
            // Half a run is none. What made it fail is the failure to tell of.
            let _ = store.remove_run(run);
            Err(error)
        }
    }
}

/// Copies all of them into a run; how many sessions' states could not be taken along.
fn copy_all(
    store: &mut Store,
    snapshot_store: &mut SnapshotStore,
    pieces: &mut [Piece<'_>],
    name: &str,
    run: RunId,
) -> Result<usize, MergeError> {
    let mut without_state = 0;
    copy_facts(store, pieces, run)?;
    for piece in pieces {
        let sessions = copy_steps(store, piece, run)?;
        without_state += copy_states(snapshot_store, piece, name, sessions, |session, log, size| {
            store.add_run_session(run, session)?;
            // What a group left behind is its first session's.
            if session.after.is_none() && session.log.is_none() {
                return Ok(());
            }
            store.end_run_session(run, session.ordinal, session.after.as_deref(), log, size)
        })?;
    }
    Ok(without_state)
}

fn source<'a>(store: &'a Store, piece: &'a Piece<'_>) -> &'a Store {
    piece.elsewhere.as_ref().map_or(store, |(other, _)| other)
}

/// The suite that all of them replay, as this store has it.
fn common_suite(store: &mut Store, pieces: &[Piece<'_>]) -> Result<Suite, MergeError> {
    let mut common: Option<(Suite, &Run)> = None;
    for piece in pieces {
        let suite = source(store, piece).suite(piece.run.suite)?;
        let Some((known, first)) = &common else {
            common = Some((suite, &piece.run));
            continue;
        };
        let run = &piece.run;
        let differs = |what: &str, one: &dyn std::fmt::Display, other: &dyn std::fmt::Display| {
            let what = format!("they have another {what}, {one} and {other}");
            MergeError::Different { first: first.name.clone(), other: run.name.clone(), what }
        };
        if (&known.name, &known.sessions) != (&suite.name, &suite.sessions) {
            return Err(differs("suite", &known.name, &format!("another {}", suite.name)));
        }
        if first.app != run.app {
            return Err(differs("app", &first.app, &run.app));
        }
        if first.policy != run.policy {
            return Err(differs("state policy", &first.policy, &run.policy));
        }
    }
    let (mut suite, first) = common.ok_or_else(|| StoreError::Unreadable("no run was named".to_owned()))?;
    let elsewhere = pieces.iter().find_map(|piece| piece.elsewhere.as_ref());
    if let Some((other, _)) = elsewhere {
        for id in suite.sessions.iter().flat_map(|session| &session.exchanges) {
            let theirs = other.exchange(*id)?;
            let ours = store.exchange(*id).ok();
            if ours.is_none_or(|ours| (ours.at, &ours.request.uri) != (theirs.at, &theirs.request.uri)) {
                return Err(MergeError::OtherRecording { run: first.name.clone() });
            }
        }
        suite = store.save_suite(suite.into())?;
    }
    if pieces.iter().any(|piece| piece.elsewhere.is_none()) {
        suite.id = own_suite(pieces).unwrap_or(suite.id);
    }
    Ok(suite)
}

fn own_suite(pieces: &[Piece<'_>]) -> Option<SuiteId> {
    pieces.iter().find(|piece| piece.elsewhere.is_none()).map(|piece| piece.run.suite)
}

/// The sessions that are in none of the runs; an error where one is in two.
fn missing_sessions(store: &Store, suite: &Suite, pieces: &[Piece<'_>]) -> Result<Vec<String>, MergeError> {
    let mut held: BTreeMap<u32, &str> = BTreeMap::new();
    for piece in pieces {
        for session in source(store, piece).run_sessions(piece.run.id)? {
            if let Some(first) = held.insert(session.ordinal, &piece.run.name) {
                return Err(MergeError::Overlap {
                    session: session.session,
                    first: first.to_owned(),
                    other: piece.run.name.clone(),
                });
            }
        }
    }
    let all = (0..).zip(&suite.sessions).filter(|(ordinal, _)| !held.contains_key(ordinal));
    Ok(all.map(|(_, session)| session.name.clone()).collect())
}

/// Takes along what the server did, and joins what became of asking for it.
fn copy_facts(store: &mut Store, pieces: &[Piece<'_>], run: RunId) -> Result<(), StoreError> {
    let mut joined: Option<FactsReport> = None;
    for piece in pieces {
        let Some(report) = source(store, piece).facts_report(piece.run.id)? else { continue };
        joined.get_or_insert_with(FactsReport::default).join(report);
        for at in source(store, piece).steps_with_facts(piece.run.id)? {
            if let Some(facts) = source(store, piece).step_facts(piece.run.id, at)? {
                store.add_step_facts(run, &[(at, facts)])?;
            }
        }
        let outlines: Vec<_> = source(store, piece).outlines(piece.run.id)?.into_values().collect();
        store.add_outlines(run, &outlines)?;
    }
    joined.map_or(Ok(()), |report| store.save_facts_report(run, &report))
}

/// A session, what the app wrote in it, and how many bytes that were.
type Left = (RunSession, Vec<u8>, u64);

fn copy_steps(store: &mut Store, piece: &Piece<'_>, run: RunId) -> Result<Vec<Left>, MergeError> {
    let steps = source(store, piece).steps(piece.run.id)?;
    for batch in steps.chunks(BATCH) {
        let from = source(store, piece);
        let mut copies = Vec::with_capacity(batch.len());
        for step in batch {
            let answer = match &step.answer {
                Answer::Received(r) => Ok((r.status, r.headers.clone(), from.body(&r.body)?.into())),
                Answer::Failed(why) => Err(why.clone()),
            };
            copies.push(ReplayedStep {
                at: step.at,
                exchange: step.exchange,
                method: step.sent.method.clone(),
                uri: step.sent.uri.clone(),
                headers: step.sent.headers.clone(),
                body: from.body(&step.sent.body)?,
                answer,
                substitutions: step.substitutions.clone(),
                stale: step.stale.clone(),
                took: step.took,
            });
        }
        store.add_steps(run, &copies)?;
    }
    let from = source(store, piece);
    let mut sessions = Vec::new();
    for session in from.run_sessions(piece.run.id)? {
        let (log, size) = match &session.log {
            Some(log) => (from.body(log)?, log.size),
            None => (Vec::new(), 0),
        };
        sessions.push((session, log, size));
    }
    Ok(sessions)
}

/// Copies a snapshot to another name; whether it could.
type Copy<'a> = dyn FnMut(&str, &str) -> bool + 'a;

/// Takes along the states after the sessions, under the merged run's name; how many could not be.
fn copy_states(
    snapshot_store: &mut SnapshotStore,
    piece: &mut Piece<'_>,
    name: &str,
    sessions: Vec<Left>,
    mut keep: impl FnMut(&RunSession, &[u8], u64) -> Result<(), StoreError>,
) -> Result<usize, MergeError> {
    let mut without = 0;
    let mut copies: Vec<(String, String)> = Vec::new();
    let mut kept: Vec<Left> = Vec::new();
    for (mut session, log, size) in sessions {
        if let Some(after) = session.after.take() {
            let copy = format!("{name}/{AFTER}{}", session.session);
            copies.push((after, copy.clone()));
            session.after = Some(copy);
        }
        kept.push((session, log, size));
    }
    let mut copy: Box<Copy<'_>> = match &mut piece.elsewhere {
        None => Box::new(|from: &str, to: &str| snapshot_store.copy(from, to).is_ok()),
        Some((_, None)) => Box::new(|_: &str, _: &str| false),
        Some((_, Some(other))) => {
            let mut copier = SnapshotCopier::new(other, snapshot_store);
            Box::new(move |from: &str, to: &str| copier.copy(from, to).is_ok())
        }
    };
    let failed: Vec<&String> = copies.iter().filter(|(from, to)| !copy(from, to)).map(|(_, to)| to).collect();
    for (session, log, size) in &mut kept {
        if session.after.as_ref().is_some_and(|after| failed.contains(&after)) {
            session.after = None;
            without += 1;
        }
        keep(session, log, *size)?;
    }
    Ok(without)
}

/// Complete where all of them are.
fn state(pieces: &[Piece<'_>]) -> RunState {
    let why = |piece: &Piece<'_>| match &piece.run.state {
        RunState::Complete => None,
        RunState::Unfinished => Some(format!("{} did not come to its end", piece.run.name)),
        RunState::Broken(why) => Some(format!("{}: {why}", piece.run.name)),
    };
    let broken: Vec<String> = pieces.iter().filter_map(why).collect();
    if broken.is_empty() { RunState::Complete } else { RunState::Broken(broken.join("; ")) }
}
