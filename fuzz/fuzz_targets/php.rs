//! Any bytes are read as PHP: nothing panics, and a second analysis finds the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_analysis::{Options, Source, analyze};

fuzz_target!(|content: &[u8]| {
    let sources = [Source { path: "a.php".to_owned(), content: content.to_vec() }];
    let options = Options { threads: 1, ..Options::default() };
    assert_eq!(analyze(&sources, options), analyze(&sources, options));
});
