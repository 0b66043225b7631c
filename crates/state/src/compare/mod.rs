//! What differs between two snapshots: rows of tables, and files (the state oracle).
//!
//! Two snapshots after the same session, from the same state before it, should be the same but for noise. Some noise
//! is learnt from runs of the same version ([`StateMasks`], `learn`); times are known by how they move (`clock`).
//! Only what differs is opened: chunks tell which files and databases do, SQLite tells which rows.
//!
//! - `comparer`: all of it together;
//! - `contents`: what the snapshots hold, as far as it may differ;
//! - `files`: files, links and folders;
//! - `database/`: SQLite files, table by table and row by row;
//! - `server`: databases on servers, by way of the same;
//! - `times`, `clock`: values that move with the clock;
//! - `masks`: what varies and is not looked at; `learn`, `random_names`: how that is known;
//! - `finding`: what was found; `describe`: the same in sentences; `change`: the same as data.

mod change;
mod clock;
mod comparer;
mod contents;
mod database;
mod describe;
mod files;
mod finding;
mod learn;
mod masks;
mod random_names;
mod server;
mod times;

pub use change::{Done, StateChange};
pub use comparer::{Comparer, compare};
pub use finding::{Compared, MaskedState};
pub use masks::{ColumnMask, FileMask, FileVaries, StateMasks, TableMask, TableVaries};
