//! Judging two runs, with a bar that shows how far it is.

use restage_judge::{Comparison, JudgeEvent, Rules};
use restage_model::Run;
use restage_store::Store;

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::output::count;
use crate::terminal::progress;

/// Compares two runs: the call of `restage_judge`, with a bar.
pub(crate) fn judge(
    global: &Global,
    store: &Store,
    expected: &Run,
    actual: &Run,
    rules: &Rules,
) -> Result<Comparison, Failure> {
    let bar = progress::bar(global, "comparing", 0);
    let comparison = restage_judge::judge(store, expected, actual, rules, &mut |event| match event {
        JudgeEvent::Steps(steps) => bar.set_length(steps as u64),
        JudgeEvent::Step => bar.inc(1),
    })?;
    bar.finish_and_clear();
    if let Some((replayed, all)) = comparison.replayed {
        let all = count(all, "session");
        progress::note(
            global,
            format!("note: `{}` has {replayed} of the suite's {all}; the others are not judged", actual.name),
        );
    }
    Ok(comparison)
}
