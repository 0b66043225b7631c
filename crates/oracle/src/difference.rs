//! What a person would say changed.

use restage_html::Token;
use restage_model::Difference;

use crate::comparator::Comparator;
use crate::document::{Document, Item, Origin};

/// Longer pieces are cut in a summary; the difference itself holds them whole.
const SHOWN: usize = 90;

/// Puts a hunk of a diff into words.
pub(crate) fn describe(
    comparator: Comparator,
    expected: &Document<'_>,
    removed: &[Item],
    actual: &Document<'_>,
    added: &[Item],
    preceding: Option<Item>,
) -> Vec<Difference> {
    let all = || removed.iter().chain(added).map(|item| item.origin);
    if all().all(|origin| matches!(origin, Origin::Tag(_) | Origin::Listed(_))) {
        return tags(comparator, expected, removed, actual, added);
    }
    if all().all(|origin| matches!(origin, Origin::Word { .. })) {
        return vec![text(comparator, expected, removed, actual, added, preceding)];
    }
    if all().all(|origin| matches!(origin, Origin::Line(..))) {
        return vec![lines(comparator, expected, removed, actual, added)];
    }
    if all().any(|origin| matches!(origin, Origin::Blob)) {
        let summary = "the content is not the same".to_owned();
        return vec![difference(comparator, summary, String::new(), String::new())];
    }
    // Tags and text together: as they stand in the page.
    let (was, is) = (source(expected, removed), source(actual, added));
    let summary = became(&format!("`{}`", shortened(&was)), &format!("`{}`", shortened(&is)), &was, &is);
    vec![difference(comparator, summary, was, is)]
}

fn difference(comparator: Comparator, summary: String, expected: String, actual: String) -> Difference {
    Difference { seen_by: comparator.id().to_owned(), summary, expected, actual }
}

/// What a person says of two parts, of which one may be missing.
fn became(shown_was: &str, shown_is: &str, was: &str, is: &str) -> String {
    match (was.is_empty(), is.is_empty()) {
        (true, _) => format!("{shown_is} appeared"),
        (_, true) => format!("{shown_was} is gone"),
        _ => format!("{shown_was} became {shown_is}"),
    }
}

/// Tags and text as they stand in the page.
fn source(document: &Document<'_>, items: &[Item]) -> String {
    let shown = items.iter().map(|item| match item.origin {
        Origin::Tag(token) | Origin::Listed(token) => document.tag(token).map(shown_tag).unwrap_or_default(),
        Origin::Word { from, to, .. } => document.text().slice(from..to).to_owned(),
        Origin::Line(..) | Origin::Blob => String::new(),
    });
    shown.collect::<Vec<_>>().join(" ")
}

fn text(
    comparator: Comparator,
    expected: &Document<'_>,
    removed: &[Item],
    actual: &Document<'_>,
    added: &[Item],
    preceding: Option<Item>,
) -> Difference {
    let (was, is) = (words(expected, removed), words(actual, added));
    let place = match preceding.map(|item| item.origin) {
        Some(Origin::Word { line, .. }) if !is_of_line(removed, line) => {
            let before = expected.text().line(line);
            if before.is_empty() { String::new() } else { format!(" (after \"{}\")", shortened(&before)) }
        }
        _ => String::new(),
    };
    if was.trim().is_empty() && is.trim().is_empty() {
        let summary = format!("white space changed{place}");
        return difference(comparator, summary, was, is);
    }
    let quoted = |text: &str| format!("text \"{}\"", shortened(text));
    let summary = match (removed.is_empty(), added.is_empty()) {
        (false, false) => format!("{} became \"{}\"{place}", quoted(&was), shortened(&is)),
        _ => format!("{}{place}", became(&quoted(&was), &quoted(&is), &was, &is)),
    };
    difference(comparator, summary, was, is)
}

fn words(document: &Document<'_>, items: &[Item]) -> String {
    let words: Vec<&str> = items
        .iter()
        .filter_map(|item| match item.origin {
            Origin::Word { from, to, .. } => Some(document.text().slice(from..to)),
            _ => None,
        })
        .collect();
    // Pieces that hold the white space themselves are put together as they are.
    let exact = words.iter().any(|w| w.chars().any(|c| c.is_ascii_whitespace() || c == '\0'));
    if exact { words.concat().replace('\0', "\n") } else { words.join(" ") }
}

