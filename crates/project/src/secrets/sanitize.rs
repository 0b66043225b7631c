//! Secrets out of a store that was made without redaction, or with fewer rules.

use std::collections::BTreeMap;

use restage_capture::Redacting;
use restage_model::ExchangeId;
use restage_replay::{cover, cover_facts};
use restage_store::Store;

use super::redaction::{SweepProgress, redacted_counts};
use crate::error::ProjectError;
use crate::maps::sanitize_maps;
use crate::project::Project;

/// What was replaced in a store.
#[derive(Clone, Debug)]
pub struct Sanitized {
    /// Recorded exchanges that had secrets.
    pub exchanges: u64,
    /// Steps of runs that had secrets.
    pub steps: u64,
    /// How many secrets were replaced, by kind.
    pub secrets: BTreeMap<String, u64>,
}

/// Replaces the secrets of a store by stand-ins. No byte of them is left in its file.
pub fn sanitize(
    project: &Project,
    store: &mut Store,
    mut progress: impl FnMut(SweepProgress),
) -> Result<Sanitized, ProjectError> {
    let redacting = Redacting::new(project.recording_redactor()?, store)?;
    let exchanges = store.exchanges_after(ExchangeId(0))?.len();
    progress(SweepProgress::Begins { exchanges: exchanges * 2 });
    // What a late exchange tells of is looked for in the earlier ones, too.
    let first = redacting.sweep(store, ExchangeId(0), || progress(SweepProgress::Exchange))?;
    let second = redacting.sweep(store, ExchangeId(0), || progress(SweepProgress::Exchange))?;
    let steps = sanitize_runs(store, &redacting)?;
    sanitize_maps(store, &mut redacting.redactor())?;
    let secrets = redacted_counts(&redacting);
    if !secrets.is_empty() {
        store.forget_unused()?;
    }
    store.compact()?;
    Ok(Sanitized { exchanges: first.max(second), steps, secrets })
}

/// Covers what replays sent and got; how many steps had anything.
fn sanitize_runs(store: &mut Store, redacting: &Redacting) -> Result<u64, ProjectError> {
    let mut redactor = redacting.redactor();
    redactor.sanitize_runs_from_now_on();
    let mut changed_steps = 0;
    for run in store.runs()? {
        let mut counted = 0;
        for (ordinal, _) in store.step_counts(run.id)? {
            let mut changed = Vec::new();
            for mut step in store.replayed_steps(run.id, ordinal)? {
                if cover(&mut redactor, &mut step) {
                    changed.push(step);
                }
            }
            store.add_stand_ins(&redactor.take_fresh())?;
            store.rewrite_steps(run.id, &changed)?;
            counted += changed.len() as u64;
        }
        for at in store.steps_with_facts(run.id)? {
            let Some(mut facts) = store.step_facts(run.id, at)? else { continue };
            if cover_facts(&mut redactor, &mut facts) {
                store.rewrite_step_facts(run.id, &[(at, facts)])?;
            }
        }
        let mut logs = Vec::new();
        for session in store.run_sessions(run.id)? {
            let Some(log) = session.log else { continue };
            if let Some(covered) = redactor.redact_text(&String::from_utf8_lossy(&store.body(&log)?)) {
                logs.push((session.ordinal, covered));
            }
        }
        store.add_stand_ins(&redactor.take_fresh())?;
        for (ordinal, log) in logs {
            store.rewrite_log(run.id, ordinal, log.as_bytes())?;
        }
        changed_steps += counted;
    }
    Ok(changed_steps)
}
