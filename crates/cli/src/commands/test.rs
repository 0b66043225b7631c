//! `restage test`: the everyday command.

use std::collections::HashSet;

use restage_model::{Comparison, ExchangeId, Run, RunKind, StatePolicy, Suite};
use restage_replay::{AppSpec, Replay};
use restage_store::Store;

use crate::chosen::RunPair;
use crate::cli::Global;
use crate::commands::report::{Formats, present};
use crate::failure::{Failure, Outcome};
use crate::judging::{self, Rules};
use crate::output::count;
use crate::part;
use crate::progress;
use crate::project::{Project, RECORDED};
use crate::settling::Settlements;

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
    /// Only these of the baseline's sessions: a suite that `restage reduce` made of them
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,
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
    let rules = judging::Rules::of(&project, args.oracle.as_deref())?;
    let settlements = Settlements::of(global, &project)?;
    let app = project.app(args.app.as_deref())?;
    let mut work = project.for_replay(global)?;
    let baseline = project.baseline(&work.store, args.baseline.as_deref())?;
    tell_of_growth(global, &project, &work.store, &work.store.suite(baseline.suite)?)?;
    let name = project.run_name(&work.store, args.into.as_deref(), "test")?;
    let suite = args.suite.as_ref().map(|name| project.suite(&mut work.store, name)).transpose()?;
    let trial = Trial { baseline: &baseline, suite, app: &app, name, policy: args.state };
    let (mut comparison, run) = trial.run(global, &mut work, &rules)?;
    settlements.apply(&mut comparison);
    Settlements::tell_of_unused(global, &comparison);
    let formats = Formats {
        html: Some(args.formats.html.clone().unwrap_or_else(|| project.own_folder().join("report.html"))),
        ..args.formats.clone()
    };
    let pair = RunPair { expected: baseline, actual: run };
    present(global, &project, &work.store, &pair, comparison, &formats)
}

/// The baseline's suite on a version, and how that compares with the baseline.
pub(crate) struct Trial<'a> {
    pub(crate) baseline: &'a Run,
    /// A part of the baseline's suite; none for all of it.
    pub(crate) suite: Option<Suite>,
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
        rules: &Rules,
    ) -> Result<(Comparison, Run), Failure> {
        let all = work.store.suite(self.baseline.suite)?;
        let suite = match self.suite {
            Some(part) => part::of(&all, part)?,
            None => all,
        };
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
        let comparison = judging::judge(global, &work.store, self.baseline, &run, rules)?;
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
