//! What is sent for a recorded request: pages as recorded, as they are now, and the request.

mod elsewhere;
mod forms;
mod made;
mod offered;
mod rows;
mod subjects;
mod tabs;

use std::sync::Arc;

use restage_html::Page;
use restage_model::{BodyRef, Exchange, ExchangeId, Headers, Moment, Request, Response};

use super::*;
use crate::live::cookies::SessionCookies;
use crate::live::recorded::ResponseBody;
use crate::live::request::live_request;
use crate::live::visit::Live;

fn headers(fields: &[(&str, &str)]) -> Headers {
    fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
}

/// A request line: method, path and query, and perhaps ` from ` where it came from.
fn request(line: &str, fields: &[(&str, &str)]) -> Request {
    let (method, uri) = line.split_once(' ').unwrap();
    let (uri, referer) = uri.split_once(" from ").unwrap_or((uri, ""));
    let mut all = headers(&[("host", "app")]);
    if !referer.is_empty() {
        all.push("referer", format!("http://app{referer}"));
    }
    for (name, value) in fields {
        all.push(name, *value);
    }
    if method != "GET" && all.get("content-type").is_none() {
        all.push("content-type", "application/x-www-form-urlencoded");
    }
    Request { method: method.to_owned(), uri: uri.to_owned(), headers: all, body: BodyRef::default() }
}

/// An answer: `-> ` and where it redirects to, or a body; before it lines like `# X-Token: 1` for header fields.
fn answer(text: &str) -> Live {
    let mut fields = Headers::new();
    let mut rest = text;
    while let Some(line) = rest.strip_prefix("# ") {
        let (field, after) = line.split_once('\n').unwrap_or((line, ""));
        let (name, value) = field.split_once(": ").unwrap();
        fields.push(name, value);
        rest = after;
    }
    if let Some(location) = rest.strip_prefix("-> ") {
        fields.push("location", location);
        return (303, fields, Arc::new(Vec::new()));
    }
    if fields.get("content-type").is_none() {
        let json = rest.starts_with(['{', '[']);
        fields.push("content-type", if json { "application/json" } else { "text/html" });
    }
    (200, fields, Arc::new(rest.as_bytes().to_vec()))
}

fn recorded(request: Request, body: &[u8], answered: &str) -> Recorded {
    let (status, headers, bytes) = answer(answered);
    let is_page = restage_browser::is_html(&headers);
    let page = if is_page { Page::of(&bytes) } else { Page::default() };
    let exchange = Exchange {
        id: ExchangeId(1),
        at: Moment(0),
        took: 0,
        client: String::new(),
        request,
        response: Some(Response { status, headers, body: BodyRef::default() }),
        error: None,
        imported: false,
        origin: restage_model::Origin::Recorded,
    };
    Recorded::new(exchange, body.to_vec(), page, ResponseBody::Here(bytes.to_vec()))
}

/// Steps so far: a request line, its answer as recorded, and as it is now.
type Steps<'a> = &'a [(&'a str, &'a str, &'a str)];

/// A request, as it is sent after some steps, with all of its header fields.
fn sent_with(steps: Steps<'_>, line: &str, fields: &[(&str, &str)], body: &[u8]) -> (Prepared, Headers) {
    let mut visits: Vec<Visit> = Vec::new();
    let mut jar = SessionCookies::default();
    for (n, (line, was, is)) in steps.iter().enumerate() {
        let step = recorded(request(line, &[]), b"", was);
        let (prepared, _) = live_request(&step, &visits, &jar, None);
        let live = answer(is);
        jar.note_recorded(step.answered().unwrap());
        jar.receive(&prepared.uri, &live.1);
        visits.push(Visit::new(n + 1, Arc::new(step), &prepared.uri, Some(live)));
    }
    live_request(&recorded(request(line, fields), body, ""), &visits, &jar, None)
}

/// A request, as it is sent after some steps.
fn sent(steps: Steps<'_>, line: &str, body: &str) -> Prepared {
    sent_with(steps, line, &[], body.as_bytes()).0
}

/// The body that is sent after some steps.
fn body(steps: Steps<'_>, line: &str, body: &str) -> String {
    String::from_utf8(sent(steps, line, body).body).unwrap()
}

/// The JSON that is sent after some steps.
fn json(steps: Steps<'_>, line: &str, body: &str) -> String {
    let sent = sent_with(steps, line, &[("content-type", "application/json")], body.as_bytes()).0;
    String::from_utf8(sent.body).unwrap()
}

/// A header field that is sent after some steps.
fn field(steps: Steps<'_>, name: &str, value: &str) -> String {
    let (_, headers) = sent_with(steps, "POST /api", &[(name, value)], b"");
    headers.get(name).unwrap().to_owned()
}
