//! What a spider sends.

use restage_browser::{CookieJar, request_uri};
use restage_model::{Headers, Param, Params};
use restage_site::{FilledFields, FormTarget};

/// What parts of a form are divided by: as good as any other text that no value has.
const BOUNDARY: &str = "----restage7c2f1b9e4d";
/// The smallest picture there is, for forms that want one.
const PICTURE: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0a, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0,
    1, 0, 0, 5, 0, 1, 0x0d, 0x0a, 0x2d, 0xb4, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];
/// Fields of a recorded request that say how the browser is, not what it wants.
const KEPT: &[&str] = &[
    "accept",
    "accept-language",
    "host",
    "user-agent",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
];

/// A request, ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) method: String,
    pub(crate) uri: String,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl Outgoing {
    /// A link that is followed.
    pub(crate) fn get(uri: &str) -> Self {
        Self { method: "GET".to_owned(), uri: uri.to_owned(), content_type: None, body: Vec::new() }
    }

    /// A form that is sent.
    pub(crate) fn submit(target: &FormTarget<'_>, filled: &FilledFields) -> Self {
        let params = Params(filled.pairs.iter().map(|(name, value)| Param::new(name, value)).collect());
        if target.method == "GET" {
            let mut url = target.url.clone();
            url.set_query(Some(&params.encode()).filter(|query| !query.is_empty()).map(String::as_str));
            return Self::get(&request_uri(&url));
        }
        let (content_type, body) = if target.form.multipart {
            (format!("multipart/form-data; boundary={BOUNDARY}"), in_parts(filled))
        } else {
            ("application/x-www-form-urlencoded".to_owned(), params.encode().into_bytes())
        };
        Self {
            method: target.method.to_owned(),
            uri: request_uri(&target.url),
            content_type: Some(content_type),
            body,
        }
    }

    /// Its header fields: those of the browser, the cookies, the page that it comes from.
    pub(crate) fn headers(&self, browser: &Headers, jar: &CookieJar, referer: Option<&str>) -> Headers {
        let mut headers = Headers::new();
        for (name, value) in browser.iter() {
            headers.push(name, value);
        }
        if let Some(referer) = referer {
            headers.push("referer", referer);
        }
        let cookies: Vec<String> = jar
            .matching(&self.uri)
            .into_iter()
            .map(|cookie| format!("{}={}", cookie.name, cookie.value))
            .collect();
        if !cookies.is_empty() {
            headers.push("cookie", cookies.join("; "));
        }
        if let Some(content_type) = &self.content_type {
            headers.push("content-type", content_type.clone());
        }
        if self.method != "GET" {
            headers.push("content-length", self.body.len().to_string());
        }
        headers
    }
}

/// A browser's own header fields, as a recorded request has them.
pub(crate) fn browser_headers(recorded: Option<&Headers>) -> Headers {
    let mut headers = Headers::new();
    for (name, value) in
        recorded.iter().flat_map(|recorded| recorded.iter()).filter(|(name, _)| KEPT.contains(name))
    {
        headers.push(name, value);
    }
    for (name, value) in [
        ("host", "localhost"),
        ("accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
        ("accept-language", "en"),
        ("user-agent", "restage"),
    ] {
        if headers.get(name).is_none() {
            headers.push(name, value);
        }
    }
    headers
}

fn in_parts(filled: &FilledFields) -> Vec<u8> {
    let mut body = Vec::new();
    let quoted = |name: &str| name.replace('"', "%22").replace(['\r', '\n'], " ");
    for (name, value) in &filled.pairs {
        let head =
            format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{}\"\r\n\r\n", quoted(name));
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(value.as_bytes());
        body.extend_from_slice(b"\r\n");
    }
    for name in &filled.files {
        let lower = name.to_ascii_lowercase();
        let wants_picture =
            ["image", "photo", "picture", "avatar", "logo", "img"].iter().any(|word| lower.contains(word));
        let (file, kind, bytes): (&str, &str, &[u8]) = if wants_picture {
            ("restage.png", "image/png", PICTURE)
        } else {
            ("restage.txt", "text/plain", b"Written by restage.\n")
        };
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{}\"; filename=\"{file}\"\r\ncontent-type: {kind}\r\n\r\n",
            quoted(name)
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

#[cfg(test)]
mod tests {
    use restage_model::Multipart;

    use super::*;

    /// Catches: parts that a server cannot take apart, or a name that breaks out of its part.
    #[test]
    fn parts_read_back() {
        let filled = FilledFields {
            pairs: vec![("a".to_owned(), "1\r\n2".to_owned()), ("b\"\r\nx: y".to_owned(), "ü".to_owned())],
            files: vec!["avatar".to_owned()],
            ..FilledFields::default()
        };
        let body = in_parts(&filled);
        let headers: Headers =
            [("content-type".to_owned(), format!("multipart/form-data; boundary={BOUNDARY}"))]
                .into_iter()
                .collect();
        let fields = Multipart::fields(&headers, &body);
        assert_eq!(fields[0], ("a".to_owned(), "1\r\n2".to_owned()));
        assert_eq!(fields[1].1, "ü");
        assert!(!String::from_utf8_lossy(&body).contains("\r\nx: y"));
    }
}
