//! `restage record`: the recording reverse proxy.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use restage_capture::{
    HostRule, OnlineReducer, Recorder, RecorderSettings, RedactingStore, ReducerThread, ReductionTally,
    Tally, TlsIdentity, UpstreamTls,
};
use restage_project::Project;
use restage_replay::INITIAL;
use restage_store::{Store, StoreError};
use restage_suite::reduce::{ReduceError, Requirement};
use url::Url;

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::interrupt::stop_signal;
use crate::terminal::output;
use crate::terminal::progress::note;
use crate::terminal::redacted;
use crate::terminal::status_line::{KeptLine, kept_json, show_counts};

/// Record user sessions through a reverse proxy in front of the application
///
/// Users (or your browser) connect to the listening address instead of the application. If storing fails, the traffic
/// goes on. Ctrl-C ends the recording.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage record --upstream http://127.0.0.1:8080 --listen 127.0.0.1:9090")]
pub(crate) struct Args {
    #[command(flatten)]
    proxy: ProxyArgs,
    /// Which sessions to keep: all, or reduced (drops a finished session that shows nothing new; see `restage watch`)
    #[arg(long, value_name = "WHICH", default_value = "all")]
    keep: Keep,
    /// With --keep reduced: what counts as new: key, key-pairs, params or values
    #[arg(long, value_name = "KIND", default_value_t = Requirement::Key)]
    require: Requirement,
}

/// Where the recorder stands, and how it passes the traffic on.
#[derive(Debug, clap::Args)]
pub(crate) struct ProxyArgs {
    /// The application: http://HOST:PORT or https://HOST:PORT
    #[arg(long, value_name = "URL", env = "RESTAGE_UPSTREAM", hide_env = true)]
    upstream: Option<String>,
    /// Where users connect; port 0 takes any free port [default: 127.0.0.1:9090]
    #[arg(long, value_name = "ADDR", env = "RESTAGE_LISTEN", hide_env = true)]
    listen: Option<SocketAddr>,
    /// The Host header sent to the application: auto, preserve (the client's), upstream, or a name
    #[arg(long, value_name = "RULE")]
    host: Option<String>,
    /// Add Forwarded and X-Forwarded-* headers with the client's address
    #[arg(long)]
    forwarded: bool,
    /// Listen with TLS, with a generated certificate
    #[arg(long)]
    tls: bool,
    /// Listen with TLS, with this certificate chain (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Also trust this certificate authority (PEM) for the application
    #[arg(long, value_name = "FILE")]
    upstream_ca: Option<PathBuf>,
    /// Do not verify the application's certificate
    #[arg(long, conflicts_with = "upstream_ca")]
    upstream_insecure: bool,
    /// Store at most this many bytes of each body; longer bodies are marked as cut
    #[arg(long, value_name = "BYTES")]
    body_limit: Option<u64>,
    /// Do not save the application's state as the snapshot `initial` first
    #[arg(long)]
    no_snapshot: bool,
}

/// Which sessions stay in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Keep {
    All,
    Reduced,
}

/// How sessions that bring nothing new are dropped while it is recorded.
pub(crate) struct Reduced {
    /// What sessions have to bring.
    pub(crate) require: Requirement,
    /// How long it may take until the next look.
    pub(crate) longest_pause: Duration,
    /// What is shown of it meanwhile, in place of the counts of exchanges.
    pub(crate) line: Option<KeptLine>,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let reduced = Reduced { require: args.require, longest_pause: Duration::from_secs(60), line: None };
    record(global, &args.proxy, (args.keep == Keep::Reduced).then_some(reduced))
}

