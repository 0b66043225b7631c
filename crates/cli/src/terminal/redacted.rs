//! Secrets that were replaced, for people; and the progress of looking for them.

use std::collections::BTreeMap;

use indicatif::ProgressBar;
use restage_capture::Redacting;
use restage_model::ExchangeId;
use restage_project::SweepProgress;
use restage_store::Store;

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::progress;

/// Replaces secrets in what was stored after an exchange, before they were known as such; how many were replaced in all, by
/// kind.
pub(crate) fn sweep(
    global: &Global,
    store: &mut Store,
    redacting: &Redacting,
    after: ExchangeId,
) -> Result<BTreeMap<String, u64>, Failure> {
    let mut bar = ProgressBar::hidden();
    let replaced = restage_project::sweep(store, redacting, after, |progress| match progress {
        SweepProgress::Begins { exchanges } => bar = progress::bar(global, "looking for secrets", exchanges),
        SweepProgress::Exchange => bar.inc(1),
    })?;
    bar.finish_and_clear();
    Ok(replaced)
}

/// `3 passwords, 12 tokens`; nothing where nothing was replaced.
pub(crate) fn in_words(redacted: &BTreeMap<String, u64>) -> Option<String> {
    let parts: Vec<String> = redacted.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    (!parts.is_empty()).then(|| format!("replaced by stand-ins: {}", parts.join(", ")))
}
