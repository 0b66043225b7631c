//! Access logs in the common and the combined format: a line is an exchange without bodies.
//!
//! `client ident user [time] "request" status size "referer" "agent"`. A virtual host in front and fields behind are
//! allowed for; an address behind, as nginx's own `main` format has it, is the client's that a proxy told of.

use std::net::IpAddr;

use restage_model::{Captured, CapturedBody, Headers};

use super::escapes::{closing_quote, unescape};
use super::log_time;

/// A line's exchange, or why it has none.
pub fn parse(line: &[u8]) -> Result<Captured, &'static str> {
    let line = line.trim_ascii();
    let open = memchr::memchr(b'[', line).ok_or("it has no time in brackets")?;
    let close = open + memchr::memchr(b']', &line[open..]).ok_or("its time has no closing bracket")?;
    let at = log_time::common(&line[open + 1..close]).ok_or("its time is none")?;
    let who = Who::read(&line[..open]).ok_or("it names no client")?;
    let rest = line[close + 1..].trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").ok_or("it has no request in quotes")?;
    let end = closing_quote(rest).ok_or("its request has no closing quote")?;
    let (method, uri, host) = request_line(&rest[..end])?;
    let mut fields = Fields(rest[end + 1..].trim_ascii_start());
    let status = fields.next().and_then(number).ok_or("its status is none")?;
    let status = u16::try_from(status).ok().filter(|s| (100..600).contains(s)).ok_or("its status is none")?;
    let size = fields.next().and_then(number).unwrap_or(0);

    let referer = fields.next().map(present);
    let agent = fields.next().map(present);
    let mut headers = Headers::new();
    if let Some(host) = host.as_deref().or(who.host) {
        headers.push_bytes("host", host);
    }
    if let Some(Some(agent)) = &agent {
        headers.push_bytes("user-agent", agent);
    }
    if let Some(Some(referer)) = &referer {
        headers.push_bytes("referer", referer);
    }
    let told = if agent.is_some() { fields.find_map(first_address) } else { None };
    Ok(Captured {
        at,
        took: 0,
        client: client(who.user, &told.map_or(String::from_utf8_lossy(who.client), Into::into)),
        method,
        uri,
        headers,
        body: CapturedBody::default(),
        response: Some((status, Headers::new(), CapturedBody { bytes: Vec::new(), size })),
        error: None,
    })
}

/// A client's name: its address, with the user in front where the server knew one. `ann@10.0.0.1`.
pub(super) fn client(user: Option<&[u8]>, address: &str) -> String {
    match user {
        Some(user) => format!("{}@{address}", String::from_utf8_lossy(&unescape(user))),
        None => address.to_owned(),
    }
}

/// Method, path with query, and the host where the request names one: `GET /book/17 HTTP/1.1`.
pub(super) fn request_line(logged: &[u8]) -> Result<(String, String, Option<Vec<u8>>), &'static str> {
    let plain;
    let text = if memchr::memchr(b'\\', logged).is_some() {
        plain = unescape(logged);
        &plain[..]
    } else {
        logged
    };
    let space = memchr::memchr(b' ', text).ok_or("its request is not HTTP")?;
    let (method, rest) = (&text[..space], &text[space + 1..]);
    let is_token = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    if method.is_empty() || method.len() > 32 || !method.iter().all(is_token) {
        return Err("its request is not HTTP");
    }
    let uri = match rest.windows(6).rposition(|w| w == b" HTTP/") {
        Some(end) => &rest[..end],
        // HTTP/0.9, and servers that log no version.
        None => rest,
    };
    let (uri, host) = local(uri).ok_or("its request asks for no page")?;
    Ok((String::from_utf8_lossy(method).into_owned(), uri, host))
}

/// Path and query of an address, and its host where it has one.
fn local(uri: &[u8]) -> Option<(String, Option<Vec<u8>>)> {
    let absolute = [&b"http://"[..], b"https://"].into_iter().find_map(|scheme| uri.strip_prefix(scheme));
    let (host, path) = match absolute {
        Some(rest) => {
            let end = rest.iter().position(|b| matches!(b, b'/' | b'?')).unwrap_or(rest.len());
            (Some(rest[..end].to_vec()), &rest[end..])
        }
        None => (None, uri),
    };
    let path = match path.first() {
        Some(b'/') => address(path),
        None | Some(b'?') if host.is_some() => format!("/{}", address(path)),
        _ => return None,
    };
    Some((path, host))
}

