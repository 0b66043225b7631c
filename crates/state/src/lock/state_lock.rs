//! All locks of a state, taken together.

use std::path::{Path, PathBuf};

use super::holder::Holder;
use super::lock_file::LockFile;
use super::register::{Abandoned, Registered, Registration, Used};
use crate::error::Result;
use crate::server::{DatabaseLock, database_lock};
use crate::spec::StateSpec;

/// Takes the locks of a state. Between two attempts it holds none, so that nobody waits for somebody who waits.
pub struct Locker {
    me: Holder,
    own_folder: PathBuf,
    paths: Vec<Used>,
    databases: Vec<Box<dyn DatabaseLock>>,
}

/// What came of an attempt.
pub enum Attempt {
    /// The locks are held.
    Taken(StateLock),
    /// Somebody else has one of them.
    Busy(Busy),
    /// Other projects have to put something back first.
    Abandoned(Vec<Abandoned>),
}

/// What is in use, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Busy {
    /// What: this project, its data, a database.
    pub what: String,
    /// By whom, in words; none where that is not known yet, since it has just come, or is about to be gone.
    pub who: Option<String>,
}

/// The locks of a state, held until it is dropped.
pub struct StateLock {
    // In this order: who waits for the project finds the rest free.
    databases: Vec<Box<dyn DatabaseLock>>,
    registered: Registered,
    _project: LockFile,
}

impl Locker {
    /// For a project's state; none where it has none, and only the project is locked. `own_folder` is restage's own.
    pub fn new(spec: Option<&StateSpec>, own_folder: &Path, me: Holder) -> Result<Self> {
        let mut paths = Vec::new();
        let mut databases: Vec<Box<dyn DatabaseLock>> = Vec::new();
        if let Some(spec) = spec {
            let places = spec.places()?;
            paths.extend(places.folders.into_iter().chain(places.sqlite).map(Used::Path));
            for database in &spec.databases {
                databases.push(database_lock(database, &me)?);
            }
        }
        Ok(Self { me, own_folder: own_folder.to_owned(), paths, databases })
    }

    /// Takes all locks, or none.
    pub fn attempt(&mut self) -> Result<Attempt> {
        let project = match LockFile::take(&self.own_folder, &self.me)? {
            Ok(project) => project,
            Err(holder) => return Ok(busy("this project", holder)),
        };
        let mut used = self.paths.clone();
        for database in &mut self.databases {
            used.push(Used::Database(database.identity()?));
        }
        let registered = match Registered::attempt(&self.me, &used)? {
            Registration::Done(registered) => registered,
            Registration::Busy(holder) => return Ok(busy("the same data", Some(holder))),
            Registration::Abandoned(others) => return Ok(Attempt::Abandoned(others)),
        };
        let mut refused = None;
        for database in &mut self.databases {
            if let Some(who) = database.take()? {
                refused = Some(Busy { what: format!("the database {}", database.shown()), who: Some(who) });
                break;
            }
        }
        if let Some(refused) = refused {
            for database in &mut self.databases {
                database.release();
            }
            return Ok(Attempt::Busy(refused));
        }
        let databases = std::mem::take(&mut self.databases);
        Ok(Attempt::Taken(StateLock { databases, registered, _project: project }))
    }
}

impl StateLock {
    /// Who works on a project now, by its own folder; none where nobody does. It waits for nothing and changes nothing.
    pub fn holder(own_folder: &Path) -> Option<Holder> {
        LockFile::holder(own_folder)
    }

    /// Whether a process of this project was killed while it worked on the state.
    pub fn found_abandoned(&self) -> bool {
        !self.registered.own.is_empty()
    }

    /// What killed processes of this project left is put back: they need not be known any longer.
    pub fn settle(&mut self) {
        self.registered.own.drain(..).for_each(|abandoned| abandoned.forget());
    }

    /// Takes the locks in databases again whose server was away meanwhile; whoever came first is told of.
    pub fn renew(&mut self) -> Result<Option<Busy>> {
        for database in &mut self.databases {
            if let Some(who) = database.take()? {
                let what = format!("the database {}", database.shown());
                return Ok(Some(Busy { what, who: Some(who) }));
            }
        }
        Ok(None)
    }
}

fn busy(what: &str, holder: Option<Holder>) -> Attempt {
    Attempt::Busy(Busy { what: what.to_owned(), who: holder.map(|holder| holder.to_string()) })
}
