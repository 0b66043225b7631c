//! Any bytes are looked through for secrets, in an address, as a form and as a page: always with the same stand-ins.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use restage_model::Headers;
use restage_redact::{Redactor, Rules, StandIns, Texts};

static RULES: LazyLock<Rules> = LazyLock::new(Rules::default);

fuzz_target!(|text: &[u8]| {
    let once = redacted(text, &mut redactor());
    assert_eq!(once, redacted(text, &mut redactor()));
});

fn redactor() -> Redactor {
    Redactor::recording(RULES.clone(), StandIns::of_text("a key"))
}

fn redacted(text: &[u8], redactor: &mut Redactor) -> (String, Vec<u8>, Vec<u8>) {
    let typed = |kind: &str| -> Headers { [("content-type".to_owned(), kind.to_owned())].into_iter().collect() };
    let mut uri = format!("/?{}", String::from_utf8_lossy(&text[..text.len().min(100)]));
    let (mut form, mut page) = (text.to_vec(), text.to_vec());
    redactor.redact_texts(&mut Texts {
        uri: &mut uri,
        headers: &mut typed("application/x-www-form-urlencoded"),
        body: &mut form,
        response: Some((&mut typed("text/html"), &mut page)),
    });
    (uri, form, page)
}
