//! The bookstore in a project of its own, its shoppers recorded: as `restage demo` makes it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bookstore::Fault;
use restage_capture::{Recorder, RecorderSettings, SessionRules, sessionize};
use restage_model::{NewSuite, Suite};
use restage_replay::{App, AppSpec, INITIAL, Project, Restart, Secrecy};
use restage_state::{SnapshotStore, State, StateSpec};
use restage_store::Store;
use tempfile::TempDir;
use url::Url;

use crate::Trouble;

/// The argument that makes a program of this crate a bookstore.
const MODE: &str = "bookstore";
/// As `restage demo`: who comes, and what their choices are drawn from.
const SHOPPERS: usize = 40;
const SEED: u64 = 7;
const RECORDED: &str = "recorded";

/// What differs between runs of the same version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Nothing: chance and the clock are fixed.
    Off,
    /// What differs on a real site: the time, tokens, recommendations.
    Real,
}

/// A recorded bookstore.
pub struct Subject {
    /// What a replay works on.
    pub project: Project,
    /// What the shoppers did.
    pub suite: Suite,
    noise: Noise,
    folder: TempDir,
}

impl Subject {
    /// Starts a bookstore and the recorder before it, and sends the shoppers through.
    pub fn record(noise: Noise, stop: Arc<AtomicBool>) -> Result<Self, Trouble> {
        let folder = tempfile::tempdir()?;
        let root = folder.path();
        std::fs::create_dir(root.join("data"))?;
        let store_path = root.join(".restage/restage.db");
        let mut store = Store::open_or_create(&store_path)?;
        let mut state = state(root)?;
        let mut app = App::start(&app(root, noise, &[])?)?;
        state.save(INITIAL)?;
        send_shoppers(&app, Store::open(&store_path)?)?;
        app.stop();
        let exchanges = store.exchanges()?;
        let sessions = sessionize(exchanges.iter(), &SessionRules::default());
        let suite = store.save_suite(NewSuite::of(RECORDED, RECORDED, sessions))?;
        let project = Project {
            store,
            store_path,
            state: Some(state),
            lock: None,
            stop,
            phase: Arc::default(),
            secrecy: Secrecy::default(),
            facts: None,
        };
        Ok(Self { project, suite, noise, folder })
    }

    /// How to start it, with faults switched on.
    pub fn app(&self, faults: &[Fault]) -> Result<AppSpec, Trouble> {
        app(self.folder.path(), self.noise, faults)
    }

    /// How to start another build of the bookstore, without faults.
    pub fn app_of(&self, bookstore: &Path) -> Result<AppSpec, Trouble> {
        let mut spec = self.app(&[])?;
        let own = format!("'{}' {MODE}", std::env::current_exe()?.display());
        spec.command = spec.command.replacen(&own, &format!("'{}'", bookstore.display()), 1);
        Ok(spec)
    }

    /// A folder for what a measurement writes.
    pub fn scratch(&self) -> Result<TempDir, Trouble> {
        Ok(tempfile::tempdir_in(self.folder.path())?)
    }

    /// The bookstore's database.
    pub fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("data/shop.db")
    }

    /// Puts the state as it was at a snapshot.
    pub fn restore(&mut self, snapshot: &str) -> Result<Duration, Trouble> {
        let state = self.project.state.as_mut().ok_or("the bookstore has a state")?;
        Ok(state.restore(snapshot)?.duration)
    }
}

/// Where the arguments ask for the bookstore, serves it; how that ended.
pub(crate) fn bookstore_mode() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    (args.next()? == MODE)
        .then(|| bookstore::main_with_args(std::iter::once(OsString::from(MODE)).chain(args)))
}

fn app(root: &Path, noise: Noise, faults: &[Fault]) -> Result<AppSpec, Trouble> {
    let program = std::env::current_exe()?;
    let mut command = format!("exec '{}' {MODE} --port {{port}} --data data", program.display());
    if noise == Noise::Off {
        command.push_str(" --seed 7 --today 2026-11-15");
    }
    for fault in faults {
        command.push_str(&format!(" --fault {}", fault.name()));
    }
    Ok(AppSpec {
        name: faults.first().map_or("trusted", |f| f.name()).to_owned(),
        command,
        address: None,
        dir: root.to_owned(),
        env: BTreeMap::new(),
        ready: "/".to_owned(),
        ready_timeout: Duration::from_secs(30),
        request_timeout: Duration::from_secs(30),
        stop_timeout: restage_replay::STOP_TIMEOUT,
        grain: Duration::ZERO,
        restart: Restart::Never,
        database: None,
        log: root.join("app.log"),
        logs: Vec::new(),
        clock: restage_replay::Clock::Real,
    })
}

fn state(root: &Path) -> Result<State, Trouble> {
    let spec =
        StateSpec { folders: vec![root.join("data")], base: Some(root.to_owned()), ..StateSpec::default() };
    Ok(State::open(&spec, SnapshotStore::open(&root.join(".restage/snapshots.db"))?)?)
}

fn send_shoppers(app: &App, store: Store) -> Result<(), Trouble> {
    let settings =
        RecorderSettings::new(Url::parse(&format!("http://{}", app.address()))?, ([127, 0, 0, 1], 0).into());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let recorder = Recorder::bind(settings, store)?;
        let address = format!("http://{}", recorder.local_addr());
        let (done, is_done) = tokio::sync::oneshot::channel();
        let drive = tokio::task::spawn_blocking(move || {
            let driven = bookstore::shoppers::drive(&address, SEED, SHOPPERS, &mut |_| {});
            // The receiver is gone only when the recorder has ended already.
            let _ = done.send(());
            driven
        });
        let tally = recorder.run(is_done).await;
        drive.await??;
        if tally.seen != tally.stored {
            return Err(format!("of {} exchanges seen, {} were stored", tally.seen, tally.stored).into());
        }
        Ok(())
    })
}
