//! What restage adds to the entries of a HAR, so that they come back as they were.

use restage_model::{BodyRef, Exchange, ExchangeId, Headers, Moment, Origin};
use serde::{Deserialize, Serialize};

/// The field `_restage` of an entry: all of an exchange that the format has no place for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HarNote {
    /// The session it belongs to.
    pub session: String,
    /// Which step of that it is; none where it is left out of its replay.
    pub step: Option<usize>,
    /// Its name in the store that it came from.
    pub exchange: ExchangeId,
    /// When the request began.
    pub at: Moment,
    /// Microseconds until the response had ended.
    pub took: u64,
    /// The client's address.
    pub client: String,
    /// What was asked for, as it was.
    pub uri: String,
    /// Of the request's body.
    pub request_body: BodyNote,
    /// Of the response's body; none where there was no response.
    pub response_body: Option<BodyNote>,
    /// What went wrong.
    pub error: Option<String>,
    /// Whether it was imported.
    #[serde(default)]
    pub imported: bool,
    /// Whether a user sent it, or somebody made it; by the names of the store that it came from.
    #[serde(default, skip_serializing_if = "Origin::is_recorded")]
    pub origin: Origin,
    /// The request's fields with a character a byte, where the entry's own do not tell them.
    pub raw_headers: Option<Headers>,
    /// The same for the response.
    pub raw_response_headers: Option<Headers>,
}

/// How long a body was, and whether all of it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyNote {
    /// Its size on the wire.
    pub size: u64,
    /// Whether less than the whole was stored.
    pub cut: bool,
}

impl HarNote {
    /// The note on an exchange.
    pub(crate) fn of(exchange: &Exchange, session: &str, step: Option<usize>) -> Self {
        let response = exchange.response.as_ref();
        Self {
            session: session.to_owned(),
            step,
            exchange: exchange.id,
            at: exchange.at,
            took: exchange.took,
            client: exchange.client.clone(),
            uri: exchange.request.uri.clone(),
            request_body: BodyNote::of(&exchange.request.body),
            response_body: response.map(|r| BodyNote::of(&r.body)),
            error: exchange.error.clone(),
            imported: exchange.imported,
            origin: exchange.origin.clone(),
            raw_headers: raw(&exchange.request.headers),
            raw_response_headers: response.and_then(|r| raw(&r.headers)),
        }
    }
}

impl BodyNote {
    fn of(body: &BodyRef) -> Self {
        Self { size: body.size, cut: body.cut }
    }
}

/// The fields, where a reader of the entry's own would make something else of them: bytes that are no UTF-8, line ends (which
/// browsers join fields by), names that begin with a colon (which HTTP/2 has for other things).
fn raw(headers: &Headers) -> Option<Headers> {
    let plain = |(name, value): (&str, &str)| {
        let bytes = Headers::value_bytes(value);
        let back: String = bytes.iter().map(|&b| char::from(b)).collect();
        let is_text = std::str::from_utf8(&bytes).is_ok() && back == value;
        is_text && !value.contains('\n') && !name.is_empty() && !name.starts_with(':')
    };
    (!headers.iter().all(plain)).then(|| headers.clone())
}
