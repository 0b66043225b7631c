//! An entry that restage itself wrote: the exchange as it was, by the note that `restage export` leaves with it.

use restage_model::{Captured, CapturedBody, Headers};
use restage_store::AsStored;
use restage_suite::export::HarNote;
use serde_json::Value;

use super::har::fields;
use super::har_body::decoded;

/// The exchange of an entry with such a note; none where another program wrote it.
pub(super) fn own(entry: &Value) -> Option<(Captured, AsStored)> {
    let note: HarNote = serde_json::from_value(entry.get("_restage")?.clone()).ok()?;
    let request = entry.get("request")?;
    let answer = entry.get("response");
    let body = |content: Option<&Value>, size: u64| {
        let text = content.and_then(|c| c.get("text")?.as_str()).unwrap_or_default();
        CapturedBody { bytes: decoded(text, content.and_then(|c| c.get("encoding"))), size }
    };
    let headers =
        |raw: Option<Headers>, message: &Value| raw.unwrap_or_else(|| fields(message.get("headers")));
    let as_stored = AsStored {
        id: note.exchange,
        imported: note.imported,
        request_cut: note.request_body.cut,
        response_cut: note.response_body.is_some_and(|body| body.cut),
        origin: note.origin,
    };
    let response = match note.response_body {
        Some(noted) => {
            let answer = answer?;
            let status = u16::try_from(answer.get("status")?.as_u64()?).ok()?;
            let headers = headers(note.raw_response_headers, answer);
            Some((status, headers, body(answer.get("content"), noted.size)))
        }
        None => None,
    };
    let captured = Captured {
        at: note.at,
        took: note.took,
        client: note.client,
        method: request.get("method")?.as_str()?.to_owned(),
        uri: note.uri,
        headers: headers(note.raw_headers, request),
        body: body(request.get("postData"), note.request_body.size),
        response,
        error: note.error,
    };
    Some((captured, as_stored))
}
