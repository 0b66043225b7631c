//! The recording reverse proxy, importers, and the sessionizer.
//!
//! What users do becomes exchanges, and exchanges become sessions (paper 1's "record web server
//! accesses", without touching the web server):
//!
//! - [`Recorder`] stands between the users and the application, passes everything on at once, and
//!   hands what it saw to a [`Sink`], which is the store. See the [`record`] module for how it keeps
//!   the traffic flowing when storing is slow or fails.
//! - [`import()`] takes exchanges from HAR files, access logs and GoReplay files. See the [`mod@import`] module.
//! - [`sessionize`] tells one user's exchanges from another's by [`SessionRules`]. It is a pure
//!   function over a batch of exchanges.
//! - [`Redacting`] puts stand-ins in place of secrets before anything is stored.
//! - [`learn_page_parameters`] finds the parameters whose values lead to different pages.
//! - [`OnlineReducer`] drops sessions that bring nothing new while it is recorded, where that is asked for.

pub mod import;
pub mod online_reduction;
mod page_parameters;
pub mod record;
pub mod redact;
pub mod sessions;

pub use import::{FileTally, Format, ImportError, ImportSettings, Input, Unread, import};
pub use online_reduction::{OnlineReducer, ReducerThread, ReductionTally, ScannedExchanges, StoredExchanges};
pub use page_parameters::learn_page_parameters;
pub use record::{
    Counts, HostRule, Notice, RecordError, Recorder, RecorderSettings, Sink, SinkError, SinkFailure, Tally,
    TlsIdentity, UpstreamTls,
};
pub use redact::{Redacting, RedactingStore};
pub use sessions::{
    BotSign, By, ByError, FilteredSessions, LeaveOut, Reason, SessionList, SessionRules, Sessionizer,
    StaticClass, sessionize, sessionize_and_filter,
};
