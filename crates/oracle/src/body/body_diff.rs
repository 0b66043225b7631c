//! What differs inside two answers of one format: pages by the oracle; JSON, XML, text and bytes each in its own way.

use restage_model::Difference;

use crate::body::binary::binary_differences;
use crate::body::format::Format;
use crate::body::json::{JsonRules, json_differences};
use crate::body::plain::plain_differences;
use crate::body::xml::xml_differences;
use crate::comparators::features::TextDetail;
use crate::noise::is_date;
use crate::oracles::expression::Oracle;
use crate::page::document::Document;

/// What differs inside two answers. What is not a page differs where the oracle looks at text and sees that it does,
/// and is told in the way of its format: key order and line breaks mean nothing in JSON.
pub fn insides(
    oracle: &Oracle,
    expected: &Document<'_>,
    actual: &Document<'_>,
    json: JsonRules,
) -> Vec<Difference> {
    if expected.format == Format::Html || expected.format != actual.format {
        return oracle.judge(expected, actual);
    }
    if !oracle.fails(expected, actual) {
        return Vec::new();
    }
    let seen_by: Vec<_> = oracle.comparators().into_iter().filter(|c| c.differs(expected, actual)).collect();
    if seen_by.iter().any(|c| c.features().bytes) {
        // Who asks for the bytes means the bytes.
        let told = typed(expected, actual, json);
        return if told.is_empty() { oracle.judge(expected, actual) } else { told };
    }
    let sees_dates = seen_by.iter().any(|c| c.features().text > TextDetail::WordsWithoutDates);
    let mut told = typed(expected, actual, json);
    told.retain(|d| sees_dates || !(is_date(d.expected()) && is_date(d.actual())));
    told
}

/// Whether [`insides`] has anything to say.
pub fn differ_inside(
    oracle: &Oracle,
    expected: &Document<'_>,
    actual: &Document<'_>,
    json: JsonRules,
) -> bool {
    // Of pages it need not be put into words.
    oracle.fails(expected, actual)
        && (expected.format == Format::Html || !insides(oracle, expected, actual, json).is_empty())
}

/// What differs between two bodies that are no pages, in the way of their format.
pub(crate) fn typed(expected: &Document<'_>, actual: &Document<'_>, json: JsonRules) -> Vec<Difference> {
    let (was, is) = (expected.bytes(), actual.bytes());
    match expected.format {
        Format::Json => json_differences(was, is, json),
        Format::Xml => xml_differences(was, is),
        Format::Text => plain_differences(was, is),
        Format::Html | Format::Binary => binary_differences(was, is),
    }
}

#[cfg(test)]
mod tests {
    use restage_model::Headers;

    use super::*;

    fn said(kind: &str, oracle: &str, expected: &str, actual: &str) -> Vec<String> {
        let headers: Headers = [("content-type".to_owned(), kind.to_owned())].into_iter().collect();
        let (e, a) = (Document::of(&headers, expected.as_bytes()), Document::of(&headers, actual.as_bytes()));
        let differences = insides(&oracle.parse().unwrap(), &e, &a, JsonRules::default());
        differences.into_iter().map(|d| d.to_string()).collect()
    }

    #[test]
    fn json_differs_by_its_values() {
        let json = "application/json";
        let default = "C-WD | N+I";
        assert_eq!(said(json, default, r#"{"a":1,"b":2}"#, r#"{ "b": 2, "a": 1 }"#), [""; 0]);
        assert_eq!(said(json, default, r#"{"a":1}"#, r#"{"a":2}"#), ["$.a was 1, is 2"]);
        assert_eq!(said(json, "N+I", r#"{"a":1}"#, r#"{"a":2}"#), [""; 0]);
        assert_eq!(said(json, "D", r#"{"a":1}"#, r#"{"a": 1}"#).len(), 1);
    }

    #[test]
    fn dates_differ_only_to_those_who_see_them() {
        let (was, is) = (r#"{"a":"2026-11-15T10:00:00Z","n":1}"#, r#"{"a":"2026-11-16T11:30:00Z","n":1}"#);
        assert_eq!(said("application/json", "C-WD", was, is), [""; 0]);
        assert_eq!(said("application/json", "C-W", was, is).len(), 1);
    }

    #[test]
    fn other_formats_are_told_in_their_own_way() {
        let default = "C-WD | N+I";
        assert_eq!(said("text/plain", default, "a\nb\n", "a\nc\n"), [r#"line 2 "b" became "c""#]);
        assert_eq!(
            said("application/rss+xml", default, "<a><b>1</b></a>", "<a> <b>2</b></a>"),
            [r#"/a/b text "1" became "2""#]
        );
        assert_eq!(said("image/png", default, "abc", "abcd"), ["content of 3 bytes became 4 bytes"]);
    }
}
