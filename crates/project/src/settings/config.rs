//! `restage.toml`: what it may say, and reading it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use restage_capture::SessionRules;
use restage_model::{DifferenceKind, KeyRules, PageParameter, PageParameters, PathTemplate, PathTemplates};
use restage_oracle::{Comparators, IgnoreRule, OracleRules};
use restage_replay::{Clock, Restart};
use serde::Deserialize;

use super::address::filled_in;
use super::groups_config::GroupsConfig;
use super::ignore_config::{IgnoreConfig, ignore_rules};
use super::oracle_config::{ComparatorsConfig, OracleConfig};
use super::redact_config::RedactConfig;
use crate::error::{ProjectError, SettingError};

/// The file's name.
pub const FILE: &str = "restage.toml";

fn both(section: &str) -> SettingError {
    SettingError::new("it has both a `command` and an `address`")
        .or_hint("a command starts it, an address says where it runs already")
        .in_section(section)
}

/// What `restage.toml` says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The version under test, with `[app.NAME]` for others.
    app: toml::Table,
    /// What the application persists.
    pub state: StateConfig,
    /// How exchanges become sessions.
    pub sessions: SessionRules,
    /// How pages are named.
    pub keys: KeysConfig,
    /// By what answers are judged.
    oracle: OracleConfig,
    /// The project's own comparators.
    comparators: ComparatorsConfig,
    /// What does not matter on some pages.
    ignore: Vec<IgnoreConfig>,
    /// The recorder.
    pub record: RecordConfig,
    /// Replaying.
    pub replay: ReplayConfig,
    /// Secrets.
    pub redact: RedactConfig,
    /// Mapping.
    pub map: MapConfig,
    /// What probes look at.
    pub facts: FactsConfig,
}

/// `[map]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MapConfig {
    /// Where users begin: `/`.
    pub home: Option<String>,
    /// What a spider types into fields that no session filled in, by their names.
    pub values: BTreeMap<String, String>,
    /// The same by their types: `date`, `email`.
    pub types: BTreeMap<String, String>,
}

/// `[facts]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FactsConfig {
    /// The folders with the application's own code; where there is none, the folder that it runs in.
    pub folders: Vec<PathBuf>,
}

/// `[state]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct StateConfig {
    /// Folders, with the SQLite files in them.
    pub folders: Vec<PathBuf>,
    /// Further SQLite files.
    pub sqlite: Vec<PathBuf>,
    /// URLs of PostgreSQL databases.
    #[serde(alias = "postgresql", deserialize_with = "read_addresses")]
    pub postgres: Vec<String>,
    /// URLs of MariaDB and MySQL databases.
    #[serde(alias = "mysql", deserialize_with = "read_addresses")]
    pub mariadb: Vec<String>,
    /// A program that saves and restores what else there is.
    pub hook: Option<PathBuf>,
    /// How long it may take.
    #[serde(deserialize_with = "read_duration")]
    pub hook_timeout: Option<Duration>,
}

impl StateConfig {
    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.folders.is_empty()
            && self.sqlite.is_empty()
            && self.postgres.is_empty()
            && self.mariadb.is_empty()
            && self.hook.is_none()
    }
}

/// One address or several.
fn read_addresses<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Addresses {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Addresses::deserialize(deserializer)? {
        Addresses::One(address) => vec![address],
        Addresses::Several(addresses) => addresses,
    })
}

/// `[keys]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeysConfig {
    /// Paths with values in them that do not look like ones: `/book/{slug}`.
    pub templates: Vec<PathTemplate>,
    /// Parameters whose values lead to different pages: `do`, `/doku.php?do`.
    pub parameters: Vec<PageParameter>,
    /// Parameters whose values never do, whatever was learnt.
    pub data: Vec<PageParameter>,
}

/// `[record]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct RecordConfig {
    /// The application.
    pub upstream: Option<String>,
    /// Where users connect.
    pub listen: Option<SocketAddr>,
    /// The Host sent to the application.
    pub host: Option<String>,
    /// How many bytes of a body are stored.
    pub body_limit: Option<u64>,
}

