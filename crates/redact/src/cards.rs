//! Numbers of payment cards in a text, with or without gaps.

use crate::candidates::is_card;
use crate::encoding::Spelling;
use crate::secret_kind::Kind;
use crate::span::Span;

/// Finds all.
pub(crate) fn find(text: &[u8], spans: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(offset) = text[at..].iter().position(u8::is_ascii_digit) {
        let start = at + offset;
        // A number may stand beside others: `4111 1111 1111 1111 12/29`.
        let groups = groups(text, start);
        let end = groups.last().map_or(start + 1, |group| group.end);
        let apart = |byte: Option<&u8>| byte.is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        let mut first = 0;
        while first < groups.len() {
            let begin = groups[first].start;
            let before = begin.checked_sub(1).map(|before| &text[before]);
            let last = (first..groups.len().min(first + MOST_GROUPS)).find(|&last| {
                let digits: Vec<u8> = groups[first..=last]
                    .iter()
                    .flat_map(|group| &text[group.start..group.end])
                    .copied()
                    .collect();
                is_card(&digits) && apart(text.get(groups[last].end))
            });
            match last.filter(|_| apart(before) || is_escape(text, begin)) {
                Some(last) => {
                    let gap = if last > first { groups[first].gap } else { Gap::None };
                    let spelling =
                        Spelling { percent: gap == Gap::Percent, plus: gap == Gap::Plus, ..Spelling::PLAIN };
                    spans.push(Span { spelling, ..Span::shaped(begin, groups[last].end, Kind::Card) });
                    first = last + 1;
                }
                None => first += 1,
            }
        }
        at = end;
    }
}

/// A number is written in as many groups at most.
const MOST_GROUPS: usize = 6;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Space,
    Dash,
    Plus,
    Percent,
}

/// Digits without a gap, and what gap follows them.
struct DigitGroup {
    start: usize,
    end: usize,
    gap: Gap,
}

/// The digits from there on, in groups that all have the same gap between them.
fn groups(text: &[u8], start: usize) -> Vec<DigitGroup> {
    let mut groups = Vec::new();
    let mut at = start;
    let mut same = Gap::None;
    loop {
        let length = text[at..].iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len() - at);
        if length == 0 {
            break;
        }
        let end = at + length;
        let (gap, skipped) = match &text[end..] {
            [b' ', ..] => (Gap::Space, 1),
            [b'-', ..] => (Gap::Dash, 1),
            [b'+', ..] => (Gap::Plus, 1),
            [b'%', b'2', b'0', ..] => (Gap::Percent, 3),
            _ => (Gap::None, 0),
        };
        groups.push(DigitGroup { start: at, end, gap });
        if gap == Gap::None || (same != Gap::None && gap != same) {
            break;
        }
        same = gap;
        at = end + skipped;
    }
    groups
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
            found("4539 1488 0343 6467 12/29, 2024 4539148803436467 1229"),
            ["4539 1488 0343 6467", "4539148803436467"]
        );
        assert_eq!(found("the book 4006381300063"), Vec::<&str>::new());
        assert_eq!(
            found("x4111111111111111 41111111111111110000000000 2026-11-16 10:00"),
            Vec::<&str>::new()
        );
    }
}
