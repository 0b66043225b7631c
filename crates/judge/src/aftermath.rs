//! What sessions left behind, compared: the state after them (the state oracle), and the errors in what the app
//! wrote meanwhile (the error oracle on logs).

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use restage_model::{Aftermath, Difference, Masked, MaskedRows, Outcome, Run, RunId, RunSession};
use restage_oracle::{ServerError, find_logged_errors, unexpected_errors};
use restage_redact::Redactor;
use restage_state::{Comparer, MaskedState, SnapshotStore, StateMasks};
use restage_store::{Store, StoreError};

use crate::JudgingError;
use crate::left_out::LeftOut;
use crate::noise::checked_baseline;
use crate::session_pairs::SessionPair;

/// What errors in logs are seen by.
const LOG: &str = "Log";

/// How what sessions left behind is judged.
#[derive(Clone, Debug, Default)]
pub struct AftermathRules {
    /// Where snapshots are kept; none where states are not compared.
    pub snapshot_store: Option<PathBuf>,
    /// What is known to vary in the state, beside what two runs of the trusted version show.
    pub masks: StateMasks,
    /// Covers the secrets that the application's data holds.
    pub cover: Option<Arc<Mutex<Redactor>>>,
}

impl AftermathRules {
    /// Opens the snapshot store, where there is one.
    pub fn snapshot_store(&self) -> Result<Option<SnapshotStore>, JudgingError> {
        let path = self.snapshot_store.as_ref().filter(|path| path.exists());
        Ok(path.map(|path| SnapshotStore::open_to_read(path)).transpose()?)
    }
}

/// Judges what sessions left behind, one after the other. What two runs of the trusted version show to vary is masked.
pub(crate) struct AftermathJudge<'a> {
    store: &'a Store,
    rules: &'a AftermathRules,
    /// The errors in what the trusted version logged.
    known: Vec<ServerError>,
    /// None where states are not compared.
    states: Option<(Comparer<'a>, StateMasks)>,
}

impl<'a> AftermathJudge<'a> {
    /// Learns what varies; `pairs` are the sessions to be judged.
    pub(crate) fn new(
        store: &'a Store,
        expected: &Run,
        pairs: &[SessionPair],
        rules: &'a AftermathRules,
        snapshot_store: Option<&'a mut SnapshotStore>,
    ) -> Result<Self, JudgingError> {
        let trusted = trusted_runs(store, expected)?;
        let known = errors_of(store, std::iter::once(expected).chain(&trusted))?;
        let begin_alike = pairs.iter().filter_map(|p| p.known.as_ref()).any(|(was, is)| same_start(was, is));
        let states = match snapshot_store {
            Some(snapshot_store) if begin_alike => {
                let mut comparer = Comparer::new(snapshot_store);
                let mut masks = rules.masks.clone();
                masks.merge(learn_state(store, &mut comparer, &trusted, &LeftOut::default())?);
                Some((comparer, masks))
            }
            _ => None,
        };
        if let Some(cover) = &rules.cover {
            cover.lock().unwrap_or_else(PoisonError::into_inner).made_before(store.stand_ins()?);
        }
        Ok(Self { store, rules, known, states })
    }

    /// Judges a session; none where too little is known of what it left behind.
    pub(crate) fn judge(
        &mut self,
        was: &RunSession,
        is: &RunSession,
    ) -> Result<Option<Aftermath>, JudgingError> {
        let mut aftermath = Aftermath {
            ordinal: was.ordinal,
            session: was.session.clone(),
            outcome: Outcome::Pass,
            differences: Vec::new(),
            accepted: Vec::new(),
            ignored: Vec::new(),
            masked: Vec::new(),
            masked_rows: MaskedRows::default(),
        };
        let mut judged = false;
        if let (Some((comparer, masks)), Some(after), Some(now)) = (&mut self.states, &was.after, &is.after)
            && same_start(was, is)
            // One may have been removed by hand.
            && comparer.has(after)?
            && comparer.has(now)?
        {
            judged = true;
            let compared = comparer.compare(after, now, &masks.of_session(&was.session))?;
            aftermath.differences.extend(compared.differences);
            aftermath.masked.extend(compared.masked.into_iter().map(masked));
            aftermath.masked_rows = compared.rows;
        }
        if let (Some(_), Some(log)) = (&was.log, &is.log) {
            judged = true;
            let errors = find_logged_errors(&self.store.body(log)?);
            let new = unexpected_errors(&self.known, &errors).into_iter();
            aftermath.differences.extend(new.map(|d| Difference { seen_by: vec![LOG.to_owned()], ..d }));
        }
        if let Some(cover) = &self.rules.cover {
            let mut redactor = cover.lock().unwrap_or_else(PoisonError::into_inner);
            aftermath.differences.iter_mut().for_each(|difference| covered(&mut redactor, difference));
        }
        if !aftermath.differences.is_empty() {
            aftermath.outcome = Outcome::Fail;
        }
        Ok(judged.then_some(aftermath))
    }
}

