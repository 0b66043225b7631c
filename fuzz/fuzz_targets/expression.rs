//! Any text is an oracle or is refused; an oracle as it is shown is read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_oracle::{Comparator, Comparators, Features, Oracle, TextDetail};

fuzz_target!(|text: &str| {
    let mut comparators = Comparators::default();
    for id in ["mine", "of", "a-1_b+c"] {
        comparators.define(id, Features::text(TextDetail::Words)).expect("the name is free");
    }
    let oracle = match Oracle::parse(text, &comparators) {
        Ok(oracle) => oracle,
        Err(error) => {
            assert!(error.to_string().contains("hint:"));
            return;
        }
    };
    let shown = oracle.to_string();
    let again = Oracle::parse(&shown, &comparators).unwrap_or_else(|e| panic!("`{shown}` is refused: {e}"));
    assert_eq!(again, oracle, "{shown}");
    assert_eq!(again.to_string(), shown);
    // What is left without noise is an oracle like any other.
    let noisy: Vec<Comparator> = oracle.comparators().into_iter().step_by(2).collect();
    let left = oracle.without(&noisy);
    assert_eq!(Oracle::parse(&left.to_string(), &comparators).ok(), Some(left));
});
