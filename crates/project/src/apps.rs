//! How to start a version of the application, as `[app]` says.

use std::path::PathBuf;
use std::time::Duration;

use restage_replay::AppSpec;

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
    pub fn trusted_app(&self, name: Option<&str>) -> Result<AppSpec, ProjectError> {
        let baseline = || self.config.app_names().iter().any(|n| n == "baseline").then_some("baseline");
        self.app(name.or_else(baseline))
    }
}
