//! How much of a page is under its masks.

use restage_html::{Token, Tokens};
use restage_model::MaskedShare;

/// The share of a page's text and tags that is not looked at, of the page as it came and as masks leave it.
pub(crate) fn share(page: &Tokens, masked: &Tokens) -> MaskedShare {
    let (all, left) = (Amount::of(page), Amount::of(masked));
    let share = |all: usize, left: usize| match all {
        0 => 0,
        all => u16::try_from(all.saturating_sub(left) * 1000 / all).unwrap_or(1000),
    };
    MaskedShare { text: share(all.text, left.text), tags: share(all.tags, left.tags) }
}

/// What a page has that is not a stand-in.
#[derive(Default)]
struct Amount {
    /// Characters but white space.
    text: usize,
    tags: usize,
}

impl Amount {
    fn of(tokens: &Tokens) -> Self {
        let mut amount = Self::default();
        for token in tokens.iter() {
            match token {
                Token::Open { attrs, .. } => {
                    let masked = attrs.iter().any(|(_, value)| holds_stand_in(value));
                    amount.tags += usize::from(!masked);
                }
                Token::Text(text) => amount.text += letters(&String::from_utf8_lossy(text)),
                _ => {}
            }
        }
        amount
    }
}

fn holds_stand_in(value: &[u8]) -> bool {
    // Most values have no sign of more than one byte.
    !value.is_ascii() && String::from_utf8_lossy(value).contains('\u{27e8}')
}

/// The characters outside stand-ins.
fn letters(text: &str) -> usize {
    let mut inside = false;
    let counts = |c: char| {
        inside = c == '\u{27e8}' || inside && c != '\u{27e9}';
        !inside && c != '\u{27e9}' && !c.is_whitespace()
    };
    text.chars().map(counts).filter(|counts| *counts).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::apply::apply;
    use crate::noise::mask::Masks;

    #[test]
    fn text_and_tags_are_counted_by_what_is_left() {
        let page = Tokens::of(b"<p class=a>1234567890</p><p class=b><input name=t value=x>abcdefghij</p>");
        let mask = |at: &str, rest: &str| -> crate::noise::mask::Mask {
            let entry = format!("at = '{at}'\n{rest}");
            toml::from_str(&entry).unwrap()
        };
        let of = |masks: &[crate::noise::mask::Mask]| share(&page, &apply(&page, &Masks::of(masks)).0);
        assert_eq!(of(&[]), MaskedShare::default());
        assert_eq!(of(&[mask("p.a", "text = '{text}'")]), MaskedShare { text: 500, tags: 0 });
        let token = mask("input[name=\"t\"]", "attribute = 'value'");
        assert_eq!(of(&[token]), MaskedShare { text: 0, tags: 333 });
        assert_eq!(of(&[mask("p.b", "presence = 'any'")]), MaskedShare { text: 500, tags: 666 });
    }
}
