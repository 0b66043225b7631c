//! Undoing what servers do to values before they log them.

/// The bytes of a logged value: `\"`, `\\`, `\n`, `\t` and `\x16` undone (Apache, nginx).
pub(super) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let (byte, length) = match &rest[at + 1..] {
            [b'x', a, b, ..] => match (hex(*a), hex(*b)) {
                (Some(a), Some(b)) => (a * 16 + b, 4),
                _ => (b'\\', 1),
            },
            [b'n', ..] => (b'\n', 2),
            [b'r', ..] => (b'\r', 2),
            [b't', ..] => (b'\t', 2),
            [byte @ (b'"' | b'\\'), ..] => (*byte, 2),
            _ => (b'\\', 1),
        };
        out.push(byte);
        rest = &rest[at + length..];
    }
    out.extend_from_slice(rest);
    out
}

/// A line of JSON that says `\x16` where JSON would say `\u0016` (Apache), put right.
pub(super) fn json_from_apache(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        match after.chars().next() {
            Some('x') => {
                out.push_str("\\u00");
                rest = &after[1..];
            }
            Some(next) => {
                out.push('\\');
                out.push(next);
                rest = &after[next.len_utf8()..];
            }
            None => {
                out.push('\\');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The index of the quote that ends a quoted value which `text` begins inside of.
pub(super) fn closing_quote(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr(b'"', &text[from..])?;
        let backslashes = text[..at].iter().rev().take_while(|b| **b == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
        from = at + 1;
    }
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: an escaped quote that ends a value, bytes that come back as others.
    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescape(br#"a\"b\\c\x16\x03\n\q\"#), b"a\"b\\c\x16\x03\n\\q\\");
        assert_eq!(closing_quote(br#"a\"b" 200"#), Some(4));
        assert_eq!(closing_quote(br#"a\\" 200"#), Some(3));
        assert_eq!(closing_quote(b"a"), None);
        let fixed = json_from_apache(r#"{"a":"\x16\\x\""}"#);
        assert_eq!(fixed, r#"{"a":"\u0016\\x\""}"#);
    }
}
