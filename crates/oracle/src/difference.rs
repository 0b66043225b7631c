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
    expected: &Document,
    removed: &[Item],
    actual: &Document,
    added: &[Item],
    preceding: Option<Item>,
) -> Vec<Difference> {
    let first = removed.first().or(added.first()).map(|item| item.origin);
    match first {
        Some(Origin::Tag(_)) => tags(comparator, expected, removed, actual, added),
        Some(Origin::Word { .. }) => vec![text(comparator, expected, removed, actual, added, preceding)],
        Some(Origin::Line(..)) => vec![lines(comparator, expected, removed, actual, added)],
        Some(Origin::Blob) => vec![Difference {
            seen_by: comparator.id().to_owned(),
            summary: "the content is not the same".to_owned(),
            expected: String::new(),
            actual: String::new(),
        }],
        None => Vec::new(),
    }
}

fn text(
    comparator: Comparator,
    expected: &Document,
    removed: &[Item],
    actual: &Document,
    added: &[Item],
    preceding: Option<Item>,
) -> Difference {
    let (was, is) = (words(expected, removed), words(actual, added));
    let place = match preceding.map(|item| item.origin) {
        Some(Origin::Word { run, .. }) if !same_run(removed, run) => {
            format!(" (after \"{}\")", shortened(expected.run(run)))
        }
        _ => String::new(),
    };
    let summary = if removed.is_empty() {
        format!("text \"{}\" appeared{place}", shortened(&is))
    } else if added.is_empty() {
        format!("text \"{}\" is gone{place}", shortened(&was))
    } else {
        format!("text \"{}\" became \"{}\"{place}", shortened(&was), shortened(&is))
    };
    Difference { seen_by: comparator.id().to_owned(), summary, expected: was, actual: is }
}

fn words(document: &Document, items: &[Item]) -> String {
    let words: Vec<&str> = items
        .iter()
        .filter_map(|item| match item.origin {
            Origin::Word { from, to, .. } => Some(document.text(from..to)),
            _ => None,
        })
        .collect();
    words.join(" ")
}

fn same_run(items: &[Item], run: u32) -> bool {
    matches!(items.first().map(|item| item.origin), Some(Origin::Word { run: r, .. }) if r == run)
}

fn lines(
    comparator: Comparator,
    expected: &Document,
    removed: &[Item],
    actual: &Document,
    added: &[Item],
) -> Difference {
    let text = |document: &Document, items: &[Item]| -> String {
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
    expected: &Document,
    removed: &[Item],
    actual: &Document,
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

fn tag_list(document: &Document, items: &[Item]) -> Vec<String> {
    items.iter().filter_map(|item| tag_of(document, item)).map(shown_tag).collect()
}

fn tag_of<'a>(document: &'a Document, item: &Item) -> Option<Token<'a>> {
    match item.origin {
        Origin::Tag(token) => document.tag(token),
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
        let document = |html: &str| {
            let headers =
                [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect::<Headers>();
            Document::of(&headers, html.as_bytes())
        };
        let comparator = Comparator::named(comparator).unwrap();
        let found = compare(comparator, &document(expected), &document(actual));
        found.into_iter().map(|d| d.summary).collect()
    }

    #[test]
    fn a_word_is_shown_in_its_line() {
        assert_eq!(
            said("C-W", "<p>buy five apples<p>b", "<p>buy five<p>b"),
            [r#"text "buy five apples" became "buy five""#]
        );
        assert_eq!(
            said("C-W", "<b>Total</b><i>sum of 12 and 9</i>", "<b>Total</b><i>sum of 7 and 8</i>"),
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
