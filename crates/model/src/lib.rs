//! Exchanges, sessions, suites, keys, runs and verdicts: plain data and the rules about it.
//!
//! Everything else in restage speaks in these types. Nothing here does I/O: a body's bytes live in
//! the store and are named here by a [`BodyRef`]; decoding, parsing and naming are pure functions.
//!
//! As recorded, as sent and as received are different types: an [`Exchange`] holds what a user's
//! browser sent and got, a [`Step`] what a replay sent ([`Sent`]) and got ([`Answer`]).

mod content;
mod cookie;
mod difference;
mod exchange;
mod fidelity;
mod glob;
mod groups;
mod headers;
mod keys;
mod moment;
mod multipart;
mod new_suite;
mod origin;
mod params;
mod run;
mod run_event;
mod sent_fields;
mod shard;
mod suite;
mod value_shape;
mod verdict;

pub use content::{ContentError, decode_content};
pub use cookie::{SetCookie, cookie_pairs};
pub use difference::{
    CellChange, ChangeId, Difference, DifferenceKind, Excerpt, FileAspect, Place, StoredThing, counted,
    differing_parts, number_free, quoted, quoted_apart, shortened, shown_apart,
};
pub use exchange::{BodyId, BodyRef, Captured, CapturedBody, Exchange, ExchangeId, Request, Response};
pub use fidelity::{BeganAt, Cause, CauseKind, Departure, Fidelity, LeftAt, SessionFidelity};
pub use glob::{FileGlob, PathGlob};
pub use groups::Groups;
pub use headers::Headers;
pub use keys::{
    Key, KeyRules, PageParameter, PageParameterError, PageParameters, PathTemplate, PathTemplateError,
    PathTemplates, TemplateLearner, body_fields, is_page_name, key_without_values,
};
pub use moment::Moment;
pub use multipart::Multipart;
pub use new_suite::{NewAnswer, NewRequest, NewSession, NewStep, NewSuite};
pub use origin::Origin;
pub use params::{Param, Params};
pub use run::{
    Answer, Received, Run, RunId, RunKind, RunSession, RunState, Sent, StatePolicy, Step, StepAt,
    Substitution,
};
pub use run_event::RunEvent;
pub use sent_fields::sent_fields;
pub use shard::Shard;
pub use suite::{Session, SessionPart, Suite, SuiteId};
pub use value_shape::ValueShape;
pub use verdict::{
    Aftermath, Change, Finding, Masked, MaskedRows, MaskedShare, OldWording, Outcome, SettledChange,
    StepComparison, Unused, Verdict,
};
