//! `restage reduce`: fewer sessions that still do all that is required.

use std::num::NonZeroUsize;

use clap::ValueEnum;
use restage_project::{RECORDED, reduce};
use restage_suite::reduce::{Plan, Receipt, Requirement, Technique, Ties};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output::{self, count, cut};
use crate::terminal::progress::note;

/// How many lost requirements are printed.
const SHOWN: usize = 10;

/// Make a smaller suite that still meets every requirement of the old one
///
/// The new suite is stored under a name of its own, with a receipt of what was kept and what a replay saves. The old suite
/// stays.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage reduce recorded --by hgs --into small
  restage reduce recorded --by concept --require key-pairs --into ways
  restage reduce recorded --by every-nth --nth 2 --into half")]
pub(crate) struct Args {
    /// The suite to reduce
    suite: String,
    /// How: hgs (rarest requirements first), concept (one session for each maximal set of requirements), greedy (always the
    /// session that adds most), every-nth
    #[arg(long, value_name = "TECHNIQUE")]
    by: By,
    /// The requirements: key, key-pairs (two in a row), params (keys with parameter names, empty or not), values (keys with
    /// parameter values), lines, functions, branches
    #[arg(long, value_name = "KIND", default_value_t = Requirement::Key)]
    require: Requirement,
    /// With every-nth: keep one session of every N
    #[arg(long, value_name = "N", default_value = "2")]
    nth: NonZeroUsize,
    /// Choose at random, with this seed, among equally good sessions [default: take the first]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Also keep the sessions that those kept depend on; see `restage sessions needs`
    #[arg(long)]
    with_dependencies: bool,
    /// The new suite's name
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
    let project = open_project::find(global)?;
    if args.into == RECORDED || args.into == args.suite {
        return Err(Failure::user(format!(
            "--into {}: this suite cannot be overwritten\n  hint: give the new suite a name of its own",
            args.into
        )));
    }
    let mut store = project.store()?;
    project.learn_page_parameters(&mut store)?;
    let plan = Plan {
        technique: match args.by {
            By::Hgs => Technique::Hgs,
            By::Concept => Technique::Concept,
            By::Greedy => Technique::Greedy,
            By::EveryNth => Technique::EveryNth(args.nth),
        },
        require: args.require,
        ties: args.seed.map_or(Ties::First, Ties::Seed),
        into: args.into.clone(),
        keys: project.key_rules(&store)?,
    };
    let suite = project.suite(&mut store, &args.suite)?;
    let reduction = reduce(&project, &mut store, &suite, &plan, args.with_dependencies)?;
    let reduced = &reduction.suite;
    for gap in &reduction.gaps {
        note(global, format!("note: {gap}"));
    }
    if global.json {
        let names: Vec<&str> = reduced.sessions.iter().map(|s| s.name.as_str()).collect();
        output::json(&serde_json::json!({
            "suite": reduced.name,
            "sessions": names,
            "receipt": reduction.receipt,
            "saved": reduction.receipt.saved(),
            "unknown_needs": reduction.gaps,
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!("{}: {}", reduced.name, reduced.origin));
    print_receipt(&reduction.receipt);
    note(
        global,
        format!("next: `restage test --suite {}` replays it from the baseline's snapshots", args.into),
    );
    Ok(Outcome::Well)
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
        output::line(&format!("kept only because others need them: {}", count(receipt.needed, "session")));
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
            "time to replay, as in {2}: {0:.0} ms instead of {1:.0} ms, {3:.0} % saved",
            time.after_ms,
            time.before_ms,
            time.run,
            receipt.saved() * 100.0
        ),
        None => format!("a replay sends {:.0} % fewer requests", receipt.saved() * 100.0),
    });
}
