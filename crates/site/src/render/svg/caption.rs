//! What is written on a node, and how long it may be.

use std::collections::BTreeMap;

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

/// What the titles of most pages begin or end with, apart from the rest by a sign: the site's name. It tells no page from another.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteName {
    begin: String,
    end: String,
}

/// What stands between a page's name and its site's.
const SIGNS: [&str; 7] = [" - ", " – ", " — ", " | ", " · ", " :: ", " » "];

impl SiteName {
    pub(crate) fn of(nodes: &[SiteNode]) -> Self {
        let titles: Vec<String> =
            nodes.iter().map(|node| one_line(&node.title)).filter(|title| !title.is_empty()).collect();
        let most = |parts: Vec<&str>| {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            parts.into_iter().for_each(|part| *counts.entry(part).or_default() += 1);
            let most = counts.into_iter().max_by_key(|&(part, count)| (count, part));
            most.filter(|&(_, count)| count >= 3 && 2 * count > titles.len()).map(|(part, _)| part.to_owned())
        };
        let begin = titles.iter().filter_map(|title| {
            SIGNS
                .iter()
                .filter_map(|sign| title.find(sign).map(|at| at + sign.len()))
                .min()
                .map(|at| &title[..at])
        });
        let end = titles.iter().filter_map(|title| {
            SIGNS.iter().filter_map(|sign| title.rfind(sign)).max().map(|at| &title[at..])
        });
        Self {
            begin: most(begin.collect()).unwrap_or_default(),
            end: most(end.collect()).unwrap_or_default(),
        }
    }

    /// The title without the site's name.
    fn without(&self, title: &str) -> String {
        let title = one_line(title);
        let rest = title.strip_prefix(&self.begin).filter(|rest| !rest.is_empty()).unwrap_or(&title);
        rest.strip_suffix(&self.end).filter(|rest| !rest.is_empty()).unwrap_or(rest).to_owned()
    }
}

impl Caption {
    pub(crate) fn of(node: &SiteNode, site_name: &SiteName) -> Self {
        let key = if node.key.is_empty() { &node.id } else { &node.key };
        let mut place = one_line(key);
        if let Some(path) = place.strip_prefix("GET ") {
            place = path.to_owned();
        }
        if node.kind == NodeKind::Form && node.fields.is_empty() {
            return Self { place, subject: site_name.without(&node.title) };
        }
        if node.kind == NodeKind::Form {
            // The fields' names are a part of a form's key: they are listed below, where there is room for them.
            // A parameter with a value says which page it is.
            if let Some((path, query)) = place.split_once('?') {
                let values: Vec<&str> = query.split('&').filter(|part| part.contains('=')).collect();
                let sign = if values.is_empty() { "" } else { "?" };
                place = format!("{path}{sign}{}", values.join("&"));
            }
            let names: Vec<String> = node.fields.iter().map(|field| one_line(&field.name)).collect();
            return Self { place, subject: names.join(", ") };
        }
        Self { place, subject: site_name.without(&node.title) }
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
        let cut = cut_middle("/admin/catalogue/books/{n}/edit", 14.0);
        assert!(cut.starts_with("/admin") && cut.ends_with("/{n}/edit"), "{cut}");
    }

    /// Catches: a form that shows its fields twice, or a page without its query.
    #[test]
    fn forms_show_their_fields_and_pages_their_titles() {
        let field = |name: &str| SiteField { name: name.to_owned(), ..SiteField::default() };
        let form = SiteNode {
            key: "POST /cart?book&do=add&n".to_owned(),
            kind: NodeKind::Form,
            fields: vec![field("book"), field("n")],
            ..SiteNode::default()
        };
        assert_eq!(
            Caption::of(&form, &SiteName::default()),
            Caption { place: "POST /cart?do=add".to_owned(), subject: "book, n".to_owned() }
        );
        let page =
            SiteNode { id: "GET /s?page".to_owned(), title: " Search\n".to_owned(), ..SiteNode::default() };
        assert_eq!(
            Caption::of(&page, &SiteName::default()),
            Caption { place: "/s?page".to_owned(), subject: "Search".to_owned() }
        );
    }

    /// Catches: boxes that all say the same, the site's name, and have no room for what tells them apart.
    #[test]
    fn the_name_of_the_site_is_left_out() {
        let page = |title: &str| SiteNode { title: title.to_owned(), ..SiteNode::default() };
        let nodes = ["Orders | Shop", "Shop", "My account | Shop", "Old - Orders | Shop"].map(page);
        let name = SiteName::of(&nodes);
        let shown: Vec<String> = nodes.iter().map(|node| Caption::of(node, &name).subject).collect();
        assert_eq!(shown, ["Orders", "Shop", "My account", "Old - Orders"]);
    }
}
