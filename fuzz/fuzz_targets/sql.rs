//! Any text is classified as SQL: nothing panics, no table is without a name, and keys change nothing else.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_analysis::sql::{Dialect, classify, classify_with_keys};

fuzz_target!(|text: &str| {
    for dialect in [Dialect::MySql, Dialect::Postgres, Dialect::Sqlite] {
        let statements = classify(text, dialect);
        let mut with_keys = classify_with_keys(text, dialect);
        with_keys.iter_mut().for_each(|statement| statement.keys.clear());
        assert_eq!(statements, with_keys);
    }
});
