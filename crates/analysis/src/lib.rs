//! Where a PHP application defines and uses its state: session variables and database tables (paper 4, section 3.1).
//!
//! [`analyze`] gets sources and returns an [`Analysis`]; it reads no files. [`read_folder`] reads a folder for it. [`sql`]
//! says of one SQL statement what it does, and is of use without the rest.
//!
//! Files become a tree of their own (`php`), all files together a program (`program`) whose functions are run on approximated
//! values (`interpret`, `value`). What they do to databases and sessions is put together in `analysis`.

mod analysis;
mod folder;
mod interpret;
mod php;
mod program;
pub mod sql;
mod value;

pub use analysis::{
    Agreement, Analysis, CallCounts, DatabaseCall, Disagreement, FoundStatement, Line, LineHas, Location,
    Options, Problem, SentStatement, SessionFunction, Source, Table, TableAccess, Unresolved, UnresolvedKind,
    Variable, VariableAccess, agreement, analyze,
};
pub use folder::{Folder, FolderError, read_folder};
