//! What is told of pages.

use restage_model::Headers;

use super::*;
use crate::comparators::comparator::compare;

fn said(comparator: &str, expected: &str, actual: &str) -> Vec<String> {
    let headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect::<Headers>();
    let comparator = Comparator::named(comparator).unwrap();
    let found = compare(
        &comparator,
        &Document::of(&headers, expected.as_bytes()),
        &Document::of(&headers, actual.as_bytes()),
    );
    found.into_iter().map(|d| d.to_string()).collect()
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