/// An address as text. What cannot be in one (a byte that is no ASCII, a space) is percent-encoded, as browsers do.
pub(super) fn address(bytes: &[u8]) -> String {
    let plain = |b: &u8| b.is_ascii_graphic() && *b != b'#';
    if bytes.iter().all(plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut out = String::with_capacity(bytes.len() + 8);
    for byte in bytes.split(|b| *b == b'#').next().unwrap_or_default() {
        if byte.is_ascii_graphic() {
            out.push(char::from(*byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// What stands before the time.
struct Who<'a> {
    host: Option<&'a [u8]>,
    client: &'a [u8],
    user: Option<&'a [u8]>,
}

impl<'a> Who<'a> {
    fn read(text: &'a [u8]) -> Option<Self> {
        let words: Vec<&[u8]> = text.split(|b| *b == b' ').filter(|w| !w.is_empty()).collect();
        // A virtual host in front: `shop.example:80 10.0.0.1 - -`.
        let with_host = words.len() >= 4 && !is_address(words[0]) && is_address(words[1]);
        let (host, words) = if with_host { (Some(words[0]), &words[1..]) } else { (None, &words[..]) };
        let host = host.map(|h| h.strip_suffix(b":80").or_else(|| h.strip_suffix(b":443")).unwrap_or(h));
        let client = words.first()?;
        let user = words.get(2).copied().filter(|u| *u != b"-" && *u != b"\"\"");
        Some(Self { host, client, user })
    }
}

fn is_address(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|w| w.parse::<IpAddr>().is_ok())
}

/// The words of a line, quoted ones without their quotes, still escaped.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let text = self.0.trim_ascii_start();
        let (word, rest) = match text {
            [] => return None,
            [b'"', quoted @ ..] => {
                let end = closing_quote(quoted)?;
                (&quoted[..end], &quoted[end + 1..])
            }
            _ => {
                let end = memchr::memchr(b' ', text).unwrap_or(text.len());
                (&text[..end], &text[end..])
            }
        };
        self.0 = rest;
        Some(word)
    }
}

/// A value, where there is one.
fn present(word: &[u8]) -> Option<Vec<u8>> {
    (!word.is_empty() && word != b"-").then(|| unescape(word))
}

fn number(word: &[u8]) -> Option<u64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The first address of a list: the client, before the proxies between.
fn first_address(word: &[u8]) -> Option<String> {
    let first = std::str::from_utf8(word).ok()?.split(',').next()?.trim();
    // A number is a time or a size, not an address of one part.
    (first.contains(['.', ':']) && first.parse::<IpAddr>().is_ok()).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Captured {
        parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}: {text}"))
    }

    /// Catches: a field taken for its neighbour in one of the formats that servers write.
    #[test]
    fn each_field_in_its_place() {
        let e = line(
            "10.0.0.1 - ann [10/Oct/2026:13:55:36 +0000] \"GET /a?b=\\\"c HTTP/1.1\" 404 12 \"http://x/\" \"Moz \\\"q\\\"\"",
        );
        assert_eq!(
            (e.client.as_str(), e.method.as_str(), e.uri.as_str()),
            ("ann@10.0.0.1", "GET", "/a?b=\"c")
        );
        assert_eq!(e.headers.get("referer"), Some("http://x/"));
        assert_eq!(e.headers.get("user-agent"), Some("Moz \"q\""));
        let (status, _, body) = e.response.unwrap();
        assert_eq!((status, body.size, body.cut()), (404, 12, true));

        let e = line("10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 304 -");
        assert_eq!(e.headers.iter().count(), 0);
        let e = line(
            "shop.example:80 10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
        );
        assert_eq!((e.client.as_str(), e.headers.get("host")), ("10.0.0.1", Some("shop.example")));
        let e = line(
            "10.0.0.9 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"M\" 0.003 \"10.0.0.1, 10.0.0.2\"",
        );
        assert_eq!(e.client, "10.0.0.1", "the client behind a proxy");
        let e = line("::1 - - [10/Oct/2026:13:55:36 +0000] \"GET http://shop.example/a HTTP/1.1\" 200 1");
        assert_eq!((e.uri.as_str(), e.headers.get("host")), ("/a", Some("shop.example")));
        let e = line("::1 - - [10/Oct/2026:13:55:36 +0000] \"GET /a b/\\xc3\\xab HTTP/1.1\" 200 1");
        assert_eq!(e.uri, "/a%20b/%C3%AB");
    }

    /// Catches: lines without a request that are replayed as one.
    #[test]
    fn what_is_no_request_is_said_to_be_none() {
        for (request, why) in [
            ("\\x16\\x03\\x01", "its request is not HTTP"),
            ("-", "its request is not HTTP"),
            ("OPTIONS * HTTP/1.0", "its request asks for no page"),
            ("CONNECT x:443 HTTP/1.1", "its request asks for no page"),
        ] {
            let text = format!("10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] \"{request}\" 400 1");
            assert_eq!(parse(text.as_bytes()).unwrap_err(), why, "{request}");
        }
    }
}
