//! The part of a long text that is worth showing.

/// Longer pieces are cut in a sentence; the difference itself holds more of them.
const SHOWN: usize = 90;
/// What is shown of the common text around the part that differs.
const AROUND: usize = 20;

/// The text on one line, its middle left out where it is long.
pub fn shortened(text: &str) -> String {
    // A long text is not walked to its end for the few characters that are shown.
    let head: String = text.chars().take(SHOWN + 1).collect();
    if head.chars().count() <= SHOWN {
        return on_one_line(&head);
    }
    let head: String = head.chars().take(SHOWN * 2 / 3).collect();
    let tail: Vec<char> = text.chars().rev().take(SHOWN / 4).collect();
    let tail: String = tail.into_iter().rev().collect();
    format!("{}…{}", on_one_line(head.trim_end()), on_one_line(tail.trim_start()))
}

/// The text in quotation marks, its middle left out where it is long.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}

/// Two texts in quotation marks: whole where they are short, else from a little before to a little after what differs.
pub fn quoted_apart(was: &str, is: &str) -> (String, String) {
    let (was, is) = shown_apart(was, is);
    (format!("\"{was}\""), format!("\"{is}\""))
}

/// The same without the quotation marks.
pub fn shown_apart(was: &str, is: &str) -> (String, String) {
    if was.len() <= SHOWN && is.len() <= SHOWN {
        return (shortened(was), shortened(is));
    }
    let (was, is) = differing_parts(was, is, AROUND);
    let part = |e: Excerpt<'_>| format!("{}{}{}", e.before(), shortened(e.text), e.behind());
    (part(was), part(is))
}

/// A part of a text, and whether there is more of it on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excerpt<'t> {
    /// The part.
    pub text: &'t str,
    /// Whether something is left out before it.
    pub cut_before: bool,
    /// Whether something is left out behind it.
    pub cut_behind: bool,
}

impl Excerpt<'_> {
    /// The mark for what is left out before it.
    pub fn before(&self) -> &'static str {
        if self.cut_before { "…" } else { "" }
    }

    /// The mark for what is left out behind it.
    pub fn behind(&self) -> &'static str {
        if self.cut_behind { "…" } else { "" }
    }
}

/// What differs of two texts, with so many characters around it.
pub fn differing_parts<'t>(was: &'t str, is: &'t str, around: usize) -> (Excerpt<'t>, Excerpt<'t>) {
    let front = common(was.chars(), is.chars());
    let back = common(was[front..].chars().rev(), is[front..].chars().rev());
    let part = |text: &'t str| {
        let end = text.len() - back;
        let from = text[..front].char_indices().rev().nth(around).map_or(0, |(i, _)| i);
        let to = text[end..].char_indices().nth(around).map_or(text.len(), |(i, _)| end + i);
        Excerpt { text: &text[from..to], cut_before: from > 0, cut_behind: to < text.len() }
    };
    (part(was), part(is))
}

/// A number with its thousands apart: `1,204`.
pub fn counted(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many bytes two texts begin with in common.
fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
}

/// Control characters would break a sentence's line, or a terminal.
fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn long_texts_are_shown_where_they_differ() {
        let long = "x".repeat(100);
        let (was, is) = quoted_apart(&format!("{long}1{long}"), &format!("{long}2{long}"));
        let around = "x".repeat(20);
        assert_eq!(was, format!("\"…x{around}1{around}…\""));
        assert_eq!(is, format!("\"…x{around}2{around}…\""));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1204, 1_000_000].map(counted), ["0", "999", "1,204", "1,000,000"]);
    }

    proptest! {
        #[test]
        fn any_text_is_shown_on_one_line(a in ".{0,200}", b in ".{0,200}") {
            let (was, is) = quoted_apart(&a, &b);
            prop_assert!(!was.contains('\n') && was.chars().count() <= SHOWN + 4);
            prop_assert!(!is.contains('\n') && is.chars().count() <= SHOWN + 4);
        }
    }
}
