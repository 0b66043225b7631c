//! Which words of two short texts differ.

use imara_diff::{Algorithm, Diff, InternedInput};

/// A part of a text, and whether the other text lacks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) changed: bool,
}

/// The two texts in pieces, those that differ marked.
pub(crate) fn pieces(expected: &str, actual: &str) -> (Vec<Piece>, Vec<Piece>) {
    let mut input: InternedInput<&str> = InternedInput::default();
    let (before, after) = (words(expected), words(actual));
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let side = |words: &[&str], changed: &dyn Fn(u32) -> bool| {
        let marks: Vec<bool> =
            (0..words.len()).map(|i| changed(u32::try_from(i).unwrap_or(u32::MAX))).collect();
        joined(words, &marks)
    };
    (side(&before, &|i| diff.is_removed(i)), side(&after, &|i| diff.is_added(i)))
}

/// A text of which nothing differs.
pub(crate) fn unchanged(text: &str) -> Vec<Piece> {
    vec![Piece { text: text.to_owned(), changed: false }]
}

/// Runs of letters and digits, runs of white space, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let kind = if c.is_alphanumeric() {
            Some('a')
        } else if c.is_whitespace() {
            Some(' ')
        } else {
            None
        };
        if at > start && (kind.is_none() || kind != last) {
            words.push(&text[start..at]);
            start = at;
        }
        last = kind;
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Neighbours of a kind as one piece. White space or one mark between two changed words counts as
/// changed: a phrase marked as a whole reads better than its words apart.
fn joined(words: &[&str], marks: &[bool]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let between = i > 0 && marks[i - 1] && marks.get(i + 1).copied().unwrap_or(false);
        let changed = marks[i] || between && !word.chars().all(char::is_alphanumeric);
        match pieces.last_mut() {
            Some(last) if last.changed == changed => last.text.push_str(word),
            _ => pieces.push(Piece { text: (*word).to_owned(), changed }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        pieces.iter().map(|p| if p.changed { format!("[{}]", p.text) } else { p.text.clone() }).collect()
    }

    #[test]
    fn only_what_differs_is_marked() {
        let (expected, actual) = pieces("Total $42.00 today", "Total $21.00 today");
        assert_eq!(shown(&expected), "Total $[42].00 today");
        assert_eq!(shown(&actual), "Total $[21].00 today");
    }

    #[test]
    fn phrases_stay_together_and_nothing_is_lost() {
        let (expected, actual) = pieces("a red fox é", "a blue cat é");
        assert_eq!(shown(&expected), "a [red fox] é");
        assert_eq!(shown(&actual), "a [blue cat] é");
        let (expected, actual) = pieces("", "new");
        assert_eq!((shown(&expected), shown(&actual)), (String::new(), "[new]".to_owned()));
    }
}
