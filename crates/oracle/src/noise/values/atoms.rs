//! A value cut into atoms: words, numbers, dates, white space, single signs.

use std::ops::Range;

use crate::page::dates::{bare, date_length, may_begin_date};
use crate::page::relative::relative;

/// What a piece of a value looks like, from the narrowest to the widest. Not `ValueShape`: a mask covers every value of
/// its class, so that classes hold each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    /// A moment told from now: 3 minutes ago, yesterday.
    Ago,
    /// A date, a time, or both, always written in the same form.
    Day,
    /// A date, a time, or both, in any form.
    Date,
    /// A number.
    Number,
    /// Letters, digits and the signs that tokens are made of.
    Token,
    /// Anything without white space.
    Word,
    /// Anything.
    Text,
}

impl Class {
    const ALL: [Self; 7] =
        [Self::Ago, Self::Day, Self::Date, Self::Number, Self::Token, Self::Word, Self::Text];

    /// Its name in a pattern.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ago => "ago",
            Self::Day => "day",
            Self::Date => "date",
            Self::Number => "number",
            Self::Token => "token",
            Self::Word => "word",
            Self::Text => "text",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The narrowest that a piece is of; whether a date keeps its form, one piece does not tell.
    pub(crate) fn of(piece: &str) -> Self {
        let whole = 0..piece.len();
        if dates(piece).contains(&whole) {
            Self::Date
        } else if numbers(piece).contains(&whole) {
            Self::Number
        } else if piece.is_empty() || piece.contains(char::is_whitespace) {
            Self::Text
        } else if piece.chars().all(is_of_token) {
            Self::Token
        } else {
            Self::Word
        }
    }
}

/// The signs that tokens are made of: base64, addresses, versions, times.
pub(crate) fn is_of_token(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '~' | '%' | '/' | '=' | ':' | ',' | '$')
}

/// The atoms of a value, in order and without gaps. A date is one, and so is a number.
pub(crate) fn atoms(value: &str) -> Vec<Range<usize>> {
    let mut whole = dates(value);
    whole.extend(
        numbers(value)
            .into_iter()
            .filter(|n| !whole.iter().any(|d| d.contains(&n.start)))
            .collect::<Vec<_>>(),
    );
    whole.sort_by_key(|range| range.start);
    let mut out = Vec::new();
    let mut whole = whole.into_iter().peekable();
    let mut at = 0;
    while at < value.len() {
        if let Some(range) = whole.next_if(|range| range.start <= at) {
            if range.start == at {
                at = range.end;
                out.push(range);
            }
            continue;
        }
        let end = whole.peek().map_or(value.len(), |range| range.start);
        let mut rest = value[at..end].char_indices();
        let Some((_, first)) = rest.next() else { break };
        let same: fn(char) -> bool = match first {
            c if c.is_whitespace() => char::is_whitespace,
            c if c.is_alphanumeric() || c == '_' => |c| c.is_alphanumeric() || c == '_',
            _ => |_| false,
        };
        let length = rest.find(|(_, c)| !same(*c)).map_or(end - at, |(i, _)| i);
        out.push(at..at + length);
        at += length;
    }
    out
}

/// Where dates and times stand in a value.
pub(crate) fn dates(value: &str) -> Vec<Range<usize>> {
    let words: Vec<Range<usize>> = words(value);
    let bares: Vec<Range<usize>> = words
        .iter()
        .map(|word| {
            let text = &value[word.clone()];
            let bare = bare(text);
            let from = word.start + text.find(bare).unwrap_or(0);
            from..from + bare.len()
        })
        .collect();
    let texts: Vec<&str> = bares.iter().map(|range| &value[range.clone()]).collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < texts.len() {
        let length = match may_begin_date(texts[at]) {
            true => date_length(&texts[..at], &texts[at..texts.len().min(at + 10)]),
            false => 0,
        };
        if length > 0 {
            out.push(bares[at].start..bares[at + length - 1].end);
        }
        at += length.max(1);
    }
    out
}

/// Whether a piece is a moment told from now, and nothing else.
pub(crate) fn is_ago(piece: &str) -> bool {
    let words: Vec<&str> = piece.split_whitespace().map(bare).collect();
    is_day_from_now(&words) || (!words.is_empty() && relative(&words) == Some(words.len()))
}

/// Where moments told from now stand in a value.
pub(crate) fn moments_ago(value: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> =
        dates(value).into_iter().filter(|at| is_ago(&value[at.clone()])).collect();
    let alone = words(value).into_iter().filter_map(|word| {
        let text = &value[word.clone()];
        let bare = bare(text);
        let from = word.start + text.find(bare).unwrap_or(0);
        is_day_from_now(&[bare]).then(|| from..from + bare.len())
    });
    let alone: Vec<Range<usize>> =
        alone.filter(|at| !out.iter().any(|known| known.contains(&at.start))).collect();
    out.extend(alone);
    out.sort_by_key(|at| at.start);
    out
}

/// A word that alone tells of a moment only beside another one: a page may well say `today` every day.
fn is_day_from_now(words: &[&str]) -> bool {
    let [word] = words else { return false };
    ["today", "yesterday", "tomorrow", "now"].iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Where numbers stand in a value: not inside words.
pub(crate) fn numbers(value: &str) -> Vec<Range<usize>> {
    let bytes = value.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !is_digit(at) {
            at += 1;
            continue;
        }
        let from = at;
        while is_digit(at) || (matches!(bytes.get(at), Some(b'.' | b',')) && is_digit(at + 1)) {
            at += 1;
        }
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        if !value[..from].ends_with(in_word) && !value[at..].starts_with(in_word) {
            out.push(from..at);
        }
    }
    out
}

fn words(value: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in value.char_indices() {
        if c.is_ascii_whitespace() {
            out.extend(start.take().map(|from| from..at));
        } else if start.is_none() {
            start = Some(at);
        }
    }
    out.extend(start.map(|from| from..value.len()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(value: &str) -> Vec<&str> {
        atoms(value).into_iter().map(|range| &value[range]).collect()
    }

    #[test]
    fn a_value_is_cut_without_gaps() {
        assert_eq!(cut("took 12.5 ms (é_1)"), ["took", " ", "12.5", " ", "ms", " ", "(", "é_1", ")"]);
        assert_eq!(
            cut("on 15 November 2026, 3 items"),
            ["on", " ", "15 November 2026", ",", " ", "3", " ", "items"]
        );
        assert_eq!(cut("?tok=ab12&n=7"), ["?", "tok", "=", "ab12", "&", "n", "=", "7"]);
        for value in ["", " ", "x", "1.", "2026-11-15T10:00:00Z", "a\u{a0}b 3:45 pm.", "😀1"] {
            assert_eq!(cut(value).concat(), value);
        }
    }

    #[test]
    fn a_piece_is_of_the_narrowest_class() {
        let classes = ["2026-11-15", "17.5", "a8f3", "a(b", "a b", ""].map(Class::of);
        assert_eq!(
            classes,
            [Class::Date, Class::Number, Class::Token, Class::Word, Class::Text, Class::Text]
        );
    }
}
