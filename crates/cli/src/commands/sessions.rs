//! `restage sessions`: what was recorded.

use restage_model::{Exchange, Session};

use crate::cli::Global;
use crate::commands::sessions_needs;
use crate::failure::{Failure, Outcome};
use crate::output::{self, count, cut};
use crate::project::Project;

/// Show what was recorded: sessions, and the requests of one
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  restage sessions\n  restage sessions show s17 --all")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// The requests of one session
    Show {
        /// The session's name
        session: String,
        /// Show what is left out of a replay too: images, style sheets, scripts, fonts
        #[arg(long)]
        all: bool,
    },
    Needs(sessions_needs::Args),
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    if let Some(What::Needs(args)) = &args.what {
        return sessions_needs::run(global, &project, args);
    }
    let store = project.store()?;
    let sessions = project.sessions(&store)?;
    match &args.what {
        None | Some(What::Needs(_)) => list(global, &sessions),
        Some(What::Show { session, all }) => {
            let found = sessions.iter().find(|s| s.name == *session).ok_or_else(|| {
                Failure::user(format!(
                    "there is no session called `{session}`\n  hint: `restage sessions` lists them"
                ))
            })?;
            let mut exchanges = Vec::new();
            for id in &found.exchanges {
                exchanges.push((store.exchange(*id)?, false));
            }
            if *all {
                for id in &found.left_out {
                    exchanges.push((store.exchange(*id)?, true));
                }
            }
            exchanges.sort_by_key(|(e, _)| (e.at, e.id));
            show(global, found, &exchanges);
        }
    }
    Ok(Outcome::Well)
}

fn list(global: &Global, sessions: &[Session]) {
    if global.json {
        return output::json(&sessions);
    }
    let rows: Vec<Vec<String>> = sessions
        .iter()
        .map(|s| {
            vec![
                s.name.clone(),
                s.from.to_string(),
                format!("{} s", s.to.since(s.from) / 1_000_000),
                s.exchanges.len().to_string(),
                s.left_out.len().to_string(),
                s.client.clone(),
                s.by.clone(),
            ]
        })
        .collect();
    output::table(
        &["session", "from (UTC)", "lasted ", "requests ", "left out ", "client", "told by"],
        &rows,
    );
    let requests = sessions.iter().map(|s| s.exchanges.len()).sum();
    output::line(&format!("{}, {}", count(sessions.len(), "session"), count(requests, "request")));
}

fn show(global: &Global, session: &Session, exchanges: &[(Exchange, bool)]) {
    if global.json {
        let exchanges: Vec<_> = exchanges
            .iter()
            .map(|(e, left_out)| serde_json::json!({ "left_out": left_out, "exchange": e }))
            .collect();
        return output::json(&serde_json::json!({ "session": session, "exchanges": exchanges }));
    }
    let mut step = 0;
    let rows: Vec<Vec<String>> = exchanges
        .iter()
        .map(|(e, left_out)| {
            step += usize::from(!left_out);
            let response = e.response.as_ref();
            vec![
                if *left_out { "-".to_owned() } else { step.to_string() },
                format!("+{:.1} s", e.at.since(session.from) as f64 / 1e6),
                e.request.method.clone(),
                cut(&e.request.uri, 70),
                response.map_or_else(|| "none".to_owned(), |r| r.status.to_string()),
                response.and_then(|r| r.headers.media_type()).unwrap_or_default(),
                response.map_or(0, |r| r.body.size).to_string(),
                e.error.as_deref().map(|w| cut(w, 60)).unwrap_or_default(),
            ]
        })
        .collect();
    output::table(&["step ", "at ", "method", "address", "status", "type", "bytes ", ""], &rows);
    if !session.left_out.is_empty() && rows.len() == session.exchanges.len() {
        output::line(&format!("and {} left out of a replay: --all shows them", session.left_out.len()));
    }
}
