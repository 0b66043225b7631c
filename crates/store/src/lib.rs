//! The SQLite store: schema, migrations, content-addressed compressed bodies.
//!
//! One file, `.restage/restage.db`, in WAL mode, readable by its owner alone: it holds what users
//! typed. [`Store`] is a connection to it; one module a kind of thing:
//!
//! - `schema`: the tables, and how an older file becomes a newer one;
//! - `bodies`: bytes, each distinct one once;
//! - `exchanges`: what was recorded;
//! - `made`: requests that nobody recorded;
//! - `sources`, `header_sets`: what was imported; `learnt`: how pages are named, learnt from traffic;
//! - `maps`: maps of the application;
//! - `suites`: named lists of sessions;
//! - `runs`, `run_sessions`: what was replayed;
//! - `facts`: what the server did for each step;
//! - `judgements`: what comparing two runs gave;
//! - `removal`: exchanges that a recording which keeps only new behaviour does without.
//!
//! Invariants: what was stored is never changed, only added to, but for such a recording; a file from a newer restage, or one
//! that is damaged, is refused and left as it is.

mod bodies;
mod error;
mod exchanges;
mod facts;
mod fidelities;
mod header_sets;
mod judgements;
mod learnt;
mod made;
mod maps;
mod open;
mod read_only;
mod removal;
mod rewrite;
mod run_sessions;
mod runs;
mod schema;
mod sources;
mod stand_ins;
mod suites;

pub use error::StoreError;
pub use exchanges::ExchangeCounts;
pub use facts::{FactsOf, StepDetail};
pub use judgements::{JudgementId, NewJudgement};
pub use maps::{NewMap, StoredMap};
pub use open::Store;
pub use removal::Removed;
pub use runs::{NewRun, ReplayedStep};
pub use sources::{AsStored, Imported, Renamed, Source, SourceId};
pub use suites::SuiteSummary;
