//! Foreign text made fit to show: on one line, and nothing in it that a terminal, an XML reader or a reader's eye takes for something else.

/// The text on one line: runs of white space as one space, control characters as visible pictures of themselves, and marks that turn the
/// reading direction around as replacement characters.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().map(|c| match c {
            '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            // C1 controls, direction marks, and characters that are none.
            '\u{80}'..='\u{9f}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{fffe}'
            | '\u{ffff}' => '\u{fffd}',
            _ => c,
        }));
    }
    out
}

/// The same, and no longer than so many characters.
pub(crate) fn at_most(text: &str, characters: usize) -> String {
    let text = one_line(text);
    match text.char_indices().nth(characters) {
        None => text,
        Some(_) => text.chars().take(characters.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// A number of things, in words.
pub(crate) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a title that repaints the terminal, breaks the picture's XML, or reads backwards.
    #[test]
    fn what_is_shown_is_harmless() {
        assert_eq!(one_line(" a\u{1b}[2J\r\n\tb\u{202e}c\u{0} "), "a␛[2J b\u{fffd}c␀");
        assert_eq!(at_most("äöü äöü", 5), "äöü …");
        assert_eq!(at_most("abcde", 5), "abcde");
    }
}
