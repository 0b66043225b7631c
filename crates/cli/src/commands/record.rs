//! `restage record`: the recording reverse proxy.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::ValueEnum;
use restage_capture::{OnlineReducer, Recorder, RedactingStore, ReducerThread, ReductionTally};
use restage_project::Project;
use restage_replay::{INITIAL, Phase};
use restage_store::{Store, StoreError};
use restage_suite::reduce::{ReduceError, Requirement};
use url::Url;

use crate::args::{Global, ProxyArgs, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::interrupt::stop_signal;
use crate::terminal::learning;
use crate::terminal::output;
use crate::terminal::progress::note;
use crate::terminal::recording;
use crate::terminal::redacted;
use crate::terminal::status_line::{KeptLine, show_counts};

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
    let settings = args.settings(&project)?;
    let store = Store::open_or_create(project.store_path())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let stop = stop_signal(&runtime)?;
    if !args.no_snapshot {
        save_initial(global, &project, args.wait)?;
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
        let tally = recorder.run(stop).await;
        live.inspect(tokio::task::JoinHandle::abort);
        Ok::<_, Failure>((tally, reduction))
    })?;
    let kept = reduction.map(ReducerThread::finish).transpose()?;
    let redacted = match redacting {
        Some(redacting) => redacted::sweep(global, &mut project.store()?, &redacting, before)?,
        None => BTreeMap::new(),
    };
    let learnt = project.learn_page_parameters(&mut project.store()?)?;
    let errors = project.recorded_errors(&project.store()?, before)?;
    recording::print(global, &tally, kept, &redacted, errors.as_ref());
    learning::tell(global, &learnt);
    Ok(Outcome::Well)
}

/// What drops sessions that bring nothing new. All that the store has by now stays.
fn reducer(project: &Project, reduced: &Reduced) -> Result<OnlineReducer, Failure> {
    if !reduced.require.is_in_requests() {
        return Err(ReduceError::NoFacts(reduced.require, reduced.require.facts()).into());
    }
    Ok(OnlineReducer::open(
        project.store_path(),
        project.config.sessions.clone(),
        reduced.require,
        project.key_rules(&project.store()?)?,
    )?)
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

/// A baseline begins from the state before the first recorded session: this is the moment to save it.
/// A replay that goes on is waited for, so that none of what it does is taken for the data.
fn save_initial(global: &Global, project: &Project, wait: WaitArgs) -> Result<(), Failure> {
    if project.config.state.is_empty() {
        if project.configured {
            note(
                global,
                "note: [state] in restage.toml is empty, so no snapshot of the application's data is saved",
            );
        }
        return Ok(());
    }
    let (lock, interrupt) = open_project::state_alone(project, wait)?;
    interrupt.phase.set(Phase::Saving);
    if let Some(took) = project.save_initial()? {
        note(
            global,
            format!("saved the application's data as the snapshot `{INITIAL}` ({} ms)", took.as_millis()),
        );
    }
    drop(lock);
    interrupt.hand_over()
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
