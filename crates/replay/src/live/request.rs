//! One request with its header fields and cookies: as the live application would have it, or as it was recorded.

use restage_model::{Headers, cookie_pairs};

use crate::live::cookies::SessionCookies;
use crate::live::history::{History, LiveValue, RequestValue, Traced};
use crate::live::prepare::{Prepared, prepare};
use crate::live::recorded::Recorded;
use crate::live::substitution::Substituter;
use crate::live::visit::Visit;

/// Fields that belong to a connection, or that the replay makes itself. Conditions are left out too: a
/// page is asked for whole, whatever the recorded browser had in its cache.
const NOT_SENT: &[&str] = &[
    "connection",
    "content-length",
    "cookie",
    "expect",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The request as the live application would have it, and its header fields. `before` are the cookies that the browser
/// had from earlier sessions.
pub(crate) fn live_request(
    recorded: &Recorded,
    visits: &[Visit],
    jar: &SessionCookies,
    before: Option<&str>,
) -> (Prepared, Headers) {
    let request = &recorded.exchange.request;
    let mut history = History::new(visits, recorded, jar);
    let recorded_cookie = request.headers.get("cookie");
    let cookies = |history: &History<'_>, uri: &str| {
        let script = |name: &str, value: &str| script_cookie(history, name, value);
        jar.of_request(uri, recorded_cookie, before, &script)
    };
    // Where it goes decides on the cookies, and the cookies on what else it carries: where it went will do.
    history.cookies = cookies(&history, &request.uri).sent;
    let mut prepared = prepare(recorded, &history);
    let mut headers = Headers::new();
    if request.headers.get("host").is_none() {
        headers.push("host", "localhost");
    }
    let mut substituter = Substituter::new(&history, &request.uri);
    for (name, value) in request.headers.iter().filter(|(name, _)| !NOT_SENT.contains(name)) {
        // A referer follows from the address; it is no news.
        let live = match name {
            "referer" => history.live_referer(),
            _ => substituter.header(name, value),
        };
        headers.push(name, live.unwrap_or_else(|| value.to_owned()));
    }
    prepared.substitutions.append(&mut substituter.substitutions);
    prepared.stale = prepared.stale.take().or(substituter.gone.take());
    let cookies = cookies(&history, &prepared.uri);
    if let Some(cookie) = cookies.header() {
        headers.push("cookie", cookie);
    }
    prepared.substitutions.extend(cookies.substitutions);
    push_length(&mut headers, &request.method, prepared.body.len());
    (prepared, headers)
}

/// A cookie that a script made of what a page held.
fn script_cookie(history: &History<'_>, name: &str, value: &str) -> Option<LiveValue> {
    // What the session began with is from before.
    let began = history.visits.first()?.recorded.exchange.request.headers.get("cookie").unwrap_or_default();
    if cookie_pairs(began).any(|pair| pair == (name, value)) {
        return None;
    }
    match history.trace(&RequestValue { name, value, in_path: false, nouns: &[] }) {
        Traced::Found(found) => Some(found),
        Traced::Nowhere | Traced::Gone(_) => None,
    }
}

/// The request as it was recorded, but for header fields that belong to a connection.
pub(crate) fn recorded_request(recorded: &Recorded) -> (Prepared, Headers) {
    let request = &recorded.exchange.request;
    let mut headers = Headers::new();
    if request.headers.get("host").is_none() {
        headers.push("host", "localhost");
    }
    for (name, value) in
        request.headers.iter().filter(|(name, _)| *name == "cookie" || !NOT_SENT.contains(name))
    {
        headers.push(name, value);
    }
    push_length(&mut headers, &request.method, recorded.body.len());
    (Prepared::as_recorded(recorded), headers)
}

fn push_length(headers: &mut Headers, method: &str, length: usize) {
    if length > 0 || !matches!(method, "GET" | "HEAD" | "OPTIONS") {
        headers.push("content-length", length.to_string());
    }
}
