//! Large bodies of few different things, edited at very many places: the diff took time in the square of their number.

use restage_oracle::{JsonRules, json_differences, plain_differences, xml_differences};

const MEMBERS: usize = 200_000;

/// A member of the body of that number, and of the edited body.
fn members(show: impl Fn(usize) -> String, between: &str) -> (String, String) {
    let expected: Vec<String> = (0..MEMBERS).map(|n| show(n * n / 7 % 3)).collect();
    let edited = |(n, member): (usize, &String)| if n % 20 == 7 { show(n % 5) } else { member.clone() };
    let actual: Vec<String> = expected.iter().enumerate().map(edited).collect();
    (expected.join(between), actual.join(between))
}

#[test]
fn lists_are_lined_up_in_time() {
    let (expected, actual) = members(|n| n.to_string(), ",");
    let (expected, actual) = (format!("[{expected}]"), format!("[{actual}]"));
    for rules in [
        JsonRules::default(),
        JsonRules { unordered: true, tolerance: 0.0 },
        JsonRules { unordered: false, tolerance: 0.1 },
        JsonRules { unordered: true, tolerance: 0.1 },
    ] {
        let found = json_differences(expected.as_bytes(), actual.as_bytes(), rules);
        assert_eq!(found.len(), 201, "{rules:?}");
    }
}

#[test]
fn elements_are_lined_up_in_time() {
    let (expected, actual) = members(|n| format!("<i>{n}</i>"), "");
    let (expected, actual) = (format!("<l>{expected}</l>"), format!("<l>{actual}</l>"));
    assert_eq!(xml_differences(expected.as_bytes(), actual.as_bytes()).len(), 201);
}

#[test]
fn lines_are_lined_up_in_time() {
    let (expected, actual) = members(|n| format!("line {n}"), "\n");
    assert_eq!(plain_differences(expected.as_bytes(), actual.as_bytes()).len(), 201);
}
