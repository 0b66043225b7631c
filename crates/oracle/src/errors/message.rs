//! What an error says, without the values in it: the same fault with another order's number is one fault.

use restage_model::ValueShape;

/// Longer messages are cut.
const LONGEST: usize = 160;
/// A longer name in quotation marks is a value.
const LONGEST_NAME: usize = 48;

/// The message without values: numbers, and what is in quotation marks unless it is a name.
pub(super) fn normal(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message.trim();
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if out.len() > LONGEST {
            return format!("{}…", out.trim_end());
        }
        let (put, length) = if c.is_whitespace() {
            let length = rest.len() - rest.trim_start().len();
            (" ".to_owned(), length)
        } else if matches!(c, '\'' | '"' | '`') && !before.is_alphanumeric() {
            quotation(rest, c, out.ends_with("Duplicate entry ")).unwrap_or_else(|| (c.to_string(), 1))
        } else if is_word(c) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = &rest[..length];
            // `Argument #1` is which argument, not what was in it; `ORA-00942` is a code.
            let kept = before == '#' || out.ends_with("ORA-") || !is_value(word);
            (if kept { word.to_owned() } else { "#".to_owned() }, length)
        } else {
            (c.to_string(), c.len_utf8())
        };
        before = rest[..length].chars().next_back().unwrap_or(' ');
        out.push_str(&put);
        rest = &rest[length..];
    }
    out.truncate(out.trim_end().len());
    out
}

/// A quotation and how long it is in the text; none where the mark is an apostrophe or not closed.
fn quotation(text: &str, mark: char, of_value: bool) -> Option<(String, usize)> {
    // Ruby quotes `like this'.
    let closing = |c: char| c == mark || mark == '`' && c == '\'';
    let mut inside = text[1..].char_indices().peekable();
    while let Some((at, c)) = inside.next() {
        if closing(c) && !inside.peek().is_some_and(|(_, next)| next.is_alphanumeric()) {
            let content = &text[1..=at];
            let kept = if is_name(content) && !of_value { content } else { "…" };
            return Some((format!("{mark}{kept}{c}"), at + 2));
        }
    }
    None
}

/// A variable, a table, a class: part of the program, not of its data.
fn is_name(content: &str) -> bool {
    let first =
        content.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '@'));
    let plain =
        |c: char| is_word(c) || matches!(c, '.' | ':' | '\\' | '-' | '@' | '?' | '!' | '[' | ']' | '#');
    first
        && content.len() <= LONGEST_NAME
        && content.chars().all(plain)
        && !content.split(|c| !is_word(c)).any(is_value)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// A number, an address in memory, a hash. Other tokens are not: a program's own names may well be long and numbered.
fn is_value(word: &str) -> bool {
    match ValueShape::of(word) {
        ValueShape::Number => true,
        ValueShape::Hash | ValueShape::Token if word.bytes().all(|b| b.is_ascii_hexdigit()) => {
            word.len() >= 8
        }
        _ => word.starts_with("0x"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_left_out_and_names_are_not() {
        for (message, what) in [
            ("Undefined variable $x1", "Undefined variable $x1"),
            ("Undefined array key 17", "Undefined array key #"),
            ("Undefined array key \"total\"", "Undefined array key \"total\""),
            ("Table 'shop.users' doesn't exist", "Table 'shop.users' doesn't exist"),
            ("invalid literal: 'twelve apples'", "invalid literal: '…'"),
            ("Duplicate entry 'bob' for key 'email'", "Duplicate entry '…' for key 'email'"),
            ("undefined method `name' for nil", "undefined method `name' for nil"),
            ("at 0x7f3c after  3.5\ts, 9f86d081884c7d65", "at # after #.# s, #"),
            ("SQLSTATE[42S02]: 1146", "SQLSTATE[42S02]: #"),
        ] {
            assert_eq!(normal(message), what);
        }
    }

    proptest! {
        #[test]
        fn any_message_has_a_short_normal_form(message in "\\PC{0,400}") {
            prop_assert!(normal(&message).chars().count() <= message.chars().count().max(1) + 2);
            prop_assert!(normal(&message).len() <= 700);
        }
    }
}
