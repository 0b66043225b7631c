//! How faithful the project's runs were to the recording.

use restage_judge::{Conditions, JudgingError, Rules, fidelity_of};
use restage_model::{Fidelity, Run};
use restage_replay::AppSpec;
use restage_store::Store;

use crate::project::Project;

impl Project {
    /// Under what a version is replayed, as far as it tells why sessions leave their path.
    pub fn conditions(&self, app: &AppSpec, overlap: bool) -> Conditions {
        Conditions {
            recorded_clock: app.clock.is_same_in_every_run(),
            grain: !app.grain.is_zero(),
            overlap,
            state: !self.config.state.is_empty(),
        }
    }

    /// The measure of a run that was made before: the one that is kept with it, or a new one, by the settings as they are now.
    pub fn fidelity(&self, store: &mut Store, run: &Run, rules: &Rules) -> Result<Fidelity, JudgingError> {
        let conditions = self.app(Some(&run.app)).map(|app| self.conditions(&app, false));
        let state = !self.config.state.is_empty();
        let conditions = conditions.unwrap_or(Conditions { state, ..Conditions::default() });
        fidelity_of(store, run, rules, conditions)
    }
}
