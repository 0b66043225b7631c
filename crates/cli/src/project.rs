//! The folder a command works in: its settings, its store, its state.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use restage_capture::{SessionList, Sessionizer};
use restage_model::{PathTemplates, Run, RunKind, RunState, Session, Suite};
use restage_replay::AppSpec;
use restage_state::{DatabaseSpec, HookSpec, ServerKind, SnapshotStore, State, StateSpec};
use restage_store::{Store, StoreError};

use crate::cli::Global;
use crate::config::{Config, FILE};
use crate::failure::Failure;
use crate::hosts;
use crate::progress::note;

/// The suite of all that was recorded.
pub(crate) const RECORDED: &str = "recorded";

/// What the version under test, `[app]`, is called.
const DEFAULT: &str = "default";

/// How long the state's hook may take.
const HOOK_TIME_LIMIT: Duration = Duration::from_secs(60);

/// How many names a message lists.
const SHOWN_NAMES: usize = 8;

/// The folder a command works in.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    pub(crate) config: Config,
    /// Whether there is a `restage.toml`.
    pub(crate) configured: bool,
    store_path: PathBuf,
}

impl Project {
    /// Finds the project: the folder named, or this one, or the first above it with a `restage.toml`.
    pub(crate) fn find(global: &Global) -> Result<Self, Failure> {
        let here = std::env::current_dir()?;
        let root = match &global.project {
            Some(folder) if !folder.is_dir() => {
                return Err(Failure::user(format!("--project: {} is not a folder", folder.display())));
            }
            Some(folder) => folder.canonicalize()?,
            None => here.ancestors().find(|f| f.join(FILE).is_file()).unwrap_or(&here).to_owned(),
        };
        let file = root.join(FILE);
        let configured = file.is_file();
        let config = if configured { Config::read(&file)? } else { Config::default() };
        let store_path = match &global.store {
            Some(path) => std::path::absolute(path)?,
            None => root.join(".restage/restage.db"),
        };
        Ok(Self { root, config, configured, store_path })
    }

    /// The store's file.
    pub(crate) fn store_path(&self) -> &Path {
        &self.store_path
    }

    /// Restage's own folder.
    pub(crate) fn own_folder(&self) -> PathBuf {
        self.store_path.parent().unwrap_or(&self.root).to_owned()
    }

    /// Opens the store; an error where nothing was recorded yet.
    pub(crate) fn store(&self) -> Result<Store, Failure> {
        Ok(Store::open(&self.store_path)?)
    }

    /// The application's state; `None` where `[state]` names nothing.
    pub(crate) fn state(&self) -> Result<Option<State>, Failure> {
        let absolute = |paths: &[PathBuf]| paths.iter().map(|p| self.root.join(p)).collect();
        let spec = StateSpec {
            folders: absolute(&self.config.state.folders),
            sqlite: absolute(&self.config.state.sqlite),
            databases: self.databases()?,
            hook: self.hook()?,
            base: Some(self.root.clone()),
        };
        if spec.is_empty() {
            return Ok(None);
        }
        if let Some(folder) = spec
            .folders
            .iter()
            .find(|f| self.root.starts_with(f) || f.canonicalize().is_ok_and(|f| self.root.starts_with(f)))
        {
            return Err(Failure::user(format!(
                "[state] folders lists {}, which holds {FILE} and the application itself: a restore would undo your work\n  hint: list the folders that the application writes to",
                folder.display()
            )));
        }
        Ok(Some(State::open(&spec, self.snapshot_store()?)?))
    }

    fn databases(&self) -> Result<Vec<DatabaseSpec>, Failure> {
        let kinds = [
            (ServerKind::Postgres, &self.config.state.postgres),
            (ServerKind::Mariadb, &self.config.state.mariadb),
        ];
        let all = kinds.into_iter().flat_map(|(kind, urls)| urls.iter().map(move |url| (kind, url)));
        Ok(all.map(|(kind, url)| DatabaseSpec::new(kind, url)).collect::<Result<_, _>>()?)
    }

    /// The state's hook, where there is one.
    fn hook(&self) -> Result<Option<HookSpec>, Failure> {
        let Some(hook) = &self.config.state.hook else { return Ok(None) };
        let program = self.root.join(hook);
        if !program.is_file() {
            return Err(Failure::user(format!(
                "[state] hook names {}, which is not a file\n  hint: a program that is called with `save NAME`, `restore NAME` and `remove NAME`",
                program.display()
            )));
        }
        let time_limit = self.config.state.hook_timeout.unwrap_or(HOOK_TIME_LIMIT);
        Ok(Some(HookSpec { program, dir: self.root.clone(), time_limit }))
    }

