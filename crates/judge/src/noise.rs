//! What varies on the trusted version.

use restage_model::{Run, RunKind};
use restage_oracle::{Judged, RunNoise};
use restage_store::{Store, StoreError};

use crate::bodies::Bodies;
use crate::keys::keys;
use crate::{JudgingError, Rules};

/// What is noise: what the check of the expected run shows to vary; or that of the newest baseline of the same suite, where the
/// run has none.
pub(crate) fn noise(
    store: &Store,
    expected: &Run,
    judged: Judged<'_>,
    rules: &Rules,
) -> Result<RunNoise, JudgingError> {
    if expected.check.is_some() {
        return Ok(RunNoise::learn(&judged, &Bodies(store))?);
    }
    let baseline = checked_baseline(store, expected)?.and_then(|run| run.check.map(|check| (run, check)));
    let Some((baseline, check)) = baseline else { return Ok(RunNoise::learn(&judged, &Bodies(store))?) };
    let (steps, check) = (store.steps(baseline.id)?, store.steps(check)?);
    let keys = keys(store, &steps, &rules.templates)?;
    let judged = Judged { expected: (&baseline.name, &steps), check: Some(&check), keys: &keys, ..judged };
    Ok(RunNoise::learn(&judged, &Bodies(store))?)
}

/// The newest baseline of the suite that a run replays, with its check.
pub(crate) fn checked_baseline(store: &Store, run: &Run) -> Result<Option<Run>, StoreError> {
    let is_it =
        |other: &Run| other.kind == RunKind::Baseline && other.suite == run.suite && other.check.is_some();
    Ok(store.runs()?.into_iter().rev().find(is_it))
}
