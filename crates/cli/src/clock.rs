//! `--clock`: what the app's clock shows.

use restage_replay::{AppSpec, Clock};

/// The app under the clock that the command line asks for; else under the one that `restage.toml` does.
pub(crate) fn under(asked: Option<Clock>, app: AppSpec) -> AppSpec {
    AppSpec { clock: asked.unwrap_or(app.clock), ..app }
}
