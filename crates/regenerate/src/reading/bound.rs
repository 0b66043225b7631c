//! A statement with the values that were bound to it in place of its parameters.

use serde_json::Value;

/// Puts values in place of `?`, `$1` and `:name`, in their order; what stands in quotes is left as it is.
pub(super) fn with_bound(text: &str, bound: &[Value]) -> String {
    if bound.is_empty() {
        return text.to_owned();
    }
    let mut filled = String::with_capacity(text.len() + bound.len() * 8);
    let mut names: Vec<&str> = Vec::new();
    let mut next = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match c {
            '\'' | '"' | '`' => {
                let end = quoted_end(rest, c);
                filled.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            '?' => {
                push(&mut filled, bound.get(next), "?");
                next += 1;
                rest = &rest[1..];
                continue;
            }
            '$' | ':' => {
                let name = name_after(&rest[1..]);
                // `::` is a cast, and `:=` gives a value.
                let is_cast = filled.ends_with(':');
                let number = name.parse::<usize>().ok().filter(|_| c == '$');
                if !name.is_empty() && !is_cast && (number.is_some() || c == ':') {
                    let at =
                        number.map_or_else(|| place_of(&mut names, name), |number| number.wrapping_sub(1));
                    push(&mut filled, bound.get(at), &rest[..1 + name.len()]);
                    rest = &rest[1 + name.len()..];
                    continue;
                }
            }
            _ => {}
        }
        filled.push(c);
        rest = &rest[c.len_utf8()..];
    }
    filled
}

fn place_of<'t>(names: &mut Vec<&'t str>, name: &'t str) -> usize {
    names.iter().position(|known| *known == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

fn name_after(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// Where a quoted text ends; a doubled quote and one behind a backslash do not end it.
fn quoted_end(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            if chars.peek().is_some_and(|(_, next)| *next == quote) {
                chars.next();
                continue;
            }
            return at + 1;
        }
    }
    text.len()
}

fn push(filled: &mut String, value: Option<&Value>, otherwise: &str) {
    match value {
        None => filled.push_str(otherwise),
        Some(Value::Null) => filled.push_str("NULL"),
        Some(Value::Bool(value)) => filled.push_str(if *value { "1" } else { "0" }),
        Some(Value::Number(number)) => filled.push_str(&number.to_string()),
        Some(Value::String(text)) => push_text(filled, text),
        Some(other) => push_text(filled, &other.to_string()),
    }
}

fn push_text(filled: &mut String, text: &str) {
    filled.push('\'');
    filled.push_str(&text.replace('\\', "\\\\").replace('\'', "''"));
    filled.push('\'');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, bound: &str) -> String {
        let bound: Vec<Value> = serde_json::from_str(bound).unwrap_or_default();
        with_bound(text, &bound)
    }

    #[test]
    fn values_take_the_place_of_parameters() {
        let cases = [
            ("UPDATE t SET a = ? WHERE id = ?", r#"["it's", 17]"#, "UPDATE t SET a = 'it''s' WHERE id = 17"),
            ("SELECT '?' FROM t WHERE a = ?", "[null]", "SELECT '?' FROM t WHERE a = NULL"),
            ("SELECT $2::int, $1", r#"["a", 2]"#, "SELECT 2::int, 'a'"),
            ("SELECT :a, :b, :a", "[1, true]", "SELECT 1, 1, 1"),
            ("SELECT x::text WHERE y = ?", "[3]", "SELECT x::text WHERE y = 3"),
            ("SELECT ? 'it''s ?' ?", "[1]", "SELECT 1 'it''s ?' ?"),
            ("SELECT 1", "[]", "SELECT 1"),
        ];
        for (text, bound, expected) in cases {
            assert_eq!(filled(text, bound), expected);
        }
    }
}
