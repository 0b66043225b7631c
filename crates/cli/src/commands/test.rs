//! `restage test`: the everyday command.

use std::collections::HashSet;

use restage_model::{Comparison, ExchangeId, Run, RunKind, StatePolicy, Suite};
use restage_oracle::OracleRules;
use restage_replay::{AppSpec, Replay};
use restage_store::Store;

use crate::aftermath::AftermathRules;
use crate::cli::Global;
use crate::commands::report::{Formats, present};
use crate::failure::{Failure, Outcome};
use crate::judging;
use crate::output::count;
use crate::progress;
use crate::project::{Project, RECORDED};

/// Replay the baseline's suite on the version under test, and compare; exits 1 when they differ
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage test --html report.html --junit report.xml")]
pub(crate) struct Args {
    /// The version under test: an [app.NAME] of restage.toml [default: [app]]
    #[arg(long, value_name = "NAME")]
    app: Option<String>,
    /// The baseline [default: the newest]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
    /// By what, for all pages: comparators joined by | (either) and & (both), or `2 of (A, B, C)` [default: [oracle]
    /// of restage.toml, or else C-WD | N+I]
    #[arg(long, value_name = "EXPR", env = "RESTAGE_ORACLE", hide_env = true)]
    oracle: Option<String>,
    /// What happens to the state between sessions: restore, initial, fresh or keep
    #[arg(long, value_name = "POLICY", default_value = "restore")]
    state: StatePolicy,
    /// The run's name [default: test-1, test-2, …]
    #[arg(long, value_name = "RUN")]
    into: Option<String>,
    #[command(flatten)]
    formats: Formats,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let oracle = judging::oracle(args.oracle.as_deref(), &project.config)?;
    let app = project.app(args.app.as_deref())?;
    let mut work = project.for_replay(global)?;
    let baseline = match &args.baseline {
        Some(name) => project.run(&work.store, name)?,
        None => project.newest_baseline(&work.store)?.ok_or_else(|| {
            Failure::user("there is no baseline to compare with\n  hint: `restage baseline` makes one on the trusted version")
        })?,
    };
    tell_of_growth(global, &project, &work.store, &work.store.suite(baseline.suite)?)?;
    let name = project.run_name(&work.store, args.into.as_deref(), "test")?;
    let trial = Trial { baseline: &baseline, app: &app, name, policy: args.state };
    let aftermath = AftermathRules::of(&project)?;
    let (comparison, run) = trial.run(global, &mut work, &oracle, &aftermath)?;
    let formats = Formats {
        html: Some(args.formats.html.clone().unwrap_or_else(|| project.own_folder().join("report.html"))),
        ..args.formats.clone()
    };
    present(global, &work.store, &baseline, &run, comparison, &formats)
}

/// The baseline's suite on a version, and how that compares with the baseline.
pub(crate) struct Trial<'a> {
    pub(crate) baseline: &'a Run,
    pub(crate) app: &'a AppSpec,
    /// The run's name.
    pub(crate) name: String,
    pub(crate) policy: StatePolicy,
}

impl Trial<'_> {
    pub(crate) fn run(
        self,
        global: &Global,
        work: &mut restage_replay::Project,
        oracle: &OracleRules,
        aftermath: &AftermathRules,
    ) -> Result<(Comparison, Run), Failure> {
        let suite = work.store.suite(self.baseline.suite)?;
        let replay = Replay {
            name: self.name,
            kind: RunKind::Replay,
            suite: &suite,
            app: self.app,
            policy: self.policy,
            reference: (self.policy == StatePolicy::Restore).then_some(self.baseline.id),
        };
        let bar = progress::bar(global, "replaying", suite.steps());
        let run = restage_replay::replay(work, &replay, &mut progress::on_tick(&bar))?;
        bar.finish_and_clear();
        let comparison = judging::judge(global, &work.store, self.baseline, &run, oracle, aftermath)?;
        Ok((comparison, run))
    }
}

/// What was recorded since the baseline is not tested yet; say so.
fn tell_of_growth(global: &Global, project: &Project, store: &Store, suite: &Suite) -> Result<(), Failure> {
    if suite.name != RECORDED {
        return Ok(());
    }
    let recorded = project.sessions(store)?;
    let known: HashSet<ExchangeId> =
        suite.sessions.iter().flat_map(|s| s.exchanges.iter().copied()).collect();
    let new = recorded.iter().filter(|s| s.exchanges.iter().any(|e| !known.contains(e))).count();
    if new > 0 {
        let text = format!(
            "note: {} recorded since the baseline and not tested\n  hint: `restage baseline` takes them in",
            count(new, "session")
        );
        progress::note(global, text);
    }
    Ok(())
}
