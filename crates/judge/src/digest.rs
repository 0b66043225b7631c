//! What a judgement goes by: two judgements of the same runs with the same digest are the same.

use restage_model::Run;
use restage_store::Store;

use crate::aftermath::trusted_runs;
use crate::noise::Trusted;
use crate::{JudgingError, Rules};

/// Counts up when the same rules judge otherwise than before, so that what was judged before is judged anew.
const FORMAT: u32 = 2;

/// The digest of all that a verdict hangs on, but for what is accepted or ignored: that is no part of what is kept.
pub(crate) fn digest(
    store: &Store,
    expected: &Run,
    actual: &Run,
    trusted: &Trusted,
    rules: &Rules,
) -> Result<Vec<u8>, JudgingError> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: String| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    };
    add(format!("{FORMAT} {}", env!("CARGO_PKG_VERSION")));
    let Rules { oracle, keys, profile, aftermath, accepted: _, ignored: _, fail_on: _ } = rules;
    add(format!("{oracle:?}"));
    add(format!("{keys:?}"));
    add(format!("{profile:?}"));
    add(format!(
        "{:?} {} {}",
        aftermath.masks,
        aftermath.snapshot_store.is_some(),
        aftermath.cover.is_some()
    ));
    let after = trusted_runs(store, expected)?;
    for run in [expected, actual, &trusted.run].into_iter().chain(&after) {
        // Ids may be given again.
        let Run { id, name, started, finished, check, .. } = run;
        add(format!("{id:?} {name} {started:?} {finished:?} {check:?}"));
    }
    Ok(hasher.finalize().as_bytes().to_vec())
}