/// Records until Ctrl-C.
pub(crate) fn record(
    global: &Global,
    args: &ProxyArgs,
    reduced: Option<Reduced>,
) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let settings = settings(&project, args)?;
    let store = Store::open_or_create(project.store_path())?;
    if !args.no_snapshot {
        save_initial(global, &project)?;
    }
    let redacting = project.redacting(&store)?;
    let before = store.last_exchange()?;
    let sink = RedactingStore::new(store, redacting.clone());
    let counted = reduced.as_ref().is_none_or(|reduced| reduced.line.is_none());
    let reducer =
        reduced.map(|reduced| Ok::<_, Failure>((reducer(&project, &reduced)?, reduced))).transpose()?;
    let upstream = settings.upstream.clone();
    let scheme = if settings.listen_tls.is_some() { "https" } else { "http" };
    let quiet = global.quiet;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (tally, reduction) = runtime.block_on(async {
        let recorder = Recorder::bind(settings, sink)?.on_notice(move |notice| {
            if !quiet {
                eprintln!("note: {notice}");
            }
        });
        let counts = recorder.counts();
        tell_if_unreachable(global, &upstream).await;
        note(global, format!("recording HTTP traffic for {upstream}\n  listening on {scheme}://{}\n  storing in {}\n  press Ctrl-C to stop", recorder.local_addr(), project.store_path().display()));
        if global.json {
            output::line(&serde_json::json!({ "listening": format!("{scheme}://{}", recorder.local_addr()) }).to_string());
        }
        let reduction = reducer.map(|(reducer, reduced)| start_reduction(&project, reducer, reduced)).transpose()?;
        let live = counted.then(|| tokio::spawn(show_counts(global.clone(), counts)));
        let tally = recorder.run(stop_signal()).await;
        live.inspect(tokio::task::JoinHandle::abort);
        Ok::<_, Failure>((tally, reduction))
    })?;
    let kept = reduction.map(ReducerThread::finish).transpose()?;
    let redacted = match redacting {
        Some(redacting) => redacted::sweep(global, &mut project.store()?, &redacting, before)?,
        None => BTreeMap::new(),
    };
    report(global, &tally, kept, &redacted);
    Ok(Outcome::Well)
}

/// What drops sessions that bring nothing new. All that the store has by now stays.
fn reducer(project: &Project, reduced: &Reduced) -> Result<OnlineReducer, Failure> {
    if !reduced.require.is_in_requests() {
        return Err(ReduceError::NoFacts(reduced.require).into());
    }
    Ok(OnlineReducer::open(project.store_path(), project.config.sessions.clone(), reduced.require)?)
}

/// Lets it look from time to time.
fn start_reduction(
    project: &Project,
    reducer: OnlineReducer,
    mut reduced: Reduced,
) -> Result<ReducerThread, Failure> {
    let every = (project.config.sessions.idle / 8).clamp(Duration::from_millis(250), reduced.longest_pause);
    let seen = move |look: Result<ReductionTally, &StoreError>| match (look, &mut reduced.line) {
        (Ok(tally), Some(line)) => line.show(tally),
        (Ok(_), None) => {}
        (Err(error), _) => eprintln!("note: cannot look for new behaviour yet, will try again: {error}"),
    };
    Ok(ReducerThread::start(reducer, every, seen)?)
}

fn settings(project: &Project, args: &ProxyArgs) -> Result<RecorderSettings, Failure> {
    let config = &project.config.record;
    let upstream = args.upstream.as_ref().or(config.upstream.as_ref()).ok_or_else(|| {
        Failure::user("--upstream is missing: which application should be recorded?\n  hint: restage record --upstream http://127.0.0.1:8080")
    })?;
    let with_scheme = if upstream.contains("://") { upstream.clone() } else { format!("http://{upstream}") };
    let url = Url::parse(&with_scheme).map_err(|e| {
        Failure::user(format!("--upstream: `{upstream}` is not a URL: {e}\n  hint: write http://HOST:PORT"))
    })?;
    let listen = args.listen.or(config.listen).unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 9090)));
    let mut settings = RecorderSettings::new(url, listen);
    settings.listen_tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => {
            Some(TlsIdentity::Files { certificate: certificate.clone(), key: key.clone() })
        }
        _ => args.tls.then(|| TlsIdentity::Generated { folder: project.own_folder().join("tls") }),
    };
    if let Some(file) = &args.upstream_ca {
        settings.upstream_tls = UpstreamTls::ExtraCa(file.clone());
    } else if args.upstream_insecure {
        settings.upstream_tls = UpstreamTls::Insecure;
    }
    if let Some(rule) = args.host.as_ref().or(config.host.as_ref()) {
        settings.host = rule.parse::<HostRule>().unwrap_or_default();
    }
    settings.forwarded = args.forwarded;
    if let Some(limit) = args.body_limit.or(config.body_limit) {
        settings.body_limit = limit;
    }
    Ok(settings)
}

