//! What regenerating came to, for people and for programs.

use restage_regenerate::Missed;

use crate::args::Global;
use crate::regenerating::{Regenerated, RoundTold};
use crate::terminal::output::{self, count, cut};
use crate::terminal::progress::note;

/// So many sequences, errors or pairs are printed.
const SHOWN: usize = 12;
/// How much of a line is printed.
const WIDE: usize = 150;

/// Shows what regenerating came to.
pub(crate) fn tell_regenerated(global: &Global, told: &Regenerated) {
    if global.json {
        output::json(told);
        return;
    }
    output::line(&format!(
        "{} covers {} by {}; {} for {} more, {} in all",
        told.from,
        count(told.covered, "pair"),
        if told.by == "random" { "du" } else { told.by },
        count(told.sequences, "sequence"),
        told.planned,
        count(told.planned_requests, "request"),
    ));
    if told.sequences_over_limit > 0 {
        output::line(&format!(
            "  no room in --max-requests: {} for {}",
            count(told.sequences_over_limit, "sequence"),
            count(told.pairs_over_limit, "pair")
        ));
    }
    if let Some(planned) = &told.planned_sequences {
        for sequence in planned.iter().take(SHOWN) {
            output::line(&cut(&format!("{} → {}", sequence.defines, sequence.uses.join(" → ")), WIDE));
            if let Some(pair) = sequence.pairs.first() {
                let more = sequence.pairs.len() - 1;
                let more = if more > 0 { format!("; and {more} more") } else { String::new() };
                output::line(&format!("  {}{more}", cut(&pair.to_string(), WIDE)));
            }
        }
        if planned.len() > SHOWN {
            output::line(&format!("and {} more; --json lists all", planned.len() - SHOWN));
        }
        note(global, "note: no session was made, as --dry-run asks for");
        return;
    }
    for (number, round) in told.rounds.iter().enumerate() {
        print_round(number + 1, round);
    }
    print_errors(told);
    match (&told.suite, &told.baseline) {
        (Some(suite), Some(baseline)) => {
            output::line(&format!(
                "{suite}: {}, {}; baseline {baseline}",
                count(told.sessions, "session"),
                count(told.requests, "request")
            ));
            note(
                global,
                format!(
                    "next: `restage test --baseline {baseline}` on the next version; `restage reduce {suite} --by greedy --require key-pairs --into small` keeps fewer"
                ),
            );
        }
        _ => output::line("no session gained anything: no suite was made"),
    }
}

fn print_round(number: usize, round: &RoundTold) {
    output::line(&format!(
        "round {number}: {} run, {}: {} of {} asked for came about, {} in all; {} ran for the first time; {} kept",
        count(round.sequences, "sequence"),
        count(round.requests, "request"),
        round.met,
        count(round.asked, "pair"),
        round.pairs,
        count(round.lines, "line"),
        round.kept.len(),
    ));
    for (why, times) in &round.missed {
        let what = match why {
            Missed::NoDefinition => "not defined when they were run",
            Missed::NoUse => "not used when they were run",
            Missed::DefinedBetween => "defined again in between",
            Missed::OtherRows => "other rows used when they were run",
        };
        output::line(&format!("  {}: {what}", count(*times, "pair")));
    }
    if round.over_time > 0 {
        output::line(&format!("  no room in --max-time: {}", count(round.over_time, "sequence")));
    }
}

fn print_errors(told: &Regenerated) {
    let errors: Vec<_> = told.rounds.iter().flat_map(RoundTold::errors).collect();
    output::line(&format!("errors that {} does not show: {}", told.from, errors.len()));
    for (sequence, error) in errors.iter().take(SHOWN) {
        let way = format!("{} → {}", sequence.defines, sequence.uses.join(" → "));
        output::line(&format!("  {}", cut(&error.to_string(), WIDE)));
        output::line(&format!("    {}: {}", sequence.session, cut(&way, WIDE)));
    }
    if errors.len() > SHOWN {
        output::line(&format!("  and {} more", errors.len() - SHOWN));
    }
}
