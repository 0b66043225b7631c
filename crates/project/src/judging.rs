//! By what the project's runs are judged.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use restage_judge::{AftermathRules, Rules};
use restage_oracle::{Accepted, Oracle, Profile};
use restage_state::{FileMask, FileVaries, StateMasks};

use crate::error::{ProjectError, SettingError};
use crate::noise_file::ProfileFile;
use crate::project::Project;

impl Project {
    /// The oracle asked for, which then judges all pages; or the project's own rules, and for pages without one what
    /// its profile says. Nothing is accepted or ignored yet.
    pub fn judging_rules(&self, given: Option<&str>) -> Result<Rules, ProjectError> {
        let bad = |error: SettingError| error.in_file(self.settings_path());
        let comparators = self.config.comparators().map_err(bad)?;
        let mut oracle = self.config.oracle_rules().map_err(bad)?;
        let file = ProfileFile::read(self)?;
        match (given, &file) {
            (Some(text), _) => {
                oracle.rules.clear();
                oracle.default = Oracle::parse(text, &comparators)?;
            }
            (None, Some(file)) => oracle.rules.extend(file.oracles(self, &comparators)?),
            (None, None) => {}
        }
        let (profile, state) = match file {
            Some(ProfileFile { pages, state, .. }) => (Some(Profile { pages }), state),
            None => (None, StateMasks::default()),
        };
        Ok(Rules {
            oracle,
            keys: self.known_key_rules()?,
            profile,
            aftermath: self.aftermath_rules(&state)?,
            accepted: Accepted::default(),
            ignored: Vec::new(),
            fail_on: self.config.fail_on(),
        })
    }

    /// How what sessions left behind is judged. Logs that lie in the state vary: they are read for errors.
    fn aftermath_rules(&self, known: &StateMasks) -> Result<AftermathRules, ProjectError> {
        let bad = |error: SettingError| error.in_file(self.settings_path());
        let mask = |path: PathBuf| FileMask {
            file: path.display().to_string().into(),
            varies: FileVaries::Number,
            seen: Some("a log".to_owned()),
            ..FileMask::default()
        };
        let files = self.config.logs().map_err(bad)?.into_iter().map(mask).collect();
        let mut masks = StateMasks { files, ..StateMasks::default() };
        masks.merge(known.clone());
        Ok(AftermathRules {
            snapshot_store: self.config.judges_state().then(|| self.snapshot_store_path()),
            masks,
            cover: self.covering_text()?.map(|redactor| Arc::new(Mutex::new(redactor))),
        })
    }
}
