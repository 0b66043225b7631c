//! Live values: a recorded request as the live application would have the browser send it.
//!
//! - `recorded`: a recorded exchange with all that is needed of it; `visit`: the same once it was replayed, beside what
//!   the live application answered;
//! - `request`: one request with its header fields and cookies; `prepare`: its address and its body;
//! - `redirect`, `form`: which redirect or form led to a request, and what the live application offers in its place;
//!   links, and how forms are matched and filled in, are in `restage-browser`;
//! - `cookies`: the cookies of a session, the live server's in place of the recorded ones;
//! - `history`: what came before a request, and where in it a value stood; `origin`: where in a response values stand;
//! - `substitution`: values that no form, link or redirect accounts for, replaced by live ones;
//! - `inferred`: values whose origin the recording does not show; `made`: what the live page offers for a request that nobody recorded.

mod cookies;
mod form;
mod history;
mod inferred;
mod made;
mod origin;
mod prepare;
mod recorded;
mod redirect;
mod request;
mod substitution;
mod visit;

pub(crate) use cookies::SessionCookies;
pub(crate) use prepare::Prepared;
pub(crate) use recorded::{Recorded, RecordedSteps};
pub(crate) use request::{live_request, recorded_request};
pub(crate) use visit::{Visit, visited};
