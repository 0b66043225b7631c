//! SQLite files, read and written through SQLite itself while the application has them open.
//!
//! A save reads all pages in one read transaction from SQLite's `sqlite_dbpage` table, so the result is
//! consistent and includes the write-ahead log. A restore compares, in one exclusive transaction, the
//! current pages with the snapshot's and writes only those that differ; SQLite's locks and counters tell
//! the application's connections, and a crash in the middle rolls back.
//!
//! - [`Database`]: one file, with what is remembered of it between operations
//! - `connection`: opening, and SQLite's errors as ours
//! - `header`: the bytes of page 1 that belong to the live file, not to its content
//! - `pages`: through the page table
//! - `backup`: the slower way, through SQLite's backup, for what the page table cannot do
//! - `rebuild`: a file from its pages, where there is none
//! - `part`: a listed SQLite file as a part of the state
//!
//! A database file is never opened but by SQLite: closing any other descriptor of it would drop the locks
//! this whole process holds on it (POSIX advisory locks), also those of an application in this process.

mod backup;
mod connection;
mod database;
mod header;
mod pages;
mod part;
mod rebuild;

pub(crate) use connection::{PATIENCE, is_database};
pub(crate) use database::Database;
pub(crate) use header::begin as begin_file;
pub(crate) use part::SqlitePart;
pub(crate) use rebuild::sibling_paths;
