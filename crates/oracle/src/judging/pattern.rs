//! Patterns over differences, for rules that ignore some.
//!
//! In patterns, `*` stands for anything and a number for any number, which may also be written `#`; `\*` is the character
//! itself.

use std::fmt;

use restage_model::{Difference, Place, number_free, shown_apart};

use crate::oracles::rules::in_order;

/// Stands for anything until the stars of the page itself are told apart from those of the pattern.
const ANY: char = '\0';

/// Which differences are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferencePattern {
    /// Those at a place, by what was there and what is.
    At {
        /// The place; its numbers do not count.
        place: Place,
        /// A pattern of what was; none where there was nothing.
        was: Option<String>,
        /// A pattern of what is; none where there is nothing.
        is: Option<String>,
    },
    /// Those of which this is told, in the words that reports use: `text "Visitors: #" became *`.
    Told(String),
}

impl DifferencePattern {
    /// The narrowest pattern that still matches when the same part of the page differs in another way: the words that
    /// changed are left out where those that did not, or the place, tell what is meant; else only the numbers are.
    pub fn of(difference: &Difference) -> Self {
        if difference.place == Place::Status {
            return Self::At { place: Place::Status, was: difference.was.clone(), is: difference.is.clone() };
        }
        let (was, is) = varying(difference).unwrap_or_else(|| {
            let (was, is) = shown_sides(difference);
            (was.map(|text| number_free(&text)), is.map(|text| number_free(&text)))
        });
        let written = |side: Option<String>| {
            // What is left out in the middle of a long text is another part each time.
            let escaped = side?.replace('\\', "\\\\").replace('*', "\\*");
            Some(escaped.replace(['…', ANY], "*"))
        };
        Self::At { place: difference.place.clone(), was: written(was), is: written(is) }
    }

    /// Whether a difference is of it.
    pub fn matches(&self, difference: &Difference) -> bool {
        match self {
            Self::At { place: Place::Status, was, is } => {
                let same = |pattern: &Option<String>, value: &Option<String>| match (pattern, value) {
                    (Some(pattern), Some(value)) => in_order(&pieces(pattern), value),
                    (pattern, value) => pattern == value,
                };
                difference.place == Place::Status && same(was, &difference.was) && same(is, &difference.is)
            }
            Self::At { place, was, is } => {
                place.is_like(&difference.place)
                    && side_matches(was.as_deref(), difference.was.as_deref())
                    && side_matches(is.as_deref(), difference.is.as_deref())
            }
            Self::Told(_) if difference.place == Place::Status => {
                self.matches_text(&difference.to_string(), false)
            }
            Self::Told(_) => self.matches_text(&difference.to_string(), true),
        }
    }

    /// Whether a sentence in the words of the first format is of it.
    pub(crate) fn matches_sentence(&self, sentence: &str) -> bool {
        self.matches_text(sentence, true)
    }

    fn matches_text(&self, sentence: &str, any_number: bool) -> bool {
        let Self::Told(pattern) = self else { return false };
        in_order(&pieces(pattern), sentence)
            || any_number && in_order(&pieces(&number_free(pattern)), &number_free(sentence))
    }

    /// Whether it matches whatever differs.
    pub fn is_anything(&self) -> bool {
        matches!(self, Self::Told(pattern) if pattern.chars().all(|c| c == '*'))
    }
}

impl fmt::Display for DifferencePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Told(pattern) => f.write_str(pattern),
            Self::At { place, was, is } => {
                let told = Difference {
                    seen_by: Vec::new(),
                    place: place.clone(),
                    was: was.clone(),
                    is: is.clone(),
                };
                write!(f, "{told}")
            }
        }
    }
}

