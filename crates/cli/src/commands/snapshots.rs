//! `restage snapshots`: saved states.

use restage_project::Project;
use restage_replay::{ASIDE, Phase};

use crate::args::{Global, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output;
use crate::terminal::progress::note;

/// List, save, restore and remove snapshots of the application's data
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage snapshots\n  restage snapshots save before-migration\n  restage snapshots restore before-migration"
)]
pub(crate) struct Args {
    /// Also list the snapshots taken after each session of a run
    #[arg(long)]
    all: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Save the application's data as it is now
    Save {
        /// The snapshot's name
        name: String,
        /// Replace a snapshot of the same name
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        wait: WaitArgs,
    },
    /// Restore the application's data from a snapshot; writes only what differs
    Restore {
        /// The snapshot's name
        name: String,
        #[command(flatten)]
        wait: WaitArgs,
    },
    /// Show what differs between the application's data and a snapshot; exits 1 on differences
    Diff {
        /// The snapshot's name
        name: String,
        #[command(flatten)]
        wait: WaitArgs,
    },
    /// Remove a snapshot
    Remove {
        /// The snapshot's name
        name: String,
        #[command(flatten)]
        wait: WaitArgs,
    },
    /// Remove everything of restage's from the databases: the triggers and tables that note which rows change
    ///
    /// restage removes them itself when a run ends. After a run that was killed they are still there; the next run uses or
    /// removes them.
    Detach {
        #[command(flatten)]
        wait: WaitArgs,
    },
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let state = || {
        project.state()?.ok_or_else(|| {
            Failure::user("[state] in restage.toml is empty, so there is nothing to save\n  hint: for example folders = [\"data\"] or sqlite = [\"shop.db\"]")
        })
    };
    match &args.what {
        None => list(global, &project, args.all)?,
        Some(What::Save { name, replace, wait }) => {
            let (_lock, interrupt) = open_project::state_alone(&project, *wait)?;
            interrupt.phase.set(Phase::Saving);
            let mut state = state()?;
            let saved = if *replace { state.replace(name)? } else { state.save(name)? };
            if global.json {
                output::json(&saved)
            } else {
                output::line(&format!(
                    "saved `{name}`: {} bytes, {} of them new",
                    saved.bytes, saved.stored_bytes
                ))
            }
        }
        Some(What::Restore { name, wait }) => {
            // What a killed replay left is replaced anyway; only where it is asked for by name, nothing is put back before.
            let (mut lock, interrupt) = if name.starts_with(ASIDE) {
                open_project::state_as_found(&project, *wait)?
            } else {
                open_project::state_alone(&project, *wait)?
            };
            interrupt.phase.set(Phase::Restoring);
            let mut state = state()?;
            let restored = if name.starts_with(ASIDE) {
                let restored = state.put_back(name)?;
                lock.settle();
                restored
            } else {
                state.restore(name)?
            };
            drop(state);
            if global.json {
                output::json(&restored)
            } else {
                let mut said = format!(
                    "restored `{name}`: {} files and {} database pages written, {} files removed",
                    restored.written_files, restored.written_pages, restored.removed_files
                );
                if restored.written_rows + restored.written_objects > 0 {
                    let (rows, objects) = (restored.written_rows, restored.written_objects);
                    said.push_str(&format!(
                        "; on database servers {rows} rows and {objects} tables, views and other objects"
                    ));
                }
                output::line(&said)
            }
        }
        Some(What::Diff { name, wait }) => {
            // To look at a database means to note what changes in it: a replay that goes on does so, too.
            let alone = project.has_databases().then(|| open_project::state_as_found(&project, *wait));
            let _alone = alone.transpose()?;
            let differences = state()?.differences(name)?;
            if global.json {
                output::json(&differences);
            } else if differences.is_empty() {
                output::line(&format!("no differences: the data is as in `{name}`"));
            } else {
                differences.iter().for_each(|d| {
                    output::line(&format!(
                        "{:<8} {}",
                        format!("{:?}", d.kind).to_lowercase(),
                        d.path.display()
                    ))
                });
            }
            return Ok(if differences.is_empty() { Outcome::Well } else { Outcome::Different });
        }
        Some(What::Remove { name, wait }) => {
            // Nothing is put back: to remove what a killed replay put aside is how to keep the data as it is.
            let _alone = open_project::state_as_found(&project, *wait)?;
            let mut snapshot_store = project.snapshot_store()?;
            snapshot_store.remove(name)?;
            open_project::collect_garbage(global, &project, &mut snapshot_store)?;
        }
        Some(What::Detach { wait }) => {
            let (_lock, interrupt) = open_project::state_alone(&project, *wait)?;
            interrupt.phase.set(Phase::Restoring);
            let detached = match project.state()? {
                Some(mut state) => state.detach()?,
                None => Vec::new(),
            };
            if global.json {
                output::json(&serde_json::json!({ "detached": detached }));
            } else if detached.is_empty() {
                output::line(
                    "[state] in restage.toml names no databases on servers: there is nothing to remove",
                );
            } else {
                output::line(&format!("removed restage's triggers and notes from {}", detached.join(", ")));
            }
        }
    }
    Ok(Outcome::Well)
}

fn list(global: &Global, project: &Project, all: bool) -> Result<(), Failure> {
    open_project::tell_of_interrupted(project)?;
    let snapshot_store = project.snapshot_store_to_read()?;
    let mut snapshots = snapshot_store.map(|store| store.snapshots()).transpose()?.unwrap_or_default();
    if global.json {
        output::json(&snapshots);
        return Ok(());
    }
    let before = snapshots.len();
    snapshots.retain(|s| all || !s.name.contains(&format!("/{}", restage_replay::AFTER)));
    let left_out = before - snapshots.len();
    let rows: Vec<Vec<String>> = snapshots
        .iter()
        .map(|s| {
            vec![
                s.name.clone(),
                moment(s.created).to_string(),
                s.parts.to_string(),
                s.size.to_string(),
                s.stored.to_string(),
            ]
        })
        .collect();
    output::table(&["snapshot", "saved (UTC)", "parts ", "bytes ", "added bytes "], &rows);
    if left_out > 0 {
        note(global, format!("{left_out} more were taken after sessions of runs; --all lists them"));
    }
    Ok(())
}

fn moment(time: std::time::SystemTime) -> restage_model::Moment {
    let since = time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    restage_model::Moment(since.as_micros() as i64)
}
