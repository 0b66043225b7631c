//! `restage runs`: what was replayed.

use std::collections::BTreeMap;

use restage_judge::LiveCount;
use restage_model::{Answer, Fidelity, Groups, Run, RunState, Step, StepAt, Verdict};
use restage_project::FactsSummary;
use restage_store::Store;

use crate::args::{Global, WaitArgs};
use crate::commands::runs_merge;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output::{self, count, cut};
use crate::terminal::{facts, fidelity, groups, live_values};

/// List runs, show the steps of one, merge or remove them
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage runs\n  restage runs show test-1\n  restage runs show test-1 --step s17/4"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Show the steps of one run
    Show {
        /// The run's name
        run: String,
        /// Show only stale steps: those that use a link or form that the live pages no longer offer
        #[arg(long)]
        stale: bool,
        /// Show each value taken from the live application: what it replaced, where it came from and why
        #[arg(long, conflicts_with = "step")]
        explain: bool,
        /// Show one step: its request, its values taken from the live application, its response
        #[arg(long, value_name = "SESSION/STEP")]
        step: Option<String>,
        /// With --step: print only the response body
        #[arg(long, requires = "step")]
        body: bool,
    },
    Merge(runs_merge::Args),
    /// Remove a run and its snapshots
    Remove {
        /// The run's name
        run: String,
        #[command(flatten)]
        wait: WaitArgs,
    },
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let mut store = project.store_to_read()?;
    match &args.what {
        None => {
            open_project::tell_of_interrupted(&project)?;
            list(global, &store)?
        }
        Some(What::Show { run, step: None, stale, explain, .. }) => {
            let run = project.run(&store, run)?;
            let measure = project.fidelity(&mut store, &run, &project.judging_rules(None)?)?;
            steps(global, &store, &run, &measure, (*stale, *explain))?
        }
        Some(What::Show { run, step: Some(step), body, .. }) => {
            let run = project.run(&store, run)?;
            let step = find_step(&store, &run, step)?;
            if *body { print_body(&store, &step)? } else { one_step(global, &store, &run, &step)? }
        }
        Some(What::Merge(args)) => return runs_merge::run(global, &project, args),
        Some(What::Remove { run, wait }) => {
            // A replay that goes on may need its snapshots.
            let _alone = open_project::state_as_found(&project, *wait)?;
            let mut store = project.store()?;
            let run = project.run(&store, run)?;
            let mut snapshot_store = project.snapshot_store()?;
            restage_replay::remove_run(&mut store, &mut snapshot_store, &run)?;
            open_project::collect_garbage(global, &project, &mut snapshot_store)?;
        }
    }
    Ok(Outcome::Well)
}

fn list(global: &Global, store: &Store) -> Result<(), Failure> {
    let runs = store.runs()?;
    if global.json {
        output::json(&runs);
        return Ok(());
    }
    let mut rows = Vec::new();
    for run in &runs {
        rows.push(vec![
            run.name.clone(),
            run.kind.name().to_owned(),
            run.started.to_string(),
            run.suite_name.clone(),
            run.app.clone(),
            run.policy.to_string(),
            store.step_count(run.id)?.to_string(),
            match &run.state {
                RunState::Complete => "complete".to_owned(),
                RunState::Unfinished => "unfinished".to_owned(),
                RunState::Broken(why) => cut(&format!("broken: {why}"), 60),
            },
        ]);
    }
    output::table(&["run", "kind", "from (UTC)", "suite", "app", "state", "steps ", ""], &rows);
    Ok(())
}

fn steps(
    global: &Global,
    store: &Store,
    run: &Run,
    measure: &Fidelity,
    (only_stale, explain): (bool, bool),
) -> Result<(), Failure> {
    let mut steps = store.steps(run.id)?;
    let sessions = store.run_sessions(run.id)?;
    let live = LiveCount::of(&sessions, &steps, measure);
    let summary = FactsSummary::of(store, run)?;
    steps.retain(|step| !only_stale || step.stale.is_some());
    if global.json {
        // Each step has its values, and why they were chosen: there is no more to explain.
        output::json(&serde_json::json!({
            "run": run,
            "live": live,
            "fidelity": measure,
            "facts": summary,
            "sessions": sessions,
            "steps": steps,
        }));
        return Ok(());
    }
    if explain {
        live_values::print(&live_values::explained(&sessions, &steps));
        output::line(&live_values::live_count(live));
        return Ok(());
    }
    let rows: Vec<Vec<String>> = steps
        .iter()
        .map(|step| {
            let session = sessions.iter().find(|s| s.ordinal == step.at.session);
            let session = session.map_or("", |s| s.session.as_str());
            vec![
                format!("{session}/{}", step.at.step + 1),
                step.sent.method.clone(),
                cut(&step.sent.uri, 60),
                match &step.answer {
                    Answer::Received(received) => received.status.to_string(),
                    Answer::Failed(_) => "none".to_owned(),
                },
                format!("{:.1} ms", step.took as f64 / 1000.0),
                step.substitutions.len().to_string(),
                match (&step.answer, &step.stale) {
                    (Answer::Failed(why), _) => cut(why, 60),
                    (_, Some(why)) => format!("stale: {}", cut(why, 60)),
                    _ if !step.origin.is_recorded() => cut(&step.origin.to_string(), 80),
                    _ => String::new(),
                },
            ]
        })
        .collect();
    output::table(&["step", "method", "address", "status", "took ", "live ", ""], &rows);
    output::line(&if run.as_recorded {
        "sent as recorded, without live values".to_owned()
    } else {
        live_values::live_count(live)
    });
    groups::print(&Groups::of(&store.suite(run.suite)?, store.groups_of_run(run.id)?));
    fidelity::print(measure);
    if let Some(summary) = &summary {
        facts::print_summary(summary);
    }
    if let RunState::Broken(why) = &run.state {
        output::line(&format!("the run ended early: {why}"));
    }
    Ok(())
}

