//! Any bytes are searched for errors: each is told once, and none is new beside the same page.

#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use restage_oracle::{find_errors, new_errors};

fuzz_target!(|text: &[u8]| {
    let found = find_errors(text);
    let distinct: HashSet<_> = found.iter().collect();
    assert_eq!(distinct.len(), found.len(), "an error twice");
    assert!(new_errors(text, text).is_empty());
    assert_eq!(new_errors(b"", text).is_empty(), found.is_empty());
});
