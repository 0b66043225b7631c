//! By what name a step goes in its request's header field `Restage-Step`, and in what a probe writes for it.

use restage_model::StepAt;

/// The header field.
pub(crate) const HEADER: &str = "restage-step";

/// The names of a run's steps. No other run has the same, so that facts of another run are never taken for those of this one.
#[derive(Clone, Debug)]
pub(crate) struct StepMarks {
    run: String,
}

impl StepMarks {
    /// For a run that begins.
    pub(crate) fn new() -> Self {
        Self { run: format!("{:016x}", fastrand::u64(..)) }
    }

    /// A step's name.
    pub(crate) fn mark(&self, at: StepAt) -> String {
        format!("{}/{}/{}", self.run, at.session, at.step)
    }

    /// The step of a name; none where it is of another run, or no name at all.
    pub(crate) fn step(&self, mark: &str) -> Option<StepAt> {
        let (session, step) = mark.strip_prefix(&self.run)?.strip_prefix('/')?.split_once('/')?;
        let at = StepAt { session: session.parse().ok()?, step: step.parse().ok()? };
        // `+1` and `01` are numbers, too.
        (self.mark(at) == mark).then_some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: facts of an earlier run, left over in an app's queue, that are taken for those of this one.
    #[test]
    fn a_name_leads_to_its_step_in_its_own_run_alone() {
        let (marks, other) = (StepMarks::new(), StepMarks::new());
        let at = StepAt { session: 3, step: 11 };
        assert_eq!(marks.step(&marks.mark(at)), Some(at));
        assert_eq!(marks.step(&other.mark(at)), None);
        for wrong in ["", "s1/3", "//", &format!("{}0", marks.mark(at).replace("/3/", "/03/"))] {
            assert_eq!(marks.step(wrong), None, "{wrong}");
        }
    }
}