/// What varies in the state from run to run of the same version, learnt from any number of runs that began their
/// sessions from the same snapshots. The sessions of `left_out` tell nothing in that run.
pub fn learn_state(
    store: &Store,
    comparer: &mut Comparer<'_>,
    runs: &[Run],
    left_out: &LeftOut,
) -> Result<StateMasks, JudgingError> {
    let mut known: Vec<(RunId, Vec<RunSession>)> = Vec::new();
    for run in runs {
        known.push((run.id, store.run_sessions(run.id)?));
    }
    let Some((_, first)) = known.first() else { return Ok(StateMasks::default()) };
    let mut others: HashMap<&str, Vec<&RunSession>> = HashMap::new();
    for (run, sessions) in &known[1..] {
        for session in sessions.iter().filter(|session| !left_out.has(*run, session.ordinal)) {
            others.entry(&session.session).or_default().push(session);
        }
    }
    let mut sessions = Vec::new();
    for session in first {
        let again = others.get(session.session.as_str()).into_iter().flatten();
        let again = again.copied().filter(|s| same_start(session, s));
        let mut snapshots: Vec<String> = Vec::new();
        for name in std::iter::once(session).chain(again).filter_map(|s| s.after.as_ref()) {
            if comparer.has(name)? {
                snapshots.push(name.clone());
            }
        }
        sessions.push((session.session.clone(), snapshots));
    }
    Ok(comparer.learn_by_session(&sessions)?)
}

/// The runs of the trusted version: the expected one and its check, or those that it took its snapshots from.
pub(crate) fn trusted_runs(store: &Store, expected: &Run) -> Result<Vec<Run>, StoreError> {
    let with_check = |run: Run| -> Result<Vec<Run>, StoreError> {
        let check = run.check.map(|id| store.run(id)).transpose()?;
        Ok(check.into_iter().fold(vec![run], |mut runs, check| {
            runs.push(check);
            runs
        }))
    };
    if expected.check.is_some() {
        return with_check(expected.clone());
    }
    // `baseline-1/s17` is of the run `baseline-1`.
    let first = store.run_sessions(expected.id)?.into_iter().find_map(|s| s.snapshot);
    let name = first.as_deref().and_then(|name| name.rsplit_once('/')).map(|(run, _)| run);
    let of_name = name.map(|name| store.run_named(name)).transpose()?.flatten();
    // One that took none goes by the newest of its suite.
    match of_name.map_or_else(|| checked_baseline(store, expected), |run| Ok(Some(run)))? {
        Some(baseline) => with_check(baseline),
        None => Ok(Vec::new()),
    }
}

/// Whether two sessions began from the same state, together with the same others: else what they left behind tells nothing.
pub(crate) fn same_start(was: &RunSession, is: &RunSession) -> bool {
    was.snapshot.is_some() && was.snapshot == is.snapshot && was.group == is.group
}

/// The errors in all that these runs logged, each once.
fn errors_of<'a>(store: &Store, runs: impl Iterator<Item = &'a Run>) -> Result<Vec<ServerError>, StoreError> {
    let mut errors: Vec<ServerError> = Vec::new();
    for run in runs {
        for log in store.run_sessions(run.id)?.into_iter().filter_map(|s| s.log) {
            for error in find_logged_errors(&store.body(&log)?) {
                if !errors.contains(&error) {
                    errors.push(error);
                }
            }
        }
    }
    Ok(errors)
}

/// Puts stand-ins in place of the secrets that a difference tells of.
fn covered(redactor: &mut Redactor, difference: &mut Difference) {
    difference.cover(&mut |text| redactor.redact_text(text));
}

fn masked(found: MaskedState) -> Masked {
    let MaskedState { place, expected, actual } = found;
    Masked { place, expected, actual }
}
