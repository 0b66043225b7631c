//! Escapes in double-quoted strings and heredocs.

/// A part of a double-quoted string, with its escapes resolved.
pub(crate) fn unescaped(raw: &[u8], quoted: bool) -> String {
    if !raw.contains(&b'\\') {
        return String::from_utf8_lossy(raw).into_owned();
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (taken, skipped): (&[u8], usize) = match after {
            [b'n', ..] => (b"\n", 1),
            [b't', ..] => (b"\t", 1),
            [b'r', ..] => (b"\r", 1),
            [b'v', ..] => (b"\x0b", 1),
            [b'e', ..] => (b"\x1b", 1),
            [b'f', ..] => (b"\x0c", 1),
            [b'\\', ..] => (b"\\", 1),
            [b'$', ..] => (b"$", 1),
            [b'"', ..] if quoted => (b"\"", 1),
            [b'x', hex, ..] if hex.is_ascii_hexdigit() => {
                let digits = after[1..].iter().take(2).take_while(|d| d.is_ascii_hexdigit()).count();
                bytes.push(number(&after[1..=digits], 16) as u8);
                (b"", 1 + digits)
            }
            [b'0'..=b'7', ..] => {
                let digits = after.iter().take(3).take_while(|d| (b'0'..=b'7').contains(d)).count();
                bytes.push(number(&after[..digits], 8) as u8);
                (b"", digits)
            }
            [b'u', b'{', ..] => match after.iter().position(|b| *b == b'}') {
                Some(end) if end < 12 => {
                    let c = char::from_u32(number(&after[2..end], 16)).unwrap_or(char::REPLACEMENT_CHARACTER);
                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    (b"", end + 1)
                }
                _ => (b"\\", 0),
            },
            _ => (b"\\", 0),
        };
        bytes.extend_from_slice(taken);
        rest = &after[skipped..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn number(digits: &[u8], base: u32) -> u32 {
    digits.iter().fold(0_u32, |number, digit| {
        number.wrapping_mul(base).wrapping_add((*digit as char).to_digit(base).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn escapes() {
        for (raw, text) in [
            (r"a\nb\\n\$x\q", "a\nb\\n$x\\q"),
            (r"\x41\101\u{e4}\u{", "AAä\\u{"),
            (r"\", "\\"),
            ("\\x", "\\x"),
        ] {
            assert_eq!(unescaped(raw.as_bytes(), true), text, "{raw}");
        }
    }
}
