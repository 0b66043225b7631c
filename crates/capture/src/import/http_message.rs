//! An HTTP/1.1 message as it was on the wire: its first line, its fields, its body.

use restage_model::{CapturedBody, Headers};

/// A message.
pub(super) struct Message<'a> {
    /// `GET / HTTP/1.1` or `HTTP/1.1 200 OK`.
    pub(super) first: &'a [u8],
    pub(super) headers: Headers,
    pub(super) body: CapturedBody,
}

impl<'a> Message<'a> {
    /// Reads a message; none where it has no first line.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (head, body) = match memchr::memmem::find(bytes, b"\r\n\r\n") {
            Some(at) => (&bytes[..at], &bytes[at + 4..]),
            None => match memchr::memmem::find(bytes, b"\n\n") {
                Some(at) => (&bytes[..at], &bytes[at + 2..]),
                None => (bytes, &[][..]),
            },
        };
        let mut lines = head.split(|b| *b == b'\n').map(|l| l.strip_suffix(b"\r").unwrap_or(l));
        let first = lines.next().filter(|l| !l.is_empty())?;
        let mut headers = Headers::new();
        for line in lines {
            let Some(colon) = memchr::memchr(b':', line).filter(|at| *at > 0) else { continue };
            headers.push_bytes(
                &String::from_utf8_lossy(&line[..colon]).to_ascii_lowercase(),
                line[colon + 1..].trim_ascii(),
            );
        }
        let chunked =
            headers.get("transfer-encoding").is_some_and(|t| t.to_ascii_lowercase().contains("chunked"));
        let body = if chunked {
            headers.remove("transfer-encoding");
            dechunked(body)
        } else {
            let said = headers.get("content-length").and_then(|l| l.trim().parse::<u64>().ok());
            let bytes = match said {
                Some(length) if (length as usize) < body.len() => body[..length as usize].to_vec(),
                _ => body.to_vec(),
            };
            CapturedBody { size: said.unwrap_or(bytes.len() as u64).max(bytes.len() as u64), bytes }
        };
        Some(Self { first, headers, body })
    }

    /// The status of a response's first line.
    pub(super) fn status(&self) -> Option<u16> {
        let mut words = self.first.split(|b| *b == b' ').filter(|w| !w.is_empty());
        words.next().filter(|w| w.starts_with(b"HTTP/"))?;
        std::str::from_utf8(words.next()?).ok()?.parse().ok().filter(|s| (100..600).contains(s))
    }
}

/// A body without its chunks' sizes; cut where it does not end.
fn dechunked(mut rest: &[u8]) -> CapturedBody {
    let mut bytes = Vec::with_capacity(rest.len());
    let cut = |bytes: Vec<u8>| CapturedBody { size: bytes.len() as u64 + 1, bytes };
    loop {
        let Some(end) = memchr::memchr(b'\n', rest) else { return cut(bytes) };
        let line = rest[..end].trim_ascii();
        let size = line.split(|b| *b == b';').next().unwrap_or_default().trim_ascii();
        let size = std::str::from_utf8(size).ok().and_then(|s| usize::from_str_radix(s, 16).ok());
        let Some(size) = size else { return cut(bytes) };
        rest = &rest[end + 1..];
        if size == 0 {
            return CapturedBody { size: bytes.len() as u64, bytes };
        }
        if size > rest.len() {
            bytes.extend_from_slice(rest);
            return cut(bytes);
        }
        bytes.extend_from_slice(&rest[..size]);
        rest = &rest[size..];
        rest = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).unwrap_or(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: chunk sizes left in a body, a body that ends early taken for whole.
    #[test]
    fn bodies_are_put_together() {
        let text = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: a\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        let message = Message::parse(text).unwrap();
        assert_eq!((message.status(), message.body.bytes.as_slice()), (Some(200), &b"abcde"[..]));
        assert!(!message.body.cut() && message.headers.get("transfer-encoding").is_none());
        let cut = Message::parse(&text[..text.len() - 9]).unwrap();
        assert!(cut.body.cut());
        let short = Message::parse(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc").unwrap();
        assert!(short.body.cut() && short.body.size == 9);
        let none = Message::parse(b"GET / HTTP/1.1\nHost: a\n\n").unwrap();
        assert_eq!((none.headers.get("host"), none.status()), (Some("a"), None));
        assert!(Message::parse(b"").is_none());
    }
}
