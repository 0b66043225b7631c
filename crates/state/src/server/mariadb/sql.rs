//! Names and values as they are written into statements.

/// A name, quoted.
pub(super) fn name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Text, quoted. Whatever the session's mode, no backslash has a meaning in it: it is written as bytes where it has one.
pub(super) fn quoted(text: &str) -> String {
    if text.contains('\\') {
        return format!("_utf8mb4 {}", hex(text.as_bytes()));
    }
    format!("'{}'", text.replace('\'', "''"))
}

/// Bytes as a literal.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2 + 3);
    push_hex(&mut out, bytes);
    out
}

/// Adds bytes as a literal.
pub(super) fn push_hex(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push_str("x'");
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out.push('\'');
}

/// Bytes out of hexadecimal digits; none where it is something else.
pub(super) fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    digits.chunks(2).map(|pair| Some(value(*pair.first()?)? << 4 | value(*pair.get(1)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a name or a text that ends its own quotes.
    #[test]
    fn names_and_texts_stay_inside_their_quotes() {
        assert_eq!(name("a`b"), "`a``b`");
        assert_eq!(quoted("it's"), "'it''s'");
        assert_eq!(quoted("a\\"), "_utf8mb4 x'615C'");
        assert_eq!(from_hex("00FFa1"), Some(vec![0, 255, 0xa1]));
        assert_eq!((from_hex("0"), from_hex("zz")), (None, None));
    }
}
