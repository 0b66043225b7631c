//! Keeps an app running: starts it, stops it, and starts it again when it ended.

use crate::app_spec::AppSpec;
use crate::error::AppError;
use crate::launch::Launch;
use crate::process::App;

/// How often an app that served before is started, before it is given up.
const STARTS: usize = 3;

/// An app, running or not.
#[derive(Debug)]
pub struct Supervisor {
    spec: AppSpec,
    launch: Launch,
    app: Option<App>,
    /// Why the app has to be started again; none before its first start.
    down: Option<String>,
}

impl Supervisor {
    /// An app that is not started yet.
    pub fn new(spec: AppSpec, launch: Launch) -> Self {
        Self { spec, launch, app: None, down: None }
    }

    /// How it is started.
    pub fn spec(&self) -> &AppSpec {
        &self.spec
    }

    /// Which copy of the application it is, from 1.
    pub fn copy(&self) -> u16 {
        self.launch.copy.number
    }

    /// The app, where it was started and not stopped; it may have ended by itself.
    pub fn app(&mut self) -> Option<&mut App> {
        self.app.as_mut()
    }

    /// Starts the app, and waits until it is idle. One that served before is tried several times, unless
    /// `is_stopped` says meanwhile that the user wants no more.
    pub fn start(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<&mut App, AppError> {
        let app = match &self.down {
            // One that has never served is told of at once: its command is wrong, most likely.
            None => App::start_in(&self.spec, &self.launch, is_stopped)?,
            Some(since) => self.start_again(is_stopped, since)?,
        };
        app.wait_until_idle();
        Ok(self.app.insert(app))
    }

    /// Stops the app and all its children; why is said where it does not come back.
    pub fn stop(&mut self, why: &str) {
        if let Some(mut app) = self.app.take() {
            app.stop();
        }
        self.down = Some(why.to_owned());
    }

    fn start_again(&self, is_stopped: &dyn Fn() -> bool, since: &str) -> Result<App, AppError> {
        let mut starts = 0;
        loop {
            starts += 1;
            match App::start_again(&self.spec, &self.launch, is_stopped) {
                Ok(app) => return Ok(app),
                Err(_) if is_stopped() => return Err(AppError::Interrupted),
                Err(last) if starts == STARTS => {
                    return Err(AppError::NotBack {
                        app: self.spec.name.clone(),
                        since: since.to_owned(),
                        starts,
                        last: last.to_string(),
                    });
                }
                Err(_) => {}
            }
        }
    }
}
