//! The shop itself: its database, its release, the faults switched on, its chance and its clock.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use crate::chance::Chance;
use crate::clock::Clock;
use crate::faults::Fault;
use crate::release::Release;
use crate::store;

/// How a shop is to be run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The port on 127.0.0.1; 0 picks a free one.
    pub port: u16,
    /// A folder in which `shop.db` is made, or the path of the database file itself (`*.db`).
    pub data: PathBuf,
    /// The release to serve.
    pub release: Release,
    /// The faults to switch on.
    pub faults: BTreeSet<Fault>,
    /// Makes everything random reproducible.
    pub seed: Option<u64>,
    /// The date and time of the shop.
    pub clock: Clock,
    /// How long every request waits before it is answered.
    pub delay: Duration,
}

/// Why a shop could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ShopError {
    /// The data folder could not be made.
    #[error("cannot make the data folder {path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The database could not be opened or filled.
    #[error("cannot open the database {path}: {source}; remove the file to start afresh")]
    Database {
        /// The database file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The operating system gives no random bytes.
    #[error("no random bytes from the operating system: {0}; try --seed")]
    Chance(getrandom::Error),
}

/// A shop that is open: what every page works with.
#[derive(Debug)]
pub(crate) struct Shop {
    db: Mutex<Connection>,
    pub(crate) release: Release,
    pub(crate) chance: Chance,
    pub(crate) clock: Clock,
    faults: BTreeSet<Fault>,
}

impl Settings {
    /// Release 1 without faults, with real chance and clock, on a free port.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Settings {
            port: 0,
            data: data.into(),
            release: Release::R1,
            faults: BTreeSet::new(),
            seed: None,
            clock: Clock::Real,
            delay: Duration::ZERO,
        }
    }

    /// The database file that these settings mean.
    pub fn database(&self) -> PathBuf {
        match self.data.extension() {
            Some(extension) if extension == "db" => self.data.clone(),
            _ => self.data.join("shop.db"),
        }
    }
}

impl Shop {
    /// Opens the database, making and filling it if it is not there.
    pub(crate) fn open(settings: &Settings) -> Result<Self, ShopError> {
        let path = settings.database();
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)
            .map_err(|source| ShopError::Folder { path: folder.to_owned(), source })?;
        let db = store::open(&path).map_err(|source| ShopError::Database { path, source })?;
        let chance = match settings.seed {
            Some(seed) => Chance::seeded(seed),
            None => Chance::real().map_err(ShopError::Chance)?,
        };
        Ok(Shop {
            db: Mutex::new(db),
            release: settings.release,
            chance,
            clock: settings.clock,
            faults: settings.faults.clone(),
        })
    }

    /// The database, for one request at a time.
    pub(crate) fn database(&self) -> MutexGuard<'_, Connection> {
        // A panic in a page rolls its transaction back, so the connection stays good.
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a fault is switched on.
    pub(crate) fn faulty(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }
}
