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

/// Catches: a change that is another one tomorrow, since today's date stands beside what changed.
#[test]
fn a_date_that_moved_is_no_part_of_what_changed_beside_it() {
    let page = |total: &str, date: &str| format!("<p>Total<p>{total}<p>{date}<p>thanks");
    let (was, is) =
        (page("$59.40", "Wednesday, 18 November 2026"), page("$49.40", "Thursday, 19 November 2026"));
    let total = r#"text "$59.40" became "$49.40" (after "Total")"#;
    assert_eq!(said("C-WD", &was, &is), [total]);
    assert_eq!(
        said("C-W", &was, &is),
        [total, r#"text "Wednesday, 18 November 2026" became "Thursday, 19 November 2026" (after "$59.40")"#]
    );
    // Among other words it is shown as what it is.
    assert_eq!(
        said("C-WD", "<p>on 18 November 2026: $59", "<p>on 19 November 2026: $49"),
        [r#"text "on ⟨date⟩ $59" became "on ⟨date⟩ $49""#]
    );
    // Where nothing else differs, the date is what differs.
    assert_eq!(
        said("C-W", "<p>on 18 November 2026: 1", "<p>on 19 November 2026: 1"),
        [r#"text "on 18 November 2026: 1" became "on 19 November 2026: 1""#]
    );
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
fn links_in_another_order_are_no_edit_to_who_does_not_count_it() {
    let (was, is) = ("<a href=/x>a</a><a href=/z>a</a>", "<a href=/z>a</a><a href=/y>a</a>");
    assert_eq!(said("N+U", was, is), [r#"<a href="/x"> is gone"#, r#"<a href="/y"> appeared"#]);
    assert_eq!(said("N+I", was, is), said("N+U", was, is));
    assert_eq!(said("N+U", "<a href=/x>a</a><a href=/z>a</a>", "<a href=/z>a</a><a href=/x>a</a>"), [""; 0]);
    // The same options, each in the other select.
    let selects = |a: u32, b: u32| {
        format!("<select name=a><option value={a}></select><select name=b><option value={b}></select>")
    };
    assert_eq!(said("N+F", &selects(1, 2), &selects(2, 1)).len(), 2);
}

fn document<'a>(html: &'a str) -> Document<'a> {
    let headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect::<Headers>();
    Document::of(&headers, html.as_bytes())
}

/// Pages of which one thing was edited, and who of those below sees it.
const EDITS: [(&str, &str, &[&str]); 7] = [
    ("<p>Total <b>$42</b></p>", "<p>Total <b>$21</b></p>", &["C", "C-W", "C-WD", "DB", "DB-W", "D"]),
    ("<h1>A</h1><p>b</p>", "<h1>A</h1><p>b</p><p>new</p>", &["C", "C-WD", "DB", "D"]),
    ("<a href=/x id=l>go</a>", "<a href=/y id=l>go</a>", &["N+I", "T", "T-SL", "N+U", "N+I-SL", "DB", "D"]),
    ("<p>a<input name=q></p>", "<p>a<input name=q><input name=r></p>", &["N", "N+I", "T", "N+F", "DB", "D"]),
    ("<p>a</p>", "<p>a</p><hr>", &["N", "N+I", "T", "DB", "D"]),
    ("<input name=q value=1>", "<input name=q value=x>", &["N+I", "T", "N+F", "DB", "D"]),
    ("<style>p{}</style>", "<style>b{}</style>", &["DB", "DB-W", "D"]),
];

/// Catches a comparator that tells the same edit in a way of its own: what was accepted under one oracle would fail under
/// another.
#[test]
fn one_edit_has_one_id_under_every_oracle() {
    for (was, is, comparators) in EDITS {
        let (expected, actual) = (document(was), document(is));
        let ids = |id: &str| -> Vec<String> {
            let found = compare(&Comparator::named(id).unwrap(), &expected, &actual);
            let mut ids: Vec<String> = found.iter().map(|d| format!("{} {d}", d.change_id().0)).collect();
            ids.sort();
            ids
        };
        let first: Vec<String> = ids(comparators[0]);
        assert!(!first.is_empty(), "{was} {is}");
        for id in comparators {
            // Who sees more may see more edits; each that the first sees is among them.
            let all = ids(id);
            assert!(
                first.iter().all(|one| all.contains(one)),
                "{id} of {was} and {is}: {all:?}, not {first:?}"
            );
        }
        let oracle: crate::Oracle = comparators.join(" | ").parse().unwrap();
        let joined = oracle.judge(&expected, &actual);
        let edit = joined.iter().find(|d| first[0].starts_with(&d.change_id().0)).unwrap();
        assert!(comparators.iter().all(|id| edit.is_seen_by(id)), "{:?} of {was}", edit.seen_by);
    }
}

/// Catches an edit that hides behind another one when bytes are compared.
#[test]
fn whoever_compares_bytes_is_told_all_edits() {
    let told = |was, is| said("D", was, is);
    assert_eq!(
        told("<p>1</p><!-- a --><script>f(1)</script>", "<p>2</p><!-- b --><script>f(2)</script>").len(),
        3
    );
    assert_eq!(told("<p>1</p>\n<i class='k'>x</i>\n", "<p>2</p>\n<i class=\"k\">x</i>\n").len(), 2);
    assert_eq!(told("<p>1</p>  <b>x</b>", "<p>2</p> <b>x</b>").len(), 2);
}

/// Other words for a difference change no id: nothing of a sentence is in it.
#[test]
fn other_words_change_no_id() {
    struct Shouted<'a>(&'a restage_model::Difference);
    impl std::fmt::Display for Shouted<'_> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            let restage_model::Difference { place, was, is, .. } = self.0;
            write!(f, "HERE: {place:?}, BEFORE: {was:?}, AFTER: {is:?}")
        }
    }
    for (was, is, comparators) in EDITS {
        for id in comparators {
            for found in compare(&Comparator::named(id).unwrap(), &document(was), &document(is)) {
                assert_ne!(Shouted(&found).to_string(), found.to_string());
                // As data it has no sentence, and back from there it has the same id.
                let data = serde_json::to_value(&found).unwrap();
                assert!(!data.to_string().contains(&serde_json::to_string(&found.to_string()).unwrap()));
                let again: restage_model::Difference = serde_json::from_value(data).unwrap();
                assert_eq!(again.change_id(), found.change_id());
            }
        }
    }
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
