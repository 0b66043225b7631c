//! `restage sessions needs`: which sessions need which.

use std::collections::BTreeMap;

use restage_project::{FoundNeeds, Project, find_needs};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::terminal::groups::named;
use crate::terminal::output::{self, count};
use crate::terminal::progress;

/// Show which sessions depend on others: to log in with an account that another registered, to order what another added
///
/// The dependencies come from a baseline: what its sessions sent, received and wrote. They may be transitive;
/// `restage replay --only SESSION --state augment` replays a session with all that it needs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  restage sessions needs\n  restage sessions needs s17")]
pub(crate) struct Args {
    /// The sessions whose dependencies to show [default: all]
    sessions: Vec<String>,
    /// The baseline [default: the newest]
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
}

pub(crate) fn run(global: &Global, project: &Project, args: &Args) -> Result<Outcome, Failure> {
    let store = project.store_to_read()?;
    let baseline = project.baseline(&store, args.baseline.as_deref())?;
    let known: Vec<String> = store.run_sessions(baseline.id)?.into_iter().map(|s| s.session).collect();
    if let Some(unknown) = args.sessions.iter().find(|name| !known.contains(name)) {
        return Err(Failure::user(format!(
            "`{}` has no session `{unknown}`\n  hint: `restage sessions` lists them; sessions recorded since then need a new `restage baseline`",
            baseline.name
        )));
    }
    let FoundNeeds { needs, gaps } = find_needs(project, &store, &baseline)?;
    for gap in &gaps {
        progress::note(global, format!("note: {gap}"));
    }
    let asked = if args.sessions.is_empty() { &known } else { &args.sessions };
    let mut wanted: Vec<&str> = asked.iter().map(String::as_str).collect();
    let all: BTreeMap<&str, Vec<&str>> = asked
        .iter()
        .map(|name| {
            let needed = needs.needed_by([name.as_str()]);
            (name.as_str(), known.iter().map(String::as_str).filter(|n| needed.contains(n)).collect())
        })
        .collect();
    wanted.extend(all.values().flatten());
    let told: Vec<_> = needs.all.iter().filter(|need| wanted.contains(&need.session.as_str())).collect();
    let is_wanted = |group: &&[String]| group.iter().any(|name| wanted.contains(&name.as_str()));
    let met: Vec<&[String]> = needs.groups.iter().filter(is_wanted).collect();
    if global.json {
        output::json(&serde_json::json!({
            "baseline": baseline.name,
            "needs": told,
            "groups": met,
            "all_needed": all,
            "unknown": gaps,
        }));
        return Ok(Outcome::Well);
    }
    for group in met {
        output::line(&format!("{} met: each needs the others", named(group)));
    }
    for need in &told {
        output::line(&need.to_string());
    }
    let needing = all.values().filter(|needed| !needed.is_empty()).count();
    progress::note(global, format!("{needing} of {} need others", count(asked.len(), "session")));
    Ok(Outcome::Well)
}
