//! HAR 1.2: what browsers' network panels, Playwright and mitmproxy save. One entry is held at a time.
//!
//! Its bodies come with their content encoding undone. It knows no client: the file stands for the user. What restage wrote itself is
//! read by its own notes (`har_extension`).

use std::io::Read;

use restage_model::{Captured, CapturedBody, Headers, Moment, NewSuite, Session};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use url::Url;

use super::entry_handler::EntryHandler;
use super::error::ImportError;
use super::har_body::{request_body, response_body};
use super::har_extension::own;

/// How many entries wait at most until it is known which host is the application's.
const WAITING: usize = 500;

/// How a HAR file is read.
pub(super) struct Har<'a> {
    /// The application's hosts; where none is named, that of the first page.
    pub(super) hosts: &'a [String],
    /// What stands for the user.
    pub(super) client: &'a str,
}

/// What was noticed in a file.
#[derive(Default)]
pub(super) struct Noticed {
    pub(super) entries: u64,
    /// Whether any request carried a cookie, or any response set one.
    pub(super) cookies: bool,
    /// The host that was taken for the application's.
    pub(super) host: Option<String>,
    /// How many requests went elsewhere.
    pub(super) elsewhere: u64,
    /// Where and why it could not be read to its end.
    pub(super) broken: Option<String>,
}

impl Har<'_> {
    /// Reads a file.
    pub(super) fn read(
        &self,
        reader: impl Read,
        found: &mut dyn EntryHandler,
    ) -> Result<Noticed, ImportError> {
        let mut entries = Entries {
            har: self,
            found,
            noticed: Noticed::default(),
            waiting: Vec::new(),
            hosts: self.hosts.to_vec(),
            failure: None,
        };
        let mut json =
            serde_json::Deserializer::from_reader(std::io::BufReader::with_capacity(1 << 18, reader));
        let read = Within(&["log", "entries"], &mut entries).deserialize(&mut json);
        if let Some(failure) = entries.failure.take() {
            return Err(failure);
        }
        entries.decide(true)?;
        let mut noticed = entries.noticed;
        noticed.broken = read.err().map(|e| e.to_string());
        Ok(noticed)
    }
}

/// What restage notes of a whole file.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LogNote {
    stand_ins: Vec<String>,
    suite: String,
    origin: String,
    sessions: Vec<Session>,
}

/// The array at a path of members, all else passed over.
struct Within<'p, 'e, 'a>(&'p [&'static str], &'e mut Entries<'a>);

impl<'de> DeserializeSeed<'de> for Within<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.is_empty() {
            deserializer.deserialize_seq(self)
        } else {
            deserializer.deserialize_map(self)
        }
    }
}

