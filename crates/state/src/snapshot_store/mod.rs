//! Where snapshots are kept: one SQLite file, content-addressed.
//!
//! Bytes are kept as chunks (a database page, or up to 64 KiB of a file), each once, whatever snapshot it
//! is in. Chunks make a two-level tree: leaves of 256 chunk ids, and a root that lists leaves, both
//! content-addressed too. So two equal contents have equal ids, and a snapshot that differs from another
//! in ten pages of a large database adds ten pages, at most ten leaves and a root.
//!
//! - [`SnapshotStore`] (`file`): the file, its format version, its transactions
//! - `chunks`, `tree`: content in and out
//! - `snapshots`: the names; `app_clocks`: what clock the app went by
//! - `garbage`: what no snapshot needs any more
//!
//! Ids are never used twice (`AUTOINCREMENT`) and the file counts its garbage collections, so that what a
//! process remembers about ids stays true while other processes use the same snapshot store.

mod app_clocks;
mod chunks;
mod copy;
mod file;
mod garbage;
mod hook_saves;
mod pack;
mod snapshots;
mod tree;

pub use copy::SnapshotCopier;
pub use file::SnapshotStore;
pub use garbage::Freed;
pub use snapshots::SnapshotInfo;

pub(crate) use chunks::ChunkId;
pub(crate) use tree::{TreeId, TreeWriter};
