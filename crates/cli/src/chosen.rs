//! Which two runs a command is about.

use restage_model::{Run, RunKind, RunState};
use restage_store::Store;

use crate::failure::Failure;
use crate::project::Project;

/// The run that is judged and the baseline it is judged by; by default the newest replay, and the newest baseline of
/// the same suite.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RunArgs {
    /// The run that shows it [default: the newest replay]
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
    /// The baseline to compare with [default: the newest of the same suite]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
}

/// Two runs of the same suite.
pub(crate) struct RunPair {
    pub(crate) expected: Run,
    pub(crate) actual: Run,
}

impl RunPair {
    /// The runs that were named, or the newest.
    pub(crate) fn chosen(project: &Project, store: &Store, args: &RunArgs) -> Result<Self, Failure> {
        let actual = args.run.as_deref().map(|name| project.run(store, name)).transpose()?;
        let expected = match (&args.baseline, &actual) {
            (Some(name), _) => project.run(store, name)?,
            (None, Some(actual)) => newest(store, |r| is_baseline(r) && r.suite == actual.suite)?.ok_or_else(|| {
                Failure::user(format!(
                    "there is no baseline of what `{}` replays\n  hint: --baseline names a run to compare with",
                    actual.name
                ))
            })?,
            (None, None) => project.newest_baseline(store)?.ok_or_else(|| {
                Failure::user("there is no baseline to compare with\n  hint: `restage baseline`")
            })?,
        };
        let actual = match actual {
            Some(actual) => actual,
            None => {
                let replay = |r: &Run| {
                    r.kind == RunKind::Replay && r.suite == expected.suite && r.state == RunState::Complete
                };
                newest(store, replay)?.ok_or_else(|| {
                    Failure::user("nothing was replayed since the baseline\n  hint: `restage test`")
                })?
            }
        };
        Ok(Self { expected, actual })
    }

    /// How to name these two on the command line: nothing where they are the newest.
    pub(crate) fn flags(&self, project: &Project, store: &Store) -> String {
        let newest = Self::chosen(project, store, &RunArgs::default());
        if newest.is_ok_and(|pair| pair.expected.id == self.expected.id && pair.actual.id == self.actual.id) {
            return String::new();
        }
        format!(" --run {} --baseline {}", self.actual.name, self.expected.name)
    }
}

fn newest(store: &Store, wanted: impl Fn(&Run) -> bool) -> Result<Option<Run>, Failure> {
    Ok(store.runs()?.into_iter().rev().find(wanted))
}

fn is_baseline(run: &Run) -> bool {
    run.kind == RunKind::Baseline && run.state == RunState::Complete && run.check.is_some()
}
