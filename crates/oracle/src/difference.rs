//! What a person would say changed.

use restage_model::Difference;

use crate::comparator::Comparator;
use crate::document::Document;
use crate::hunks::hunks;
use crate::said::{Said, quoted_apart, shortened};
use crate::tag_difference::{push_tag, tell_entries, tell_tags};
use crate::view::{Item, Origin, Section};

/// Two documents that differ, and who sees it.
#[derive(Clone, Copy)]
pub(crate) struct Compared<'a> {
    pub(crate) comparator: &'a Comparator,
    pub(crate) expected: &'a Document<'a>,
    pub(crate) actual: &'a Document<'a>,
}

/// Puts what differs between two documents into words; they differ.
pub(crate) fn differences(
    comparator: &Comparator,
    expected: &Document<'_>,
    actual: &Document<'_>,
) -> Vec<Difference> {
    let compared = Compared { comparator, expected, actual };
    let features = comparator.features();
    let mut said = Said::by(comparator.id());
    for (before, after) in expected.sections(features).iter().zip(&actual.sections(features)) {
        match (before, after) {
            (Section::Ordered(before), Section::Ordered(after)) => {
                for hunk in hunks(before, after) {
                    let removed = &before[hunk.before.start as usize..hunk.before.end as usize];
                    let added = &after[hunk.after.start as usize..hunk.after.end as usize];
                    let preceding = hunk.before.start.checked_sub(1).map(|i| before[i as usize]);
                    compared.tell(&mut said, removed, added, preceding);
                }
            }
            (
                Section::Unordered(before) | Section::Ordered(before),
                Section::Unordered(after) | Section::Ordered(after),
            ) => tell_entries(compared, &mut said, before, after),
        }
    }
    // A verdict of fail says why, whatever the words above make of it.
    if said.is_empty() {
        said.tell(|| compared.bytes());
    }
    said.finish()
}

/// A summary, the part as expected, the part as it is.
type Words = (String, String, String);

impl Compared<'_> {
    /// Puts a hunk of a diff into words.
    fn tell(self, said: &mut Said, removed: &[Item], added: &[Item], preceding: Option<Item>) {
        let all = || removed.iter().chain(added).map(|item| item.origin);
        if all().all(|origin| matches!(origin, Origin::Tag(_))) {
            tell_tags(self, said, removed, added);
        } else if all().all(|origin| matches!(origin, Origin::Word { .. })) {
            said.tell(|| self.text(removed, added, preceding));
        } else if all().all(|origin| matches!(origin, Origin::Line(..))) {
            said.tell(|| self.lines(removed, added));
        } else if all().any(|origin| matches!(origin, Origin::Blob)) {
            said.tell(|| self.bytes());
        } else {
            let sheets = all().all(|origin| matches!(origin, Origin::Sheet(_)));
            said.tell(|| self.sources(removed, added, sheets));
        }
    }

    /// Of what is not text, that it is not the same.
    fn bytes(self) -> Words {
        let size = |document: &Document<'_>| format!("{} bytes", document.bytes().len());
        let (was, is) = (size(self.expected), size(self.actual));
        let summary = if was == is {
            format!("the content is not the same, though both are {was}")
        } else {
            format!("the content is not the same: {was} became {is}")
        };
        (summary, was, is)
    }

    /// Style sheets, or tags and text together: as they stand in the page.
    fn sources(self, removed: &[Item], added: &[Item], sheets: bool) -> Words {
        let (was, is) = (source(self.expected, removed), source(self.actual, added));
        let shown = |text: &str| format!("`{}`", shortened(text));
        let shown_was = if sheets { "a style sheet".to_owned() } else { shown(&was) };
        (became(&shown_was, &shown(&is), &was, &is), was, is)
    }

    fn text(self, removed: &[Item], added: &[Item], preceding: Option<Item>) -> Words {
        let (was, is) = (words(self.expected, removed), words(self.actual, added));
        let place = match preceding.map(|item| item.origin) {
            Some(Origin::Word { line, .. }) if !is_of_line(removed, line) => {
                let before = self.expected.text().line(line);
                if before.is_empty() { String::new() } else { format!(" (after \"{}\")", shortened(&before)) }
            }
            _ => String::new(),
        };
        if was.trim().is_empty() && is.trim().is_empty() {
            return (format!("white space changed{place}"), was, is);
        }
        let quoted = |text: &str| format!("text \"{}\"", shortened(text));
        let summary = match (removed.is_empty(), added.is_empty()) {
            (false, false) => {
                let (shown_was, shown_is) = quoted_apart(&was, &is);
                format!("text {shown_was} became {shown_is}{place}")
            }
            _ => format!("{}{place}", became(&quoted(&was), &quoted(&is), &was, &is)),
        };
        (summary, was, is)
    }

    fn lines(self, removed: &[Item], added: &[Item]) -> Words {
        let text = |document: &Document<'_>, items: &[Item]| -> String {
            let mut out = String::new();
            for item in items {
                if let Origin::Line(from, to) = item.origin {
                    out.push_str(&String::from_utf8_lossy(document.raw(from..to)));
                }
            }
            out
        };
        let (was, is) = (text(self.expected, removed), text(self.actual, added));
        let (shown_was, shown_is) = quoted_apart(was.trim(), is.trim());
        let summary = if was.split_whitespace().eq(is.split_whitespace()) {
            "white space changed in the source".to_owned()
        } else {
            became(&shown_was, &shown_is, &was, &is)
        };
        (summary, was, is)
    }
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
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        match item.origin {
            Origin::Tag(token) | Origin::Listed { token, .. } => {
                document.token(token).iter().for_each(|token| push_tag(&mut out, *token));
            }
            Origin::Sheet(token) => out.push_str(&String::from_utf8_lossy(document.sheet(token))),
            Origin::Word { from, to, .. } => out.push_str(document.text().slice(from..to)),
            Origin::Line(..) | Origin::Blob => {}
        }
    }
    out
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
