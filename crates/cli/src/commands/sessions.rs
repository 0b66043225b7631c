//! `restage sessions`: what was recorded.

use restage_capture::{Reason, SessionList};
use restage_model::{Exchange, ExchangeId, Session, Suite, sent_fields};
use restage_project::Project;
use restage_store::{Store, StoreError};

use crate::args::Global;
use crate::commands::sessions_needs;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::groups::Met;
use crate::terminal::left_path::LeftPath;
use crate::terminal::output::{self, count, cut};

/// A form with more bytes has files, or is written by a script.
const LARGEST_FORM: u64 = 256 << 10;
/// So many fields of a form are shown.
const FIELDS: usize = 8;

/// List recorded sessions, or show the requests of one
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage sessions\n  restage sessions --all\n  restage sessions show s17 --all"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Also list the sessions that are left out, and why: bots, static pages, images
    #[arg(long)]
    all: bool,
    /// List only the sessions of bots
    #[arg(long, conflicts_with = "all")]
    bots: bool,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// List the keys of all requests, and how often each was requested
    Keys,
    /// Show the requests of one session
    Show {
        /// The session's name
        session: String,
        /// Also show the requests that a replay leaves out, and why: images, style sheets, unanswered requests
        #[arg(long)]
        all: bool,
        /// The session as this suite has it, with the steps that nobody recorded
        #[arg(long, value_name = "NAME", conflicts_with = "all")]
        suite: Option<String>,
    },
    Needs(sessions_needs::Args),
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    if let Some(What::Needs(args)) = &args.what {
        return sessions_needs::run(global, &project, args);
    }
    let mut store = project.store_to_read()?;
    if args.what.is_none() {
        open_project::tell_of_interrupted(&project)?;
    }
    if let Some(What::Show { session, suite: Some(suite), .. }) = &args.what {
        let suite = project.suite(&mut store, suite)?;
        show_of_suite(global, &project, &store, &suite, session)?;
        return Ok(Outcome::Well);
    }
    let sorted = project.session_list(&store)?;
    match &args.what {
        None | Some(What::Needs(_)) => list(global, args, &sorted),
        Some(What::Keys) => keys(global, &project, &store, &sorted)?,
        Some(What::Show { session, all, .. }) => {
            let found = sorted.named(session).ok_or_else(|| {
                Failure::user(format!(
                    "there is no session `{session}`\n  hint: `restage sessions` lists the recorded ones; --suite NAME shows a session of another suite"
                ))
            })?;
            let mut shown = Vec::new();
            for id in &found.exchanges {
                shown.push(Shown::of(&store, *id, None)?);
            }
            if *all {
                for (id, reason) in sorted.reasons(session) {
                    shown.push(Shown::of(&store, id, Some(reason))?);
                }
            }
            shown.sort_by_key(|shown| (shown.exchange.at, shown.exchange.id));
            let known = Known::of(&project, &store, &found)?;
            show(global, &found, &shown, &known);
        }
    }
    Ok(Outcome::Well)
}

/// The keys of all that is replayed, named by the templates that are listed and those that were learnt.
fn keys(global: &Global, project: &Project, store: &Store, sorted: &SessionList) -> Result<(), Failure> {
    let counts = project.key_counts(store, sorted)?;
    if global.json {
        output::json(&counts);
        return Ok(());
    }
    let rows: Vec<Vec<String>> =
        counts.iter().map(|(k, n)| vec![n.to_string(), cut(k.as_str(), 100)]).collect();
    output::table(&["requests ", "key"], &rows);
    output::line(&count(rows.len(), "key"));
    Ok(())
}

/// Lists sessions. There may be very many: each is made when it is printed.
fn list(global: &Global, args: &Args, sorted: &SessionList) {
    let wanted = |reason: &Option<Reason>| match reason {
        None => !args.bots,
        Some(Reason::Bot(_)) => args.all || args.bots,
        Some(_) => args.all,
    };
    let rows = || sorted.all().filter(|(_, reason)| wanted(reason));
    if global.json {
        return output::json(&output::List(|| rows().map(|(s, reason)| as_json(&s, reason))));
    }
    let with_reasons = args.all || args.bots;
    let mut titles =
        vec!["session", "from (UTC)", "lasted ", "requests ", "left out ", "client", "identified by"];
    if with_reasons {
        titles.push("left out because");
    }
    output::long_table(&titles, || rows().map(|(s, reason)| row(&s, reason, with_reasons)));
    let (sessions, requests) = rows().fold((0, 0), |(n, r), (s, _)| (n + 1, r + s.exchanges.len()));
    output::line(&format!("{}, {}", count(sessions, "session"), count(requests, "request")));
    if !with_reasons && sorted.left_out() > 0 {
        let number = count(sorted.left_out(), "session");
        output::line(&format!("{number} left out; --all lists them, and why"));
    }
}

fn row(s: &Session, reason: Option<Reason>, with_reasons: bool) -> Vec<String> {
    let mut row = vec![
        s.name.clone(),
        s.from.to_string(),
        format!("{} s", s.to.since(s.from) / 1_000_000),
        s.exchanges.len().to_string(),
        s.left_out.len().to_string(),
        s.client.clone(),
        s.by.replacen(':', " ", 1),
    ];
    if with_reasons {
        row.push(reason.map(|r| r.to_string()).unwrap_or_default());
    }
    row
}

