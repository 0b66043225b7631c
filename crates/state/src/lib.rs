//! Snapshot and restore of what an application persists, under a live application.
//!
//! A [`State`] is a list of parts: folders, SQLite files, databases on servers (the kinds are a trait, `part::Part`,
//! and a record). [`State::save`] keeps it in a
//! [`SnapshotStore`] as a named snapshot; [`State::restore`] puts it back. Both cost what changed, not what
//! there is: content is kept as chunks addressed by their hash, and a restore writes only the pages,
//! chunks and attributes that differ. A [`Comparer`] tells what differs between two snapshots, row by row.
//!
//! Invariants:
//! - the application may run, with its files and databases open, while it is idle. SQLite files are read
//!   and written through SQLite alone, each in one transaction; files keep their inode.
//! - nothing outside the listed folders and files is written or removed; symbolic links are never followed.
//! - a snapshot is there whole or not at all: a save is one transaction of the snapshot store.
//! - an interrupted restore leaves each SQLite file either as it was or as it should be, and the next
//!   restore completes the folders.
//!
//! Not kept: extended attributes, access control lists, hard links as such, sockets, pipes and devices.

mod attributes;
mod compare;
mod copy;
mod error;
mod folder;
mod hook;
mod lock;
mod manifest;
mod part;
mod process_mark;
mod report;
mod server;
mod snapshot_store;
mod spec;
mod sqlite;
mod state;

pub use compare::{
    ColumnMask, Compared, Comparer, Done, FileMask, FileVaries, MaskedState, StateChange, StateMasks,
    TableMask, TableVaries, compare,
};
pub use copy::{Places, StateCopy};
pub use error::{Error, Result};
pub use hook::HookSpec;
pub use lock::{Abandoned, Attempt, Busy, Holder, Locker, StateLock};
pub use process_mark::{PROCESS_MARK, is_orphan, process_mark};
pub use report::{Difference, DifferenceKind, RestoreReport, SaveReport};
pub use server::{DatabaseSpec, LogFound, ServerKind, StatementLog, StatementMarker};
pub use snapshot_store::{Freed, SnapshotCopier, SnapshotInfo, SnapshotStore};
pub use spec::StateSpec;
pub use state::State;
