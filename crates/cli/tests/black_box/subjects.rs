//! Applications with a state of each kind, recorded and with a baseline: what tests of killed and simultaneous commands work on.

use std::path::Path;
use std::process::Command;

use crate::database_server::{DatabaseServer, Engine};
use crate::own_app::{APP, start_script, use_notes};
use crate::servers::Guestbook;
use crate::support::{Recording, json, project, restage, run, stderr};

const DUMP: &str = include_str!("../apps/state_dump.py");

/// Where an application keeps its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Folders,
    Postgres,
    MariaDb,
}

/// An application with a state.
pub(crate) enum Subject {
    Files { folder: tempfile::TempDir, state: &'static str },
    Server(Box<Guestbook>),
}

impl Subject {
    /// One that was recorded, and has a baseline.
    pub(crate) fn new(kind: Kind) -> Self {
        let subject = match kind {
            Kind::Sqlite => Self::files("sqlite = [\"work/notes.db\"]", "work/notes.db"),
            Kind::Folders => Self::files("folders = [\"work\"]", "work"),
            Kind::Postgres => Self::Server(Box::new(Guestbook::recorded(Engine::Postgres))),
            Kind::MariaDb => Self::Server(Box::new(Guestbook::recorded(Engine::MariaDb))),
        };
        let made = run(subject.path(), &["baseline"]);
        assert!(made.status.success(), "{}", stderr(&made));
        subject
    }

    fn files(state: &str, place: &'static str) -> Self {
        let config = format!(
            "[app]\ncommand = \"cd work && exec python3 ../notes.py {{port}}\"\n\
             [app.slow]\nenv = {{ SLEEP = \"0.3\" }}\n[state]\n{state}\n"
        );
        let files =
            [("notes.py", APP), ("restage.toml", &config), ("state_dump.py", DUMP), ("work/.keep", "")];
        let folder = project(&files);
        let this = Self::Files { folder, state: place };
        this.record();
        this
    }

    fn record(&self) {
        let (app, upstream) = start_script(&self.path().join("work"), "../notes.py");
        let arguments = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
        let recording = Recording::start(restage(self.path(), &arguments));
        use_notes(&|path| recording.url(path));
        recording.stop();
        drop(app);
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Files { folder, .. } => folder.path(),
            Self::Server(guestbook) => guestbook.path(),
        }
    }

    /// All that is in the state, and everything of restage's own that would be left in a database.
    pub(crate) fn dump(&self) -> String {
        match self {
            Self::Files { state, .. } => {
                let mut dump = Command::new("python3");
                let output = dump.args(["state_dump.py", state]).current_dir(self.path()).output().unwrap();
                assert!(output.status.success(), "{}", stderr(&output));
                String::from_utf8_lossy(&output.stdout).into_owned()
            }
            Self::Server(guestbook) => guestbook.server.dump(),
        }
    }

    /// The database server, where there is one.
    pub(crate) fn server(&mut self) -> Option<&mut DatabaseServer> {
        match self {
            Self::Files { .. } => None,
            Self::Server(guestbook) => Some(&mut guestbook.server),
        }
    }

    /// The databases on the server; none where there is no server.
    pub(crate) fn databases(&self) -> Vec<String> {
        match self {
            Self::Files { .. } => Vec::new(),
            Self::Server(guestbook) => guestbook.server.databases(),
        }
    }

    /// The names of its snapshots that begin so.
    pub(crate) fn snapshots(&self, prefix: &str) -> Vec<String> {
        let all = json(self.path(), &["snapshots"]);
        let names = all.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned());
        names.filter(|name| name.starts_with(prefix)).collect()
    }
}

/// Numbers that are drawn: another for each run of the tests, told where one fails.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        Self(since.as_nanos() as u64 | 1)
    }

    /// One below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end.max(1)
    }
}

/// How often something is tried: as the variable says, which a study sets, or else as often as a test has time for.
pub(crate) fn rounds(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}
