use proptest::prelude::*;

use super::*;

const UNORDERED: JsonRules = JsonRules { unordered: true, tolerance: 0.0 };
const NEAR: JsonRules = JsonRules { unordered: false, tolerance: 0.01 };
const LOOSE: JsonRules = JsonRules { unordered: true, tolerance: 0.01 };

fn said(expected: &str, actual: &str, rules: JsonRules) -> Vec<String> {
    let found = json_differences(expected.as_bytes(), actual.as_bytes(), rules);
    found.into_iter().map(|d| d.to_string()).collect()
}

fn exactly(expected: &str, actual: &str) -> Vec<String> {
    said(expected, actual, JsonRules::default())
}

#[test]
fn values_are_named_by_their_path() {
    assert_eq!(
        exactly(
            r#"{"items":[{"id":1,"price":5},{"id":2,"price":1},{"id":3,"price":12.5}],"user":{"email":"a@b"}}"#,
            r#"{"items":[{"id":1,"price":5},{"id":2,"price":1},{"id":3,"price":13}],"user":{},"tags":[]}"#,
        ),
        ["$.items[2].price was 12.5, is 13", "$.tags appeared", "$.user.email is gone"]
    );
    assert_eq!(
        exactly(r#"{"a b":1,"":2,"7":3}"#, r#"{"a b":2,"":3,"7":4}"#),
        [r#"$[""] was 2, is 3"#, r#"$["7"] was 3, is 4"#, r#"$["a b"] was 1, is 2"#,]
    );
    assert_eq!(exactly("1", "2"), ["$ was 1, is 2"]);
}

#[test]
fn kinds_change() {
    assert_eq!(exactly(r#"{"a":1}"#, r#"{"a":"1"}"#), [r#"$.a was the number 1, is the text "1""#]);
    assert_eq!(exactly(r#"{"a":null}"#, r#"{"a":[1]}"#), ["$.a was null, is [1]"]);
    assert_eq!(exactly("[]", "{}"), ["$ was the array [], is the object {}"]);
    assert_eq!(exactly("[true]", "[false]"), ["$[0] was true, is false"]);
}

#[test]
fn an_element_put_in_is_one_difference() {
    assert_eq!(exactly("[1,2,3,4]", "[0,1,2,3,4]"), ["$[0] appeared"]);
    assert_eq!(exactly("[1,2,3,4]", "[1,2,4]"), ["$[2] is gone"]);
    // The one that was changed is told from the one that was put in by its id.
    assert_eq!(
        exactly(
            r#"[{"id":1,"n":1},{"id":2,"n":1},{"id":3,"n":1}]"#,
            r#"[{"id":9,"n":1},{"id":1,"n":1},{"id":2,"n":5},{"id":3,"n":1}]"#,
        ),
        ["$[0] appeared", "$[1].n was 1, is 5"]
    );
}

#[test]
fn arrays_may_be_multisets() {
    assert!(said("[1,[2,3],3]", "[3,1,[3,2]]", UNORDERED).is_empty());
    assert_eq!(said("[1,2,2]", "[2,1]", UNORDERED), ["$[2] is gone"]);
    assert_eq!(
        said(r#"[{"id":1,"n":1},{"id":2,"n":2}]"#, r#"[{"id":2,"n":3},{"id":1,"n":1}]"#, UNORDERED),
        ["$[1].n was 2, is 3"]
    );
    assert_eq!(exactly("[1,2]", "[2,1]").len(), 2);
}

#[test]
fn numbers_are_what_they_are_worth() {
    assert!(exactly(r#"{"a":1.0,"b":1e2,"c":-0}"#, r#"{"c":0,"b":100,"a":1}"#).is_empty());
    assert_eq!(exactly("12345678901234567890123", "12345678901234567890124").len(), 1);
    assert_eq!(exactly("0.1", "0.10000000000000000001").len(), 1);
    assert!(said("[100, 200]", "[100.5, 199]", NEAR).is_empty());
    assert_eq!(said("[100, 200]", "[100.5, 190]", NEAR), ["$[1] was 200, is 190"]);
    assert_eq!(said("[10, 20, 30]", "[10.01, 77, 20.01, 30.01]", NEAR), ["$[1] appeared"]);
    assert!(said("[100, 200]", "[199, 100.5]", LOOSE).is_empty());
}

#[test]
fn keys_may_come_twice() {
    assert!(exactly(r#"{"a":1,"a":2}"#, r#"{ "a":1, "a":2 }"#).is_empty());
    assert_eq!(exactly(r#"{"a":1,"a":2}"#, r#"{"a":1,"a":3}"#), ["$.a(2) was 2, is 3"]);
    assert_eq!(exactly(r#"{"a":1,"a":2}"#, r#"{"a":1}"#), ["$.a(2) is gone"]);
}

#[test]
fn what_is_not_json_is_said_with_its_place() {
    assert_eq!(
        exactly("{\"a\":1}", "{\"a\":\n oops}"),
        ["no longer valid JSON: expected value at line 2 column 2"]
    );
    assert_eq!(exactly("", "1"), ["now valid JSON; was not: EOF while parsing a value at line 1 column 0"]);
    assert_eq!(exactly("oops\nsame", "ouch\nsame"), [r#"line 1 "oops" became "ouch""#]);
    assert!(exactly("oops\n", "oops").is_empty());
}

#[test]
fn what_nests_too_deep_is_text() {
    let deep = |inside: &str| format!("{}{inside}{}", "[".repeat(50_000), "]".repeat(50_000));
    assert_eq!(exactly(&deep("1"), &deep("2")).len(), 1);
    assert!(exactly(&deep("1"), &deep("1")).is_empty());
    assert_eq!(exactly(&deep("1"), "[]").len(), 1);
    let followed = |inside: &str| format!("{}{inside}{}", "[".repeat(120), "]".repeat(120));
    assert_eq!(exactly(&followed("1"), &followed("2")), [format!("${} was 1, is 2", "[0]".repeat(120))]);
}

#[test]
fn many_differences_are_counted() {
    let list = |from: usize| format!("{:?}", (from..from + 1000).collect::<Vec<_>>());
    let found = exactly(&list(0), &list(5000));
    assert_eq!(found.len(), 201);
    assert_eq!(found[200], "and 800 more");
}

#[test]
fn big_lists_are_lined_up_in_time() {
    let list = |step: usize| format!("{:?}", (0..200_000).map(|n| n * step).collect::<Vec<_>>());
    for rules in [JsonRules::default(), UNORDERED, NEAR, LOOSE] {
        assert!(!said(&list(3), &list(5), rules).is_empty());
    }
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "[0-3]",
        "1\\.0[0-9]",
        "\"[ab]{0,2}\"",
        Just("99999999999999999999".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(("[ab]|id", inner), 0..4).prop_map(|entries| {
                let entries: Vec<String> =
                    entries.into_iter().map(|(k, v)| format!("\"{k}\": {v}")).collect();
                format!("{{{}}}", entries.join(","))
            }),
        ]
    })
}

fn rules() -> impl Strategy<Value = JsonRules> {
    prop::sample::select(vec![JsonRules::default(), UNORDERED, NEAR, LOOSE])
}

proptest! {
    #[test]
    fn a_body_is_the_same_as_itself_however_it_is_spaced(body in json(), rules in rules()) {
        prop_assert_eq!(said(&body, &body.replace(' ', "\n  "), rules), Vec::<String>::new());
    }

    #[test]
    fn whether_there_is_a_difference_is_symmetric(a in json(), b in json(), rules in rules()) {
        prop_assert_eq!(said(&a, &b, rules).is_empty(), said(&b, &a, rules).is_empty());
        let (x, y) = (Node::read(a.as_bytes(), rules.unordered).unwrap(), Node::read(b.as_bytes(), rules.unordered).unwrap());
        prop_assert_eq!(said(&a, &b, rules).is_empty(), same(&x, &y, rules));
    }

    #[test]
    fn looser_rules_see_no_more(a in json(), b in json()) {
        if exactly(&a, &b).is_empty() {
            prop_assert!(said(&a, &b, UNORDERED).is_empty() && said(&a, &b, NEAR).is_empty());
        }
        if said(&a, &b, NEAR).is_empty() || said(&a, &b, UNORDERED).is_empty() {
            prop_assert!(said(&a, &b, LOOSE).is_empty());
        }
    }

    #[test]
    fn any_bytes_are_compared(a in prop::collection::vec(any::<u8>(), 0..60), b in prop::collection::vec(any::<u8>(), 0..60), rules in rules()) {
        let there = json_differences(&a, &b, rules);
        prop_assert_eq!(there.is_empty(), json_differences(&b, &a, rules).is_empty());
        prop_assert!(json_differences(&a, &a, rules).is_empty());
    }

    #[test]
    fn nearly_json_is_compared(a in "[\\[\\]{}\",:0-9eE.\\\\un+ -]{0,40}", b in "[\\[\\]{}\",:0-9eE.\\\\un+ -]{0,40}") {
        let there = exactly(&a, &b);
        prop_assert_eq!(there.is_empty(), exactly(&b, &a).is_empty());
    }
}
