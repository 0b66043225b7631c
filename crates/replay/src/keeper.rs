//! Keeps an app running: starts it, stops it, and starts it again when it ended.

use crate::app::App;
use crate::error::{AppError, ReplayError};
use crate::launch::Launch;
use crate::plan::Plan;
use crate::spec::AppSpec;

/// How often an app that served before is started, before it is given up.
const STARTS: usize = 3;

/// An app, running or not.
pub(crate) struct Keeper {
    pub(crate) spec: AppSpec,
    launch: Launch,
    app: Option<App>,
    /// Why the app has to be started again; none before its first start.
    down: Option<String>,
}

impl Keeper {
    pub(crate) fn new(spec: AppSpec, launch: Launch) -> Self {
        Self { spec, launch, app: None, down: None }
    }

    /// The app, where it was started and not stopped; it may have ended by itself.
    pub(crate) fn app(&mut self) -> Option<&mut App> {
        self.app.as_mut()
    }

    /// Starts the app, and waits until it is at rest. One that served before is tried several times.
    pub(crate) fn start(&mut self, plan: &Plan<'_>) -> Result<&mut App, ReplayError> {
        let is_stopped = || plan.is_stopped();
        let app = match &self.down {
            // One that has never served is told of at once: its command is wrong, most likely.
            None => App::start_in(&self.spec, &self.launch, &is_stopped)?,
            Some(since) => self.start_again(plan, since)?,
        };
        app.wait_for_rest();
        Ok(self.app.insert(app))
    }

    /// Stops the app and all its children; why is said where it does not come back.
    pub(crate) fn stop(&mut self, why: &str) {
        if let Some(mut app) = self.app.take() {
            app.stop();
        }
        self.down = Some(why.to_owned());
    }

    fn start_again(&self, plan: &Plan<'_>, since: &str) -> Result<App, ReplayError> {
        let mut starts = 0;
        loop {
            starts += 1;
            match App::start_again(&self.spec, &self.launch, &|| plan.is_stopped()) {
                Ok(app) => return Ok(app),
                Err(_) if plan.is_stopped() => return Err(ReplayError::Interrupted),
                Err(last) if starts == STARTS => {
                    let not_back = AppError::NotBack {
                        app: self.spec.name.clone(),
                        since: since.to_owned(),
                        starts,
                        last: last.to_string(),
                        run: plan.replay.name.clone(),
                    };
                    return Err(not_back.into());
                }
                Err(_) => {}
            }
        }
    }
}
