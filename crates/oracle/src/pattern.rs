//! Patterns over what is said of a difference, for rules that ignore some.
//!
//! `*` stands for anything and a number for any number, which may also be written `#`; `\*` is the character itself.

use std::fmt;

use restage_model::Difference;

use crate::changes::shape;
use crate::rules::in_order;

/// Stands for anything until the stars of the page itself are told apart from those of the pattern.
const ANY: char = '\0';

/// A pattern over summaries of differences: `text "Visitors: #" became "Visitors: #"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferencePattern(String);

impl DifferencePattern {
    /// A pattern.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// The narrowest pattern that still matches when the same part of the page differs in another way: the words that
    /// changed are left out where those that did not tell the place; else only the numbers are.
    pub fn of(difference: &Difference) -> Self {
        let said = shape(&difference.summary);
        let pattern = varying(&said).unwrap_or(said);
        Self(pattern.replace('\\', "\\\\").replace('*', "\\*").replace(ANY, "*"))
    }

    /// Whether a difference is of it.
    pub fn matches(&self, difference: &Difference) -> bool {
        let summary = &difference.summary;
        in_order(&pieces(&self.0), summary) || in_order(&pieces(&shape(&self.0)), &shape(summary))
    }

    /// Whether it matches whatever is said.
    pub fn is_anything(&self) -> bool {
        self.0.chars().all(|c| c == '*')
    }
}

impl fmt::Display for DifferencePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The literal parts of a pattern, between its stars.
fn pieces(pattern: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '*' {
            pieces.push(String::new());
            continue;
        }
        let escaped = if c == '\\' { chars.next_if(|next| matches!(next, '*' | '\\')) } else { None };
        if let Some(piece) = pieces.last_mut() {
            piece.push(escaped.unwrap_or(c));
        }
    }
    pieces
}

/// What is said, with [`ANY`] for what varies; none where nothing would be left to tell the place by.
fn varying(said: &str) -> Option<String> {
    if let Some((head, rest)) = said.split_once(" became \"")
        && let Some((is, was)) = rest.strip_suffix('"').and_then(|rest| rest.rsplit_once("\", was \""))
    {
        // `value of <input> "q" became "2", was "1"`
        let (was, is, kept) = apart(was, is);
        return (kept || head.ends_with('"')).then(|| format!("{head} became \"{is}\", was \"{was}\""));
    }
    let (rest, place) = match said.split_once("\" (after \"") {
        Some((rest, after)) => (rest, format!("\" (after \"{after}")),
        None => (said.strip_suffix('"').unwrap_or(said), "\"".to_owned()),
    };
    if let Some((left, is)) = rest.split_once("\" became \"") {
        // `text "Total $#" became "Total $#" (after "Cart")`
        let (head, was) = left.split_once('"')?;
        let (was, is, kept) = apart(was, is);
        return (kept || place.len() > 1).then(|| format!("{head}\"{was}\" became \"{is}{place}"));
    }
    for end in ["appeared", "is gone"] {
        // `text "Sale" appeared (after "Books")`
        if let Some((_, after)) = said.split_once(&format!("\" {end} (after \""))
            && said.starts_with("text \"")
        {
            return Some(format!("text \"{ANY}\" {end} (after \"{after}"));
        }
    }
    // `$.cart.total was 42, is 21`
    let (head, values) = said.split_once(" was ")?;
    (values.contains(", is ") && worded(head)).then(|| format!("{head} was {ANY}, is {ANY}"))
}

/// Two texts, each with [`ANY`] for what the other has not; and whether words are left in them.
fn apart(was: &str, is: &str) -> (String, String, bool) {
    if was == is {
        return (was.to_owned(), is.to_owned(), true);
    }
    let (before, after) = (words(was), words(is));
    let room = before.len().min(after.len());
    let front = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let back = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let back = back.min(room - front);
    // What is left out in the middle of a long text is another stretch each time.
    let (head, tail) = (before[..front].concat(), before[before.len() - back..].concat());
    let pattern = format!("{head}{ANY}{tail}").replace('…', &ANY.to_string());
    (pattern.clone(), pattern, worded(&head) || worded(&tail))
}

