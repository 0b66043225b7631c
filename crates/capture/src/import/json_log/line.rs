//! Access logs with a JSON object a line: nginx's `escape=json`, Apache's by hand, Caddy's, Traefik's.

use restage_model::{Captured, CapturedBody, Headers, Moment};
use serde_json::Value;

use super::fields::{FieldMeaning, LogField, flat, log_field};
use crate::import::access_log::{address, client, request_line};
use crate::import::escapes::json_from_apache;
use crate::import::log_time;

/// A line's exchange, or why it has none.
pub fn parse(line: &[u8]) -> Result<Captured, &'static str> {
    let line = line.trim_ascii();
    if line.first() != Some(&b'{') {
        return Err("it is no JSON object");
    }
    // A server logs what it was sent, and that need not be UTF-8: then each byte is a character, and back again.
    let (text, latin) = match std::str::from_utf8(line) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (line.iter().map(|&b| char::from(b)).collect(), true),
    };
    // Apache writes bytes that are not printable as \xhh, which may be any: each is a character as well.
    let (value, latin) = match serde_json::from_str::<Value>(&text) {
        Ok(value) => (value, latin),
        Err(_) if text.contains("\\x") => {
            let bytes: String = text.bytes().map(char::from).collect();
            let fixed = json_from_apache(if latin { &text } else { &bytes });
            (serde_json::from_str(&fixed).map_err(|_| "it is no JSON")?, true)
        }
        Err(_) => return Err("it is no JSON"),
    };
    let Value::Object(object) = value else { return Err("it is no JSON object") };
    let mut line = Line { latin, ..Line::default() };
    for (name, value) in flat(&object) {
        line.take(&name, value);
    }
    line.exchange()
}

/// What a line says, as far as it was read.
#[derive(Default)]
struct Line {
    latin: bool,
    at: Option<Moment>,
    began: Option<Moment>,
    client: Option<String>,
    forwarded: Option<String>,
    user: Option<String>,
    request_line: Option<Vec<u8>>,
    method: Option<String>,
    uri: Option<Vec<u8>>,
    path: Option<Vec<u8>>,
    query: Option<Vec<u8>>,
    body: Vec<u8>,
    status: Option<u16>,
    size: u64,
    took: u64,
    request: Vec<(String, Vec<u8>)>,
    response: Vec<(String, Vec<u8>)>,
}

impl Line {
    fn take(&mut self, name: &str, value: &Value) {
        let Some(place) = log_field(name) else { return };
        for bytes in self.texts(value) {
            match &place {
                LogField::Request(name) => put(&mut self.request, name, bytes),
                LogField::Response(name) => put(&mut self.response, name, bytes),
                LogField::Says(said) => self.note(*said, bytes),
            }
        }
    }

    /// A value as bytes; nothing for what servers write where there is none.
    fn texts(&self, value: &Value) -> Vec<Vec<u8>> {
        match value {
            Value::String(text) if text.is_empty() || text == "-" => Vec::new(),
            Value::String(text) if self.latin => vec![Headers::value_bytes(text)],
            Value::String(text) => vec![text.clone().into_bytes()],
            Value::Number(number) => vec![number.to_string().into_bytes()],
            Value::Array(values) => values.iter().flat_map(|value| self.texts(value)).collect(),
            _ => Vec::new(),
        }
    }

    fn note(&mut self, said: FieldMeaning, bytes: Vec<u8>) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match said {
            FieldMeaning::Time => {
                // Where there are several, the one that tells more of the second.
                let at = log_time::any(&text);
                self.at = match (self.at, at) {
                    (Some(a), Some(b)) if a.0 % 1_000_000 != 0 || b.0 % 1_000_000 == 0 => Some(a),
                    (a, b) => b.or(a),
                };
            }
            FieldMeaning::Began => self.began = log_time::any(&text),
            FieldMeaning::Client => self.client = Some(text),
            FieldMeaning::Forwarded => self.forwarded = text.split(',').next().map(|a| a.trim().to_owned()),
            FieldMeaning::User => self.user = Some(text),
            FieldMeaning::RequestLine => self.request_line = Some(bytes),
            FieldMeaning::Method => self.method = Some(text),
            FieldMeaning::Uri => self.uri = Some(bytes),
            FieldMeaning::Path => self.path = Some(bytes),
            FieldMeaning::Query => self.query = Some(bytes),
            FieldMeaning::Body => self.body = bytes,
            FieldMeaning::Status => self.status = text.parse().ok().filter(|s| (100..600).contains(s)),
            FieldMeaning::Size => self.size = text.parse().unwrap_or(0),
            FieldMeaning::Took => self.took = seconds(&text),
        }
    }

    fn exchange(self) -> Result<Captured, &'static str> {
        let took = i64::try_from(self.took).unwrap_or(0);
        // A server logs when it has answered.
        let at = self.began.or(self.at.map(|logged| Moment(logged.0.saturating_sub(took))));
        let at = at.ok_or("it has no time")?;
        let (method, uri, host) = match (self.method, self.uri.or(self.path), self.request_line) {
            (Some(method), Some(mut uri), _) => {
                if let Some(query) = self.query.filter(|_| !uri.contains(&b'?')) {
                    uri.push(b'?');
                    uri.extend(query.strip_prefix(b"?").unwrap_or(&query));
                }
                request_line(format!("{method} {}", address(&uri)).as_bytes())?
            }
            (_, _, Some(line)) => request_line(&line)?,
            _ => return Err("it has no method and no address"),
        };
        let mut headers = Headers::new();
        let named = self.request.iter().any(|(name, _)| name == "host");
        if let Some(host) = host.filter(|_| !named) {
            headers.push_bytes("host", &host);
        }
        let own = |name: &str| matches!(name, "referer" | "cookie" | "content-type");
        // What differs from request to request comes last: the rest is stored once for all.
        for last in [false, true] {
            for (name, value) in self.request.iter().filter(|(name, _)| own(name) == last) {
                headers.push_bytes(name, value);
            }
        }
        let mut answered = Headers::new();
        for (name, value) in self.response.iter().flat_map(|(name, value)| cookies(name, value)) {
            answered.push_bytes(name, value);
        }
        let client_address = self.forwarded.or(self.client).unwrap_or_default();
        let body = CapturedBody { size: self.body.len() as u64, bytes: self.body };
        Ok(Captured {
            at,
            took: self.took,
            client: client(self.user.as_deref().map(str::as_bytes), &client_address),
            method,
            uri,
            headers,
            body,
            response: self
                .status
                .map(|status| (status, answered, CapturedBody { bytes: Vec::new(), size: self.size })),
            error: None,
        })
    }
}

