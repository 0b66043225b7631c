//! How to start one version of the application under test.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::clock::Clock;

/// How long an app may take to end, where nothing else is said.
pub const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// How to start one version of the application under test.
#[derive(Clone, Debug)]
pub struct AppSpec {
    /// Its name: `default`, `baseline`, …
    pub name: String,
    /// The command, for the shell. `{port}` stands for the port it is to listen on, `{copy}` for the number of the copy of
    /// the application, from 1, `{database}` for the name of its database, `{database:NAME}` for that of one of several; in `env` too.
    pub command: String,
    /// Where it runs already, where it is not to be started; its command is then nothing.
    pub address: Option<SocketAddr>,
    /// The folder it runs in.
    pub dir: PathBuf,
    /// Added to its environment.
    pub env: BTreeMap<String, String>,
    /// The path that is asked for until it is answered.
    pub ready: String,
    /// How long it may take to answer.
    pub ready_timeout: Duration,
    /// How long one request may take.
    pub request_timeout: Duration,
    /// How long it may take to end after it was asked to, before it is made to.
    pub stop_timeout: Duration,
    /// How finely it tells moments apart: requests that change something are kept in different ticks of this, where
    /// they were recorded so. Zero keeps nothing apart.
    pub grain: Duration,
    /// When it is started anew.
    pub restart: Restart,
    /// The name of its database, where it has one; copies have others.
    pub database: Option<String>,
    /// Where its output goes.
    pub log: PathBuf,
    /// Files that it logs to, beside its output.
    pub logs: Vec<PathBuf>,
    /// What its clock shows.
    pub clock: Clock,
}

/// When an app is started anew during a run; one that ended is, in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// One process serves all sessions.
    #[default]
    Never,
    /// Each session gets a new process, for applications that keep in memory what their files contradict.
    EachSession,
}

impl Restart {
    /// Its name on the command line and in `restage.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::EachSession => "each-session",
        }
    }
}

impl FromStr for Restart {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Never, Self::EachSession]
            .into_iter()
            .find(|r| r.name() == text)
            .ok_or_else(|| format!("no way to restart is called `{text}`: each-session or never"))
    }
}
