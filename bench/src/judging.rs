//! Two runs of the store → a comparison, as `restage test` makes it.

use std::collections::HashMap;

use restage_model::{BodyRef, Comparison, Key, Run, Step, StepAt};
use restage_oracle::{BodySource, Judged, Oracle, compare_runs};
use restage_store::Store;

use crate::Trouble;

/// Compares two runs; the baseline's check says what is noise.
pub fn judge(store: &Store, baseline: &Run, actual: &Run, oracle: &Oracle) -> Result<Comparison, Trouble> {
    let expected = store.steps(baseline.id)?;
    let steps = store.steps(actual.id)?;
    let check = baseline.check.map(|id| store.steps(id)).transpose()?;
    let sessions: Vec<String> = store.run_sessions(baseline.id)?.into_iter().map(|s| s.session).collect();
    let keys = keys(&expected);
    let judged = Judged {
        expected: (&baseline.name, &expected),
        check: check.as_deref(),
        actual: (&actual.name, &steps),
        sessions: &sessions,
        keys: &keys,
        oracle: &oracle.clone().into(),
        profile: None,
    };
    Ok(compare_runs(judged, &Bodies(store), &mut || {})?)
}

/// The key of each step.
pub(crate) fn keys(steps: &[Step]) -> HashMap<StepAt, Key> {
    steps.iter().map(|s| (s.at, Key::of(&s.sent.method, &s.sent.uri, ""))).collect()
}

/// The store as a source of bodies.
struct Bodies<'a>(&'a Store);

impl BodySource for Bodies<'_> {
    fn bytes(&self, body: &BodyRef) -> Result<Vec<u8>, Trouble> {
        Ok(self.0.body(body)?)
    }
}
