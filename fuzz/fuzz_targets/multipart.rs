//! Any bytes are read as a form of several parts: nothing panics; a form that is written again as it was read has the same
//! fields; and one whose fields are changed has the changed ones.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_model::{Headers, Multipart};

fuzz_target!(|body: &[u8]| {
    // The first line of the body is its boundary, as browsers write it.
    let line = body.split(|byte| *byte == b'\r' || *byte == b'\n').next().unwrap_or_default();
    let Some(boundary) = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("--")) else { return };
    if boundary.trim_matches('"') != boundary || boundary.trim() != boundary || boundary.contains(';') {
        return;
    }
    let kind = format!("multipart/form-data; boundary={boundary}");
    let headers: Headers = [("content-type".to_owned(), kind)].into_iter().collect();
    let Some(form) = Multipart::parse(&headers, body) else { return };
    let params = form.params();
    for written in [form.map(|_, _| None), form.with(&params)] {
        let again = Multipart::parse(&headers, &written).expect("what was written is a form");
        assert_eq!(again.params().pairs(), params.pairs());
    }
});