/// `[replay]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReplayConfig {
    /// Where requests may be sent beside this machine.
    pub hosts: Vec<String>,
    /// Which sessions are replayed together.
    pub groups: GroupsConfig,
}

/// One app, as written: `[app]` or `[app.NAME]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct AppConfig {
    /// What starts it.
    pub command: Option<String>,
    /// Where it runs already, in place of a command.
    pub address: Option<String>,
    /// Its folder.
    pub dir: Option<PathBuf>,
    /// Its environment.
    pub env: BTreeMap<String, String>,
    /// The path that is asked for until it answers.
    pub ready: Option<String>,
    /// How long that may take.
    #[serde(deserialize_with = "read_duration")]
    pub ready_timeout: Option<Duration>,
    /// How long one request may take.
    #[serde(deserialize_with = "read_duration")]
    pub timeout: Option<Duration>,
    /// How long it may take to end after it was asked to.
    #[serde(deserialize_with = "read_duration")]
    pub stop_timeout: Option<Duration>,
    /// The grain of its timestamps: writes are kept apart by it as they were recorded.
    #[serde(deserialize_with = "read_duration")]
    pub grain: Option<Duration>,
    /// Its log files.
    pub logs: Option<Vec<PathBuf>>,
    /// When it is restarted.
    #[serde(deserialize_with = "read_restart")]
    pub restart: Option<Restart>,
    /// What its clock shows.
    #[serde(deserialize_with = "read_clock")]
    pub clock: Option<Clock>,
}

impl Config {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ProjectError::Read { path: path.to_owned(), source })?;
        Self::parse(path, &text)
    }

    /// Reads what a file says, or is going to.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ProjectError> {
        let bad = |e: SettingError| e.or_hint("`restage init --print` shows every setting").in_file(path);
        let mut config: Self = toml::from_str(text).map_err(|e| bad(SettingError::new(e)))?;
        let root = path.parent().unwrap_or(Path::new("."));
        for address in config.state.postgres.iter_mut().chain(&mut config.state.mariadb) {
            *address = filled_in(root, address).map_err(|e| bad(e.in_section("[state]")))?;
        }
        // Every app is looked at now, so that a mistake in one shows before work begins.
        config.app(None).map_err(bad)?;
        for name in config.app_names() {
            config.app(Some(&name)).map_err(bad)?;
        }
        config.oracle_rules().map_err(bad)?;
        config.ignore_rules().map_err(bad)?;
        config.redact.rules().map_err(|e| bad(SettingError::new(e).in_section("[redact]")))?;
        Ok(config)
    }

    /// The rules for keys that are listed. With [`crate::Project::key_rules`], which adds what was learnt, they name pages
    /// wherever keys are used.
    pub fn key_rules(&self) -> KeyRules {
        let KeysConfig { templates, parameters, data } = self.keys.clone();
        KeyRules {
            templates: PathTemplates(templates),
            parameters: PageParameters { listed: parameters, learnt: Vec::new(), data },
        }
    }

    /// The comparators that oracles may name.
    pub fn comparators(&self) -> Result<Comparators, SettingError> {
        self.comparators.comparators()
    }

    /// Which oracle judges which pages.
    pub fn oracle_rules(&self) -> Result<OracleRules, SettingError> {
        self.oracle.rules(&self.comparators()?)
    }

    /// What does not matter on some pages.
    pub fn ignore_rules(&self) -> Result<Vec<IgnoreRule>, SettingError> {
        ignore_rules(&self.ignore)
    }

    /// From which kind on a difference fails a test; all do where there is none.
    pub fn fail_on(&self) -> Option<DifferenceKind> {
        self.oracle.fail_on
    }

    /// Whether the state after each session is compared.
    pub fn judges_state(&self) -> bool {
        self.oracle.state
    }

    /// The log files of all apps, as written.
    pub fn logs(&self) -> Result<Vec<PathBuf>, SettingError> {
        let mut logs = self.app(None)?.logs.unwrap_or_default();
        for name in self.app_names() {
            logs.extend(self.app(Some(&name))?.logs.unwrap_or_default());
        }
        logs.sort();
        logs.dedup();
        Ok(logs)
    }

    /// The names of the apps beside `[app]`.
    pub fn app_names(&self) -> Vec<String> {
        self.app
            .iter()
            .filter(|(name, value)| *name != "env" && value.is_table())
            .map(|(name, _)| name.clone())
            .collect()
    }

    /// An app: `[app]` overlaid by `[app.NAME]`.
    pub fn app(&self, name: Option<&str>) -> Result<AppConfig, SettingError> {
        let own: toml::Table = self
            .app
            .iter()
            .filter(|(n, v)| *n == "env" || !v.is_table())
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        let base: AppConfig = own.try_into().map_err(|e| SettingError::new(e).in_section("[app]"))?;
        if base.command.is_some() && base.address.is_some() {
            return Err(both("[app]"));
        }
        let Some(name) = name else { return Ok(base) };
        let Some(table) = self.app.get(name).and_then(toml::Value::as_table) else {
            let known = self.app_names();
            let there = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(SettingError::new(format!("there is no [app.{name}]"))
                .or_hint(format!("beside [app] there is: {there}")));
        };
        let section = format!("[app.{name}]");
        let over: AppConfig =
            table.clone().try_into().map_err(|e| SettingError::new(e).in_section(&section))?;
        let mut env = base.env;
        env.extend(over.env);
        if over.command.is_some() && over.address.is_some() {
            return Err(both(&format!("[app.{name}]")));
        }
        // One takes the place of the other.
        let says = over.command.is_some() || over.address.is_some();
        Ok(AppConfig {
            command: if says { over.command } else { base.command },
            address: if says { over.address } else { base.address },
            dir: over.dir.or(base.dir),
            env,
            ready: over.ready.or(base.ready),
            ready_timeout: over.ready_timeout.or(base.ready_timeout),
            timeout: over.timeout.or(base.timeout),
            stop_timeout: over.stop_timeout.or(base.stop_timeout),
            grain: over.grain.or(base.grain),
            logs: over.logs.or(base.logs),
            restart: over.restart.or(base.restart),
            clock: over.clock.or(base.clock),
        })
    }
}

