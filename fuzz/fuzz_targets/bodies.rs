//! Any two bodies are compared as JSON, as XML, as lines and as bytes: nothing of the same, and the same verdict
//! both ways round. The input is two bodies with a line `====` between them; a body alone is compared with
//! itself, a piece of it left out.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_fuzz::pair;
use restage_oracle::{JsonRules, binary_differences, json_differences, plain_differences, xml_differences};

fuzz_target!(|input: &[u8]| {
    let (expected, actual) = pair(input);
    for unordered in [false, true] {
        for tolerance in [0.0, 0.01] {
            let rules = JsonRules { unordered, tolerance };
            check("JSON", &expected, &actual, |a, b| json_differences(a, b, rules).is_empty());
        }
    }
    check("XML", &expected, &actual, |a, b| xml_differences(a, b).is_empty());
    check("text", &expected, &actual, |a, b| plain_differences(a, b).is_empty());
    check("bytes", &expected, &actual, |a, b| binary_differences(a, b).is_empty());
});

fn check(kind: &str, a: &[u8], b: &[u8], same: impl Fn(&[u8], &[u8]) -> bool) {
    assert!(same(a, a) && same(b, b), "{kind} differs from itself");
    assert_eq!(same(a, b), same(b, a), "{kind}: not the same verdict both ways round");
}
