//! `restage runs merge`: the runs of a suite's shards become one.

use std::path::{Path, PathBuf};

use restage_model::{Run, RunKind, RunState};
use restage_project::Project;
use restage_replay::{Piece, merge_runs};
use restage_state::SnapshotStore;
use restage_store::{Store, StoreError};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::terminal::output::{self, count};
use crate::terminal::progress;

/// Merge the runs of a suite's shards into one run, also from other machines
///
/// The new run has every session in its place in the suite, with its steps, its log and the state after it. The merged runs
/// stay.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage runs merge test-1.1-of-2 test-1.2-of-2 --into test-1\n  restage runs merge --from shard-1/restage.db --from shard-2/restage.db --into test-1"
)]
pub(crate) struct Args {
    /// The runs to merge [default: the newest run of each --from store]
    #[arg(value_name = "RUN", required_unless_present = "from")]
    runs: Vec<String>,
    /// The store of another machine; the snapshots.db beside it is read too
    #[arg(long, value_name = "PATH/restage.db")]
    from: Vec<PathBuf>,
    /// The new run's name
    #[arg(long, value_name = "NAME")]
    into: String,
    /// Merge even if sessions are missing
    #[arg(long)]
    allow_missing: bool,
}

/// Another machine's store, and its snapshots.
struct Elsewhere {
    path: PathBuf,
    store: Store,
}

impl Elsewhere {
    fn open(path: &Path) -> Result<Self, Failure> {
        let path = if path.is_dir() { path.join("restage.db") } else { path.to_owned() };
        Ok(Self { store: Store::open(&path)?, path })
    }

    /// Nothing is made where there is none.
    fn snapshot_store(&self) -> Result<Option<SnapshotStore>, Failure> {
        let snapshot_store = self.path.with_file_name("snapshots.db");
        Ok(if snapshot_store.is_file() { Some(SnapshotStore::open(&snapshot_store)?) } else { None })
    }

    fn newest(&self) -> Result<Run, Failure> {
        let replay = |run: &Run| run.kind == RunKind::Replay && run.state != RunState::Unfinished;
        self.store.runs()?.into_iter().rev().find(replay).ok_or_else(|| {
            Failure::user(format!(
                "{} has no run to merge\n  hint: `restage test --shard 1/2` makes one",
                self.path.display()
            ))
        })
    }
}

pub(crate) fn run(global: &Global, project: &Project, args: &Args) -> Result<Outcome, Failure> {
    let mut store = project.store()?;
    project.run_name(&store, Some(&args.into), "")?;
    let others = args.from.iter().map(|path| Elsewhere::open(path)).collect::<Result<Vec<_>, _>>()?;
    let pieces = pieces(project, &store, &others, args)?;
    let merged =
        merge_runs(&mut store, &mut project.snapshot_store()?, pieces, &args.into, args.allow_missing)?;
    let sessions = store.run_sessions(merged.run.id)?.len();
    let steps = store.step_count(merged.run.id)?;
    if global.json {
        output::json(&serde_json::json!({
            "run": merged.run,
            "sessions": sessions,
            "steps": steps,
            "missing": merged.missing,
            "without_state": merged.without_state,
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!(
        "{}: {} in {}",
        merged.run.name,
        count(steps as usize, "step"),
        count(sessions, "session")
    ));
    if merged.missing > 0 {
        output::line(&format!("  missing: {}", count(merged.missing, "session")));
    }
    if merged.without_state > 0 {
        output::line(&format!(
            "  without the state after it, because its snapshot was missing: {}",
            count(merged.without_state, "session")
        ));
    }
    if let RunState::Broken(why) = &merged.run.state {
        output::line(&format!("  ended early: {why}"));
    }
    progress::note(global, format!("next: `restage compare BASELINE {}`", merged.run.name));
    Ok(Outcome::Well)
}

/// The runs of these names, wherever they are; or the newest of each other store.
fn pieces<'a>(
    project: &Project,
    store: &Store,
    others: &'a [Elsewhere],
    args: &Args,
) -> Result<Vec<Piece<'a>>, Failure> {
    let mut pieces = Vec::new();
    let elsewhere = |other: &'a Elsewhere, run: Run| -> Result<Piece<'a>, Failure> {
        Ok(Piece { run, elsewhere: Some((&other.store, other.snapshot_store()?)) })
    };
    if args.runs.is_empty() {
        for other in others {
            pieces.push(elsewhere(other, other.newest()?)?);
        }
    }
    for name in &args.runs {
        let before = pieces.len();
        if let Some(run) = store.run_named(name)? {
            pieces.push(Piece { run, elsewhere: None });
        }
        for other in others {
            if let Some(run) = other.store.run_named(name)? {
                pieces.push(elsewhere(other, run)?);
            }
        }
        if pieces.len() == before && others.is_empty() {
            project.run(store, name)?;
        } else if pieces.len() == before {
            let there = "it is in neither this store nor those of --from".to_owned();
            return Err(StoreError::Unknown { kind: "run", name: name.clone(), there }.into());
        }
    }
    Ok(pieces)
}
