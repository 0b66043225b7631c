//! How to start a version of the application, as `[app]` says.

use std::path::PathBuf;
use std::time::Duration;

use restage_replay::{AppSpec, STOP_TIMEOUT, databases_named};

use crate::error::{ProjectError, SettingError};
use crate::project::Project;
use crate::settings::allowed_address;

/// What the version under test, `[app]`, is called.
const DEFAULT: &str = "default";

impl Project {
    /// An app by its name; `None` for the version under test.
    pub fn app(&self, name: Option<&str>) -> Result<AppSpec, ProjectError> {
        if !self.configured {
            return Err(ProjectError::NoSettings(self.root.clone()));
        }
        let bad = |error: SettingError| error.in_file(self.settings_path());
        // `default` is what [app] is called in output.
        let name =
            name.filter(|name| *name != DEFAULT || self.config.app_names().iter().any(|n| n == DEFAULT));
        let app = self.config.app(name).map_err(bad)?;
        let address =
            app.address.as_deref().map(|address| allowed_address(address, &self.config.replay.hosts));
        let address = address.transpose().map_err(bad)?;
        if app.command.is_none() && address.is_none() {
            return Err(bad(SettingError::new("[app] has no `command`")
                .or_hint("for example command = \"php -S 127.0.0.1:{port} -t public\"")));
        }
        let name = name.unwrap_or(DEFAULT);
        let dir = self.root.join(app.dir.unwrap_or_default());
        if !dir.is_dir() {
            return Err(bad(SettingError::new(format!(
                "`dir` of the app `{name}` is {}, which is not a folder",
                dir.display()
            ))));
        }
        let logs: Vec<PathBuf> = app.logs.iter().flatten().map(|path| self.root.join(path)).collect();
        if let Some(folder) = logs.iter().find(|path| path.is_dir()) {
            return Err(bad(SettingError::new(format!(
                "`logs` of the app `{name}` names {}, which is a folder",
                folder.display()
            ))
            .or_hint("name the files in it that the application logs to")));
        }
        let databases: Vec<String> =
            self.databases()?.iter().map(|database| database.name().to_owned()).collect();
        let texts = || app.command.iter().chain(app.env.values());
        if let Some(error) = texts().find_map(|text| unknown_database(text, &databases)) {
            return Err(bad(error.in_section(if name == DEFAULT {
                "[app]".to_owned()
            } else {
                format!("[app.{name}]")
            })));
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
            stop_timeout: app.stop_timeout.unwrap_or(STOP_TIMEOUT),
            grain: app.grain.unwrap_or(Duration::ZERO),
            restart: app.restart.unwrap_or_default(),
            database: databases.first().cloned(),
            log: self.own_folder().join(format!("logs/{name}.log")),
            logs,
            clock: app.clock.unwrap_or_default(),
        })
    }

    /// The trusted version: the one of this name, or else `[app.baseline]` where there is one, or else `[app]`.
    pub fn trusted_app(&self, name: Option<&str>) -> Result<AppSpec, ProjectError> {
        let baseline = || self.config.app_names().iter().any(|n| n == "baseline").then_some("baseline");
        self.app(name.or_else(baseline))
    }
}

/// What is wrong with a text that asks for a database that `[state]` does not name.
fn unknown_database(text: &str, databases: &[String]) -> Option<SettingError> {
    if text.contains("{database}") && databases.is_empty() {
        return Some(
            SettingError::new(
                "{database} stands for the name of the application's database, and [state] names none",
            )
            .or_hint(
                "name it in [state] as `postgres` or `mariadb`; {copy} is the number of a copy of the app",
            ),
        );
    }
    let unknown =
        databases_named(text).into_iter().find(|name| !databases.iter().any(|known| known == name))?;
    let there = if databases.is_empty() { "none".to_owned() } else { databases.join(", ") };
    Some(
        SettingError::new(format!("{{database:{unknown}}} asks for a database that [state] does not name"))
            .or_hint(format!("[state] names: {there}")),
    )
}
