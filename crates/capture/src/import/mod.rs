//! Importing: exchanges from what teams have already (paper 1, section 3: the web server's log).
//!
//! - `format`: the formats, how one is guessed, and what each lacks;
//! - `decompress`: a file as its bytes, unpacked where it is packed; `lines`: its lines, in bounded memory;
//! - `access_log`, `json_log`, `har`, `gor`: a format each, from bytes to exchanges;
//! - `log_time`, `escapes`, `http_message`: what they share;
//! - `entry_handler`: where a format hands what it finds;
//! - `duplicates`: what tells an exchange from others, so that nothing is imported twice;
//! - `har_extension`, `own_suite`: what restage wrote itself comes back as it was;
//! - `parse`: the readers without a store, for tests that feed them any bytes;
//! - `tally`: what became of a file; `importer`: the two threads that read and store.
//!
//! Invariants: no bytes of a file can make it panic; memory does not grow with the file; whatever is not imported is
//! counted, with its place and the reason.

mod access_log;
mod decompress;
mod duplicates;
mod entry_handler;
mod error;
mod escapes;
mod format;
mod gor;
mod har;
mod har_body;
mod har_extension;
mod http_message;
mod importer;
mod json_log;
mod lines;
mod log_time;
mod own_suite;
pub mod parse;
mod tally;

pub use decompress::Input;
pub use error::ImportError;
pub use format::Format;
pub use importer::{ImportSettings, import};
pub use tally::{FileTally, Unread};
