//! Secrets are replaced on the way to the store.
//!
//! - [`Redacting`] is a redactor that the recorder, the importers and the command share;
//! - [`RedactingStore`] is the store, with stand-ins in place of the secrets of what is appended.

mod shared;
mod sink;
mod suite;
mod sweep;

pub use shared::Redacting;
pub use sink::RedactingStore;

pub(crate) use shared::redact_words;
