//! `restage runs`: what was replayed.

use restage_model::{Answer, Run, RunState, Step, StepAt};
use restage_store::Store;

use crate::cli::Global;
use crate::commands::runs_merge;
use crate::failure::{Failure, Outcome};
use crate::live_values::{self, LiveCount};
use crate::output::{self, count, cut};
use crate::project::Project;

/// Show the runs: what was replayed, when and on what; and each step of one
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
    /// The steps of one run
    Show {
        /// The run's name
        run: String,
        /// Only the steps that ask for what the live pages did not offer
        #[arg(long)]
        stale: bool,
        /// Each value that was taken from the live application: what was sent in place of what, where it came from and why
        #[arg(long, conflicts_with = "step")]
        explain: bool,
        /// One step, as SESSION/STEP: what was sent, what was taken from the live application, what came back
        #[arg(long, value_name = "SESSION/STEP")]
        step: Option<String>,
        /// With --step: print the body that came back, and nothing else
        #[arg(long, requires = "step")]
        body: bool,
    },
    Merge(runs_merge::Args),
    /// Remove a run
    Remove {
        /// The run's name
        run: String,
    },
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let mut store = project.store()?;
    match &args.what {
        None => list(global, &store)?,
        Some(What::Show { run, step: None, stale, explain, .. }) => {
            steps(global, &store, &project.run(&store, run)?, *stale, *explain)?
        }
        Some(What::Show { run, step: Some(step), body, .. }) => {
            let run = project.run(&store, run)?;
            let step = find_step(&store, &run, step)?;
            if *body { print_body(&store, &step)? } else { one_step(global, &store, &step)? }
        }
        Some(What::Merge(args)) => return runs_merge::run(global, &project, args),
        Some(What::Remove { run }) => {
            let run = project.run(&store, run)?;
            let mut snapshot_store = project.snapshot_store()?;
            restage_replay::remove_run(&mut store, &mut snapshot_store, &run)?;
            project.collect_garbage(global, &mut snapshot_store)?;
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

fn steps(global: &Global, store: &Store, run: &Run, only_stale: bool, explain: bool) -> Result<(), Failure> {
    let mut steps = store.steps(run.id)?;
    let live = LiveCount::of(store, &steps)?;
    steps.retain(|step| !only_stale || step.stale.is_some());
    let sessions = store.run_sessions(run.id)?;
    if global.json {
        // Each step has its values, and why they were chosen: there is no more to explain.
        output::json(&serde_json::json!({ "run": run, "live": live, "sessions": sessions, "steps": steps }));
        return Ok(());
    }
    if explain {
        live_values::print(&live_values::explained(&sessions, &steps));
        output::line(&live.told());
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
                    _ => String::new(),
                },
            ]
        })
        .collect();
    output::table(&["step", "method", "address", "status", "took ", "live ", ""], &rows);
    output::line(&if run.as_recorded {
        "sent as recorded, without live values".to_owned()
    } else {
        live.told()
    });
    if let RunState::Broken(why) = &run.state {
        output::line(&format!("the run ended early: {why}"));
    }
    Ok(())
}

fn find_step(store: &Store, run: &Run, wanted: &str) -> Result<Step, Failure> {
    let bad = || {
        Failure::user(format!(
            "`{wanted}` is no step of `{}`\n  hint: SESSION/STEP as `restage runs show {}` lists them, for example s17/4",
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

fn one_step(global: &Global, store: &Store, step: &Step) -> Result<(), Failure> {
    if global.json {
        output::json(step);
        return Ok(());
    }
    output::line(&format!("{} {}", step.sent.method, step.sent.uri));
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
    Ok(())
}

fn print_body(store: &Store, step: &Step) -> Result<(), Failure> {
    use std::io::Write;
    if let Some(received) = step.answer.received() {
        std::io::stdout().write_all(&store.body(&received.body)?)?;
    }
    Ok(())
}