fn is_of_line(items: &[Item], line: u32) -> bool {
    matches!(items.first().map(|item| item.origin), Some(Origin::Word { line: l, .. }) if l == line)
}

fn lines(
    comparator: Comparator,
    expected: &Document<'_>,
    removed: &[Item],
    actual: &Document<'_>,
    added: &[Item],
) -> Difference {
    let text = |document: &Document<'_>, items: &[Item]| -> String {
        let mut out = String::new();
        for item in items {
            if let Origin::Line(from, to) = item.origin {
                out.push_str(&String::from_utf8_lossy(document.raw(from..to)));
            }
        }
        out.trim_end().to_owned()
    };
    let (was, is) = (text(expected, removed), text(actual, added));
    let (cut_was, cut_is) = differing_part(&was, &is);
    let summary = format!("\"{}\" became \"{}\"", shortened(cut_was), shortened(cut_is));
    Difference { seen_by: comparator.id().to_owned(), summary, expected: was, actual: is }
}

/// The parts of two texts between what they begin and end with in common, with a little around them.
fn differing_part<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    let common = |x: &mut dyn Iterator<Item = (char, char)>| -> usize {
        x.take_while(|(p, q)| p == q).map(|(p, _)| p.len_utf8()).sum()
    };
    let front = common(&mut a.chars().zip(b.chars()));
    let (rest_a, rest_b) = (&a[front..], &b[front..]);
    let back = common(&mut rest_a.chars().rev().zip(rest_b.chars().rev()));
    let widen = |text: &str| -> (usize, usize) {
        let from = text[..front].char_indices().rev().nth(20).map_or(0, |(i, _)| i);
        let end = text.len() - back;
        let to = text[end..].char_indices().nth(20).map_or(text.len(), |(i, _)| end + i);
        (from, to)
    };
    let ((a_from, a_to), (b_from, b_to)) = (widen(a), widen(b));
    (&a[a_from..a_to], &b[b_from..b_to])
}

fn tags(
    comparator: Comparator,
    expected: &Document<'_>,
    removed: &[Item],
    actual: &Document<'_>,
    added: &[Item],
) -> Vec<Difference> {
    let seen_by = comparator.id().to_owned();
    let (was, is) = (tag_list(expected, removed), tag_list(actual, added));
    // The same tags with other attributes: one difference a tag.
    let pairs: Vec<(Token<'_>, Token<'_>)> =
        removed.iter().zip(added).filter_map(|(r, a)| tag_of(expected, r).zip(tag_of(actual, a))).collect();
    if removed.len() == added.len() && pairs.iter().all(|(was, is)| same_tag(*was, *is)) {
        return pairs.iter().flat_map(|(was, is)| attributes(&seen_by, *was, *is)).collect();
    }
    let (was_text, is_text) = (was.join(" "), is.join(" "));
    let summary = match (was.len(), is.len()) {
        (0, 1) => format!("{} appeared", shortened(&is[0])),
        (1, 0) => format!("{} is gone", shortened(&was[0])),
        (0, n) => format!("{n} tags appeared: {}", shortened(&is_text)),
        (n, 0) => format!("{n} tags are gone: {}", shortened(&was_text)),
        _ => format!("{} became {}", shortened(&was_text), shortened(&is_text)),
    };
    vec![Difference { seen_by, summary, expected: was_text, actual: is_text }]
}