    /// Frees what no snapshot needs any more, with what the state's hook kept for them.
    pub(crate) fn collect_garbage(
        &self,
        global: &Global,
        snapshot_store: &mut SnapshotStore,
    ) -> Result<(), Failure> {
        snapshot_store.collect_garbage()?;
        if let Some(hook) = self.hook()? {
            for failure in hook.remove_unused(snapshot_store)? {
                note(global, format!("note: {failure}"));
            }
        }
        Ok(())
    }

    /// Makes restage's own folder, for its owner alone: what users typed is in it.
    pub(crate) fn make_own_folder(&self) -> Result<PathBuf, Failure> {
        let folder = self.own_folder();
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        made.map_err(|e| Failure::environment(format!("cannot make {}: {e}", folder.display())))?;
        Ok(folder)
    }

    /// Where snapshots are kept.
    pub(crate) fn snapshot_store(&self) -> Result<SnapshotStore, Failure> {
        self.make_own_folder()?;
        Ok(SnapshotStore::open(&self.snapshot_store_path())?)
    }

    /// The file that snapshots are kept in.
    pub(crate) fn snapshot_store_path(&self) -> PathBuf {
        self.own_folder().join("snapshots.db")
    }

    /// An app by its name; `None` for the version under test.
    pub(crate) fn app(&self, name: Option<&str>) -> Result<AppSpec, Failure> {
        if !self.configured {
            return Err(Failure::user(format!(
                "there is no {FILE} in {} or above it\n  hint: `restage init` writes one; it says how to start the application",
                self.root.display()
            )));
        }
        let bad = |e: String| Failure::user(format!("{}: {e}", self.root.join(FILE).display()));
        // `default` is what [app] is called in output.
        let name =
            name.filter(|name| *name != DEFAULT || self.config.app_names().iter().any(|n| n == DEFAULT));
        let app = self.config.app(name).map_err(bad)?;
        let address =
            app.address.as_deref().map(|address| hosts::allowed(address, &self.config.replay.hosts));
        let address = address.transpose().map_err(bad)?;
        if app.command.is_none() && address.is_none() {
            return Err(bad(
                "[app] has no `command`\n  hint: for example command = \"php -S 127.0.0.1:{port} -t public\""
                    .to_owned(),
            ));
        }
        let name = name.unwrap_or(DEFAULT);
        let dir = self.root.join(app.dir.unwrap_or_default());
        if !dir.is_dir() {
            return Err(bad(format!(
                "the app `{name}` is to run in {}, which is not a folder",
                dir.display()
            )));
        }
        let logs: Vec<PathBuf> = app.logs.iter().flatten().map(|path| self.root.join(path)).collect();
        if let Some(folder) = logs.iter().find(|path| path.is_dir()) {
            return Err(bad(format!(
                "`logs` of the app `{name}` names {}, which is a folder\n  hint: name the files in it that the application logs to",
                folder.display()
            )));
        }
        Ok(AppSpec {
            name: name.to_owned(),
            command: app.command.unwrap_or_default(),
            address,
            dir,
            env: app.env,
            ready: app.ready.unwrap_or_else(|| "/".to_owned()),
            ready_timeout: app.ready_timeout.unwrap_or(Duration::from_secs(30)),
            request_timeout: app.timeout.unwrap_or(Duration::from_secs(30)),
            grain: app.grain.unwrap_or(Duration::ZERO),
            restart: app.restart.unwrap_or_default(),
            database: self.databases()?.first().map(|database| database.name().to_owned()),
            log: self.own_folder().join(format!("logs/{name}.log")),
            logs,
            clock: app.clock.unwrap_or_default(),
        })
    }

    /// The trusted version: the one of this name, or else `[app.baseline]` where there is one, or else `[app]`.
    pub(crate) fn trusted_app(&self, name: Option<&str>) -> Result<AppSpec, Failure> {
        let baseline = || self.config.app_names().iter().any(|n| n == "baseline").then_some("baseline");
        self.app(name.or_else(baseline))
    }

    /// What was recorded, as sessions.
    pub(crate) fn sessions(&self, store: &Store) -> Result<Vec<Session>, Failure> {
        Ok(self.session_list(store)?.sessions().collect())
    }

    /// The templates for views of the traffic: those that are listed, then those that imports taught. What names pages in
    /// reports, masks and rules is [`Config::path_templates`] alone, so that an import renames none.
    pub(crate) fn view_templates(&self, store: &Store) -> Result<PathTemplates, Failure> {
        let mut templates = self.config.path_templates();
        templates.0.extend(store.path_templates()?.iter().filter_map(|text| text.parse().ok()));
        Ok(templates)
    }

