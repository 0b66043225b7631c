//! When two values or statements are the same: times, and what is drawn at random, are not looked at. They would make each statement
//! another one, and there would be no end of new ones.

use restage_model::ValueShape;

/// Seconds since 1970 of this century are such numbers.
const TIMES: std::ops::Range<u64> = 1_000_000_000..4_200_000_000;

/// A text with `time` and `token` in place of what is another one each time.
pub(super) fn distinct(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut word = String::new();
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_:.+/".contains(c);
    let flush = |word: &mut String, plain: &mut String| {
        plain.push_str(shown(word));
        word.clear();
    };
    let mut spaced = false;
    for c in text.trim().chars() {
        if is_sign(c) {
            word.push(c);
            spaced = false;
            continue;
        }
        flush(&mut word, &mut plain);
        if !c.is_whitespace() {
            plain.push(c);
        } else if !spaced {
            plain.push(' ');
        }
        spaced = c.is_whitespace();
    }
    flush(&mut word, &mut plain);
    // A date and a time of day are two words.
    plain.replace("date time", "time")
}

/// A statement without its values. Double quotes are around names or around values.
pub(super) fn shape(text: &str, double_quotes_names: bool) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next() {
        let in_name = plain.ends_with(|last: char| last.is_alphanumeric() || "_$`\".".contains(last));
        match c {
            quote @ ('\'' | '"') if quote == '\'' || !double_quotes_names => {
                while let Some(inner) = chars.next() {
                    let doubled = inner == quote && chars.peek() == Some(&quote);
                    if inner == '\\' || doubled {
                        chars.next();
                    } else if inner == quote {
                        break;
                    }
                }
                plain.push('?');
            }
            c if c.is_ascii_digit() && !in_name => {
                while chars.next_if(|next| next.is_ascii_alphanumeric() || *next == '.').is_some() {}
                plain.push('?');
            }
            c if c.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            c => plain.push(c),
        }
    }
    // A list is the same list, however long it is.
    loop {
        let shorter = plain.replace("?, ?", "?").replace("?,?", "?");
        if shorter.len() == plain.len() {
            return plain;
        }
        plain = shorter;
    }
}

fn shown(word: &str) -> &str {
    let signs = word.bytes().filter(|b| *b == b':').count();
    match ValueShape::of(word) {
        ValueShape::Date => "date",
        ValueShape::DateTime => "time",
        ValueShape::Token | ValueShape::EncodedToken if !word.contains('.') => "token",
        ValueShape::Number if word.parse().is_ok_and(|number: u64| TIMES.contains(&number)) => "time",
        ValueShape::Decimal if word.parse().is_ok_and(|number: f64| TIMES.contains(&(number as u64))) => {
            "time"
        }
        _ if signs >= 1 && word.bytes().all(|b| b.is_ascii_digit() || b == b':' || b == b'.') => "time",
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_has_no_values() {
        let cases = [
            ("SELECT t1.a FROM t1 WHERE b IN (1, 2,3)", "SELECT t1.a FROM t1 WHERE b IN (?)"),
            (r#"SELECT a FROM b WHERE c = "d""#, "SELECT a FROM b WHERE c = ?"),
            ("UPDATE t SET a = 'it''s \\' 5', b=-1.5", "UPDATE t SET a = ?, b=-?"),
        ];
        for (text, expected) in cases {
            assert_eq!(shape(text, false), expected);
        }
        assert_eq!(shape(r#"SELECT "a" FROM "b""#, true), r#"SELECT "a" FROM "b""#);
    }

    #[test]
    fn times_and_tokens_are_not_looked_at() {
        let cases = [
            ("UPDATE  t\n SET n = 17", "UPDATE t SET n = 17"),
            ("INSERT INTO log VALUES ('2026-11-18 20:30:01', 3)", "INSERT INTO log VALUES ('time', 3)"),
            ("SET seen = 1794786652", "SET seen = time"),
            ("SET day = '2026-11-18'", "SET day = 'date'"),
            ("SET id = '0123456789abcdef01234567'", "SET id = 'token'"),
            ("SELECT a.b FROM c WHERE d = 'x y'", "SELECT a.b FROM c WHERE d = 'x y'"),
        ];
        for (text, expected) in cases {
            assert_eq!(distinct(text), expected);
        }
    }
}
