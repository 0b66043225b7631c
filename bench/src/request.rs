//! What a replay sent and got, to be sent again by other clients.

use bytes::Bytes;
use restage_model::{Headers, RunId};
use restage_store::Store;

use crate::Trouble;

/// A request as a replay sent it, and what it was answered.
#[derive(Clone, Debug)]
pub struct Request {
    /// The session's place in the run, from 0.
    pub session: u32,
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub uri: String,
    /// Its header fields.
    pub headers: Headers,
    /// Its body.
    pub body: Bytes,
    /// The status it was answered with.
    pub status: u16,
    /// The page it was answered with.
    pub page: Bytes,
}

/// A run's requests, in order.
pub fn requests(store: &Store, run: RunId) -> Result<Vec<Request>, Trouble> {
    let mut requests = Vec::new();
    for step in store.steps(run)? {
        let received = step.answer.received().ok_or_else(|| format!("{} was not answered", step.sent.uri))?;
        requests.push(Request {
            session: step.at.session,
            body: store.body(&step.sent.body)?.into(),
            method: step.sent.method,
            uri: step.sent.uri,
            headers: step.sent.headers,
            status: received.status,
            page: store.body(&received.body)?.into(),
        });
    }
    Ok(requests)
}
