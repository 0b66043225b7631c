//! What a request carries besides its address, taken apart.

use restage_model::{Headers, Multipart, Params};

/// What a request carries besides its address.
#[derive(Clone, Debug)]
pub enum Payload {
    /// Nothing, or nothing that can be taken apart.
    Nothing,
    /// A form, URL-encoded.
    Form(Params),
    /// A form in parts, with files perhaps.
    Multipart(Multipart),
    /// JSON.
    Json(String),
}

impl Payload {
    /// What a request with these header fields and this body carries.
    pub fn of(headers: &Headers, body: &[u8]) -> Self {
        if body.is_empty() {
            return Self::Nothing;
        }
        if let Some(form) = Multipart::parse(headers, body) {
            return Self::Multipart(form);
        }
        let Ok(text) = std::str::from_utf8(body) else { return Self::Nothing };
        match headers.media_type().as_deref() {
            Some("application/x-www-form-urlencoded") => Self::Form(Params::parse(text)),
            // Beacons and older scripts send JSON under other names.
            _ if text.trim_start().starts_with(['{', '[']) => Self::Json(text.to_owned()),
            _ => Self::Nothing,
        }
    }

    /// The parameters, where it is a form.
    pub fn params(&self) -> Option<Params> {
        match self {
            Self::Form(params) => Some(params.clone()),
            Self::Multipart(form) => Some(form.params()),
            Self::Nothing | Self::Json(_) => None,
        }
    }

    /// A form's body with other values in it: files and their parts stay as they were.
    pub fn fill(&self, params: &Params) -> Vec<u8> {
        match self {
            Self::Multipart(form) => form.with(params),
            Self::Form(_) | Self::Nothing | Self::Json(_) => params.encode().into_bytes(),
        }
    }
}
