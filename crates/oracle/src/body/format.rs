//! What a response's body is.

use restage_model::Headers;

/// What a body is, by its media type, or by its first bytes where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Html,
    Json,
    Xml,
    Text,
    Binary,
}

/// What a body is to the comparators of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Text,
    Binary,
}

impl Format {
    pub(crate) fn of(headers: &Headers, body: &[u8]) -> Self {
        match headers.media_type().as_deref() {
            Some("text/html" | "application/xhtml+xml") => Self::Html,
            Some(t) if t.ends_with("json") => Self::Json,
            Some(t) if t.ends_with("xml") => Self::Xml,
            Some(t) if t.starts_with("text/") || t.ends_with("javascript") => Self::Text,
            Some("application/x-www-form-urlencoded") => Self::Text,
            Some(_) => Self::Binary,
            None if body.trim_ascii_start().starts_with(b"<") => Self::Html,
            None if std::str::from_utf8(body).is_ok() => Self::Text,
            None => Self::Binary,
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Html => Kind::Html,
            Self::Json | Self::Xml | Self::Text => Kind::Text,
            Self::Binary => Kind::Binary,
        }
    }
}
