//! What a person would say changed.

use restage_model::Difference;

use crate::comparator::Comparator;
use crate::document::Document;
use crate::hunks::hunks;
use crate::said::{quoted_apart, shortened};
use crate::tag_difference::{entries, shown_tag, tags};
use crate::view::{Item, Origin, Section};

/// Puts what differs between two documents into words; they differ.
pub(crate) fn differences(
    comparator: &Comparator,
    expected: &Document<'_>,
    actual: &Document<'_>,
) -> Vec<Difference> {
    let features = comparator.features();
    let mut found = Vec::new();
    for (before, after) in expected.sections(features).iter().zip(&actual.sections(features)) {
        match (before, after) {
            (Section::Ordered(before), Section::Ordered(after)) => {
                for hunk in hunks(before, after) {
                    let removed = &before[hunk.before.start as usize..hunk.before.end as usize];
                    let added = &after[hunk.after.start as usize..hunk.after.end as usize];
                    let preceding = hunk.before.start.checked_sub(1).map(|i| before[i as usize]);
                    found.extend(describe(comparator, expected, removed, actual, added, preceding));
                }
            }
            (
                Section::Unordered(before) | Section::Ordered(before),
                Section::Unordered(after) | Section::Ordered(after),
            ) => {
                found.extend(entries(comparator, expected, before, actual, after));
            }
        }
    }
    let mut differences: Vec<Difference> = Vec::new();
    for difference in found {
        if !differences.contains(&difference) {
            differences.push(difference);
        }
    }
    // A verdict of fail says why, whatever the words above make of it.
    if differences.is_empty() {
        differences.push(bytes(comparator, expected, actual));
    }
    differences
}

/// Puts a hunk of a diff into words.
fn describe(
    comparator: &Comparator,
    expected: &Document<'_>,
    removed: &[Item],
    actual: &Document<'_>,
    added: &[Item],
    preceding: Option<Item>,
) -> Vec<Difference> {
    let all = || removed.iter().chain(added).map(|item| item.origin);
    if all().all(|origin| matches!(origin, Origin::Tag(_))) {
        return tags(comparator, expected, removed, actual, added);
    }
    if all().all(|origin| matches!(origin, Origin::Word { .. })) {
        return vec![text(comparator, expected, removed, actual, added, preceding)];
    }
    if all().all(|origin| matches!(origin, Origin::Line(..))) {
        return vec![lines(comparator, expected, removed, actual, added)];
    }
    if all().any(|origin| matches!(origin, Origin::Blob)) {
        return vec![bytes(comparator, expected, actual)];
    }
    if all().all(|origin| matches!(origin, Origin::Sheet(_))) {
        let (was, is) = (source(expected, removed), source(actual, added));
        let summary = became("a style sheet", &format!("`{}`", shortened(&is)), &was, &is);
        return vec![difference(comparator, summary, was, is)];
    }
    // Tags and text together: as they stand in the page.
    let (was, is) = (source(expected, removed), source(actual, added));
    let summary = became(&format!("`{}`", shortened(&was)), &format!("`{}`", shortened(&is)), &was, &is);
    vec![difference(comparator, summary, was, is)]
}

/// Of what is not text, that it is not the same.
fn bytes(comparator: &Comparator, expected: &Document<'_>, actual: &Document<'_>) -> Difference {
    let size = |document: &Document<'_>| format!("{} bytes", document.raw(0..u32::MAX).len());
    let (was, is) = (size(expected), size(actual));
    let summary = if was == is {
        format!("the content is not the same, though both are {was}")
    } else {
        format!("the content is not the same: {was} became {is}")
    };
    difference(comparator, summary, was, is)
}

pub(crate) fn difference(
    comparator: &Comparator,
    summary: String,
    expected: String,
    actual: String,
) -> Difference {
    Difference { seen_by: comparator.id().to_owned(), summary, expected, actual }
}

/// What a person says of two parts, of which one may be missing.
pub(crate) fn became(shown_was: &str, shown_is: &str, was: &str, is: &str) -> String {
    match (was.is_empty(), is.is_empty()) {
        (true, _) => format!("{shown_is} appeared"),
        (_, true) => format!("{shown_was} is gone"),
        _ => format!("{shown_was} became {shown_is}"),
    }
}

