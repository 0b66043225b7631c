//! Collects what differs, in words, and stops where nobody would read on.

use std::collections::HashSet;

use restage_model::Difference;

/// More differences than these are counted, not told.
const TOLD: usize = 200;
/// After so many, they are not even put into words to see whether they have been told: most have.
const TRIED: usize = 20_000;
/// Longer pieces are cut in a summary; the difference itself holds more of them.
const SHOWN: usize = 90;
/// What is shown of the common text around the part that differs.
const AROUND: usize = 20;
/// Of longer parts a difference holds, in bytes, what differs and a little around it, and no more than that.
const HELD: usize = 16 * 1024;
const HELD_AROUND: usize = 200;

/// The differences found so far.
pub(crate) struct Said {
    seen_by: String,
    differences: Vec<Difference>,
    told: HashSet<Difference>,
    tried: usize,
    more: usize,
}

impl Said {
    pub(crate) fn by(seen_by: &str) -> Self {
        Self { seen_by: seen_by.to_owned(), differences: Vec::new(), told: HashSet::new(), tried: 0, more: 0 }
    }

    /// Whether nothing has been told.
    pub(crate) fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }

    /// Tells a difference, unless it has been told: its summary, the part as expected, the part as it is. They are put
    /// into words only when they will be told.
    pub(crate) fn tell(&mut self, words: impl FnOnce() -> (String, String, String)) {
        if self.differences.len() == TOLD || self.tried == TRIED {
            self.more += 1;
            return;
        }
        self.tried += 1;
        let (summary, expected, actual) = words();
        let (expected, actual) = held(expected, actual);
        let difference = Difference { seen_by: self.seen_by.clone(), summary, expected, actual };
        if self.told.insert(difference.clone()) {
            self.differences.push(difference);
        }
    }

    pub(crate) fn finish(self) -> Vec<Difference> {
        let mut differences = self.differences;
        if self.more > 0 {
            differences.push(Difference {
                seen_by: self.seen_by,
                summary: format!("and {} more", self.more),
                expected: String::new(),
                actual: String::new(),
            });
        }
        differences
    }
}

/// The text on one line, its middle left out where it is long.
pub(crate) fn shortened(text: &str) -> String {
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
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}

/// Two texts in quotation marks: whole where they are short, else from a little before to a little after
/// what differs.
pub(crate) fn quoted_apart(was: &str, is: &str) -> (String, String) {
    if was.len() <= SHOWN && is.len() <= SHOWN {
        return (quoted(was), quoted(is));
    }
    let (was, is) = apart(was, is, AROUND);
    let part = |(before, text, after): (&str, &str, &str)| format!("\"{before}{}{after}\"", shortened(text));
    (part(was), part(is))
}

/// Two parts as a difference holds them: whole where they are short, else from a little before to a little after what
/// differs.
fn held(was: String, is: String) -> (String, String) {
    if was.len() <= HELD && is.len() <= HELD {
        return (was, is);
    }
    let (was, is) = apart(&was, &is, HELD_AROUND);
    let part = |(before, text, after): (&str, &str, &str)| {
        if text.len() <= HELD {
            return format!("{before}{text}{after}");
        }
        let (head, tail) =
            (text.floor_char_boundary(HELD * 2 / 3), text.ceil_char_boundary(text.len() - HELD / 3));
        format!("{before}{}…{}{after}", &text[..head], &text[tail..])
    };
    (part(was), part(is))
}

/// What differs of two texts, with so many characters around it; and marks for what is left out before and behind.
type Apart<'t> = (&'static str, &'t str, &'static str);

fn apart<'t>(was: &'t str, is: &'t str, around: usize) -> (Apart<'t>, Apart<'t>) {
    let front = common(was.chars(), is.chars());
    let back = common(was[front..].chars().rev(), is[front..].chars().rev());
    let part = |text: &'t str| {
        let end = text.len() - back;
        let from = text[..front].char_indices().rev().nth(around).map_or(0, |(i, _)| i);
        let to = text[end..].char_indices().nth(around).map_or(text.len(), |(i, _)| end + i);
        let mark = |left_out: bool| if left_out { "…" } else { "" };
        (mark(from > 0), &text[from..to], mark(to < text.len()))
    };
    (part(was), part(is))
}

/// A number with its thousands apart: `1,204`.
pub(crate) fn counted(n: usize) -> String {
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

/// Control characters would break a summary's line, or a terminal.
fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_too_much_is_counted() {
        let mut said = Said::by("X");
        for n in 0..203 {
            said.tell(|| (format!("{n}"), String::new(), String::new()));
        }
        let differences = said.finish();
        assert_eq!(differences.len(), 201);
        assert_eq!(differences[200].summary, "and 3 more");
    }

    #[test]
    fn what_has_been_told_is_not_told_again() {
        let mut said = Said::by("X");
        for n in 0..50_000 {
            said.tell(|| (format!("{}", n % 7), String::new(), String::new()));
        }
        let differences = said.finish();
        assert_eq!(differences.len(), 8);
        assert_eq!(differences[7].summary, "and 30000 more");
    }

    #[test]
    fn of_long_parts_what_differs_is_held() {
        let long = "é".repeat(HELD);
        let (was, is) = held(format!("{long}1{long}"), format!("{long}2{long}"));
        assert!(was.len() < 1000 && was.contains('1') && is.contains('2'), "{was}");
        let (was, is) = held(format!("a{long}"), format!("b{}", "ü".repeat(HELD)));
        assert!(was.starts_with("aé") && is.starts_with("bü") && was.len() < 2 * HELD);
        assert_eq!(held(String::new(), "x".repeat(HELD)).1.len(), HELD);
    }

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
