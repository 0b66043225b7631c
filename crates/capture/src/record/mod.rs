//! The recorder: a reverse proxy that keeps what passes through it.
//!
//! The way of an exchange: `listen` accepts connections, `proxy` takes each request, has `headers/`
//! make it the application's, and sends it through `upstream`. `body` passes both bodies
//! on frame by frame and keeps references to the bytes in a `recording`, which ends up in the
//! queue of `storing/` when the response has ended, however it ended. Its writer, a thread of its own,
//! empties the queue into the [`Sink`].
//!
//! Invariants:
//! - A body is never held back, and a response never waits for the store. Only a new request may
//!   wait, for a bounded time, when the queue is full and the store is just slow.
//! - Recorded is the application's side of the conversation: what it was sent, what it answered.
//! - Every exchange seen is stored, or counted as not stored with the reason; a failing store does
//!   not fail the traffic.

mod body;
mod counts;
mod error;
mod headers;
mod identity;
mod listen;
mod notice;
mod proxy;
mod recorder;
mod recording;
mod settings;
mod storing;
mod upgrade;
mod upload;
mod upstream;

pub use counts::{Counts, Tally};
pub use error::RecordError;
pub use notice::Notice;
pub use recorder::Recorder;
pub use settings::{HostRule, RecorderSettings, TlsIdentity, UpstreamTls};
pub use storing::{Sink, SinkError, SinkFailure};
