//! Any bytes are a page: the tokens keep what they promise, and the quick look at links and forms sees what the
//! tokenizer sees.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_html::{Page, Token, Tokens};

fuzz_target!(|html: &[u8]| {
    let tokens = Tokens::of(html);
    assert_eq!(tokens.iter().count(), tokens.len());
    let mut after_text = false;
    for token in tokens.iter() {
        let is_text = matches!(token, Token::Text(_));
        assert!(!(is_text && after_text), "two texts in a row");
        after_text = is_text;
        match token {
            Token::Text(text) => assert!(!text.is_empty(), "an empty text"),
            Token::Open { name, attrs, .. } => {
                assert!(!name.iter().any(u8::is_ascii_uppercase), "a name in upper case");
                let mut names: Vec<&[u8]> = attrs.iter().map(|(name, _)| name).collect();
                let all = names.len();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), all, "an attribute twice");
            }
            Token::Close { .. } | Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    assert_eq!(Page::of(html), Page::from_tokens(&tokens));
});