fn read_duration<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    humantime::parse_duration(&text).map(Some).map_err(|e| {
        serde::de::Error::custom(format!("`{text}` is not a duration such as \"30s\" or \"2m\": {e}"))
    })
}

fn read_restart<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Restart>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(serde::de::Error::custom)
}

fn read_clock<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Clock>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, ProjectError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        std::fs::write(&path, text).unwrap();
        Config::read(&path)
    }

    #[test]
    fn a_named_app_overlays_the_first() {
        let config = config(
            "[app]\ncommand = \"run\"\nready = \"/up\"\nready-timeout = \"5s\"\nrestart = \"each-session\"\n[app.env]\nA = \"1\"\n\
             [app.baseline]\ndir = \"../v1\"\nenv = { B = \"2\" }\n",
        )
        .unwrap();
        assert_eq!(config.app_names(), ["baseline"]);
        let app = config.app(Some("baseline")).unwrap();
        assert_eq!(app.command.as_deref(), Some("run"));
        assert_eq!(app.dir.as_deref(), Some(Path::new("../v1")));
        assert_eq!(app.env.len(), 2);
        assert_eq!(app.ready_timeout, Some(Duration::from_secs(5)));
        assert_eq!(app.restart, Some(Restart::EachSession));
    }

    #[test]
    fn unknown_settings_are_mistakes() {
        assert!(config("[app]\ncomand = \"x\"\n").is_err());
        assert!(config("[app.v2]\ncomand = \"x\"\n").is_err());
        assert!(config("[oracles]\ndefault = \"D\"\n").is_err());
        assert!(config("[app]\nready-timeout = \"soon\"\n").is_err());
        assert!(config("[app]\nrestart = \"often\"\n").is_err());
    }
}
