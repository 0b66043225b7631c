//! Between HTTP and the pages: a request becomes a [`Visit`], a page's [`Reply`] a response.

mod assets;
mod fields;
mod problems;
mod reply;
mod routes;
mod visit;

pub(crate) use fields::{Fields, query};
pub(crate) use problems::Problems;
pub(crate) use reply::{Outcome, Refusal, Reply};
pub(crate) use routes::routes;
pub(crate) use visit::Visit;
