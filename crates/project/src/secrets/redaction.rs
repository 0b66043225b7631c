//! What a command needs to know of secrets: the rules, the key of the stand-ins, the secrets of existing accounts.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use restage_capture::Redacting;
use restage_model::ExchangeId;
use restage_redact::{Redactor, Reveal, Rules, StandIns};
use restage_replay::Secrecy;
use restage_store::Store;

use crate::error::{ProjectError, SettingError};
use crate::project::Project;

/// The key of the stand-ins, in place of the file.
const KEY: &str = "RESTAGE_REDACT_KEY";
const KEY_FILE: &str = "redact.key";

impl Project {
    /// What replaces secrets on their way to the store; none where `[redact]` says so.
    pub fn redacting(&self, store: &Store) -> Result<Option<Redacting>, ProjectError> {
        if self.config.redact.off {
            return Ok(None);
        }
        Ok(Some(Redacting::new(self.recording_redactor()?, store)?))
    }

    /// What replaces secrets in what was recorded.
    pub fn recording_redactor(&self) -> Result<Redactor, ProjectError> {
        let mut redactor = Redactor::recording(self.redact_rules()?, self.stand_ins()?);
        // Who records need not have what a replay needs.
        redactor.knows(&self.secrets().unwrap_or_default());
        Ok(redactor)
    }

    /// What replaces secrets in what a replay sends and gets.
    pub fn covering(&self, store: &Store) -> Result<Redactor, ProjectError> {
        let mut redactor = Redactor::covering(self.redact_rules()?, self.stand_ins()?);
        redactor.made_before(store.stand_ins()?);
        Ok(redactor)
    }

    /// What replaces secrets in what is told of the application's data; none where `[redact]` says so.
    pub fn covering_text(&self) -> Result<Option<Redactor>, ProjectError> {
        if self.config.redact.off {
            return Ok(None);
        }
        let mut redactor = Redactor::covering(self.redact_rules()?, self.stand_ins()?);
        redactor.knows(&self.secrets().unwrap_or_default());
        Ok(Some(redactor))
    }

    /// What replaces secrets in what others get to see of a replay.
    pub fn showing(&self, store: &Store) -> Result<Redactor, ProjectError> {
        let mut redactor = Redactor::showing(self.redact_rules()?, self.stand_ins()?);
        redactor.made_before(store.stand_ins()?);
        redactor.knows(&self.secrets().unwrap_or_default());
        Ok(redactor)
    }

    /// What tells whether what was recorded holds secrets.
    pub fn scanning(&self, store: &Store) -> Result<Redactor, ProjectError> {
        let mut redactor = Redactor::scanning(self.redact_rules()?, self.stand_ins()?);
        redactor.made_before(store.stand_ins()?);
        Ok(redactor)
    }

    /// What a replay knows of secrets.
    pub fn secrecy(&self, store: &Store) -> Result<Secrecy, ProjectError> {
        let secrets = self.secrets()?;
        let reveal =
            if secrets.is_empty() { Reveal::default() } else { Reveal::new(&self.stand_ins()?, &secrets) };
        let cover = if self.config.redact.off {
            None
        } else {
            let mut redactor = self.covering(store)?;
            redactor.knows(&secrets);
            Some(Arc::new(Mutex::new(redactor)))
        };
        Ok(Secrecy { reveal: Arc::new(reveal), cover })
    }

    fn redact_rules(&self) -> Result<Rules, ProjectError> {
        let rules = self.config.redact.rules();
        rules.map_err(|e| SettingError::new(e).in_section("[redact]").in_file(self.settings_path()))
    }

    fn secrets(&self) -> Result<Vec<String>, ProjectError> {
        self.config.redact.secrets(&self.root, self.store_path())
    }
}

impl Project {
    /// Stand-ins with the user's key. It is kept apart from all stores: with it, who has a store could try out passwords until one fits. Only where there
    /// is no home to keep it in, it is beside the store.
    fn stand_ins(&self) -> Result<StandIns, ProjectError> {
        if let Ok(key) = std::env::var(KEY)
            && !key.is_empty()
        {
            return Ok(StandIns::of_text(&key));
        }
        let beside = self.own_folder().join(KEY_FILE);
        if let Some(home) = config_folder()
            && !beside.exists()
        {
            let apart = home.join("restage").join(KEY_FILE);
            match read_or_draw(&apart) {
                Ok(key) => return Ok(StandIns::of_text(&key)),
                // A home that is there and cannot be read is a mistake to be told; one that cannot be written to is none.
                Err(error) if apart.exists() => return Err(failed(&apart, error)),
                Err(_) => {}
            }
        }
        read_or_draw(&beside).map(|key| StandIns::of_text(&key)).map_err(|error| failed(&beside, error))
    }
}

fn failed(path: &Path, source: std::io::Error) -> ProjectError {
    ProjectError::StandInKey { path: path.to_owned(), source }
}

/// The key in a file; drawn and stored where there is none.
fn read_or_draw(path: &Path) -> std::io::Result<String> {
    let read = || std::fs::read_to_string(path).map(|key| key.trim().to_owned());
    match read() {
        Ok(key) if !key.is_empty() => return Ok(key),
        // An empty one is no key, and would be the same for everybody.
        Ok(_) => std::fs::remove_file(path)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| std::io::Error::other(format!("no random numbers: {e}")))?;
    let key: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // Whole or not at all; and two commands that begin at once agree on the one that came first.
    let mut drawn = tempfile_in(folder)?;
    drawn.1.write_all(format!("{key}\n").as_bytes())?;
    let linked = std::fs::hard_link(&drawn.0, path);
    let _ = std::fs::remove_file(&drawn.0);
    match linked {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => read(),
    }
}

/// A new file of this process in a folder, for its owner alone.
fn tempfile_in(folder: &Path) -> std::io::Result<(PathBuf, std::fs::File)> {
    let path = folder.join(format!(".{KEY_FILE}.{}", std::process::id()));
    let file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
    Ok((path, file))
}

fn config_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
}

/// Looks through what was stored after an exchange for secrets that were not known as such then, and returns how many secrets were replaced
/// in all, by kind. `progress` is called with the number of exchanges to look through, then once for each.
pub fn sweep(
    store: &mut Store,
    redacting: &Redacting,
    after: ExchangeId,
    mut progress: impl FnMut(SweepProgress),
) -> Result<BTreeMap<String, u64>, ProjectError> {
    // What is counted so far is what was replaced on its way in; the sweep meets the same again, as stand-ins.
    if redacting.redactor().learnt() > 0 {
        progress(SweepProgress::Begins { exchanges: store.exchanges_after(after)?.len() });
        let swept = redacting.sweep(store, after, || progress(SweepProgress::Exchange))?;
        if swept > 0 {
            store.forget_unused()?;
        }
    }
    Ok(redacted_counts(redacting))
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepProgress {
    /// It begins.
    Begins {
        /// How many exchanges it looks through.
        exchanges: usize,
    },
    /// One exchange was looked through.
    Exchange,
}

/// How many secrets were replaced, by kind.
pub fn redacted_counts(redacting: &Redacting) -> BTreeMap<String, u64> {
    redacting.redactor().counts().iter().map(|(kind, count)| (kind.to_string(), *count)).collect()
}