/// Keeps the first of a name, but for those that come several times.
fn put(fields: &mut Vec<(String, Vec<u8>)>, name: &str, value: Vec<u8>) {
    if name == "set-cookie" || !fields.iter().any(|(n, _)| n == name) {
        fields.push((name.to_owned(), value));
    }
}

/// nginx joins the cookies of several fields by commas; a comma before `name=` divides them.
fn cookies<'a>(name: &'a str, value: &'a [u8]) -> Vec<(&'a str, &'a [u8])> {
    if name != "set-cookie" {
        return vec![(name, value)];
    }
    let mut all = Vec::new();
    let mut begin = 0;
    for (at, _) in value.iter().enumerate().filter(|(_, b)| **b == b',') {
        let after = value[at + 1..].trim_ascii_start();
        let name_end = after.iter().position(|b| matches!(b, b'=' | b';' | b',' | b' '));
        if name_end.is_some_and(|end| end > 0 && after[end] == b'=') {
            all.push((name, value[begin..at].trim_ascii()));
            begin = at + 1;
        }
    }
    all.push((name, value[begin..].trim_ascii()));
    all
}

/// Microseconds of `0.003` (seconds), `3ms` or `12us`.
fn seconds(text: &str) -> u64 {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number: f64 = text[..text.len() - unit.len()].parse().unwrap_or(0.0);
    let micros = match unit.trim() {
        "us" | "µs" => number,
        "ms" => number * 1e3,
        // Traefik's nanoseconds and Apache's microseconds are whole numbers that no page takes as seconds.
        "" if number >= 1e6 => number / 1e3,
        _ => number * 1e6,
    };
    micros as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a body, cookie or redirect of a JSON log that is lost or altered.
    #[test]
    fn what_nginx_logs() {
        let e = parse(
            r#"{"time":"2026-11-16T10:00:01+00:00","msec":"1794823201.500","request_time":"0.250","remote_addr":"10.0.0.1","remote_user":"ann","request":"POST /add?x=1 HTTP/1.1","status":"302","body_bytes_sent":"0","http_cookie":"sid=a","content_type":"application/x-www-form-urlencoded","http_host":"shop","request_body":"text=a\"b%20c","sent_http_set_cookie":"sid=b; Expires=Thu, 01 Jan 2030 00:00:00 GMT, theme=dark; Path=/","sent_http_location":"/note/1"}"#.as_bytes(),
        )
        .unwrap();
        assert_eq!(
            (e.method.as_str(), e.uri.as_str(), e.client.as_str()),
            ("POST", "/add?x=1", "ann@10.0.0.1")
        );
        assert_eq!(e.at, Moment(1_794_823_201_250_000), "when it began, not when it was logged");
        assert_eq!(e.body.bytes, b"text=a\"b%20c");
        assert_eq!(e.headers.get("cookie"), Some("sid=a"));
        assert_eq!(e.headers.media_type().as_deref(), Some("application/x-www-form-urlencoded"));
        let (status, headers, _) = e.response.unwrap();
        assert_eq!((status, headers.get("location")), (302, Some("/note/1")));
        let set: Vec<&str> = headers.all("set-cookie").collect();
        assert_eq!(set, ["sid=b; Expires=Thu, 01 Jan 2030 00:00:00 GMT", "theme=dark; Path=/"]);
    }

    /// Catches: bytes that are not UTF-8, or written as Apache writes them, that become others or lose the line.
    #[test]
    fn bytes_that_are_no_text() {
        let mut line = br#"{"time":"2026-11-16T10:00:01Z","method":"POST","uri":"/a","body":"x="#.to_vec();
        line.extend(b"\xff\xfe\"}");
        assert_eq!(parse(&line).unwrap().body.bytes, b"x=\xff\xfe");
        let line = br#"{"time":"2026-11-16T10:00:01Z","request":"POST /a HTTP/1.1","body":"x=\xc3\xab\x00"}"#;
        assert_eq!(parse(line).unwrap().body.bytes, "x=ë\0".as_bytes());
    }

    /// Catches: other servers' names and nesting.
    #[test]
    fn what_caddy_logs() {
        let e = parse(
            br#"{"ts":1794823201.25,"request":{"remote_ip":"10.0.0.1","method":"GET","host":"shop","uri":"/a?b","headers":{"User-Agent":["M"],"Cookie":["a=1"]}},"duration":0.01,"size":5,"status":200,"resp_headers":{"Content-Type":["text/html"]}}"#,
        )
        .unwrap();
        assert_eq!((e.uri.as_str(), e.headers.get("user-agent"), e.took), ("/a?b", Some("M"), 10_000));
        assert_eq!(e.response.unwrap().1.media_type().as_deref(), Some("text/html"));
        assert!(parse(b"{\"level\":\"info\",\"msg\":\"started\"}").is_err());
        assert!(parse(b"[1]").is_err() && parse(b"").is_err());
    }
}
