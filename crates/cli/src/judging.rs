//! Two runs of the store → a comparison.

use std::collections::HashMap;

use restage_model::{BodyRef, Comparison, Key, PathTemplates, Run, RunKind, Step, StepAt};
use restage_oracle::{
    BodySource, Judged, Oracle, OracleRules, Profile, RunNoise, compare_runs, compare_runs_knowing,
    group_changes,
};
use restage_state::StateMasks;
use restage_store::{Store, StoreError};

use crate::aftermath::{AftermathRules, aftermaths};
use crate::cli::Global;
use crate::failure::Failure;
use crate::part;
use crate::profile::{self, ProfileFile};
use crate::progress;
use crate::project::Project;
use crate::shard;

/// The store as a source of bodies.
pub(crate) struct Bodies<'a>(pub(crate) &'a Store);

impl BodySource for Bodies<'_> {
    fn bytes(&self, body: &BodyRef) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.0.body(body)?)
    }
}

/// Compares two runs, step by step and what each session left behind; a baseline's check says what is noise.
pub(crate) fn judge(
    global: &Global,
    store: &Store,
    expected: &Run,
    actual: &Run,
    rules: &Rules,
) -> Result<Comparison, Failure> {
    let (expected_steps, actual_steps) = part::steps(store, expected, actual)?;
    let check = expected.check.map(|id| store.steps(id)).transpose()?;
    let sessions: Vec<String> = store.suite(expected.suite)?.sessions.into_iter().map(|s| s.name).collect();
    let keys = keys(store, &expected_steps, &rules.templates)?;
    let judged = Judged {
        expected: (&expected.name, &expected_steps),
        check: check.as_deref(),
        actual: (&actual.name, &actual_steps),
        sessions: &sessions,
        keys: &keys,
        oracle: &rules.oracle,
        profile: rules.profile.as_ref(),
    };
    let bar = progress::bar(global, "comparing", expected_steps.len());
    let mut comparison = match noise_of_baseline(store, expected, judged, &rules.templates)? {
        Some(noise) => compare_runs_knowing(&noise, judged, &Bodies(store), &mut || bar.inc(1))?,
        None => compare_runs(judged, &Bodies(store), &mut || bar.inc(1))?,
    };
    shard::leave_out_not_asked_for(global, store, actual, &sessions, &mut comparison)?;
    comparison.aftermaths = aftermaths(store, expected, actual, &rules.aftermath)?;
    comparison.changes = group_changes(&comparison.verdicts, &comparison.aftermaths);
    bar.finish_and_clear();
    Ok(comparison)
}

/// What is noise, where the expected run has no check: what the newest baseline of the same suite shows to vary.
fn noise_of_baseline(
    store: &Store,
    expected: &Run,
    judged: Judged<'_>,
    templates: &PathTemplates,
) -> Result<Option<RunNoise>, Failure> {
    if expected.check.is_some() {
        return Ok(None);
    }
    let baseline = checked_baseline(store, expected)?.and_then(|run| run.check.map(|check| (run, check)));
    let Some((baseline, check)) = baseline else { return Ok(None) };
    let (steps, check) = (store.steps(baseline.id)?, store.steps(check)?);
    let keys = keys(store, &steps, templates)?;
    let judged = Judged { expected: (&baseline.name, &steps), check: Some(&check), keys: &keys, ..judged };
    Ok(Some(RunNoise::learn(&judged, &Bodies(store))?))
}

/// The newest baseline of the suite that a run replays, with its check.
pub(crate) fn checked_baseline(store: &Store, run: &Run) -> Result<Option<Run>, StoreError> {
    let is_it =
        |other: &Run| other.kind == RunKind::Baseline && other.suite == run.suite && other.check.is_some();
    Ok(store.runs()?.into_iter().rev().find(is_it))
}

/// By what answers are judged.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) oracle: OracleRules,
    /// How pages are named, beside what their paths tell.
    pub(crate) templates: PathTemplates,
    /// What is known to vary, where `restage calibrate` found out.
    pub(crate) profile: Option<Profile>,
    /// What sessions left behind.
    pub(crate) aftermath: AftermathRules,
}

impl Rules {
    /// The oracle asked for, which then judges all pages; or the project's own rules, and for pages without one what
    /// its profile says.
    pub(crate) fn of(project: &Project, given: Option<&str>) -> Result<Self, Failure> {
        let comparators = project.config.comparators().map_err(Failure::user)?;
        let mut oracle = project.config.oracle_rules().map_err(Failure::user)?;
        let (profile, state) = match profile::read(project)? {
            Some(ProfileFile { pages, state }) => (Some(Profile { pages }), state),
            None => (None, StateMasks::default()),
        };
        match (given, &profile) {
            (Some(text), _) => {
                oracle.rules.clear();
                oracle.default = Oracle::parse(text, &comparators)?;
            }
            (None, Some(profile)) => oracle.rules.extend(profile::oracles(project, profile, &comparators)?),
            (None, None) => {}
        }
        Ok(Self {
            oracle,
            templates: project.config.path_templates(),
            profile,
            aftermath: AftermathRules::of(project, &state)?,
        })
    }
}

/// The key of each step's recorded request.
pub(crate) fn keys(
    store: &Store,
    steps: &[Step],
    templates: &PathTemplates,
) -> Result<HashMap<StepAt, Key>, StoreError> {
    let mut keys = HashMap::new();
    for step in steps {
        let request = store.exchange(step.exchange)?.request;
        let is_form = request.headers.media_type().as_deref() == Some("application/x-www-form-urlencoded");
        let form = if is_form { store.body(&request.body)? } else { Vec::new() };
        keys.insert(
            step.at,
            Key::by(templates, &request.method, &request.uri, &String::from_utf8_lossy(&form)),
        );
    }
    Ok(keys)
}