fn side_matches(pattern: Option<&str>, value: Option<&str>) -> bool {
    match (pattern, value) {
        (None, None) => true,
        (Some(pattern), Some(value)) => {
            in_order(&pieces(pattern), value) || in_order(&pieces(&number_free(pattern)), &number_free(value))
        }
        _ => false,
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

/// What was and what is, with [`ANY`] for what varies; none where nothing would be left to tell the place by.
fn varying(difference: &Difference) -> Option<(Option<String>, Option<String>)> {
    let place = &difference.place;
    let any = || Some(ANY.to_string());
    match (shown_sides(difference), tells_where(place)) {
        // Values of rows and the like never count.
        ((was, is), _) if !place.has_values() => Some((was.and_then(|_| any()), is.and_then(|_| any()))),
        ((Some(was), Some(is)), told) => {
            let (was, is, kept) = apart(&number_free(&was), &number_free(&is));
            (kept || told).then_some((Some(was), Some(is)))
        }
        ((was, is), true) => Some((was.and_then(|_| any()), is.and_then(|_| any()))),
        _ => None,
    }
}

fn shown_sides(difference: &Difference) -> (Option<String>, Option<String>) {
    match (&difference.was, &difference.is) {
        (Some(was), Some(is)) => {
            let (was, is) = shown_apart(was, is);
            (Some(was), Some(is))
        }
        (was, is) => {
            let shown = |side: &Option<String>| side.as_deref().map(restage_model::shortened);
            (shown(was), shown(is))
        }
    }
}

/// Whether a place alone says what is meant, whatever is there.
fn tells_where(place: &Place) -> bool {
    match place {
        Place::Text { after } => after.as_deref().is_some_and(worded),
        Place::Attribute { named, .. } => named.is_some(),
        Place::Json { path } | Place::Xml { path, .. } => worded(path),
        Place::Header { .. } | Place::Cookie { .. } | Place::Stored { .. } | Place::File { .. } => true,
        _ => false,
    }
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
    let (head, tail) = (before[..front].concat(), before[before.len() - back..].concat());
    let pattern = format!("{head}{ANY}{tail}");
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(was: &str, is: &str, after: Option<&str>) -> Difference {
        Difference::changed("C-WD", Place::Text { after: after.map(str::to_owned) }, was, is)
    }

    fn attribute(element: &str, named: Option<&str>, attribute: &str, was: &str, is: &str) -> Difference {
        let (element, attribute) = (element.to_owned(), attribute.to_owned());
        let place = Place::Attribute { element, named: named.map(str::to_owned), attribute };
        Difference::changed("N+I", place, was, is)
    }

    #[test]
    fn what_varies_is_left_out_where_the_rest_tells_the_place() {
        let for_you = || Place::Text { after: Some("For you".to_owned()) };
        for (difference, pattern) in [
            (
                text("Quote: carpe diem!", "Quote: festina lente!", None),
                r#"text "Quote: *!" became "Quote: *!""#,
            ),
            (text("$42.00", "$21.00", Some("Total")), r##"text "$#.#" became "$#.#" (after "Total")"##),
            (text("Emma", "Persuasion", Some("For you")), r#"text "*" became "*" (after "For you")"#),
            (Difference::appeared("C", for_you(), "Emma"), r#"text "*" appeared (after "For you")"#),
            (
                attribute("input", Some("token"), "value", "zz", "b1"),
                r#"value of <input> "token" became "*", was "*""#,
            ),
            (
                attribute("a", None, "href", "/x?sid=ad", "/x?sid=be"),
                r#"href of <a> became "/x?sid=*", was "/x?sid=*""#,
            ),
            (
                Difference::changed("JSON", Place::Json { path: "$.at".to_owned() }, "\"noon\"", "\"dusk\""),
                "$.at was \"*\", is \"*\"",
            ),
        ] {
            let made = DifferencePattern::of(&difference);
            assert_eq!(made.to_string(), pattern);
            assert!(made.matches(&difference), "{pattern}");
        }
    }

    #[test]
    fn what_would_match_anything_stays_as_it_is() {
        for (difference, pattern) in [
            (text("Emma", "Persuasion", None), r#"text "Emma" became "Persuasion""#),
            (Difference::appeared("C", Place::Text { after: None }, "Emma"), r#"text "Emma" appeared"#),
            (
                attribute("a", None, "href", "/book/50", "/books/50"),
                r##"href of <a> became "/books/#", was "/book/#""##,
            ),
            (Difference::changed("Flist", Place::Status, "200", "404"), "status 200 became 404"),
            (Difference::gone("C", Place::Text { after: None }, "* 5"), r##"text "\* #" is gone"##),
        ] {
            assert_eq!(DifferencePattern::of(&difference).to_string(), pattern);
        }
    }

    #[test]
    fn stars_numbers_and_all_else_as_it_is() {
        let matches = |pattern: &str, difference: &Difference| {
            DifferencePattern::Told(pattern.to_owned()).matches(difference)
        };
        let visitors = |was| text(was, "Visitors: 9", None);
        assert!(matches("text \"Visitors: 5\" became *", &visitors("Visitors: 17")));
        assert!(!matches("text \"Visitors: 5\" became *", &visitors("Visitors: many")));
        let status = |is| Difference::changed("Flist", Place::Status, "200", is);
        assert!(matches("status * became 404", &status("404")));
        assert!(!matches("status * became 404", &status("500")), "a status is no number like others");
        assert!(!DifferencePattern::of(&status("404")).matches(&status("500")));
        let gone = |was| Difference::gone("C", Place::Text { after: None }, was);
        assert!(matches(r#"text "\*" is gone"#, &gone("*")) && !matches(r#"text "\*" is gone"#, &gone("x")));
        assert!(!matches("", &gone("x")) && DifferencePattern::Told("**".to_owned()).is_anything());
    }

    proptest! {
        /// A rule that does not ignore what it was written for would be worse than none.
        #[test]
        fn whatever_differs_is_of_its_own_pattern(
            was in r#"[ab\\*#"0-9… ]{0,120}"#, is in r#"[ab\\*#"0-9… ]{0,120}"#, name in r#"[a*\\" 0-9]{0,6}"#, form in 0..6
        ) {
            let difference = match form {
                0 => text(&was, &is, Some(&name)),
                1 => text(&was, &is, None),
                2 => attribute("input", Some(&name), "value", &was, &is),
                3 => Difference::gone("C", Place::Text { after: Some(name) }, was),
                4 => Difference::changed("JSON", Place::Json { path: name }, was, is),
                _ => Difference::changed("D", Place::Source, was, is),
            };
            let pattern = DifferencePattern::of(&difference);
            prop_assert!(pattern.matches(&difference), "{} does not match {}", pattern, difference);
        }
    }
}
