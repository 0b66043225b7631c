//! Numbers of payment cards in a text, with or without gaps.

use crate::kind::Kind;
use crate::span::Span;
use crate::spelling::Spelling;
use crate::values::is_card;

/// Finds all.
pub(crate) fn find(text: &[u8], spans: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(offset) = text[at..].iter().position(u8::is_ascii_digit) {
        let start = at + offset;
        let (digits, end, gap) = digits(text, start);
        let apart = |byte: Option<&u8>| byte.is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        let before = start.checked_sub(1).map(|before| &text[before]);
        if (apart(before) || is_escape(text, start)) && apart(text.get(end)) && is_card(&digits) {
            let percent = gap == Gap::Percent;
            let spelling = Spelling { percent, plus: gap == Gap::Plus, ..Spelling::PLAIN };
            spans.push(Span { spelling, ..Span::shaped(start, end, Kind::Card) });
        }
        at = end;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Space,
    Dash,
    Plus,
    Percent,
}

/// The digits from there on, in groups that all have the same gap between them.
fn digits(text: &[u8], start: usize) -> (Vec<u8>, usize, Gap) {
    let mut digits = Vec::new();
    let mut at = start;
    let mut end = start;
    let mut gap = Gap::None;
    while at < text.len() && digits.len() < 24 {
        if text[at].is_ascii_digit() {
            digits.push(text[at]);
            at += 1;
            end = at;
            continue;
        }
        let (this, length) = match &text[at..] {
            [b' ', ..] => (Gap::Space, 1),
            [b'-', ..] => (Gap::Dash, 1),
            [b'+', ..] => (Gap::Plus, 1),
            [b'%', b'2', b'0', ..] => (Gap::Percent, 3),
            _ => break,
        };
        // Groups of a card's number are of four to six digits.
        if digits.len() < 4 || (gap != Gap::None && gap != this) {
            break;
        }
        gap = this;
        at += length;
    }
    if digits.len() >= 24 {
        let more = text[end..].iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len() - end);
        end += more;
    }
    (digits, end.max(start + 1), gap)
}

/// Whether what stands before is the rest of an escape (`%3D4111…`), which the digits cannot be part of.
fn is_escape(text: &[u8], start: usize) -> bool {
    start >= 3 && text[start - 3] == b'%' && text[start - 2..start].iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text.as_bytes(), &mut spans);
        spans.iter().map(|span| &text[span.start..span.end]).collect()
    }

    /// Catches: a number that is overlooked for its gaps, and one found inside a longer number or an id.
    #[test]
    fn with_and_without_gaps() {
        assert_eq!(found("pay 4111 1111 1111 1111 now"), ["4111 1111 1111 1111"]);
        assert_eq!(
            found("card=4111+1111+1111+1111&x=5555555555554444"),
            ["4111+1111+1111+1111", "5555555555554444"]
        );
        assert_eq!(found("n%3D4111%201111%201111%201111"), ["4111%201111%201111%201111"]);
        assert_eq!(found("\"3782-822463-10005\""), ["3782-822463-10005"]);
        assert_eq!(
            found("x4111111111111111 41111111111111110000000000 2026-11-16 10:00"),
            Vec::<&str>::new()
        );
    }
}
