//! What a response's body is, as far as showing it goes.

use restage_model::{Headers, Received};
use restage_redact::Cover;
use restage_store::Store;

use crate::ReportError;

/// Larger bodies are told of in words.
pub(crate) const LARGEST: u64 = 1 << 20;

/// A body, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nothing.
    Empty,
    /// A page.
    Html(String),
    /// JSON.
    Json(String),
    /// Any other text.
    Text(String),
    /// Neither: told by its size and type.
    Binary { size: u64, media_type: String },
    /// Too large to be shown.
    Large { size: u64, media_type: String },
}

impl Content {
    /// Reads a response's body, with stand-ins in place of its secrets where it is to be covered.
    pub(crate) fn read(
        store: &Store,
        received: &Received,
        cover: Option<&Cover>,
    ) -> Result<Self, ReportError> {
        let size = received.body.size;
        if size > LARGEST {
            return Ok(Self::Large { size, media_type: media_type(&received.headers) });
        }
        let body = store.body(&received.body)?;
        let covered = cover.and_then(|cover| cover.body(&received.headers, &body));
        Ok(Self::of(&received.headers, covered.as_deref().unwrap_or(&body)))
    }

    fn of(headers: &Headers, bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Self::Empty;
        }
        let media_type = media_type(headers);
        let text = || decoded(headers, bytes);
        match media_type.as_str() {
            "text/html" | "application/xhtml+xml" => Self::Html(text()),
            "application/json" => Self::Json(text()),
            json if json.ends_with("+json") => Self::Json(text()),
            plain
                if plain.starts_with("text/") || plain.ends_with("xml") || plain.ends_with("javascript") =>
            {
                Self::Text(text())
            }
            _ => match std::str::from_utf8(bytes) {
                Ok(text) if text.contains('\0') => Self::Binary { size: bytes.len() as u64, media_type },
                Ok(text) if media_type.is_empty() && text.trim_start().starts_with('<') => {
                    Self::Html(text.to_owned())
                }
                Ok(text) => Self::Text(text.to_owned()),
                Err(_) => Self::Binary { size: bytes.len() as u64, media_type },
            },
        }
    }
}

fn media_type(headers: &Headers) -> String {
    headers.media_type().unwrap_or_default()
}

/// The body as text. Of the older encodings only the one that most of the old web uses is known; what
/// is in another shows its letters wrong, never its markup.
pub(crate) fn decoded(headers: &Headers, bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let content_type = headers.get("content-type").unwrap_or_default().to_ascii_lowercase();
    let latin = ["iso-8859-1", "latin1", "windows-1252"].iter().any(|name| content_type.contains(name));
    if latin {
        return bytes.iter().map(|&b| char::from(b)).collect();
    }
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(media_type: &str, bytes: &[u8]) -> Content {
        Content::of(&[("content-type".to_owned(), media_type.to_owned())].into_iter().collect(), bytes)
    }

    #[test]
    fn each_by_its_type() {
        assert_eq!(content("text/html; charset=utf-8", b"<p>"), Content::Html("<p>".to_owned()));
        assert_eq!(content("text/html; charset=ISO-8859-1", b"\xe9"), Content::Html("é".to_owned()));
        assert_eq!(content("text/html", b"\xe9"), Content::Html("\u{fffd}".to_owned()));
        assert_eq!(content("application/hal+json", b"{}"), Content::Json("{}".to_owned()));
        assert_eq!(content("application/x-thing", b"words"), Content::Text("words".to_owned()));
        assert_eq!(
            content("image/png", b"\x89PNG"),
            Content::Binary { size: 4, media_type: "image/png".to_owned() }
        );
        assert_eq!(Content::of(&Headers::new(), b" <p>"), Content::Html(" <p>".to_owned()));
        assert_eq!(Content::of(&Headers::new(), b""), Content::Empty);
    }
}
