//! Header fields, in order, repeated ones kept.

use serde::{Deserialize, Serialize};

/// The header fields of a message. Names are lower case; order and repetition are kept.
///
/// HTTP's field values are bytes. They are held as text with one character a byte (Latin-1), which
/// loses nothing; [`Headers::readable`] is for showing them to people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// No fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field after those there are.
    pub fn push(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.to_ascii_lowercase(), value.into()));
    }

    /// Adds a field whose value is raw bytes.
    pub fn push_bytes(&mut self, name: &str, value: &[u8]) {
        let text = match std::str::from_utf8(value) {
            Ok(text) if value.is_ascii() => text.to_owned(),
            _ => value.iter().map(|&b| char::from(b)).collect(),
        };
        self.push(name, text);
    }

    /// The first field of that name (lower case).
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Every field of that name (lower case), in order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// Replaces all fields of that name by one.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.remove(name);
        self.push(name, value);
    }

    /// Changes values in place, each as bytes, where `change` has another for a field's name and value.
    pub fn change(&mut self, mut change: impl FnMut(&str, &[u8]) -> Option<Vec<u8>>) {
        for (name, value) in &mut self.0 {
            if let Some(changed) = change(name, &Self::value_bytes(value)) {
                *value = changed.into_iter().map(char::from).collect();
            }
        }
    }

    /// Removes all fields of that name.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(n, _)| n != name);
    }

    /// All fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(n, v)| (n.as_str(), v.as_str()))
    }

    /// A value's bytes, as they were on the wire.
    pub fn value_bytes(value: &str) -> Vec<u8> {
        value.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
    }

    /// A value for people: decoded as UTF-8 where its bytes are that.
    pub fn readable(value: &str) -> String {
        String::from_utf8(Self::value_bytes(value)).unwrap_or_else(|_| value.to_owned())
    }

    /// The media type without its parameters, lower case: `text/html`.
    pub fn media_type(&self) -> Option<String> {
        let value = self.get("content-type")?;
        let essence = value.split(';').next().unwrap_or_default().trim();
        (!essence.is_empty()).then(|| essence.to_ascii_lowercase())
    }
}

impl FromIterator<(String, String)> for Headers {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(fields: I) -> Self {
        let mut headers = Self::new();
        for (name, value) in fields {
            headers.push(&name, value);
        }
        headers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_and_read_well() {
        let mut headers = Headers::new();
        headers.push_bytes("X-Name", "Zoë".as_bytes());
        let value = headers.get("x-name").unwrap();
        assert_eq!(Headers::value_bytes(value), "Zoë".as_bytes());
        assert_eq!(Headers::readable(value), "Zoë");
    }

    #[test]
    fn media_type_drops_parameters_and_case() {
        let mut headers = Headers::new();
        headers.push("Content-Type", "Text/HTML; charset=utf-8");
        assert_eq!(headers.media_type().as_deref(), Some("text/html"));
    }
}
