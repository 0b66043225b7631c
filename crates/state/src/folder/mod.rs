//! Folders: files, links and directories of any name, and the SQLite files found among them.
//!
//! - `scan`: what is there now
//! - `content`: a file's bytes into the snapshot store and back, in place
//! - `listing`: the entries of a snapshot, as kept in the snapshot store
//! - `part`: [`FolderPart`], saving and comparing
//! - `restore`: writing back what differs
//!
//! A file that is a SQLite database is saved as one (`sqlite`), and its journal, log and index beside it
//! are left out: they are SQLite's own.

mod content;
mod listing;
mod part;
mod restore;
mod scan;

pub(crate) use content::bytes;
pub(crate) use listing::{read_chunks, read_listing, write_listing};
pub(crate) use part::FolderPart;
