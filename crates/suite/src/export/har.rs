//! HTTP Archive 1.2, with all that was recorded.
//!
//! What the format has no place for is in fields called `_restage`, as the format allows: of the log, the suite and its
//! sessions; of an entry a [`HarNote`]. Tools that do not know them read the rest; `restage import` brings each exchange back as it was.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use restage_model::{
    Exchange, ExchangeId, Headers, Moment, Origin, Params, Session, SetCookie, Suite, cookie_pairs,
};
use serde_json::{Value, json};

use crate::export::har_note::HarNote;
use crate::source::{ExchangeSource, SourceError};

/// A suite as HAR: every exchange of its sessions in the order of time, those that are left out of a replay among them, and those
/// that edited and generated requests were made of.
pub fn har(suite: &Suite, source: &dyn ExchangeSource) -> Result<String, SourceError> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    // What several sessions have is one exchange, and an entry of the first of them.
    let mut known: HashSet<ExchangeId> = HashSet::new();
    for session in &suite.sessions {
        let steps = session.exchanges.iter().zip(1..).map(|(id, step)| (*id, EntryRole::Step(step)));
        let left_out = session.left_out.iter().map(|id| (*id, EntryRole::LeftOut));
        for (id, place) in steps.chain(left_out) {
            if known.insert(id) {
                entries.push(Entry::new(id, session, place, source)?);
            }
        }
    }
    add_sources(&mut entries, known, source)?;
    entries.sort_by_key(|entry| (entry.after, entry.exchange.id));
    let entries = entries.iter().map(|entry| entry.write(source)).collect::<Result<Vec<Value>, _>>()?;
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

/// What an exchange is to the suite.
#[derive(Clone, Copy)]
enum EntryRole {
    /// This step of its session.
    Step(usize),
    /// Left out of the replay of its session.
    LeftOut,
    /// What a step of that session was made of.
    Source,
}

/// An exchange on its way to the file.
struct Entry<'a> {
    exchange: Exchange,
    session: &'a Session,
    place: EntryRole,
    /// Its time; after what it was made of, so that a reader knows that by then.
    after: (Moment, u32),
}

impl<'a> Entry<'a> {
    fn new(
        id: ExchangeId,
        session: &'a Session,
        place: EntryRole,
        source: &dyn ExchangeSource,
    ) -> Result<Self, SourceError> {
        let exchange = source.exchange(id)?;
        let after = after(&exchange, source)?;
        Ok(Self { exchange, session, place, after })
    }

    fn write(&self, source: &dyn ExchangeSource) -> Result<Value, SourceError> {
        let exchange = &self.exchange;
        let ms = exchange.took as f64 / 1000.0;
        let (step, place) = match self.place {
            EntryRole::Step(step) => (Some(step), format!("step {step}")),
            EntryRole::LeftOut => (None, "left out of its replay".to_owned()),
            EntryRole::Source => (None, "what a step of it was made of".to_owned()),
        };
        let origin = match &exchange.origin {
            Origin::Recorded => String::new(),
            origin => format!(", {origin}"),
        };
        let at = Timestamp::from_microsecond(exchange.at.0).map(|at| at.to_string());
        Ok(json!({
            "startedDateTime": at.unwrap_or_default(),
            "time": ms,
            "request": request(exchange, source)?,
            "response": response(exchange, source)?,
            "cache": {},
            "timings": { "send": 0, "wait": ms, "receive": 0 },
            "comment": format!("session {}, {place}{origin}", self.session.name),
            "_restage": HarNote::of(exchange, &self.session.name, step),
        }))
    }
}

/// Adds what requests were made of, where no session has it.
fn add_sources(
    entries: &mut Vec<Entry<'_>>,
    mut known: HashSet<ExchangeId>,
    source: &dyn ExchangeSource,
) -> Result<(), SourceError> {
    let mut at = 0;
    while let Some(entry) = entries.get(at) {
        let session = entry.session;
        for id in entry.exchange.origin.sources().to_vec() {
            if known.insert(id) {
                entries.push(Entry::new(id, session, EntryRole::Source, source)?);
            }
        }
        at += 1;
    }
    Ok(())
}

/// A time that is after that of all that an exchange was made of.
fn after(exchange: &Exchange, source: &dyn ExchangeSource) -> Result<(Moment, u32), SourceError> {
    let mut latest = (exchange.at, 0);
    for id in exchange.origin.sources() {
        let (at, made) = after(&source.exchange(*id)?, source)?;
        latest = (latest.0.max(at), latest.1.max(made + 1));
    }
    Ok(latest)
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
