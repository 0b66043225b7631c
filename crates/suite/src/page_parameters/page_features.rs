//! What a page is built of: its elements by class and id, its forms with their fields and buttons, the fields of JSON. Its
//! content, such as texts, links and plain elements, is left out.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use restage_html::{FieldKind, Page, Token, Tokens};
use restage_model::ValueShape;
use serde_json::Value;

/// Longer texts are no labels.
const LABEL: usize = 40;
/// No deeper is JSON looked into.
const DEPTH: usize = 6;

/// What kind of document an answer is. Different kinds are not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DocumentKind {
    Html,
    Json,
    Xml,
}

impl DocumentKind {
    /// The kind that a media type says; none for what is no page.
    pub(super) fn of(media_type: &str) -> Option<Self> {
        match media_type {
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "application/json" => Some(Self::Json),
            "application/xml" | "text/xml" => Some(Self::Xml),
            other if other.ends_with("+json") => Some(Self::Json),
            other if other.ends_with("+xml") && !other.starts_with("image/") => Some(Self::Xml),
            _ => None,
        }
    }
}

/// What a page is built of, as hashes.
#[derive(Debug, Default)]
pub(super) struct PageFeatures {
    /// All of it.
    pub(super) all: BTreeSet<u64>,
    /// Of that, what a user works with: fields, buttons and what they are called; of JSON and XML, the names.
    pub(super) controls: BTreeSet<u64>,
    /// The names of fields that users type into, with the address that they are sent to.
    pub(super) typed: Vec<(String, String)>,
}

impl PageFeatures {
    pub(super) fn of(kind: DocumentKind, body: &[u8]) -> Self {
        let mut features = Self::default();
        match kind {
            DocumentKind::Html => features.read_html(body),
            DocumentKind::Json => {
                if let Ok(value) = serde_json::from_slice(body) {
                    features.read_json("$", &value, DEPTH);
                }
            }
            DocumentKind::Xml => {
                for token in Tokens::of(body).iter() {
                    if let Token::Open { name, .. } = token {
                        features.control("element", &String::from_utf8_lossy(name));
                    }
                }
            }
        }
        features
    }

    fn read_html(&mut self, body: &[u8]) {
        let tokens = Tokens::of(body);
        let mut label: Option<(Vec<u8>, String)> = None;
        for token in tokens.iter() {
            match token {
                Token::Open { name, attrs, .. } => {
                    let tag = String::from_utf8_lossy(name);
                    if is_unseen(name) {
                        continue;
                    }
                    for class in attrs.text("class").unwrap_or_default().split_whitespace() {
                        self.part("class", &format!("{tag}.{class}"));
                    }
                    if let Some(id) = attrs.text("id").filter(|_| is_container(name)) {
                        self.part("id", &format!("{tag}#{id}"));
                    }
                    if matches!(name, b"textarea" | b"select" | b"canvas" | b"video" | b"audio" | b"iframe") {
                        self.control("tag", &tag);
                    }
                    if name == b"input" {
                        let kind = attrs.text("type").unwrap_or_else(|| "text".to_owned());
                        let is_button = matches!(kind.as_str(), "submit" | "button" | "reset" | "image");
                        if is_button {
                            self.control("button", &attrs.text("value").unwrap_or_default());
                        } else if kind != "hidden" {
                            self.control("input", &kind);
                        }
                    }
                    if matches!(name, b"label" | b"legend" | b"button" | b"th") {
                        label = Some((name.to_vec(), String::new()));
                    }
                }
                Token::Text(text) => {
                    if let Some((_, words)) = &mut label {
                        words.push_str(&String::from_utf8_lossy(text));
                    }
                }
                Token::Close { name } => {
                    if let Some((tag, words)) = label.take_if(|(tag, _)| tag == name) {
                        // The columns of a table may be content.
                        match tag.as_slice() {
                            b"th" => self.part("column", &words),
                            b"button" => self.control("button", &words),
                            _ => self.control("label", &words),
                        }
                    }
                }
                Token::Comment(_) | Token::Doctype(_) => {}
            }
        }
        for form in Page::from_tokens(&tokens).forms {
            for field in &form.fields {
                self.control("field", &field.name);
                if field.kind == FieldKind::Text {
                    self.typed.push((form.action.clone(), field.name.clone()));
                }
            }
        }
    }

    fn read_json(&mut self, path: &str, value: &Value, depth: usize) {
        if depth == 0 {
            return;
        }
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let path = format!("{path}.{name}");
                    self.control("json", &path);
                    self.read_json(&path, value, depth - 1);
                }
            }
            Value::Array(items) => {
                items.iter().take(3).for_each(|item| self.read_json(&format!("{path}[]"), item, depth - 1));
            }
            _ => {}
        }
    }

    fn part(&mut self, what: &str, name: &str) {
        if let Some(hash) = hash(what, name) {
            self.all.insert(hash);
        }
    }

    fn control(&mut self, what: &str, name: &str) {
        if let Some(hash) = hash(what, name) {
            self.all.insert(hash);
            self.controls.insert(hash);
        }
    }
}

/// The hash of a name without its numbers; none for what is no name.
fn hash(what: &str, name: &str) -> Option<u64> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    if name.is_empty() || name.chars().count() > LABEL * 2 || ValueShape::of(&name).is_token() {
        return None;
    }
    let mut plain = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '0'..='9' if plain.ends_with('#') => {}
            '0'..='9' => plain.push('#'),
            other => plain.push(other),
        }
    }
    let mut hasher = DefaultHasher::new();
    (what, plain).hash(&mut hasher);
    Some(hasher.finish())
}

/// What nobody sees of a page.
fn is_unseen(tag: &[u8]) -> bool {
    matches!(tag, b"script" | b"style" | b"link" | b"meta" | b"noscript" | b"html" | b"head")
}

/// What holds others or is worked with. Ids of headings and links are made of content.
fn is_container(tag: &[u8]) -> bool {
    matches!(
        tag,
        b"div"
            | b"form"
            | b"table"
            | b"section"
            | b"main"
            | b"nav"
            | b"aside"
            | b"fieldset"
            | b"textarea"
            | b"input"
            | b"select"
            | b"button"
            | b"dialog"
            | b"ul"
    )
}
