//! Which two runs a command is about.

use restage_project::{Project, ProjectError, RunPair, RunPairNames};
use restage_store::Store;

/// The run that is judged and the baseline it is judged by; by default the newest replay, and the newest baseline of
/// the same suite.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RunPairArgs {
    /// The run that shows the changes [default: the newest replay]
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// The baseline to compare with [default: the newest of the same suite]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
}

impl RunPairArgs {
    /// The runs that were named, or the newest.
    pub(crate) fn find(&self, project: &Project, store: &Store) -> Result<RunPair, ProjectError> {
        let names = RunPairNames { expected: self.baseline.as_deref(), actual: self.run.as_deref() };
        RunPair::find(project, store, names)
    }

    /// How to name two runs on the command line: nothing where they are the newest.
    pub(crate) fn flags(pair: &RunPair, project: &Project, store: &Store) -> String {
        if pair.is_newest(project, store) {
            return String::new();
        }
        format!(" --run {} --baseline {}", pair.actual.name, pair.expected.name)
    }
}
