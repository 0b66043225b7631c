//! An exchange, part by part.

use restage_model::{Captured, CapturedBody, Headers, Multipart, decode_content};

use crate::candidates::Side;
use crate::named_values::Medium;
use crate::password_fields;
use crate::redactor::{Finding, Reading, Redactor, Replacement};
use crate::secret_kind::Kind;

/// No body that is recorded unpacks to more.
const DECODED_LIMIT: u64 = 64 << 20;

/// An exchange's texts, to be read and changed in place.
#[derive(Debug)]
pub struct Texts<'a> {
    /// Path and query.
    pub uri: &'a mut String,
    /// The request's header fields.
    pub headers: &'a mut Headers,
    /// The request's body.
    pub body: &'a mut Vec<u8>,
    /// Header fields and body of the response, where there was one.
    pub response: Option<(&'a mut Headers, &'a mut Vec<u8>)>,
}

/// What was found in one part of an exchange.
struct Looked {
    place: ExchangePart,
    found: Vec<Replacement>,
}

#[derive(Debug)]
enum ExchangePart {
    Uri,
    Header(Side, usize),
    Body(Side),
    /// The parts of a multipart form.
    Parts(Vec<Vec<Replacement>>),
}

impl Redactor {
    /// Puts stand-ins in place of the secrets of an exchange that is on its way to the store; whether it had any.
    pub fn redact(&mut self, captured: &mut Captured) -> bool {
        let request = Unpacked::of(&captured.headers, &mut captured.body);
        let response = captured.response.as_mut().map(|(_, headers, body)| Unpacked::of(headers, body));
        let found = self.redact_texts(&mut Texts {
            uri: &mut captured.uri,
            headers: &mut captured.headers,
            body: &mut captured.body.bytes,
            response: captured.response.as_mut().map(|(_, headers, body)| (headers, &mut body.bytes)),
        });
        if captured.client.contains('@')
            && let Some(client) = self.redact_value("", &captured.client)
        {
            captured.client = client;
        }
        request.end(&mut captured.headers, &mut captured.body);
        if let (Some((_, headers, body)), Some(response)) = (&mut captured.response, response) {
            response.end(headers, body);
        }
        !found.is_empty()
    }

    /// Puts stand-ins in place of an exchange's secrets; what was replaced.
    pub fn redact_texts(&mut self, texts: &mut Texts<'_>) -> Vec<Finding> {
        let path = texts.uri.split(['?', '#']).next().unwrap_or_default().to_owned();
        if let Some((headers, page)) = &texts.response
            && headers.media_type().is_none_or(|kind| kind.contains("html"))
            && password_fields::may_have(page)
        {
            let new = self.fields.learn(texts.uri, page);
            self.learnt += u64::from(new);
        }
        // What is secret in one part is looked for in all others: so all are looked at before any is changed.
        let mut looked = Vec::new();
        let found = self.look(texts.uri.as_bytes(), &Reading::Uri(&path), Side::Request);
        looked.push(Looked { place: ExchangePart::Uri, found });
        self.look_at_headers(texts.headers, Side::Request, &mut looked);
        self.look_at_request_body(&path, texts, &mut looked);
        if let Some((headers, body)) = &texts.response {
            self.look_at_headers(headers, Side::Response, &mut looked);
            if let Some(medium) = medium(headers, body) {
                let found = self.look(body, &Reading::Text(medium), Side::Response);
                looked.push(Looked { place: ExchangePart::Body(Side::Response), found });
            }
        }
        let mut findings = Vec::new();
        for Looked { place, found } in looked {
            self.change(texts, place, found, &mut findings);
        }
        findings.sort();
        findings.dedup();
        findings
    }

    /// Puts stand-ins in place of the secrets of any text.
    pub fn redact_text(&mut self, text: &str) -> Option<String> {
        let found = self.look(text.as_bytes(), &Reading::Text(Medium::Text), Side::Response);
        let (changed, _) = self.replace(text.as_bytes(), found)?;
        Some(String::from_utf8_lossy(&changed).into_owned())
    }

    /// Puts stand-ins in place of the secrets of an address.
    pub fn redact_address(&mut self, uri: &str) -> Option<String> {
        let path = uri.split(['?', '#']).next().unwrap_or_default().to_owned();
        let found = self.look(uri.as_bytes(), &Reading::Uri(&path), Side::Request);
        let (changed, _) = self.replace(uri.as_bytes(), found)?;
        Some(String::from_utf8_lossy(&changed).into_owned())
    }