fn find_step(store: &Store, run: &Run, wanted: &str) -> Result<Step, Failure> {
    let bad = || {
        Failure::user(format!(
            "`{}` has no step `{wanted}`\n  hint: write SESSION/STEP, for example s17/4; `restage runs show {}` lists the steps",
            run.name, run.name
        ))
    };
    let (session, number) = wanted.split_once(['/', ':']).ok_or_else(bad)?;
    let number: u32 = number.parse().map_err(|_| bad())?;
    let sessions = store.run_sessions(run.id)?;
    let session = sessions.iter().find(|s| s.session == session).ok_or_else(bad)?;
    let at = StepAt { session: session.ordinal, step: number.checked_sub(1).ok_or_else(bad)? };
    store.step(run.id, at)?.ok_or_else(bad)
}

fn one_step(global: &Global, store: &Store, run: &Run, step: &Step) -> Result<(), Failure> {
    let verdict = verdict_on(store, run, step)?;
    let done = store.step_facts(run.id, step.at)?;
    if global.json {
        let mut told = serde_json::json!(step);
        told["facts"] = serde_json::json!(done);
        told["verdict"] = serde_json::json!(verdict.map(|(against, verdict)| {
            serde_json::json!({
                "against": against,
                "outcome": verdict.outcome,
                "oracle": verdict.oracle,
                "differences": restage_report::differences(&verdict.differences),
                "masked": verdict.masked,
            })
        }));
        output::json(&told);
        return Ok(());
    }
    output::line(&format!("{} {}", step.sent.method, step.sent.uri));
    if !step.origin.is_recorded() {
        output::line(&format!("  {}", step.origin));
    }
    for (name, value) in step.sent.headers.iter() {
        output::line(&format!("  {name}: {}", cut(&restage_model::Headers::readable(value), 100)));
    }
    let body = store.body(&step.sent.body)?;
    if !body.is_empty() {
        output::line(&format!("\n  {}", cut(&String::from_utf8_lossy(&body), 400)));
    }
    output::line(&format!("\n{} taken from the live application:", count(step.substitutions.len(), "value")));
    for s in &step.substitutions {
        live_values::print_one(s);
    }
    if let Some(why) = &step.stale {
        output::line(&format!("stale: {why}"));
    }
    match &step.answer {
        Answer::Failed(why) => output::line(&format!("\nno answer: {why}")),
        Answer::Received(received) => {
            output::line(&format!(
                "\n{} in {:.1} ms, {} bytes",
                received.status,
                step.took as f64 / 1000.0,
                received.body.size
            ));
            for (name, value) in received.headers.iter() {
                output::line(&format!("  {name}: {}", cut(&restage_model::Headers::readable(value), 100)));
            }
            output::line("  (--body prints the body)");
        }
    }
    if let Some(done) = &done {
        let files = done.lines.keys().chain(done.functions.keys()).chain(done.branches.keys());
        let mut outlines = BTreeMap::new();
        for file in files {
            if let Some(outline) = store.outline(run.id, file)? {
                outlines.insert(file.clone(), outline);
            }
        }
        facts::print_step(done, &outlines);
    }
    if let Some((against, verdict)) = verdict {
        print_verdict(&against, &verdict);
    }
    Ok(())
}

/// What was last said of a step, and against which run; before anything is accepted or ignored.
fn verdict_on(store: &Store, run: &Run, step: &Step) -> Result<Option<(String, Verdict)>, Failure> {
    let Some((judgement, expected)) = store.newest_judgement(run.id)? else { return Ok(None) };
    let name_of = |run, ordinal| -> Result<Option<String>, Failure> {
        let sessions = store.run_sessions(run)?;
        Ok(sessions.into_iter().find(|s| s.ordinal == ordinal).map(|s| s.session))
    };
    let Some(session) = name_of(run.id, step.at.session)? else { return Ok(None) };
    // A run of a part of the suite has its sessions at other places than the run that was right.
    let there = store.run_sessions(expected)?.into_iter().find(|s| s.session == session);
    let Some(there) = there else { return Ok(None) };
    let found = store.verdicts(judgement, there.ordinal)?.into_iter().find(|v| v.at.step == step.at.step);
    let against = store.run(expected)?.name;
    Ok(found.map(|verdict| (against, verdict)))
}

fn print_verdict(against: &str, verdict: &Verdict) {
    let told = match verdict.differences.len() {
        0 => "no differences".to_owned(),
        n => count(n, "difference"),
    };
    output::line(&format!("\ncompared with {against} by {}: {told}", verdict.oracle));
    for difference in &verdict.differences {
        let (id, seen_by) = (difference.change_id(), difference.seen_by_all());
        output::line(&format!("  [{id}] {}  [{seen_by}]", cut(&difference.to_string(), 160)));
    }
    if !verdict.masked.is_empty() {
        output::line(&format!("  {} masked", count(verdict.masked.len(), "part")));
    }
}

fn print_body(store: &Store, step: &Step) -> Result<(), Failure> {
    use std::io::Write;
    if let Some(received) = step.answer.received() {
        std::io::stdout().write_all(&store.body(&received.body)?)?;
    }
    Ok(())
}
