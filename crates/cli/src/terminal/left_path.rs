//! Where a session left its path in the newest baseline.

use restage_model::{ExchangeId, Session, SessionFidelity};
use restage_project::Project;
use restage_store::Store;

use crate::failure::Failure;
use crate::terminal::output::{self, count, cut};

/// Where a session left its path in the newest baseline.
pub(crate) struct LeftPath {
    /// The baseline.
    run: String,
    /// The first request that was answered otherwise.
    pub(crate) at: ExchangeId,
    measure: SessionFidelity,
}

impl LeftPath {
    /// None where it did not, or where the baseline has no such session.
    pub(crate) fn of(project: &Project, store: &Store, session: &Session) -> Result<Option<Self>, Failure> {
        let Some(baseline) = project.newest_baseline(store)? else { return Ok(None) };
        let fidelity = store.fidelity(baseline.id)?;
        let Some(measure) = fidelity.and_then(|fidelity| fidelity.session(&session.name).cloned()) else {
            return Ok(None);
        };
        let Some(left) = &measure.left_at else { return Ok(None) };
        // It may have gone on since, or been edited.
        let replayed = store.suite(baseline.suite)?;
        let replayed = replayed.sessions.into_iter().find(|other| other.name == session.name);
        let at = replayed.and_then(|other| other.exchanges.get(left.step as usize - 1).copied());
        Ok(at.map(|at| Self { run: baseline.name, at, measure }))
    }

    /// What is said beside the step.
    pub(crate) fn mark(&self) -> String {
        let says = self.measure.left_at.as_ref().map_or("", |left| left.says.as_str());
        format!("left its path in {}: {}", self.run, cut(says, 100))
    }

    /// Prints why, and what to do.
    pub(crate) fn print(&self) {
        output::line(&format!(
            "{} answered {} of {} as recorded",
            self.run,
            self.measure.as_recorded,
            count(self.measure.steps, "step")
        ));
        if let Some(cause) = &self.measure.cause {
            output::line(&format!("  likely cause: {}", cut(&cause.explanation, 200)));
            output::line(&format!("  remedy: {}", cause.remedy));
        }
    }

    pub(crate) fn as_json(&self) -> serde_json::Value {
        serde_json::json!({ "run": self.run, "fidelity": self.measure })
    }
}