    /// Puts stand-ins in place of the secrets of a response's body.
    pub fn redact_body(&mut self, headers: &Headers, body: &[u8]) -> Option<Vec<u8>> {
        let found = self.look(body, &Reading::Text(medium(headers, body)?), Side::Response);
        Some(self.replace(body, found)?.0)
    }

    /// A stand-in in place of a whole value, where its name says that it is secret.
    pub fn redact_value(&mut self, name: &str, value: &str) -> Option<String> {
        let found = match self.rules.kind_of(name) {
            Some(kind) => self.look(value.as_bytes(), &Reading::Whole(name, kind), Side::Request),
            None => self.look(value.as_bytes(), &Reading::Text(Medium::Address), Side::Request),
        };
        let (changed, _) = self.replace(value.as_bytes(), found)?;
        Some(String::from_utf8_lossy(&changed).into_owned())
    }

    fn look_at_headers(&mut self, headers: &Headers, side: Side, looked: &mut Vec<Looked>) {
        for (number, (name, value)) in headers.iter().enumerate() {
            if is_harmless(name) && !(name == "user-agent" && value.contains('@')) {
                continue;
            }
            let bytes = Headers::value_bytes(value);
            let reading = match name {
                "cookie" => Reading::Cookies,
                "set-cookie" => Reading::SetCookie,
                "authorization" | "proxy-authorization" => Reading::Authorization,
                _ => match self.rules.kind_of(name).filter(|kind| *kind != Kind::Card) {
                    Some(kind) if !name.starts_with("access-control") && name != "www-authenticate" => {
                        Reading::Whole(name, kind)
                    }
                    _ => Reading::Text(Medium::Address),
                },
            };
            let found = self.look(&bytes, &reading, side);
            looked.push(Looked { place: ExchangePart::Header(side, number), found });
        }
    }

    fn look_at_request_body(&mut self, path: &str, texts: &Texts<'_>, looked: &mut Vec<Looked>) {
        let body = &*texts.body;
        if body.is_empty() {
            return;
        }
        let kind = texts.headers.media_type();
        if let Some(form) = Multipart::parse(texts.headers, body) {
            let mut parts = Vec::new();
            let _ = form.map(|name, content| {
                parts.push(match name {
                    Some(name) => self.look(content, &Reading::Field(path, name), Side::Request),
                    // A file that is text may hold addresses and numbers.
                    None if is_text(content) => {
                        self.look(content, &Reading::Text(Medium::Text), Side::Request)
                    }
                    None => Vec::new(),
                });
                None
            });
            looked.push(Looked { place: ExchangePart::Parts(parts), found: Vec::new() });
            return;
        }
        let is_form = kind.as_deref() == Some("application/x-www-form-urlencoded")
            || (kind.is_none() && looks_like_form(body));
        let found = if is_form {
            self.look(body, &Reading::Form(path), Side::Request)
        } else if let Some(medium) = medium(texts.headers, body) {
            self.look(body, &Reading::Text(medium), Side::Request)
        } else {
            return;
        };
        looked.push(Looked { place: ExchangePart::Body(Side::Request), found });
    }

    fn change(
        &mut self,
        texts: &mut Texts<'_>,
        place: ExchangePart,
        found: Vec<Replacement>,
        findings: &mut Vec<Finding>,
    ) {
        match place {
            ExchangePart::Uri => {
                if let Some((changed, found)) = self.replace(texts.uri.as_bytes(), found) {
                    *texts.uri = String::from_utf8_lossy(&changed).into_owned();
                    tell("the address", &found, findings);
                }
            }
            ExchangePart::Header(side, number) => {
                let headers = match (side, &mut texts.response) {
                    (Side::Request, _) => &mut *texts.headers,
                    (Side::Response, Some((headers, _))) => &mut **headers,
                    (Side::Response, None) => return,
                };
                let mut at = 0;
                let mut found = Some(found);
                headers.change(|name, value| {
                    at += 1;
                    let (changed, found) = self.replace(value, found.take_if(|_| at == number + 1)?)?;
                    tell(&format!("the {} header {name}", said(side)), &found, findings);
                    Some(changed)
                });
            }
            ExchangePart::Body(side) => {
                let (headers, body) = match (side, &mut texts.response) {
                    (Side::Request, _) => (&mut *texts.headers, &mut *texts.body),
                    (Side::Response, Some((headers, body))) => (&mut **headers, &mut **body),
                    (Side::Response, None) => return,
                };
                if let Some((changed, found)) = self.replace(body, found) {
                    set_body(headers, body, changed);
                    tell(&format!("the {}'s body", said(side)), &found, findings);
                }
            }
            ExchangePart::Parts(parts) => {
                let Some(form) = Multipart::parse(texts.headers, texts.body) else { return };
                let mut parts = parts.into_iter();
                let mut any = false;
                let changed = form.map(|name, content| {
                    let found = parts.next()?;
                    if name.is_none() && !is_text(content) {
                        return None;
                    }
                    let (changed, found) = self.replace(content, found)?;
                    any = true;
                    tell("the request's form", &found, findings);
                    Some(changed)
                });
                if any {
                    set_body(texts.headers, texts.body, changed);
                }
            }
        }
    }
}

