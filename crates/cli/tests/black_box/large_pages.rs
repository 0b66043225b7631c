//! Pages larger than anyone serves, compared with edited copies of themselves: it ends, and says something sane. Each
//! of these took minutes, or more memory than there is, when differences were looked for in the square of their number.

use std::fmt::Write;

use serde_json::Value;

use crate::support::{project, run, stdout};

const SIZE: usize = 50_000_000;

/// A page of many pieces, each made from its number; and the same with one piece in twenty edited.
fn pages(mut piece: impl FnMut(&mut String, usize, usize)) -> (String, String) {
    let (mut expected, mut actual) = (String::new(), String::new());
    for page in [&mut expected, &mut actual] {
        page.push_str("<!DOCTYPE html><html><body>");
    }
    for number in 0.. {
        piece(&mut expected, number, number);
        piece(&mut actual, number, if number % 20 == 7 { number + 1_000_000_000 } else { number });
        if expected.len() > SIZE {
            break;
        }
    }
    (expected, actual)
}

/// Compares two pages by all comparators, and says what the default oracle finds; the verdicts and the differences.
fn compare(name: &str, (expected, actual): (String, String)) -> (Value, Vec<Value>) {
    let folder = project(&[("expected.html", &expected), ("actual.html", &actual)]);
    drop((expected, actual));
    let output = run(folder.path(), &["compare-files", "--json", "expected.html", "actual.html"]);
    assert_eq!(output.status.code(), Some(1), "{name}");
    assert!(output.stdout.len() < 2_000_000, "{name}: {} bytes are said", output.stdout.len());
    let mut line: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let Value::Array(differences) = line["differences"].take() else { panic!("{name} has no differences") };
    assert!(differences.len() <= 2 * 201, "{name}: {} differences are told", differences.len());
    (line["verdicts"].take(), differences)
}

fn summaries(differences: &[Value]) -> Vec<&str> {
    differences.iter().map(|d| d["summary"].as_str().unwrap()).collect()
}

// One after another: each takes a gigabyte.
#[test]
fn pages_of_fifty_megabytes_are_compared() {
    text();
    table();
    tags();
    attribute();
    nested();
    for_people();
}

fn text() {
    let words = pages(|page, number, shown| write!(page, "word{} in {shown} ", number % 5_000).unwrap());
    let (verdicts, differences) = compare("text", words);
    assert_eq!((&verdicts["C-WD"], &verdicts["T"]), (&"fail".into(), &"pass".into()));
    // It is all one line.
    assert_eq!(differences.len(), 1, "{:?}", summaries(&differences));
}

fn table() {
    let rows = pages(|page, number, shown| {
        writeln!(
            page,
            "<tr><td>{number}<td><a href='/b/{shown}'>Book {shown}</a><td><input name=q{number} value=1>"
        )
        .unwrap();
    });
    let (verdicts, differences) = compare("table", rows);
    assert_eq!(
        (&verdicts["C-WD"], &verdicts["N+U"], &verdicts["N"]),
        (&"fail".into(), &"fail".into(), &"pass".into())
    );
    let said = summaries(&differences);
    assert_eq!(said.len(), 402);
    assert_eq!(said[0], r#"text "Book 7" became "Book 1000000007" (after "7")"#);
    assert_eq!(said[200], r#"href of <a> became "/b/1000000007", was "/b/7""#);
    assert!(
        said[400..].iter().all(|more| more.starts_with("and ") && more.ends_with(" more")),
        "{:?}",
        &said[400..]
    );
}

fn tags() {
    let tags = pages(|page, number, shown| {
        let tag = if shown == number { "p" } else { "div" };
        write!(page, "<{tag} class=k{}><b>x{}</b></{tag}>", number % 7, number % 100).unwrap();
    });
    let (verdicts, differences) = compare("tags", tags);
    assert_eq!((&verdicts["N-SL"], &verdicts["C-WD"]), (&"fail".into(), &"pass".into()));
    assert!(!differences.is_empty());
}

fn attribute() {
    let long = |middle: &str| {
        let half = "x y ".repeat(SIZE / 8);
        format!("<html><body><a href='{half}{middle}{half}'>go</a></body></html>")
    };
    let (_, differences) = compare("attribute", (long("1"), long("2")));
    assert_eq!(differences.len(), 1);
    // Not the whole of it, but what differs.
    let held = differences[0]["actual"].as_str().unwrap();
    assert!(held.contains("y 2x") && held.len() < 20_000, "{} bytes", held.len());
    let many = |value: &str| {
        let attributes: Vec<String> = (0..1_000_000).map(|n| format!("a{n}={n}")).collect();
        format!("<html><body><p {} last={value}>x</p></body></html>", attributes.join(" "))
    };
    let (verdicts, _) = compare("attributes", (many("1"), many("2")));
    assert_eq!((&verdicts["T"], &verdicts["N+I"]), (&"fail".into(), &"pass".into()));
}

fn nested() {
    let nested = |tag: &str| {
        let (open, close) = ("<div>".repeat(500_000), "</div>".repeat(500_000));
        format!("<html><body>{open}<{tag}>{open}x{close}</{tag}>{close}</body></html>")
    };
    let (verdicts, differences) = compare("nested", (nested("p"), nested("ul")));
    assert_eq!((&verdicts["N"], &verdicts["C"]), (&"fail".into(), &"pass".into()));
    assert_eq!(summaries(&differences), ["<p> became <ul>"]);
}

/// What is printed fits a terminal.
fn for_people() {
    let (expected, actual) = pages(|page, _, shown| writeln!(page, "<p>item {shown}</p>").unwrap());
    let folder = project(&[("expected.html", &expected), ("actual.html", &actual)]);
    let output = run(folder.path(), &["compare-files", "expected.html", "actual.html"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stdout(&output);
    assert!(said.lines().count() < 80, "{}", said.lines().count());
    assert!(said.contains(r#"text "item 7" became "item 1000000007""#), "{said}");
}
