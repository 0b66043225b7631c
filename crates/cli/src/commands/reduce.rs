//! `restage reduce`: fewer sessions that still do all that is required.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use clap::ValueEnum;
use restage_capture::StoredExchanges;
use restage_model::{ExchangeId, RunState, Suite};
use restage_store::Store;
use restage_suite::reduce::{Plan, Receipt, Requirement, Technique, Ties, Timing, reduce_suite};

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::needs;
use crate::output::{self, count, cut};
use crate::progress::note;
use crate::project::{Project, RECORDED};

/// How many lost requirements are printed.
const SHOWN: usize = 10;

/// Make a smaller suite that still does all that is required
///
/// The sessions that are kept are stored as a suite of their own, with what was kept and what a replay saves. The
/// suite that was reduced stays.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage reduce recorded --by hgs --into small
  restage reduce recorded --by concept --require key-pairs --into ways
  restage reduce recorded --by every-nth --nth 2 --into half")]
pub(crate) struct Args {
    /// What to reduce
    suite: String,
    /// How: hgs (what the fewest sessions do comes first), concept (one session for each set of requirements that
    /// is in no other), greedy (always the session that adds most), every-nth
    #[arg(long, value_name = "TECHNIQUE")]
    by: By,
    /// What to keep: key, key-pairs (two that follow one another), params (keys with their parameters' names, empty
    /// or not), values (keys with their parameters' values), lines, functions, branches
    #[arg(long, value_name = "KIND", default_value_t = Requirement::Key)]
    require: Requirement,
    /// With every-nth: every how many sessions one is kept
    #[arg(long, value_name = "N", default_value = "2")]
    nth: NonZeroUsize,
    /// Draw by this seed among sessions that are equally good [default: the first is taken]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Keep the sessions, too, that those kept need to find their data, as the suite's newest baseline tells: see
    /// `restage sessions needs`
    #[arg(long)]
    with_dependencies: bool,
    /// The name of the new suite
    #[arg(long, value_name = "NAME")]
    into: String,
}

/// The ways to reduce, as they are typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Hgs,
    Concept,
    Greedy,
    EveryNth,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    if args.into == RECORDED || args.into == args.suite {
        return Err(Failure::user(format!(
            "--into {}: that is the suite of what was recorded, or the one to reduce\n  hint: give the new suite a name of its own",
            args.into
        )));
    }
    let plan = Plan {
        technique: match args.by {
            By::Hgs => Technique::Hgs,
            By::Concept => Technique::Concept,
            By::Greedy => Technique::Greedy,
            By::EveryNth => Technique::EveryNth(args.nth),
        },
        require: args.require,
        ties: args.seed.map_or(Ties::First, Ties::Seed),
    };
    let mut store = project.store()?;
    let suite = project.suite(&mut store, &args.suite)?;
    let timing = timing(&store, &suite)?;
    let needed = if args.with_dependencies { Some(needed(&project, &store, &suite)?) } else { None };
    let needs = needed.as_ref().map(|needed| |place: usize| needed.get(place).cloned().unwrap_or_default());
    let needs = needs.as_ref().map(|needs| needs as &dyn Fn(usize) -> Vec<usize>);
    let reduction = reduce_suite(&suite, &StoredExchanges(&store), &plan, timing.as_ref(), needs)?;
    let with = if args.with_dependencies { " --with-dependencies" } else { "" };
    let origin = format!("reduce {} --by {} --require {}{with}", suite.name, plan.technique, plan.require);
    let id = store.save_suite(&args.into, &origin, &reduction.sessions)?;
    store.set_receipt(id, &serde_json::to_string(&reduction.receipt).unwrap_or_default())?;
    if global.json {
        let names: Vec<&str> = reduction.sessions.iter().map(|s| s.name.as_str()).collect();
        output::json(&serde_json::json!({
            "suite": args.into,
            "sessions": names,
            "receipt": reduction.receipt,
            "saved": reduction.receipt.saved(),
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!("{}: {}", args.into, origin));
    print_receipt(&reduction.receipt);
    note(global, format!("next: `restage test --suite {}` replays it on the baseline's states", args.into));
    Ok(Outcome::Well)
}

/// The places of the sessions that each session of the suite needs.
fn needed(project: &Project, store: &Store, suite: &Suite) -> Result<Vec<Vec<usize>>, Failure> {
    let baseline = project.newest_baseline(store)?.filter(|baseline| baseline.suite == suite.id);
    let baseline = baseline.ok_or_else(|| {
        Failure::user(format!(
            "--with-dependencies: the suite `{0}` has no baseline that tells which sessions need which\n  hint: `restage baseline {0}` makes one",
            suite.name
        ))
    })?;
    let needs = needs::of(project, store, &baseline)?;
    let places: HashMap<&str, usize> = suite.sessions.iter().map(|s| s.name.as_str()).zip(0..).collect();
    let of =
        |name: &str| needs.needed_by([name]).into_iter().filter_map(|n| places.get(n).copied()).collect();
    Ok(suite.sessions.iter().map(|session| of(&session.name)).collect())
}

/// What a reduction did, for people.
pub(crate) fn print_receipt(receipt: &Receipt) {
    let Receipt { before, after, .. } = receipt;
    let row = |what: &str, before: usize, after: usize| {
        let share = if before == 0 { 100.0 } else { after as f64 / before as f64 * 100.0 };
        vec![what.to_owned(), before.to_string(), after.to_string(), format!("{share:.0} %")]
    };
    let rows = [
        row("sessions", before.sessions, after.sessions),
        row("requests", before.requests, after.requests),
        row(&format!("requirements ({})", receipt.require), before.requirements, after.requirements),
    ];
    output::table(&["", "before ", "after ", "kept "], &rows);
    if receipt.needed > 0 {
        output::line(&format!(
            "of these, kept because others need them: {}",
            count(receipt.needed, "session")
        ));
    }
    if receipt.lost > 0 {
        output::line(&format!("lost: {}", count(receipt.lost, "requirement")));
        for lost in receipt.lost_ones.iter().take(SHOWN) {
            output::line(&format!("  {}", cut(lost, 100)));
        }
        if receipt.lost > SHOWN {
            output::line(&format!("  and {} more", receipt.lost - SHOWN));
        }
    }
    output::line(&match &receipt.time {
        Some(time) => format!(
            "a replay waits for the application {:.0} ms instead of {:.0} ms (as in {}): {:.0} % saved",
            time.after_ms,
            time.before_ms,
            time.run,
            receipt.saved() * 100.0
        ),
        None => format!(
            "a replay sends {:.0} % fewer requests (no run tells how long they take)",
            receipt.saved() * 100.0
        ),
    });
}

/// How long requests took in the newest run that has all of a suite's.
fn timing(store: &Store, suite: &Suite) -> Result<Option<Timing>, Failure> {
    let exchanges: Vec<ExchangeId> =
        suite.sessions.iter().flat_map(|s| s.exchanges.iter().copied()).collect();
    for run in store.runs()?.into_iter().rev().filter(|run| run.state == RunState::Complete) {
        if (store.step_count(run.id)? as usize) < exchanges.len() {
            continue;
        }
        let took = store.steps(run.id)?.into_iter().map(|step| (step.exchange, step.took));
        let timing = Timing { run: run.name, took: took.collect() };
        if exchanges.iter().all(|id| timing.took.contains_key(id)) {
            return Ok(Some(timing));
        }
    }
    Ok(None)
}