fn said(side: Side) -> &'static str {
    match side {
        Side::Request => "request",
        Side::Response => "response",
    }
}

fn tell(place: &str, found: &[Replacement], findings: &mut Vec<Finding>) {
    findings.extend(found.iter().map(|found| Finding {
        place: if found.name.is_empty() { place.to_owned() } else { format!("{place}, `{}`", found.name) },
        kind: found.kind,
        telling: found.telling,
    }));
}

fn set_body(headers: &mut Headers, body: &mut Vec<u8>, changed: Vec<u8>) {
    let length = changed.len();
    headers.change(|name, value| {
        (name == "content-length" && value != length.to_string().as_bytes())
            .then(|| length.to_string().into_bytes())
    });
    *body = changed;
}

/// A body whose packing is undone while it is read.
struct Unpacked {
    /// As it came, and as it was read; none where it was not packed.
    packed: Option<(Vec<u8>, Vec<u8>)>,
    cut: bool,
}

impl Unpacked {
    fn of(headers: &Headers, body: &mut CapturedBody) -> Self {
        let cut = body.cut();
        if headers.get("content-encoding").is_none() {
            return Self { packed: None, cut };
        }
        let unpacked =
            if cut { None } else { decode_content(headers, body.bytes.clone(), DECODED_LIMIT).ok() };
        let Some(unpacked) = unpacked else {
            // Text was unpacked before. Nobody can read the rest of what was cut or broken off in the middle, but for secrets in it.
            if std::str::from_utf8(&body.bytes).is_err() {
                body.size = body.size.max(body.bytes.len() as u64);
                body.bytes.clear();
            }
            return Self { packed: None, cut: true };
        };
        let packed = std::mem::replace(&mut body.bytes, unpacked.clone());
        Self { packed: Some((packed, unpacked)), cut }
    }

    /// Where nothing was changed, it is packed as it came; or else it is stored as if it had never been.
    fn end(self, headers: &mut Headers, body: &mut CapturedBody) {
        if let Some((packed, unpacked)) = self.packed {
            if body.bytes == unpacked {
                body.bytes = packed;
                return;
            }
            headers.remove("content-encoding");
        }
        // A body that is shorter with its stand-ins was not cut for that.
        if !self.cut {
            body.size = body.bytes.len() as u64;
        }
    }
}

/// How a body is read; not at all where it is no text.
fn medium(headers: &Headers, body: &[u8]) -> Option<Medium> {
    let kind = headers.media_type().unwrap_or_default();
    let markup = kind.contains("html") || kind.contains("xml");
    if markup {
        return Some(Medium::Markup);
    }
    let binary = ["image/", "audio/", "video/", "font/"].iter().any(|group| kind.starts_with(group))
        || kind == "text/css";
    if binary || !is_text(body) {
        return None;
    }
    let tagged = kind.is_empty() && body.trim_ascii_start().starts_with(b"<");
    Some(if tagged { Medium::Markup } else { Medium::Text })
}

fn is_text(body: &[u8]) -> bool {
    !body[..body.len().min(1024)].contains(&0)
}

fn looks_like_form(body: &[u8]) -> bool {
    let name = body.iter().position(|&b| b == b'=');
    name.is_some_and(|end| {
        end > 0 && body[..end].iter().all(|b| b.is_ascii_alphanumeric() || b"_-.[]%+".contains(b))
    })
}

/// Header fields that browsers and servers fill in, and users never do.
fn is_harmless(name: &str) -> bool {
    name.starts_with("sec-")
        || name.starts_with("accept")
        || [
            "host",
            "connection",
            "content-length",
            "content-type",
            "content-encoding",
            "transfer-encoding",
            "date",
            "server",
            "cache-control",
            "expires",
            "last-modified",
            "vary",
            "pragma",
            "user-agent",
            "upgrade-insecure-requests",
            "keep-alive",
            "if-modified-since",
            "etag",
            "if-none-match",
            "age",
        ]
        .contains(&name)
}
