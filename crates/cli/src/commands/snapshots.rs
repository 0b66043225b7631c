//! `restage snapshots`: saved states.

use restage_project::Project;

use crate::args::Global;
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
    },
    /// Restore the application's data from a snapshot; writes only what differs
    Restore {
        /// The snapshot's name
        name: String,
    },
    /// Show what differs between the application's data and a snapshot; exits 1 on differences
    Diff {
        /// The snapshot's name
        name: String,
    },
    /// Remove a snapshot
    Remove {
        /// The snapshot's name
        name: String,
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
        Some(What::Save { name, replace }) => {
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
        Some(What::Restore { name }) => {
            let restored = state()?.restore(name)?;
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
        Some(What::Diff { name }) => {
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
        Some(What::Remove { name }) => {
            let mut snapshot_store = project.snapshot_store()?;
            snapshot_store.remove(name)?;
            open_project::collect_garbage(global, &project, &mut snapshot_store)?;
        }
    }
    Ok(Outcome::Well)
}

fn list(global: &Global, project: &Project, all: bool) -> Result<(), Failure> {
    let mut snapshots = project.snapshot_store()?.snapshots()?;
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
