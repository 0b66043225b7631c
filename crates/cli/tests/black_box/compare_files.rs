//! `restage compare-files`: two files, two folders; for people and for machines.

use std::path::Path;

use crate::support::{project, run, stderr, stdout};

const CART: &str =
    "<html><body><p>Total $42.00</p><form action=/buy><input name=q value=1></form></body></html>";

/// Runs with `--json`: the exit code, and what each line says.
fn lines(folder: &Path, args: &[&str]) -> (Option<i32>, Vec<serde_json::Value>) {
    let output = run(folder, &[&["compare-files", "--json"], args].concat());
    let lines = stdout(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    (output.status.code(), lines)
}

#[test]
fn two_files() {
    let changed = CART.replace("$42.00", "$21.00").replace("value=1", "value=2");
    let folder = project(&[("old.html", CART), ("new.html", &changed), ("copy.html", CART)]);
    let folder = folder.path();
    let output = run(folder, &["compare-files", "old.html", "new.html"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        stdout(&output),
        r#"new.html: fail by 16 of 22
  D    DB   DB-W C    C-W  C-WD T    T-S  T-SL N    N-S
  fail fail fail fail fail fail fail fail fail pass pass
  N-SL N+I  N+I-S N+I-SL N+U  N-S+U N-SL+U N+F  N+F-Sel N-SL+F N-SL+F-Sel
  pass fail fail  fail   pass pass  pass   fail fail    fail   fail
  - text "Total $42.00" became "Total $21.00"  [C-WD]
      expected  Total $42.00
      actual    Total $21.00
  - value of <input> "q" became "2", was "1"  [N+I]
      expected  1
      actual    2
1 pair compared by every comparator: 0 pass, 1 fail
"#
    );
    let output = run(folder, &["compare-files", "old.html", "copy.html"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        "copy.html: pass by all 22\n1 pair compared by every comparator: 1 pass, 0 fail\n"
    );
    let output = run(folder, &["compare-files", "old.html", "new.html", "--oracle", "N | N+U"]);
    assert_eq!(output.status.code(), Some(0), "the oracle alone decides");
    assert!(stdout(&output).starts_with("new.html: pass\n"), "{}", stdout(&output));
}

#[test]
fn what_the_default_does_not_see_is_told_by_what_sees_it() {
    let folder = project(&[
        ("e/comment.html", "<p>a<!-- 1 -->"),
        ("a/comment.html", "<p>a<!-- 2 -->"),
        ("e/date.html", "<p>15 November 2026"),
        ("a/date.html", "<p>16 November 2026"),
        ("e/style.html", "<p class=x>a"),
        ("a/style.html", "<p class=y>a"),
    ]);
    let (code, lines) = lines(folder.path(), &["e", "a"]);
    assert_eq!(code, Some(1));
    let seen: Vec<(&str, &str)> = lines
        .iter()
        .map(|l| (l["path"].as_str().unwrap(), l["differences"][0]["seen_by"].as_str().unwrap()))
        .collect();
    assert_eq!(seen, [("comment.html", "D"), ("date.html", "C-W"), ("style.html", "T")]);
}

#[test]
fn two_folders_for_machines() {
    let folder = project(&[
        ("e/a.html", CART),
        ("a/a.html", CART),
        ("e/sub/b.json", r#"{"n": 1}"#),
        ("a/sub/b.json", r#"{"n": 2}"#),
        ("e/gone.html", CART),
        ("a/new.html", CART),
        ("e/picture.png", "\u{1}a"),
        ("a/picture.png", "\u{1}b"),
    ]);
    let (code, all) = lines(folder.path(), &["e", "a"]);
    assert_eq!(code, Some(1));
    let paths: Vec<&str> = all.iter().map(|l| l["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["a.html", "gone.html", "new.html", "picture.png", "sub/b.json"]);
    for line in &all {
        assert_eq!(line["verdicts"].as_object().unwrap().len(), 22, "{line}");
    }
    assert!(all[0]["verdicts"].as_object().unwrap().values().all(|v| v == "pass"));
    assert_eq!(all[0]["differences"].as_array().unwrap().len(), 0);
    assert_eq!(all[1]["differences"][0]["summary"], "the file is gone");
    assert_eq!(all[2]["differences"][0]["summary"], "the file appeared");
    assert_eq!((&all[3]["verdicts"]["D"], &all[3]["verdicts"]["N"]), (&"fail".into(), &"pass".into()));
    assert_eq!(all[4]["verdicts"]["C-WD"], "fail");

    let (code, by_oracle) = lines(folder.path(), &["e", "a", "--oracle", "2 of (D, N, T)"]);
    assert_eq!(code, Some(1));
    let said: Vec<&str> = by_oracle.iter().map(|l| l["verdict"].as_str().unwrap()).collect();
    assert_eq!(said, ["pass", "fail", "fail", "pass", "pass"]);
    assert_eq!(by_oracle[0]["oracle"], "2 of (D, N, T)");
    assert!(by_oracle[0].get("verdicts").is_none());

    let (code, _) = lines(folder.path(), &["e", "e"]);
    assert_eq!(code, Some(0));
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = project(&[("a.html", CART), ("e/a.html", CART)]);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for (args, said) in [
        (&["a.html", "none.html"][..], "cannot read none.html: No such file"),
        (&["e", "none"], "cannot read none: No such file"),
        (&["e", "a.html"], "e is a folder and a.html is not"),
        (&["empty", "empty"], "there are no files in empty and empty"),
        (&["a.html", "a.html", "--oracle", "C-WD |"], "at character 7: a comparator is missing"),
        (&["a.html", "a.html", "--oracle", "3 of (D, T)"], "at character 1: 3 of 2 cannot be"),
    ] {
        let output = run(folder.path(), &[&["compare-files"], args].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(said) && text.contains("\n  hint: "), "{args:?}: {text}");
    }
}

#[test]
fn comparators_of_the_project_can_be_named() {
    let config = "[comparators.shape]\ntext = \"words\"\ntags = \"names\"\nstyle = false\nin-place = true\n";
    let folder = project(&[
        ("restage.toml", config),
        ("e.html", "<p>a <b>b</b><p>c"),
        ("style.html", "<p>a b<p>c"),
        ("moved.html", "<p>a<p>b c"),
    ]);
    let code = |args: &[&str]| run(folder.path(), &[&["compare-files"], args].concat()).status.code();
    assert_eq!(code(&["e.html", "style.html", "--oracle", "shape"]), Some(0));
    assert_eq!(code(&["e.html", "moved.html", "--oracle", "shape"]), Some(1), "the words stand elsewhere");
    assert_eq!(code(&["e.html", "moved.html", "--oracle", "C-W | N-S"]), Some(0));
    let (_, lines) = lines(folder.path(), &["e.html", "moved.html"]);
    assert_eq!(lines[0]["verdicts"]["shape"], "fail");
    let output = run(folder.path(), &["compare-files", "e.html", "e.html", "--oracle", "shap"]);
    assert!(stderr(&output).contains("N-SL+F-Sel, shape;"), "{}", stderr(&output));
}

#[test]
fn json_is_compared_by_its_values() {
    let folder = project(&[
        ("old.json", r#"{"items":[{"id":1,"price":10.0},{"id":2,"price":5}],"at":"2026-11-15T10:00:00Z"}"#),
        (
            "same.json",
            r#"{ "at": "2026-11-15T10:00:00Z", "items": [{"price":10.0,"id":1},{"id":2,"price":5}] }"#,
        ),
        ("new.json", r#"{"items":[{"id":2,"price":5},{"id":1,"price":10.01}],"at":"2026-11-16T09:00:00Z"}"#),
    ]);
    let folder = folder.path();
    let by = |args: &[&str]| run(folder, &[&["compare-files", "--oracle", "C-WD | N+I"], args].concat());
    assert_eq!(by(&["old.json", "same.json"]).status.code(), Some(0));
    let strict = by(&["old.json", "new.json"]);
    assert_eq!(strict.status.code(), Some(1));
    let loose = by(&["old.json", "new.json", "--unordered", "--tolerance", "0.01"]);
    assert_eq!(loose.status.code(), Some(0), "{}", stdout(&loose));
    let unordered = stdout(&by(&["old.json", "new.json", "--unordered"]));
    assert!(unordered.contains(".price was 10.0, is 10.01"), "{unordered}");
    assert!(!unordered.contains("$.at"), "dates do not count by C-WD: {unordered}");
}
