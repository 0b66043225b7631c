//! One request and, where known, its response: as recorded, or as somebody made it.

use serde::{Deserialize, Serialize};

use crate::{Headers, Moment, Origin};

/// Names an exchange in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExchangeId(pub i64);

/// Names a stored body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BodyId(pub i64);

/// Where a message's body is, and how much of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyRef {
    /// The stored bytes; none for an empty body.
    pub id: Option<BodyId>,
    /// Its size on the wire, before decoding; larger than what is stored when it was cut.
    pub size: u64,
    /// Whether less than the whole was stored.
    pub cut: bool,
}

/// A request as the application received it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query: `/book/17?tab=reviews`.
    pub uri: String,
    /// Its header fields.
    pub headers: Headers,
    /// Its body.
    pub body: BodyRef,
}

impl Request {
    /// The path without the query.
    pub fn path(&self) -> &str {
        self.uri.split_once('?').map_or(&self.uri, |(path, _)| path)
    }

    /// The query without its question mark; empty where there is none.
    pub fn query(&self) -> &str {
        self.uri.split_once('?').map_or("", |(_, query)| query)
    }
}

/// A response as the application gave it, its content encoding undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Its header fields, as they were on the wire.
    pub headers: Headers,
    /// Its body.
    pub body: BodyRef,
}

/// One request and, where it was answered, its response. Of an edited request, it is the answer to what was edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Its name in the store.
    pub id: ExchangeId,
    /// When the request began.
    pub at: Moment,
    /// Microseconds until the response had ended.
    pub took: u64,
    /// The client's address, without its port.
    pub client: String,
    /// What was asked.
    pub request: Request,
    /// What was answered.
    pub response: Option<Response>,
    /// What went wrong, where something did.
    pub error: Option<String>,
    /// Whether it was imported: taken from what was logged for other purposes, with all that a server meets.
    #[serde(default)]
    pub imported: bool,
    /// Whether a user sent the request, or somebody made it.
    #[serde(default, skip_serializing_if = "Origin::is_recorded")]
    pub origin: Origin,
}

impl Exchange {
    /// Whether it may have changed something: any method but those that only look; and a `GET` that was answered by a redirect,
    /// as of a link that does something.
    pub fn may_change_something(&self) -> bool {
        let looks = matches!(self.request.method.as_str(), "GET" | "HEAD" | "OPTIONS");
        !looks || self.response.as_ref().is_some_and(|r| (300..400).contains(&r.status) && r.status != 304)
    }
}

/// A body while it is being recorded.
#[derive(Clone, Debug, Default)]
pub struct CapturedBody {
    /// As much of it as is to be stored.
    pub bytes: Vec<u8>,
    /// How long it was.
    pub size: u64,
}

impl CapturedBody {
    /// Whether less than the whole was kept.
    pub fn cut(&self) -> bool {
        self.size > self.bytes.len() as u64
    }
}

/// An exchange on its way to the store: its bodies still with it.
#[derive(Clone, Debug)]
pub struct Captured {
    /// When the request began.
    pub at: Moment,
    /// Microseconds until the response had ended.
    pub took: u64,
    /// The client's address, without its port.
    pub client: String,
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub uri: String,
    /// The request's header fields.
    pub headers: Headers,
    /// The request's body.
    pub body: CapturedBody,
    /// Status, header fields and body of the response, where there was one.
    pub response: Option<(u16, Headers, CapturedBody)>,
    /// What went wrong, where something did.
    pub error: Option<String>,
}
