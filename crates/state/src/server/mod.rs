//! Databases on a server: PostgreSQL, MariaDB and MySQL, over their protocols.
//!
//! The first look at a database reads all of it into the snapshot store as *images*: each table's rows in buckets by the hash of
//! their key. From then on the database itself notes which rows are changed (triggers that write the keys of changed
//! rows down), so that a save reads those rows alone and keeps them as a *delta* on the images, and a restore writes
//! those rows alone. What cannot be noted that way (a table created, altered, emptied or without a key) is told by the
//! catalogue, and costs what that table costs. Where the notes themselves were tampered with, everything is looked at.
//!
//! - `engine`: what the core needs of a database engine, and the words between the two;
//! - `values`: a row's values, and its key;
//! - `record`: what a snapshot keeps of a database;
//! - `image`, `spool`: all rows of a table, in buckets;
//! - `delta`: rows that changed since;
//! - `plan`: what a restore has to write;
//! - `snapshot_diff`: what differs between two snapshots;
//! - `statement_log`: the statements that a server logs itself;
//! - `part`: all of it as a part of the state;
//! - `database_lock`: one restage at a time on one database;
//! - `postgres`, `mariadb`: the engines.

mod address;
mod database_lock;
mod delta;
mod engine;
mod image;
mod mariadb;
mod part;
mod plan;
mod postgres;
mod record;
mod snapshot_diff;
mod spool;
mod statement_log;
mod values;

pub use address::{DatabaseSpec, ServerKind};
pub(crate) use database_lock::{DatabaseLock, database_lock};
pub(crate) use engine::Schema;
pub(crate) use part::ServerPart;
pub(crate) use record::ServerRecord;
pub use statement_log::{LogFound, StatementLog, StatementMarker};

pub(crate) use snapshot_diff::{SnapshotDiff, TableRows, snapshot_diff};
