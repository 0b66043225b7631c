//! What can go wrong, each with its place and a hint.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// The result of this crate's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How many names a message lists.
const SHOWN_NAMES: usize = 6;

/// Why a snapshot could not be saved, restored or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}\n  hint: check that it exists and that this user may do so", path.display())]
    Io {
        /// What was being done, as a verb.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The state's hook failed.
    #[error(
        "the state's hook {how}\n  call: {call}\n{output}  hint: run the call by hand; `hook` in [state] names the program, `hook-timeout` how long it may take"
    )]
    Hook {
        /// Program and arguments.
        call: String,
        /// How it failed.
        how: String,
        /// Its last output.
        output: String,
    },
    /// A part of the state is kept elsewhere than in the snapshot store.
    #[error(
        "a snapshot with a part of the kind `{kind}` cannot be copied: it is not in the snapshot store alone"
    )]
    NotCopied {
        /// The part's kind.
        kind: String,
    },
    /// There is no folder to write down in which data is in use.
    #[error("cannot use the folder of locks {}: {what}\n  hint: RESTAGE_LOCKS names another folder; every restage that works on the same data must be given the same", path.display())]
    LockFolder {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A listed path is not absolute.
    #[error("{}: a part of the state needs an absolute path\n  hint: resolve it against the project's folder", path.display())]
    RelativePath {
        /// The path as given.
        path: PathBuf,
    },
    /// A listed folder is something else.
    #[error("{} is listed as a folder but is not one\n  hint: list a SQLite file under `sqlite` instead", path.display())]
    NotAFolder {
        /// The listed path.
        path: PathBuf,
    },
    /// The snapshot store lies in a folder that is to be saved into it.
    #[error(
        "the snapshot store {} lies inside the folder {} whose state it keeps\n  hint: \
         move it out, or into a folder named `.restage`, which is left out", store.display(), folder.display()
    )]
    SnapshotStoreInFolder {
        /// The snapshot store.
        store: PathBuf,
        /// The listed folder.
        folder: PathBuf,
    },
    /// The snapshot store was made by a newer restage.
    #[error(
        "the snapshot store {} has format {found}, this restage knows up to {known}\n  hint: \
         update restage, or name another file", path.display()
    )]
    SnapshotStoreNewer {
        /// The snapshot store.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// The file is not a snapshot store.
    #[error("{} is not a snapshot store\n  hint: name another file, or move this one away", path.display())]
    NotASnapshotStore {
        /// The file.
        path: PathBuf,
    },
    /// The snapshot store could not be read or written.
    #[error("the snapshot store {}: {source}\n  hint: if it is damaged, remove it and save the snapshots again", path.display())]
    SnapshotStore {
        /// The snapshot store.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The snapshot store lacks something, or holds something else than it should.
    #[error("the snapshot store {} is damaged: {what}\n  hint: remove it and save the snapshots again", path.display())]
    SnapshotStoreDamaged {
        /// The snapshot store.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// There is no snapshot of this name.
    #[error("there is no snapshot `{name}`\n  hint: {}", known_names(known))]
    NoSnapshot {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// There is a snapshot of this name already.
    #[error("there is a snapshot `{name}` already\n  hint: choose another name, or replace it")]
    SnapshotExists {
        /// The name.
        name: String,
    },
    /// The snapshot is of other parts than those configured.
    #[error(
        "the snapshot `{name}` is of other parts than the configured state ({})\n  hint: \
         restore it with the configuration it was saved with, or save it again",
        parts_apart(only_saved, only_configured)
    )]
    OtherParts {
        /// The snapshot.
        name: String,
        /// Parts the snapshot has and the configuration lacks.
        only_saved: Vec<String>,
        /// Parts the configuration has and the snapshot lacks.
        only_configured: Vec<String>,
    },
    /// The application kept a SQLite file locked.
    #[error(
        "{} stayed locked for {} s\n  hint: let the application finish its open transaction \
         (or its reader), or stop it", path.display(), waited.as_secs()
    )]
    DatabaseBusy {
        /// The SQLite file.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
    },
    /// A listed SQLite file is something else.
    #[error("{} is listed under `sqlite` but is not a SQLite database\n  hint: list its folder under `folders` instead", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// SQLite could not read or write a file.
    #[error("the SQLite file {}: {source}\n  hint: check that this user may write it and that it is sound (PRAGMA integrity_check)", path.display())]
    Database {
        /// The SQLite file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The address of a database is none.
    #[error(
        "{database} is no address of a database: {what}\n  hint: write it as {scheme}://user:password@127.0.0.1:port/database"
    )]
    DatabaseUrl {
        /// The address, without its password.
        database: String,
        /// What is wrong.
        what: String,
        /// How it should begin.
        scheme: &'static str,
    },
    /// A database server cannot be reached, or went away.
    #[error(
        "{database} cannot be reached: {said}\n  hint: start the server, and check address, user and password in [state]"
    )]
    ServerAway {
        /// The database's address, without its password.
        database: String,
        /// What was said.
        said: String,
    },
    /// A database server refused something.
    #[error("{database}: cannot {action}: {said}\n  hint: {hint}")]
    Server {
        /// The database's address, without its password.
        database: String,
        /// What was being done, as a verb.
        action: String,
        /// What the server said.
        said: String,
        /// What can be done about it.
        hint: String,
    },
    /// The page size changed, and cannot be changed back under the live application.
    #[error(
        "{} has pages of {now} bytes, the snapshot of {then}, and the application holds it open in WAL mode\n  hint: \
         stop the application and restore again", path.display()
    )]
    PageSize {
        /// The SQLite file.
        path: PathBuf,
        /// Its page size.
        now: u32,
        /// The snapshot's page size.
        then: u32,
    },
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
        let path = path.to_owned();
        move |source| Error::Io { action, path, source }
    }
}

fn known_names(known: &[String]) -> String {
    if known.is_empty() {
        return "save one first".to_owned();
    }
    // A baseline has a snapshot a session: the first few tell enough.
    let shown = known.iter().take(SHOWN_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = known.len().saturating_sub(SHOWN_NAMES);
    if more == 0 { format!("there are: {shown}") } else { format!("there are: {shown} and {more} more") }
}

fn parts_apart(only_saved: &[String], only_configured: &[String]) -> String {
    let mut said = Vec::new();
    if !only_saved.is_empty() {
        said.push(format!("only saved: {}", only_saved.join(", ")));
    }
    if !only_configured.is_empty() {
        said.push(format!("only configured: {}", only_configured.join(", ")));
    }
    if said.is_empty() {
        said.push("in another order".to_owned());
    }
    said.join("; ")
}