/// A baseline begins from the state before the first recorded session: this is the moment to save it.
fn save_initial(global: &Global, project: &Project) -> Result<(), Failure> {
    if project.configured && project.config.state.is_empty() {
        note(
            global,
            "note: [state] in restage.toml is empty, so no snapshot of the application's data is saved",
        );
    }
    if let Some(took) = project.save_initial()? {
        note(
            global,
            format!("saved the application's data as the snapshot `{INITIAL}` ({} ms)", took.as_millis()),
        );
    }
    Ok(())
}

/// Looks once whether the application is there: better now than at the first user.
async fn tell_if_unreachable(global: &Global, upstream: &Url) {
    let (Some(host), Some(port)) = (upstream.host_str(), upstream.port_or_known_default()) else { return };
    let host = host.trim_matches(['[', ']']);
    let connect = tokio::net::TcpStream::connect((host, port));
    if let Ok(Err(error)) = tokio::time::timeout(Duration::from_secs(2), connect).await {
        note(
            global,
            format!(
                "note: the application does not answer at {upstream} yet: {error}\n  hint: start it, or check --upstream"
            ),
        );
    }
}

fn report(global: &Global, tally: &Tally, kept: Option<ReductionTally>, redacted: &BTreeMap<String, u64>) {
    if global.json {
        let reasons: Vec<_> =
            tally.reasons.iter().map(|(why, n)| serde_json::json!({ "why": why, "exchanges": n })).collect();
        let value = serde_json::json!({
            "seen": tally.seen,
            "stored": tally.stored,
            "not_stored": tally.not_stored,
            "reasons": reasons,
            "cut_bodies": tally.cut_bodies,
            "upstream_errors": tally.upstream_errors,
            "upgrades": tally.upgrades,
            "redacted": redacted,
            "sessions": kept.as_ref().map(kept_json),
        });
        return output::line(&value.to_string());
    }
    output::line(&format!("exchanges seen {}, stored {}", tally.seen, tally.stored));
    if tally.not_stored > 0 {
        output::line(&format!("NOT stored: {}", tally.not_stored));
        for (why, n) in &tally.reasons {
            output::line(&format!("  {n}: {why}"));
        }
    }
    for (n, what) in [
        (tally.cut_bodies, "bodies cut at --body-limit"),
        (tally.upstream_errors, "requests that the application did not answer"),
        (tally.upgrades, "upgraded connections (WebSocket), passed through unrecorded"),
    ] {
        if n > 0 {
            output::line(&format!("  {what}: {n}"));
        }
    }
    if let Some(kept) = kept {
        output::line(&format!(
            "sessions seen {}, kept {}, dropped {} ({}) that showed nothing new\nbehaviours {}, {} stored",
            kept.seen(),
            kept.kept(),
            kept.dropped,
            output::count(kept.exchanges as usize, "exchange"),
            kept.behaviours,
            indicatif::HumanBytes(kept.bytes)
        ));
    }
    if let Some(told) = redacted::in_words(redacted) {
        output::line(&told);
    }
    if tally.stored > 0 {
        note(
            global,
            "next: `restage sessions` lists what was recorded, `restage baseline` makes tests of it",
        );
    }
}