fn as_json(session: &Session, reason: Option<Reason>) -> serde_json::Value {
    let mut value = serde_json::to_value(session).unwrap_or_default();
    if let (Some(reason), Some(object)) = (reason, value.as_object_mut()) {
        object.insert("why_left_out".to_owned(), reason.to_string().into());
    }
    value
}

/// Shows a session as a suite has it: in the order of its steps, which need not be that of time.
fn show_of_suite(
    global: &Global,
    project: &Project,
    store: &Store,
    suite: &Suite,
    name: &str,
) -> Result<(), Failure> {
    let found = suite.sessions.iter().find(|session| session.name == name).ok_or_else(|| {
        Failure::user(format!(
            "the suite `{0}` has no session `{name}`\n  hint: `restage suites show {0}` lists them",
            suite.name
        ))
    })?;
    let shown = found.exchanges.iter().map(|id| Shown::of(store, *id, None));
    let known = Known::of(project, store, found)?;
    show(global, found, &shown.collect::<Result<Vec<_>, StoreError>>()?, &known);
    Ok(())
}

/// What the newest baseline tells of a session.
struct Known {
    left: Option<LeftPath>,
    met: Option<Met>,
}

impl Known {
    fn of(project: &Project, store: &Store, session: &Session) -> Result<Self, Failure> {
        Ok(Self {
            left: LeftPath::of(project, store, session)?,
            met: Met::of(project, store, &session.name)?,
        })
    }
}

/// An exchange of a session, and why it is not replayed.
struct Shown {
    exchange: Exchange,
    reason: Option<Reason>,
    /// The fields that it sent.
    sent: Vec<(String, String)>,
}

impl Shown {
    fn of(store: &Store, id: ExchangeId, reason: Option<Reason>) -> Result<Self, StoreError> {
        let exchange = store.exchange(id)?;
        let request = &exchange.request;
        let is_form = request.body.size > 0 && request.body.size <= LARGEST_FORM;
        let body = if is_form { store.body(&request.body)? } else { Vec::new() };
        Ok(Self { sent: sent_fields(&request.headers, &body), exchange, reason })
    }
}

/// An address, with what was sent there: `/cart/add  book=17 count=2`.
fn address(uri: &str, sent: &[(String, String)]) -> String {
    let fields: Vec<String> = sent
        .iter()
        .take(FIELDS)
        .map(|(name, value)| format!("{}={}", cut(name, 30), cut(value, 30)))
        .collect();
    let more = if sent.len() > FIELDS { " …" } else { "" };
    match fields.as_slice() {
        [] => cut(uri, 70),
        fields => format!("{}  {}{more}", cut(uri, 70), cut(&fields.join(" "), 90)),
    }
}

fn show(global: &Global, session: &Session, exchanges: &[Shown], Known { left, met }: &Known) {
    let left = left.as_ref();
    if global.json {
        let mut step = 0;
        let exchanges: Vec<_> = exchanges
            .iter()
            .map(|Shown { exchange: e, reason, sent }| {
                let mut value =
                    serde_json::json!({ "left_out": reason.is_some(), "exchange": e, "sent": sent });
                if reason.is_none() {
                    if let Some(other) = session.taken_from(step) {
                        value["taken_from"] = other.into();
                    }
                    step += 1;
                }
                if let Some(reason) = reason {
                    value["why"] = reason.to_string().into();
                }
                if let Some(left) = left.filter(|left| reason.is_none() && left.at == e.id) {
                    value["left_path"] = left.as_json();
                }
                value
            })
            .collect();
        let met = met.as_ref().map(|met| met.others.as_slice()).unwrap_or_default();
        return output::json(&serde_json::json!({ "session": session, "met": met, "exchanges": exchanges }));
    }
    let mut step = 0;
    let rows: Vec<Vec<String>> = exchanges
        .iter()
        .map(|Shown { exchange: e, reason, sent }| {
            step += usize::from(reason.is_none());
            let response = e.response.as_ref();
            vec![
                if reason.is_some() { "-".to_owned() } else { step.to_string() },
                after(e.at.since(session.from)),
                e.request.method.clone(),
                address(&e.request.uri, sent),
                response.map_or_else(|| "none".to_owned(), |r| r.status.to_string()),
                response.and_then(|r| r.headers.media_type()).unwrap_or_default(),
                response.map_or(0, |r| r.body.size).to_string(),
                match (&e.error, reason) {
                    (_, None) if left.is_some_and(|left| left.at == e.id) => {
                        left.map(LeftPath::mark).unwrap_or_default()
                    }
                    (_, None) if !e.origin.is_recorded() => cut(&e.origin.to_string(), 80),
                    (Some(error), _) => cut(error, 60),
                    (None, Some(reason)) => reason.to_string(),
                    (None, None) => {
                        session.taken_from(step - 1).map(|other| format!("from {other}")).unwrap_or_default()
                    }
                },
            ]
        })
        .collect();
    output::table(&["step ", "at ", "method", "address", "status", "type", "bytes ", ""], &rows);
    if let Some(met) = met {
        met.print();
    }
    if let Some(left) = left {
        left.print();
    }
    if !session.left_out.is_empty() && rows.len() == session.exchanges.len() {
        output::line(&format!("{} not replayed; --all shows them", session.left_out.len()));
    }
}

/// When a step was sent, after its session began. A login that was recorded for another session was sent before.
fn after(microseconds: i64) -> String {
    if microseconds < 0 { "earlier".to_owned() } else { format!("+{:.1} s", microseconds as f64 / 1e6) }
}
