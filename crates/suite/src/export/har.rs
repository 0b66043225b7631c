//! HTTP Archive 1.2, with all that was recorded.
//!
//! What the format has no place for is in fields called `_restage`, as the format allows: of the log, the suite and its
//! sessions; of an entry a [`HarNote`]. Tools that do not know them read the rest; `restage import` brings each exchange back as it was.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use restage_model::{Exchange, Headers, Params, Session, SetCookie, Suite, cookie_pairs};
use serde_json::{Value, json};

use crate::export::har_note::HarNote;
use crate::source::{ExchangeSource, SourceError};

/// A suite as HAR: every exchange of its sessions in the order of time, those that are left out of a replay among them.
pub fn har(suite: &Suite, source: &dyn ExchangeSource) -> Result<String, SourceError> {
    let mut entries: Vec<(Exchange, &Session, Option<usize>)> = Vec::new();
    for session in &suite.sessions {
        for (place, id) in session.exchanges.iter().enumerate() {
            entries.push((source.exchange(*id)?, session, Some(place + 1)));
        }
        for id in &session.left_out {
            entries.push((source.exchange(*id)?, session, None));
        }
    }
    entries.sort_by_key(|(exchange, ..)| (exchange.at, exchange.id));
    let entries = entries
        .iter()
        .map(|(exchange, session, step)| entry(exchange, session, *step, source))
        .collect::<Result<Vec<Value>, _>>()?;
    let log = json!({ "log": {
        "version": "1.2",
        "creator": { "name": "restage", "version": env!("CARGO_PKG_VERSION") },
        "comment": format!("the suite {}", suite.name),
        "_restage": {
            "suite": suite.name,
            "origin": suite.origin,
            "sessions": suite.sessions,
            "stand_ins": source.stand_ins().iter().map(|hash| format!("{hash:016x}")).collect::<Vec<_>>(),
        },
        "entries": entries,
    }});
    Ok(serde_json::to_string_pretty(&log)?)
}

fn entry(
    exchange: &Exchange,
    session: &Session,
    step: Option<usize>,
    source: &dyn ExchangeSource,
) -> Result<Value, SourceError> {
    let ms = exchange.took as f64 / 1000.0;
    let place = step.map_or_else(|| "left out of its replay".to_owned(), |step| format!("step {step}"));
    Ok(json!({
        "startedDateTime": Timestamp::from_microsecond(exchange.at.0).map(|at| at.to_string()).unwrap_or_default(),
        "time": ms,
        "request": request(exchange, source)?,
        "response": response(exchange, source)?,
        "cache": {},
        "timings": { "send": 0, "wait": ms, "receive": 0 },
        "comment": format!("session {}, {place}", session.name),
        "_restage": HarNote::of(exchange, &session.name, step),
    }))
}

fn request(exchange: &Exchange, source: &dyn ExchangeSource) -> Result<Value, SourceError> {
    let request = &exchange.request;
    let host = request.headers.get("host").unwrap_or("127.0.0.1");
    // A proxy's request names its host itself.
    let url = if request.uri.starts_with('/') {
        format!("http://{host}{}", request.uri)
    } else {
        request.uri.clone()
    };
    let pair = |(name, value): (String, String)| json!({ "name": name, "value": value });
    let cookies = request.headers.all("cookie").flat_map(cookie_pairs);
    let mut value = json!({
        "method": request.method,
        "url": url,
        "httpVersion": "HTTP/1.1",
        "cookies": cookies.map(|(name, value)| json!({ "name": name, "value": Headers::readable(value) })).collect::<Vec<_>>(),
        "headers": headers(&request.headers),
        "queryString": Params::parse(request.query()).pairs().into_iter().map(pair).collect::<Vec<_>>(),
        "headersSize": -1,
        "bodySize": request.body.size,
    });
    if request.body.id.is_some() {
        let (text, encoding) = text(source.body(&request.body)?);
        let mut data =
            json!({ "mimeType": request.headers.get("content-type").unwrap_or_default(), "text": text });
        if let Some(encoding) = encoding {
            // Not in the format for requests; browsers write it so all the same.
            data["encoding"] = encoding.into();
        }
        value["postData"] = data;
    }
    Ok(value)
}

fn response(exchange: &Exchange, source: &dyn ExchangeSource) -> Result<Value, SourceError> {
    let Some(response) = &exchange.response else {
        return Ok(json!({
            "status": 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [],
            "content": { "size": 0, "mimeType": "" }, "redirectURL": "", "headersSize": -1, "bodySize": -1,
            "_error": exchange.error,
        }));
    };
    let bytes = source.body(&response.body)?;
    let mut content = json!({
        "size": bytes.len(),
        "mimeType": response.headers.get("content-type").unwrap_or_default(),
    });
    let (text, encoding) = text(bytes);
    content["text"] = text.into();
    if let Some(encoding) = encoding {
        content["encoding"] = encoding.into();
    }
    let cookies = response.headers.all("set-cookie").filter_map(SetCookie::parse);
    Ok(json!({
        "status": response.status,
        "statusText": "",
        "httpVersion": "HTTP/1.1",
        "cookies": cookies.map(|c| json!({ "name": c.name, "value": Headers::readable(&c.value) })).collect::<Vec<_>>(),
        "headers": headers(&response.headers),
        "content": content,
        "redirectURL": response.headers.get("location").map(Headers::readable).unwrap_or_default(),
        "headersSize": -1,
        "bodySize": response.body.size,
    }))
}

fn headers(headers: &Headers) -> Vec<Value> {
    headers.iter().map(|(name, value)| json!({ "name": name, "value": Headers::readable(value) })).collect()
}

/// Bytes as text, in base64 where they are none.
fn text(bytes: Vec<u8>) -> (String, Option<&'static str>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(bytes) => (STANDARD.encode(bytes.as_bytes()), Some("base64")),
    }
}
