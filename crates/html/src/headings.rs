//! The headings of a page.

use crate::tokens::{Token, Tokens};

/// The texts of a page's headings, in order, at most so many.
pub fn headings(html: &[u8], most: usize) -> Vec<String> {
    let mut headings = Vec::new();
    let mut open: Option<String> = None;
    for token in Tokens::of(html).iter() {
        match token {
            Token::Open { name, .. } if is_heading(name) => open = Some(String::new()),
            Token::Close { name } if is_heading(name) => {
                let text = open.take().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
                if !text.is_empty() {
                    headings.push(text);
                }
            }
            Token::Text(text) => {
                if let Some(open) = &mut open {
                    open.push_str(&String::from_utf8_lossy(text));
                    open.push(' ');
                }
            }
            _ => {}
        }
        if headings.len() == most {
            break;
        }
    }
    headings
}

fn is_heading(name: &[u8]) -> bool {
    matches!(name, [b'h', b'1'..=b'6'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_texts_in_order() {
        let html = b"<h1>Your <b>cart</b></h1><p>x</p><h2> </h2><h3>Books\n in it</h3><h4>last</h4>";
        assert_eq!(headings(html, 2), ["Your cart", "Books in it"]);
        assert_eq!(headings(html, 9).len(), 3);
    }
}
