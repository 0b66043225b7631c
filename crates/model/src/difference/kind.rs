//! What a difference is about.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Difference, Place};

/// What a difference is about, the worst first (after paper 1's fault categories).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    /// The server failed, or printed an error.
    Error,
    /// What the application stores, or sends as data.
    Data,
    /// Where a request leads, and what the protocol says of the answer.
    Flow,
    /// A form or one of its fields.
    Form,
    /// A link or an image.
    Link,
    /// What the page says.
    Text,
    /// How it looks.
    Looks,
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Data => "data",
            Self::Flow => "flow",
            Self::Form => "form",
            Self::Link => "link",
            Self::Text => "text",
            Self::Looks => "looks",
        })
    }
}

impl Difference {
    /// What it is about.
    pub fn kind(&self) -> DifferenceKind {
        match &self.place {
            Place::Error { .. } | Place::NoAnswer => DifferenceKind::Error,
            Place::Status if self.actual().starts_with('5') => DifferenceKind::Error,
            Place::Status
            | Place::Answered
            | Place::Redirect
            | Place::Address { .. }
            | Place::ContentType
            | Place::Header { .. }
            | Place::Cookie { .. } => DifferenceKind::Flow,
            Place::Json { .. }
            | Place::Xml { .. }
            | Place::Validity { .. }
            | Place::Row { .. }
            | Place::Stored { .. }
            | Place::File { .. }
            | Place::Unreadable { .. } => DifferenceKind::Data,
            Place::Attribute { element, .. } => of_element(element),
            Place::Entry { .. } | Place::Tags { .. } => {
                first_element(self.is.as_deref().or(self.was.as_deref()).unwrap_or_default())
            }
            Place::Text { .. }
            | Place::Lines { .. }
            | Place::Markup
            | Place::Content
            | Place::Binary { .. }
            | Place::WholeFile
            | Place::More { .. } => DifferenceKind::Text,
            Place::WhiteSpace { .. } | Place::StyleSheet | Place::Source => DifferenceKind::Looks,
        }
    }
}

/// What a tag is about.
fn of_element(element: &str) -> DifferenceKind {
    match element {
        "form" | "input" | "select" | "option" | "optgroup" | "textarea" | "button" | "label"
        | "fieldset" | "datalist" | "output" => DifferenceKind::Form,
        "a" | "area" | "img" | "link" | "iframe" | "frame" | "base" | "map" => DifferenceKind::Link,
        _ => DifferenceKind::Looks,
    }
}

/// What the first tag of a list is about: `<input name="a">`.
fn first_element(tags: &str) -> DifferenceKind {
    let name = tags.trim_start_matches(['<', '/']);
    of_element(&name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differences_are_about() {
        let status = |is| Difference::changed("Flist", Place::Status, "200", is).kind();
        assert_eq!((status("500"), status("404")), (DifferenceKind::Error, DifferenceKind::Flow));
        let tags = |source: &str| {
            Difference::appeared("T", Place::Tags { removed: 0, added: 1 }, source.to_owned()).kind()
        };
        assert_eq!(tags("<input name=\"a\">"), DifferenceKind::Form);
        assert_eq!(tags("</a>"), DifferenceKind::Link);
        assert_eq!(tags("<hr>"), DifferenceKind::Looks);
    }
}
