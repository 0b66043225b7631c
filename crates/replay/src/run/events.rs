//! The events that a replay tells of.

use restage_facts::FactsReport;
use restage_model::RunEvent;
use restage_store::ReplayedStep;

/// Who is told of what happens during a run, as it happens.
pub type EventSink<'a> = dyn FnMut(&RunEvent) + 'a;

/// A step was replayed, or given up.
pub(crate) fn step_replayed(session: &str, step: &ReplayedStep) -> RunEvent {
    RunEvent::StepReplayed {
        session: session.to_owned(),
        step: step.at.step + 1,
        status: step.answer.as_ref().ok().map(|(status, ..)| *status),
        error: step.answer.as_ref().err().cloned(),
        live_values: step.substitutions.len(),
        stale: step.stale.is_some(),
        took: step.took,
    }
}

/// What became of asking for facts.
pub(crate) fn facts_gathered(report: &FactsReport) -> RunEvent {
    RunEvent::FactsGathered {
        steps: report.steps,
        with_facts: report.with_facts,
        problems: report.problems.iter().map(ToString::to_string).collect(),
    }
}
