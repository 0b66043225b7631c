//! A statement with the values that were bound to it in place of its parameters.

use serde_json::Value;

/// Puts values in place of `?`, `$1`, `:name`, and of Python's `%s` and `%(name)s`, in their order; what stands in quotes is left as it is.
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
            '%' => {
                if let Some((name, end)) = python_parameter(rest) {
                    let at = match name {
                        Some(name) => place_of(&mut names, name),
                        None => {
                            next += 1;
                            next - 1
                        }
                    };
                    push(&mut filled, bound.get(at), &rest[..end]);
                    rest = &rest[end..];
                    continue;
                }
                // A sign that stands for itself is written twice.
                if rest.starts_with("%%") {
                    rest = &rest[1..];
                }
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

/// The name of a parameter as Python's drivers have them, where it has one, and where it ends.
fn python_parameter(text: &str) -> Option<(Option<&str>, usize)> {
    if text.starts_with("%s") {
        return Some((None, 2));
    }
    let end = text.strip_prefix("%(")?.find(")s")?;
    let name = &text[2..2 + end];
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_').then_some((Some(name), end + 4))
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
            ("UPDATE t SET a = %s WHERE id = %s", r#"["x", 17]"#, "UPDATE t SET a = 'x' WHERE id = 17"),
            ("SELECT %(a)s, %(b)s, %(a)s", "[1, 2]", "SELECT 1, 2, 1"),
            (
                "SELECT 7 %% b, c % d FROM t WHERE e LIKE '%s' AND f = %s",
                "[3]",
                "SELECT 7 % b, c % d FROM t WHERE e LIKE '%s' AND f = 3",
            ),
            ("SELECT 100 % (a)", "[3]", "SELECT 100 % (a)"),
        ];
        for (text, bound, expected) in cases {
            assert_eq!(filled(text, bound), expected);
        }
    }
}