impl<'de> Visitor<'de> for Within<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.first() {
            Some(name) => write!(f, "an object with `{name}`"),
            None => write!(f, "an array of entries"),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Some((wanted, rest)) = self.0.split_first() else { return Ok(()) };
        let mut met = false;
        while let Some(name) = map.next_key::<String>()? {
            if name == "_restage" {
                let note: LogNote = map.next_value()?;
                let hashes: Vec<u64> =
                    note.stand_ins.iter().filter_map(|hash| u64::from_str_radix(hash, 16).ok()).collect();
                self.1.found.stand_ins(&hashes);
                self.1.found.suite(NewSuite::of(&note.suite, &note.origin, note.sessions));
            } else if name == *wanted {
                met = true;
                map.next_value_seed(Within(rest, &mut *self.1))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if met { Ok(()) } else { Err(serde::de::Error::custom(format!("there is no `{wanted}`"))) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(entry) = seq.next_element::<Value>()? {
            if let Err(failure) = self.1.take(&entry) {
                self.1.failure = Some(failure);
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

struct Entries<'a> {
    har: &'a Har<'a>,
    found: &'a mut dyn EntryHandler,
    noticed: Noticed,
    /// Exchanges with their addresses, until a page tells which host is the application's.
    waiting: Vec<(Captured, Url)>,
    hosts: Vec<String>,
    failure: Option<ImportError>,
}

impl Entries<'_> {
    fn take(&mut self, entry: &Value) -> Result<(), ImportError> {
        self.noticed.entries += 1;
        if is_from_cache(entry) {
            self.found.passed_over();
            return Ok(());
        }
        if let Some((captured, as_stored)) = own(entry) {
            self.notice_cookies(&captured);
            return self.found.own(captured, as_stored);
        }
        match exchange(entry, self.har.client) {
            Ok(Some((captured, url))) => {
                self.notice_cookies(&captured);
                self.waiting.push((captured, url));
                self.decide(false)
            }
            Ok(None) => {
                self.found.passed_over();
                Ok(())
            }
            Err(why) => {
                let text = entry.get("request").and_then(|r| r.get("url")).unwrap_or(entry).to_string();
                self.found.unread(self.noticed.entries, why, text.as_bytes())
            }
        }
    }

    fn notice_cookies(&mut self, captured: &Captured) {
        let set = captured.response.as_ref().is_some_and(|(_, h, _)| h.get("set-cookie").is_some());
        self.noticed.cookies |= set || captured.headers.get("cookie").is_some();
    }

    /// Hands on what waits, once the application's host is known.
    fn decide(&mut self, at_end: bool) -> Result<(), ImportError> {
        if self.hosts.is_empty() {
            let page = self.waiting.iter().find(|(captured, _)| is_page(captured));
            let page = page.or_else(|| {
                let give_up = at_end || self.waiting.len() >= WAITING;
                self.waiting.first().filter(|_| give_up)
            });
            let Some((_, url)) = page else { return Ok(()) };
            let host = authority(url);
            self.noticed.host = Some(host.clone());
            self.hosts.push(host);
        }
        for (mut captured, mut url) in self.waiting.drain(..) {
            url.set_fragment(None);
            let own = self.hosts.iter().any(|h| *h == authority(&url) || url.host_str() == Some(h));
            captured.uri = if own {
                match url.query() {
                    Some(query) => format!("{}?{query}", url.path()),
                    None => url.path().to_owned(),
                }
            } else {
                self.noticed.elsewhere += 1;
                url.to_string()
            };
            self.found.exchange(captured)?;
        }
        Ok(())
    }
}

fn is_page(captured: &Captured) -> bool {
    let html = |h: &Headers| h.media_type().is_some_and(|t| t == "text/html" || t == "application/xhtml+xml");
    captured.response.as_ref().is_some_and(|(status, headers, _)| {
        html(headers) || (300..400).contains(status) && headers.get("location").is_some()
    })
}

fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn is_from_cache(entry: &Value) -> bool {
    entry.get("_fromCache").is_some_and(|v| v.as_str().is_some_and(|s| !s.is_empty()))
}

/// The exchange of an entry, still without its address; none for what is no exchange with a server.
fn exchange(entry: &Value, client: &str) -> Result<Option<(Captured, Url)>, &'static str> {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let request = entry.get("request").ok_or("it has no request")?;
    let url = text(request, "url").ok_or("its request has no address")?;
    let url = Url::parse(&url).map_err(|_| "its address is none")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Ok(None);
    }
    let method = text(request, "method").filter(|m| !m.is_empty()).ok_or("its request has no method")?;
    let at = text(entry, "startedDateTime").and_then(|t| t.parse::<jiff::Timestamp>().ok());
    let at = at.ok_or("it has no time that it began at")?;
    let mut headers = fields(request.get("headers"));
    if headers.get("host").is_none() {
        headers.push("host", authority(&url));
    }
    if headers.get("cookie").is_none() {
        let pairs: Vec<String> = cookies(request).map(|(name, value)| format!("{name}={value}")).collect();
        if !pairs.is_empty() {
            headers.push_bytes("cookie", pairs.join("; ").as_bytes());
        }
    }
    let body = request_body(request, &mut headers);
    let response = entry.get("response").and_then(|response| {
        let status = response.get("status").and_then(Value::as_u64)?;
        // Browsers say 0 where there was no answer.
        let status = u16::try_from(status).ok().filter(|s| (100..600).contains(s))?;
        Some((status, response))
    });
    let error = text(entry, "_error")
        .or_else(|| entry.get("response").and_then(|r| text(r, "_error")))
        .filter(|e| !e.is_empty() && response.is_none());
    let took = entry.get("time").and_then(Value::as_f64).unwrap_or(0.0).max(0.0) * 1e3;
    let captured = Captured {
        at: Moment(at.as_microsecond()),
        took: took.round() as u64,
        client: client.to_owned(),
        method,
        uri: String::new(),
        headers,
        body,
        response: response.map(|(status, response)| answer(status, response)),
        error,
    };
    Ok(Some((captured, url)))
}

fn answer(status: u16, response: &Value) -> (u16, Headers, CapturedBody) {
    let mut headers = fields(response.get("headers"));
    let target = response.get("redirectURL").and_then(Value::as_str).unwrap_or_default();
    if headers.get("location").is_none() && !target.is_empty() {
        headers.push_bytes("location", target.as_bytes());
    }
    if headers.get("set-cookie").is_none() {
        for (name, value) in cookies(response) {
            headers.push_bytes("set-cookie", format!("{name}={value}; Path=/").as_bytes());
        }
    }
    let body = response_body(response, &mut headers);
    (status, headers, body)
}

/// The fields of a list of names and values. Browsers join those of one name by line ends.
pub(super) fn fields(list: Option<&Value>) -> Headers {
    let mut headers = Headers::new();
    for (name, value) in pairs(list).filter(|(name, _)| !name.is_empty() && !name.starts_with(':')) {
        for value in value.split('\n') {
            headers.push_bytes(name, value.as_bytes());
        }
    }
    headers
}

fn cookies(message: &Value) -> impl Iterator<Item = (&str, &str)> {
    pairs(message.get("cookies"))
}

pub(super) fn pairs(list: Option<&Value>) -> impl Iterator<Item = (&str, &str)> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(|item| {
        let name = item.get("name").and_then(Value::as_str)?;
        Some((name, item.get("value").and_then(Value::as_str).unwrap_or_default()))
    })
}