    /// What was recorded and imported, as sessions, and those that are left out.
    pub(crate) fn session_list(&self, store: &Store) -> Result<SessionList, Failure> {
        let mut sessionizer = Sessionizer::new(&self.config.sessions);
        store.each_exchange(|exchange| {
            sessionizer.add(&exchange);
            Ok::<_, StoreError>(())
        })?;
        Ok(sessionizer.finish())
    }

    /// A suite by its name. `recorded` is made of what is recorded and imported now, without sessions that are left out.
    pub(crate) fn suite(&self, store: &mut Store, name: &str) -> Result<Suite, Failure> {
        if name == RECORDED {
            let sessions = self.sessions(store)?;
            if sessions.is_empty() {
                return Err(Failure::user(
                    "nothing is recorded yet\n  hint: `restage record --upstream URL`, then use the application through it; or `restage import FILE`; `restage sessions --all` shows what is left out",
                ));
            }
            let id = store.save_suite(RECORDED, RECORDED, &sessions)?;
            return Ok(store.suite_with(id, sessions)?);
        }
        match store.suite_named(name)? {
            Some(id) => Ok(store.suite(id)?),
            None => {
                let mut names: Vec<String> = store.suites()?.into_iter().map(|s| s.name).collect();
                names.insert(0, RECORDED.to_owned());
                names.dedup();
                let there = format!("there is: {}", names.join(", "));
                Err(StoreError::Unknown { kind: "suite", name: name.to_owned(), there }.into())
            }
        }
    }

    /// The run of a name.
    pub(crate) fn run(&self, store: &Store, name: &str) -> Result<Run, Failure> {
        if let Some(run) = store.run_named(name)? {
            return Ok(run);
        }
        let names: Vec<String> = store.runs()?.into_iter().rev().map(|r| r.name).collect();
        let there = match names.len() {
            0 => "there is none yet".to_owned(),
            n if n > SHOWN_NAMES => format!("the newest are: {}", names[..SHOWN_NAMES].join(", ")),
            _ => format!("there is: {}", names.join(", ")),
        };
        Err(StoreError::Unknown { kind: "run", name: name.to_owned(), there }.into())
    }

    /// The baseline of a name, or the newest.
    pub(crate) fn baseline(&self, store: &Store, name: Option<&str>) -> Result<Run, Failure> {
        match name {
            Some(name) => self.run(store, name),
            None => self.newest_baseline(store)?.ok_or_else(|| {
                Failure::user("there is no baseline to compare with\n  hint: `restage baseline` makes one on the trusted version")
            }),
        }
    }

    /// The newest baseline that came to its end.
    pub(crate) fn newest_baseline(&self, store: &Store) -> Result<Option<Run>, Failure> {
        let runs = store.runs()?;
        Ok(runs
            .into_iter()
            .rev()
            .find(|r| r.kind == RunKind::Baseline && r.state == RunState::Complete && r.check.is_some()))
    }

    /// A name for a run that is not taken: the one given, or the first free of `prefix-1`, `prefix-2`, …
    pub(crate) fn run_name(
        &self,
        store: &Store,
        given: Option<&str>,
        prefix: &str,
    ) -> Result<String, Failure> {
        match given {
            Some(name) if store.run_named(name)?.is_some() => {
                Err(StoreError::Taken { kind: "run", name: name.to_owned() }.into())
            }
            Some(name) => Ok(name.to_owned()),
            None => {
                let taken: Vec<String> = store.runs()?.into_iter().map(|r| r.name).collect();
                let free = (1..).map(|n| format!("{prefix}-{n}")).find(|name| !taken.contains(name));
                Ok(free.unwrap_or_else(|| prefix.to_owned()))
            }
        }
    }

    /// What a replay works on.
    pub(crate) fn for_replay(&self, global: &Global) -> Result<restage_replay::Project, Failure> {
        self.tell_of_interrupted(global)?;
        let state = self.state()?;
        if state.is_none() {
            note(
                global,
                "note: [state] in restage.toml names nothing, so the application's data is not put back between sessions",
            );
        }
        let stop = Arc::new(AtomicBool::new(false));
        crate::progress::stop_on_interrupt(&stop)?;
        let store = self.store()?;
        let secrecy = self.secrecy(&store)?;
        Ok(restage_replay::Project { store, store_path: self.store_path.clone(), state, stop, secrecy })
    }

    /// A replay that was killed could not put the state back; say how to.
    fn tell_of_interrupted(&self, global: &Global) -> Result<(), Failure> {
        for snapshot in self.snapshot_store()?.snapshots()? {
            if snapshot.name.starts_with(restage_replay::ASIDE) {
                note(
                    global,
                    format!(
                        "note: a replay was ended before it could put the application's state back\n  hint: `restage snapshots restore '{0}'` does, \
                         `restage snapshots remove '{0}'` forgets it",
                        snapshot.name
                    ),
                );
            }
        }
        Ok(())
    }
}
