//! Any bytes are read as a HAR file: nothing panics, no entry is read as more than one exchange, and a second reading
//! finds the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_capture::import::parse::har_file;

fuzz_target!(|file: &[u8]| {
    let parsed = har_file(file).expect("only a store can fail an import");
    let again = har_file(file).expect("only a store can fail an import");
    assert_eq!(format!("{parsed:?}"), format!("{again:?}"));
    if let Ok(har) = serde_json::from_slice::<serde_json::Value>(file) {
        let entries = har["log"]["entries"].as_array().map_or(0, Vec::len);
        assert!(parsed.exchanges.len() <= entries || has_twice(file));
    }
});

/// Whether a key may be in the file twice: serde_json keeps the last of them, the reader takes both.
fn has_twice(file: &[u8]) -> bool {
    let count = |key: &[u8]| file.windows(key.len()).filter(|window| *window == key).count();
    count(b"entries") > 1 || count(b"log") > 1 || file.contains(&b'\\')
}
