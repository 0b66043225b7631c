//! What is written on a node, and how long it may be.

use crate::plain::one_line;
use crate::site::{NodeKind, SiteNode};

/// What is written on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caption {
    /// Where it is: its path, with the method where that is not `GET`.
    pub(crate) place: String,
    /// What it is: a form's fields, or a page's title.
    pub(crate) subject: String,
}

impl Caption {
    pub(crate) fn of(node: &SiteNode) -> Self {
        let key = if node.key.is_empty() { &node.id } else { &node.key };
        let mut place = one_line(key);
        if let Some(path) = place.strip_prefix("GET ") {
            place = path.to_owned();
        }
        if node.kind == NodeKind::Form && node.fields.is_empty() {
            return Self { place, subject: one_line(&node.title) };
        }
        if node.kind == NodeKind::Form {
            // The fields' names are a part of a form's key: they are listed below, where there is room for them.
            if let Some((path, _)) = place.split_once('?') {
                place = path.to_owned();
            }
            let names: Vec<String> = node.fields.iter().map(|field| one_line(&field.name)).collect();
            return Self { place, subject: names.join(", ") };
        }
        Self { place, subject: one_line(&node.title) }
    }
}

/// The width of a text in a common sans-serif font, in parts of its size: rather too wide than too narrow.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.33,
        'f' | 'r' | 't' | '/' | '(' | ')' | '[' | ']' | '-' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'A'..='Z' | '&' | '=' | '+' => 0.76,
        ' '..='~' => 0.65,
        '\u{300}'..='\u{36f}' => 0.0,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{ffff}' => 1.05,
        '\u{10000}'.. => 1.25,
        _ => 0.72,
    }
}

/// The text, or its beginning, no wider than this.
pub(crate) fn cut(text: &str, widest: f64) -> String {
    if width(text) <= widest {
        return text.to_owned();
    }
    let mut kept = taken(text.chars(), widest - char_width('…'));
    kept.push('…');
    kept
}

/// The text, or its beginning and its end, no wider than this: of a path, the end says most.
pub(crate) fn cut_middle(text: &str, widest: f64) -> String {
    if width(text) <= widest {
        return text.to_owned();
    }
    let room = widest - char_width('…');
    let begin = taken(text.chars(), room * 0.4);
    let end: String = taken(text.chars().rev(), room - width(&begin)).chars().rev().collect();
    format!("{begin}…{end}")
}

fn taken(chars: impl Iterator<Item = char>, widest: f64) -> String {
    let mut so_far = 0.0;
    chars
        .take_while(|&c| {
            so_far += char_width(c);
            so_far <= widest
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::SiteField;

    /// Catches: a label that runs out of its box.
    #[test]
    fn what_is_cut_fits() {
        for text in [
            "/short",
            "/a/very/long/path/with/{n}/many/parts/edit",
            "日本語のとても長いタイトルです",
            "WWWWWWWWWWWWWWWWWWW",
        ] {
            for widest in [3.0, 8.0, 14.0] {
                assert!(width(&cut(text, widest)) <= widest && width(&cut_middle(text, widest)) <= widest);
            }
        }
        assert_eq!(cut_middle("/admin/catalogue/books/{n}/edit", 14.0), "/admin/c…ooks/{n}/edit");
    }

    /// Catches: a form that shows its fields twice, or a page without its query.
    #[test]
    fn forms_show_their_fields_and_pages_their_titles() {
        let field = |name: &str| SiteField { name: name.to_owned(), ..SiteField::default() };
        let form = SiteNode {
            key: "POST /cart?book&n".to_owned(),
            kind: NodeKind::Form,
            fields: vec![field("book"), field("n")],
            ..SiteNode::default()
        };
        assert_eq!(
            Caption::of(&form),
            Caption { place: "POST /cart".to_owned(), subject: "book, n".to_owned() }
        );
        let page =
            SiteNode { id: "GET /s?page".to_owned(), title: " Search\n".to_owned(), ..SiteNode::default() };
        assert_eq!(Caption::of(&page), Caption { place: "/s?page".to_owned(), subject: "Search".to_owned() });
    }
}
