//! A suite for other tools.
//!
//! - `har`: HTTP Archive 1.2, with all that was recorded: with `har_note`, it can be brought back in without loss;
//! - `hurl`, `curl`, `k6`, `playwright`: scripts that send the requests and check the status of each answer.
//!
//! The scripts are written from one [`Script`] (`script`): each session's requests, with the values in them that an earlier
//! answer held (`origin`) as variables, where the tool can read them out of that answer. Each format only spells it.

mod curl;
mod format;
mod har;
mod har_note;
mod hurl;
mod k6;
mod origin;
mod playwright;
mod quote;
mod script;

pub use format::{ExportedFile, Format, export};
pub use har::har;
pub use har_note::{BodyNote, HarNote};
pub use script::{Body, Capture, Piece, Script, ScriptSession, ScriptStep, Text, ValueSource};
