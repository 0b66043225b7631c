//! What a new baseline can be relied on for.

use std::collections::BTreeSet;

use restage_judge::{Comparison, Rules, VerdictSource};
use restage_model::{Fidelity, Groups, Suite};
use restage_replay::Baseline;
use restage_store::Store;

use crate::args::Global;
use crate::failure::Failure;
use crate::terminal::output::{self, count};
use crate::terminal::progress::note;
use crate::terminal::{fidelity, groups};

/// How many places of a kind are named.
const SHOWN_PLACES: usize = 8;

/// What differs between a baseline and its check, and which steps did not go as they were recorded.
pub(crate) struct BaselineSummary {
    run: String,
    check: String,
    /// Steps of which parts are masked.
    masked: usize,
    /// How many steps are judged by which weaker oracle.
    weaker_oracles: Vec<(String, usize)>,
    /// The oracle of the others.
    oracle: String,
    /// Parts of the state that vary.
    varying_state: BTreeSet<String>,
    stale: usize,
    unanswered: usize,
    fidelity: Fidelity,
    /// The sessions that were replayed together.
    groups: Groups,
}

impl BaselineSummary {
    /// Of a baseline that was compared with its check.
    pub(crate) fn of(
        store: &Store,
        (baseline, groups): (&Baseline, Groups),
        comparison: &Comparison,
        rules: &Rules,
        fidelity: Fidelity,
    ) -> Result<Self, Failure> {
        let (mut varying_state, mut stale) = (BTreeSet::new(), 0);
        comparison.verdicts(store, rules).each_session(&mut |session| {
            stale += session.verdicts.iter().filter(|v| v.stale.is_some()).count();
            varying_state.extend(session.aftermath.into_iter().flat_map(|a| a.masked).map(|m| m.place));
        })?;
        Ok(Self {
            run: baseline.run.name.clone(),
            check: baseline.check.name.clone(),
            masked: comparison.counts.masked,
            weaker_oracles: comparison.weaker_oracles.clone(),
            oracle: rules.oracle.to_string(),
            varying_state,
            stale,
            unanswered: store.unanswered_count(baseline.run.id)?,
            fidelity,
            groups,
        })
    }

    /// Steps that two runs of the same version answer differently, beyond what can be masked.
    fn noisy(&self) -> usize {
        self.weaker_oracles.iter().map(|(_, steps)| steps).sum()
    }

    /// Steps of which only the status and the redirect can be judged.
    fn judged_by_flow_alone(&self) -> usize {
        let flow = |oracle: &str| matches!(oracle, "Flist" | "nothing");
        self.weaker_oracles.iter().find(|(oracle, _)| flow(oracle)).map_or(0, |(_, steps)| *steps)
    }

    /// Prints it.
    pub(crate) fn print(&self, global: &Global, suite: &Suite, app: &str) {
        let run = &self.run;
        if global.json {
            return output::json(&serde_json::json!({
                "run": run,
                "check": self.check,
                "sessions": suite.sessions.len(),
                "steps": suite.steps(),
                "masked": self.masked,
                "noisy": self.noisy(),
                "judged_by_flow_alone": self.judged_by_flow_alone(),
                "stale": self.stale,
                "unanswered": self.unanswered,
                "refused": fidelity::refused(&self.fidelity),
                "fidelity": self.fidelity,
                "groups": self.groups,
                "masked_state": self.varying_state,
            }));
        }
        let (steps, sessions) = (count(suite.steps(), "step"), count(suite.sessions.len(), "session"));
        output::line(&format!("{run}: {steps} in {sessions} on `{app}`"));
        groups::print(&self.groups);
        fidelity::print(&self.fidelity);
        self.print_noise(global);
        if self.stale > 0 {
            output::line(&format!(
                "  stale, because the live pages do not offer what was used: {}; `restage runs show {run} --stale` lists them",
                count(self.stale, "step")
            ));
        }
        if self.unanswered > 0 {
            output::line(&format!(
                "  unanswered by the trusted version: {}, which cannot be tested; `restage runs show {run}` says why",
                count(self.unanswered, "step")
            ));
        }
        note(global, "next: change the application, then run `restage test`");
    }

    fn print_noise(&self, global: &Global) {
        if self.masked > 0 {
            output::line(&format!(
                "  masked, because they vary between two runs of the same version: parts of {}; `restage calibrate` learns more",
                count(self.masked, "step")
            ));
        }
        if self.noisy() > 0 {
            let by: Vec<String> =
                self.weaker_oracles.iter().map(|(oracle, n)| format!("{n} by {oracle}")).collect();
            output::line(&format!(
                "  noisy, because two runs of the same version differ: {}; judged by a weaker oracle than {}: {}",
                count(self.noisy(), "step"),
                self.oracle,
                by.join(", ")
            ));
        }
        if self.judged_by_flow_alone() > 0 {
            output::line(&format!(
                "  judged only by status and redirects: {}",
                count(self.judged_by_flow_alone(), "step")
            ));
            note(
                global,
                "  hint: this much noise often means that [state] does not list all that the application keeps",
            );
        }
        if !self.varying_state.is_empty() {
            output::line(&format!(
                "  masked, because the state after a session varies: {}",
                listed(self.varying_state.iter())
            ));
        }
    }
}

/// The first few of a list, and how many more there are.
fn listed<'a>(all: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = all.len().saturating_sub(SHOWN_PLACES);
    let shown = all.take(SHOWN_PLACES).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