/// Tags and text as they stand in the page.
fn source(document: &Document<'_>, items: &[Item]) -> String {
    let shown = items.iter().map(|item| match item.origin {
        Origin::Tag(token) | Origin::Listed { token, .. } => {
            document.token(token).map(shown_tag).unwrap_or_default()
        }
        Origin::Sheet(token) => String::from_utf8_lossy(document.sheet(token)).into_owned(),
        Origin::Word { from, to, .. } => document.text().slice(from..to).to_owned(),
        Origin::Line(..) | Origin::Blob => String::new(),
    });
    shown.collect::<Vec<_>>().join(" ")
}

fn text(
    comparator: &Comparator,
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
    comparator: &Comparator,
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
        out
    };
    let (was, is) = (text(expected, removed), text(actual, added));
    let (shown_was, shown_is) = quoted_apart(was.trim(), is.trim());
    let summary = if was.split_whitespace().eq(is.split_whitespace()) {
        "white space changed in the source".to_owned()
    } else {
        became(&shown_was, &shown_is, &was, &is)
    };
    difference(comparator, summary, was, is)
}

#[cfg(test)]
mod tests {
    use restage_model::Headers;

    use super::*;
    use crate::comparator::compare;

    fn said(comparator: &str, expected: &str, actual: &str) -> Vec<String> {
        let headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect::<Headers>();
        let comparator = Comparator::named(comparator).unwrap();
        let found = compare(
            &comparator,
            &Document::of(&headers, expected.as_bytes()),
            &Document::of(&headers, actual.as_bytes()),
        );
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

    #[test]
    fn entries_of_lists_are_gone_new_or_changed() {
        assert_eq!(
            said("N+U", "<a href=/x>a</a><a href=/z>a</a>", "<a href=/z>a</a><a href=/y>a</a>"),
            [r#"href of <a> became "/y", was "/x""#]
        );
        assert_eq!(
            said("N+F", "<input name=a value=1><input name=b>", "<input name=b><input name=a value=2>"),
            [r#"value of <input> "a" became "2", was "1""#]
        );
        // The same options, each in the other select.
        let selects = |a: u32, b: u32| {
            format!("<select name=a><option value={a}></select><select name=b><option value={b}></select>")
        };
        assert_eq!(
            said("N+F", &selects(1, 2), &selects(2, 1)),
            [
                r#"<option value="1"> of <select name="a"> is gone"#,
                r#"<option value="2"> of <select name="b"> is gone"#,
                r#"<option value="2"> of <select name="a"> appeared"#,
                r#"<option value="1"> of <select name="b"> appeared"#,
            ]
        );
    }

    #[test]
    fn only_what_the_comparator_sees_is_said() {
        let (was, is) = ("<a class=k href=/x id=1>a</a>", "<a class=l href=/y id=2>a</a>");
        assert_eq!(said("N+I", was, is), [r#"href of <a> "1" became "/y", was "/x""#]);
        assert_eq!(said("T-S", was, is).len(), 2);
        assert_eq!(said("DB", "<style>p{}</style>", "<style>b{}</style>"), ["a style sheet became `b{}`"]);
        assert_eq!(said("D", "<p>a</p>", "<p>a</p >"), [r#""<p>a</p>" became "<p>a</p >""#]);
        assert_eq!(said("D", "a\nb", "a\r\nb"), ["white space changed in the source"]);
    }

    #[test]
    fn all_that_see_text_say_what_differs_of_what_is_not_html() {
        for (kind, was, is) in
            [("application/json", "[1]", "[2]"), ("image/png", "a", "b"), ("text/plain", "a", "")]
        {
            let headers = [("content-type".to_owned(), kind.to_owned())].into_iter().collect::<Headers>();
            let (was, is) = (Document::of(&headers, was.as_bytes()), Document::of(&headers, is.as_bytes()));
            for id in ["D", "DB", "DB-W", "C", "C-W", "C-WD"] {
                let comparator = Comparator::named(id).unwrap();
                assert_eq!(compare(&comparator, &was, &is).len(), 1, "{id} of {kind}");
            }
            assert!(compare(&Comparator::named("T").unwrap(), &was, &is).is_empty());
        }
    }
}
