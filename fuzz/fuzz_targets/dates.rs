//! Any text has its dates masked: the same wherever its tags and line ends stand, and never seeing more than the
//! words do. The input is two texts with a line `====` between them; a text alone stands for both.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_model::Headers;
use restage_oracle::{Comparator, Document, compare};

fuzz_target!(|input: &str| {
    let (expected, actual) = input.split_once("\n====\n").unwrap_or((input, input));
    let (masked, words) = (named("C-WD"), named("C-W"));
    for text in [expected, actual] {
        let (plain, tagged) =
            (spaced(text, &[" "]), spaced(text, &["\n", " <b>", "</i>  ", "\t<a href=x> "]));
        let (plain, tagged) = (read(&plain), read(&tagged));
        assert!(!words.differs(&plain, &tagged), "tags make other words");
        assert!(!masked.differs(&plain, &tagged), "tags make other dates");
    }
    let (expected, actual) = (read(expected), read(actual));
    if masked.differs(&expected, &actual) {
        assert!(words.differs(&expected, &actual), "a masked date is seen");
        assert!(!compare(&masked, &expected, &actual).is_empty());
    }
});

fn named(id: &str) -> Comparator {
    Comparator::named(id).expect("it is one of the 22")
}

fn read(text: &str) -> Document<'_> {
    let headers: Headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
    Document::of(&headers, text.as_bytes())
}

/// The words of a text, with what stands for markup left out of them, and other things between them.
fn spaced(text: &str, between: &[&str]) -> String {
    let plain = text.replace(['<', '&', '\0'], "");
    let mut out = String::new();
    for (at, word) in plain.split_ascii_whitespace().enumerate() {
        if at > 0 {
            out.push_str(between[at % between.len()]);
        }
        out.push_str(word);
    }
    out
}