fn attributes(seen_by: &str, was: Token<'_>, is: Token<'_>) -> Vec<Difference> {
    let (Token::Open { name, attrs: before, .. }, Token::Open { attrs: after, .. }) = (was, is) else {
        return Vec::new();
    };
    let element = String::from_utf8_lossy(name);
    let mut names: Vec<&[u8]> = before.iter().chain(after.iter()).map(|(n, _)| n).collect();
    names.sort_unstable();
    names.dedup();
    let mut differences = Vec::new();
    for name in names {
        let attribute = String::from_utf8_lossy(name);
        let (old, new) = (before.text(&attribute), after.text(&attribute));
        if old == new {
            continue;
        }
        let which = before
            .text("name")
            .or_else(|| before.text("id"))
            .filter(|_| attribute != "name" && attribute != "id")
            .map(|n| format!(" \"{}\"", shortened(&n)))
            .unwrap_or_default();
        let summary = match (&old, &new) {
            (Some(old), Some(new)) => {
                format!(
                    "{attribute} of <{element}>{which} became \"{}\", was \"{}\"",
                    shortened(new),
                    shortened(old)
                )
            }
            (Some(old), None) => format!("{attribute}=\"{}\" of <{element}>{which} is gone", shortened(old)),
            (None, Some(new)) => format!("{attribute}=\"{}\" of <{element}>{which} appeared", shortened(new)),
            (None, None) => continue,
        };
        differences.push(Difference {
            seen_by: seen_by.to_owned(),
            summary,
            expected: shown_tag(was),
            actual: shown_tag(is),
        });
    }
    differences
}

fn tag_list(document: &Document<'_>, items: &[Item]) -> Vec<String> {
    items.iter().filter_map(|item| tag_of(document, item)).map(shown_tag).collect()
}

fn tag_of<'a>(document: &'a Document<'_>, item: &Item) -> Option<Token<'a>> {
    match item.origin {
        Origin::Tag(token) | Origin::Listed(token) => document.tag(token),
        _ => None,
    }
}

fn same_tag(was: Token<'_>, is: Token<'_>) -> bool {
    matches!((was, is), (Token::Open { name: a, .. }, Token::Open { name: b, .. }) if a == b)
}

fn shown_tag(token: Token<'_>) -> String {
    match token {
        Token::Open { name, attrs, .. } => {
            let mut out = format!("<{}", String::from_utf8_lossy(name));
            for (name, value) in attrs.iter() {
                out.push_str(&format!(
                    " {}=\"{}\"",
                    String::from_utf8_lossy(name),
                    String::from_utf8_lossy(value)
                ));
            }
            out.push('>');
            out
        }
        Token::Close { name } => format!("</{}>", String::from_utf8_lossy(name)),
        Token::Text(_) | Token::Comment(_) | Token::Doctype(_) => String::new(),
    }
}

/// The text, its middle left out where it is long.
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= SHOWN {
        return text.to_owned();
    }
    let head: String = text.chars().take(SHOWN * 2 / 3).collect();
    let tail: String = text.chars().skip(length - SHOWN / 4).collect();
    format!("{}…{}", head.trim_end(), tail.trim_start())
}

#[cfg(test)]
mod tests {
    use restage_model::Headers;

    use super::*;
    use crate::comparator::compare;

    fn said(comparator: &str, expected: &str, actual: &str) -> Vec<String> {
        let headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect::<Headers>();
        let comparator = Comparator::named(comparator).unwrap();
        let found = compare(comparator, &Document::of(&headers, expected.as_bytes()), &Document::of(&headers, actual.as_bytes()));
        found.into_iter().map(|d| d.summary).collect()
    }

    #[test]
    fn a_word_is_shown_in_its_line() {
        assert_eq!(
            said("C-W", "<p>buy five apples<p>b", "<p>buy five<p>b"),
            [r#"text "buy five apples" became "buy five""#]
        );
        assert_eq!(
            said("C-W", "<p>Total<p>sum of <b>12</b> and 9", "<p>Total<p>sum of <b>7</b> and 8"),
            [r#"text "sum of 12 and 9" became "sum of 7 and 8" (after "Total")"#]
        );
        assert_eq!(said("C-W", "<p>a<p>c", "<p>a<p>b<p>c"), [r#"text "b" appeared (after "a")"#]);
        assert_eq!(said("C-W", "<p>a<p>b<p>c", "<p>a<p>c"), [r#"text "b" is gone (after "a")"#]);
    }

    #[test]
    fn tags_are_named_by_what_changed_of_them() {
        assert_eq!(
            said("N+I", "<a href=/x>go</a>", "<a href=/y>go</a>"),
            [r#"href of <a> became "/y", was "/x""#]
        );
        assert_eq!(
            said("N+I", "<form><input name=a><input name=b></form>", "<form><input name=a></form>"),
            [r#"<input name="b"> is gone"#]
        );
    }
}
