//! `.env` files: lines of NAME=value, as shells and the libraries of many languages read them.

/// What a file says, in order; a name may be given twice.
pub(crate) fn parse(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let line = rest[..line_end].trim();
        let line = line.strip_prefix("export ").map_or(line, str::trim_start);
        let named = (!line.starts_with('#')).then(|| line.split_once('=')).flatten();
        let Some((name, value)) = named.filter(|(name, _)| is_name(name.trim())) else {
            rest = &rest[line_end..];
            continue;
        };
        let value = value.trim_start();
        // What stands in quotation marks may go on in the next line.
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let from = line_start(rest, value);
        let (value, end) = match quote.and_then(|quote| quoted(&rest[from..], quote)) {
            Some((value, length)) => {
                let value = if quote == Some('"') { filled(&value, &found) } else { value };
                let at = from + length;
                (value, at + rest[at..].find('\n').map_or(rest.len() - at, |end| end + 1))
            }
            None => (filled(uncommented(value), &found), line_end),
        };
        found.push((name.trim().to_owned(), value));
        rest = &rest[end..];
    }
    found
}

/// The value that a name has in the end.
pub(crate) fn value(text: &str, name: &str) -> Option<String> {
    parse(text).into_iter().rev().find(|(n, _)| n == name).map(|(_, value)| value)
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// Where a part of a text begins in it.
fn line_start(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize).min(whole.len())
}

/// What stands in quotation marks, and how long that is with them.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((value, at + 1)),
            '\\' if quote == '"' => match chars.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'r' => value.push('\r'),
                other => value.push(other),
            },
            c => value.push(c),
        }
    }
    None
}

/// A value without quotation marks ends where a comment begins.
fn uncommented(value: &str) -> &str {
    let end = value.find(" #").or_else(|| value.find("\t#")).unwrap_or(value.len());
    value[..end].trim_end()
}

/// `${NAME}` is what was said of that name before.
fn filled(value: &str, before: &[(String, String)]) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some((head, after)) = rest.split_once("${") {
        let Some((name, tail)) = after.split_once('}') else { break };
        out.push_str(head);
        match before.iter().rev().find(|(n, _)| n == name) {
            // What names itself over and over must not grow without end.
            Some((_, value)) if value.len() < 4096 => out.push_str(value),
            _ => out.push_str(&format!("${{{name}}}")),
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Catches: a value with its quotation marks, its comment or its `export`.
    #[test]
    fn as_shells_read_them() {
        let text = "# DB=no\nexport DB_HOST = 127.0.0.1 # here\nA='it''s'\nURL=\"postgres://${DB_HOST}/x\\\"y\" # c\n\
            KEY=\"line one\nline two\"\nHASH=a#b\nnot a line\n=x\nEMPTY=\nDB_HOST=::1";
        let pairs = parse(text);
        let of = |name: &str| pairs.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
        assert_eq!(of("DB_HOST"), Some("127.0.0.1"));
        assert_eq!(of("A"), Some("it"));
        assert_eq!(of("URL"), Some("postgres://127.0.0.1/x\"y"));
        assert_eq!(of("KEY"), Some("line one\nline two"));
        assert_eq!((of("HASH"), of("EMPTY"), of("DB")), (Some("a#b"), Some(""), None));
        assert_eq!(value(text, "DB_HOST").as_deref(), Some("::1"));
    }

    proptest! {
        #[test]
        fn anything_is_read(text in "([A-Z]{1,3}=|[\"'\\\\$\\{\\}#\n a-zé=]){0,60}") {
            parse(&text);
        }
    }
}