/// Runs of letters and digits, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '#';
    let mut last = false;
    for (at, c) in text.char_indices() {
        if at > start && !(last && is_word(c)) {
            words.push(&text[start..at]);
            start = at;
        }
        last = is_word(c);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Whether a text has a word in it, which could tell one place from another.
fn worded(text: &str) -> bool {
    words(text).iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 1)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn difference(summary: &str) -> Difference {
        Difference {
            seen_by: "C-WD".to_owned(),
            summary: summary.to_owned(),
            expected: String::new(),
            actual: String::new(),
        }
    }

    #[test]
    fn what_varies_is_left_out_where_the_rest_tells_the_place() {
        for (said, pattern) in [
            (
                r#"text "Quote: carpe diem!" became "Quote: festina lente!""#,
                r#"text "Quote: *!" became "Quote: *!""#,
            ),
            (
                r#"text "$42.00" became "$21.00" (after "Total")"#,
                r##"text "$#.#" became "$#.#" (after "Total")"##,
            ),
            (
                r#"text "Emma" became "Persuasion" (after "For you")"#,
                r#"text "*" became "*" (after "For you")"#,
            ),
            (r#"text "Emma" appeared (after "For you")"#, r#"text "*" appeared (after "For you")"#),
            (
                r#"value of <input> "token" became "b1", was "zz""#,
                r#"value of <input> "token" became "*", was "*""#,
            ),
            (
                r#"href of <a> became "/x?sid=be", was "/x?sid=ad""#,
                r#"href of <a> became "/x?sid=*", was "/x?sid=*""#,
            ),
            (r#"$.at was "noon", is "dusk""#, "$.at was *, is *"),
        ] {
            let difference = difference(said);
            let made = DifferencePattern::of(&difference);
            assert_eq!(made.to_string(), pattern);
            assert!(made.matches(&difference), "{pattern}");
        }
    }

    #[test]
    fn what_would_match_anything_stays_as_it_is() {
        for (said, pattern) in [
            (r#"text "Emma" became "Persuasion""#, r#"text "Emma" became "Persuasion""#),
            (r#"text "Emma" appeared"#, r#"text "Emma" appeared"#),
            (
                r#"href of <a> became "/books/50", was "/book/50""#,
                r##"href of <a> became "/books/#", was "/book/#""##,
            ),
            ("status 200 became 404", "status 200 became 404"),
            (r#"text "* 5" is gone"#, r##"text "\* #" is gone"##),
        ] {
            assert_eq!(DifferencePattern::of(&difference(said)).to_string(), pattern);
        }
    }

    #[test]
    fn stars_numbers_and_all_else_as_it_is() {
        let matches = |pattern: &str, said: &str| DifferencePattern::new(pattern).matches(&difference(said));
        assert!(matches("text \"Visitors: 5\" became *", "text \"Visitors: 17\" became \"Visitors: 9\""));
        assert!(!matches("text \"Visitors: 5\" became *", "text \"Visitors: many\" became \"Visitors: 9\""));
        assert!(matches("status * became 404", "status 200 became 404"));
        assert!(
            !matches("status * became 404", "status 200 became 500"),
            "a status is no number like others"
        );
        assert!(matches(r"text \* gone", "text * gone") && !matches(r"text \* gone", "text x gone"));
        assert!(!matches("", "x") && DifferencePattern::new("**").is_anything());
    }

    proptest! {
        /// A rule that does not ignore what it was written for would be worse than none.
        #[test]
        fn whatever_is_said_is_of_its_own_pattern(
            was in r#"[ab\\*#"0-9… ]{0,12}"#, is in r#"[ab\\*#"0-9… ]{0,12}"#, after in r#"[a*\\" 0-9]{0,6}"#, form in 0..6
        ) {
            let said = match form {
                0 => format!("text \"{was}\" became \"{is}\" (after \"{after}\")"),
                1 => format!("text \"{was}\" became \"{is}\""),
                2 => format!("value of <input> \"{after}\" became \"{is}\", was \"{was}\""),
                3 => format!("text \"{was}\" is gone (after \"{after}\")"),
                4 => format!("$.{after} was {was}, is {is}"),
                _ => format!("{was}{is}"),
            };
            let difference = difference(&said);
            let pattern = DifferencePattern::of(&difference);
            prop_assert!(pattern.matches(&difference), "{} does not match {}", pattern, said);
            prop_assert!(!pattern.is_anything() || said.is_empty());
        }
    }
}
