//! How a value is spelled where it stands: percent-encoded in an address, escaped in JSON or HTML, or as it is.
//!
//! A stand-in keeps all characters that need escaping, so that each is spelled as it was.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// What may be escaped in a stretch of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// `%40`
    pub(crate) percent: bool,
    /// `+` for a space
    pub(crate) plus: bool,
    /// `&#64;`, `&quot;`
    pub(crate) entities: bool,
    /// `\u0040`, `\"`
    pub(crate) backslash: bool,
}

impl Spelling {
    /// Everything stands for itself.
    pub(crate) const PLAIN: Self = Self { percent: false, plus: false, entities: false, backslash: false };
    /// A form's or an address's parameter.
    pub(crate) const PARAMETER: Self = Self { percent: true, plus: true, entities: false, backslash: false };
}

/// A value as read: each character with its spelling.
#[derive(Debug)]
pub(crate) struct Spelled<'t> {
    units: Vec<(char, &'t [u8])>,
}

impl<'t> Spelled<'t> {
    /// Reads a stretch of text.
    pub(crate) fn read(raw: &'t [u8], spelling: Spelling) -> Self {
        let mut units = Vec::with_capacity(raw.len());
        let mut at = 0;
        while at < raw.len() {
            let rest = &raw[at..];
            let (c, length) = match rest[0] {
                b'%' if spelling.percent => percent(rest),
                b'+' if spelling.plus => (' ', 1),
                b'&' if spelling.entities => entity(rest),
                b'\\' if spelling.backslash => backslash(rest),
                _ => plain(rest),
            };
            units.push((c, &rest[..length]));
            at += length;
        }
        Self { units }
    }

    /// The value.
    pub(crate) fn value(&self) -> String {
        self.units.iter().map(|(c, _)| c).collect()
    }

    /// The value as text, and for each of its bytes, and for its end, where that stands as spelled.
    pub(crate) fn decoded(&self) -> (Vec<u8>, Vec<usize>) {
        let mut text = Vec::new();
        let mut places = Vec::new();
        let mut at = 0;
        for (c, raw) in &self.units {
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).as_bytes();
            text.extend_from_slice(bytes);
            places.extend(bytes.iter().map(|_| at));
            at += raw.len();
        }
        places.push(at);
        (text, places)
    }

    /// Spells another value in the same way.
    pub(crate) fn respell(&self, value: &str) -> Vec<u8> {
        let mut signs: Option<HashMap<char, &[u8], FixedState>> = None;
        let mut out = Vec::with_capacity(value.len());
        for (place, c) in value.chars().enumerate() {
            let here = self.units.get(place).filter(|(old, _)| *old == c).map(|(_, raw)| *raw);
            let raw = match here {
                None if !c.is_ascii_alphanumeric() => {
                    signs.get_or_insert_with(|| self.signs()).get(&c).copied()
                }
                here => here,
            };
            match raw {
                Some(raw) => out.extend_from_slice(raw),
                None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        out
    }

    /// How each character that is no letter or digit is spelled first.
    fn signs(&self) -> HashMap<char, &'t [u8], FixedState> {
        let mut signs = HashMap::default();
        for (c, raw) in self.units.iter().filter(|(c, _)| !c.is_ascii_alphanumeric()) {
            signs.entry(*c).or_insert(*raw);
        }
        signs
    }
}

/// A value in every spelling that pages and addresses are likely to have it in, as it is first. Always as many, in the same order, so that the parts of a
/// value can be spelled on their own.
pub(crate) fn every_spelling(value: &str) -> Vec<String> {
    let each = |spell: &dyn Fn(char) -> Option<String>| -> String {
        value.chars().map(|c| spell(c).unwrap_or_else(|| c.to_string())).collect()
    };
    let percent = |c: char, upper: bool, space: &str| -> Option<String> {
        let plain = c.is_ascii_alphanumeric() || "-._*~".contains(c);
        (!plain).then(|| match c {
            ' ' => space.to_owned(),
            c => {
                let bytes = c.to_string();
                let spell = |b: u8| if upper { format!("%{b:02X}") } else { format!("%{b:02x}") };
                bytes.bytes().map(spell).collect()
            }
        })
    };
    let html = |c: char, quote: &str| match c {
        '&' => Some("&amp;".to_owned()),
        '<' => Some("&lt;".to_owned()),
        '>' => Some("&gt;".to_owned()),
        '"' => Some("&quot;".to_owned()),
        '\'' => Some(quote.to_owned()),
        _ => None,
    };
    let json = |c: char, slash: bool| match c {
        '"' => Some("\\\"".to_owned()),
        '\\' => Some("\\\\".to_owned()),
        '/' if slash => Some("\\/".to_owned()),
        '<' | '>' | '&' | '\'' if slash => Some(format!("\\u{:04x}", u32::from(c))),
        c if !c.is_ascii() && slash => {
            Some(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect())
        }
        _ => None,
    };
    vec![
        value.to_owned(),
        each(&|c| percent(c, true, "%20")),
        each(&|c| percent(c, true, "+")),
        each(&|c| percent(c, false, "%20")),
        each(&|c| html(c, "&#39;")),
        each(&|c| html(c, "&#039;")),
        each(&|c| html(c, "&#x27;")),
        each(&|c| json(c, false)),
        each(&|c| json(c, true)),
    ]
}

/// Where a run of letters and digits really begins: not with what is left of an escape before it.
pub(crate) fn after_escape(text: &[u8], start: usize, end: usize) -> usize {
    let hex = |from: usize, count: usize| {
        from + count <= end && text[from..from + count].iter().all(u8::is_ascii_hexdigit)
    };
    match start.checked_sub(1).map(|before| text[before]) {
        Some(b'%') if hex(start, 2) => start + 2,
        Some(b'\\') if text[start] == b'u' && hex(start + 1, 4) => start + 5,
        Some(b'\\') if b"ntrbf".contains(&text[start]) => start + 1,
        _ => start,
    }
}

fn plain(rest: &[u8]) -> (char, usize) {
    let length = match rest[0] {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    };
    let text = rest.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    // Of another encoding: one character a byte.
    text.and_then(|text| text.chars().next()).map_or((char::from(rest[0]), 1), |c| (c, length))
}

fn percent(rest: &[u8]) -> (char, usize) {
    let byte = |at: usize| -> Option<u8> {
        let digits = rest.get(at..at + 3).filter(|unit| unit[0] == b'%')?;
        u8::from_str_radix(std::str::from_utf8(&digits[1..]).ok()?, 16).ok()
    };
    let Some(first) = byte(0) else { return ('%', 1) };
    let count = match first {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    };
    let bytes: Option<Vec<u8>> = (0..count).map(|n| byte(n * 3)).collect();
    let c = bytes.and_then(|bytes| std::str::from_utf8(&bytes).ok().and_then(|text| text.chars().next()));
    c.map_or((char::from(first), 3), |c| (c, count * 3))
}

fn entity(rest: &[u8]) -> (char, usize) {
    let Some(end) = rest.iter().take(10).position(|&b| b == b';') else { return ('&', 1) };
    let name = std::str::from_utf8(&rest[1..end]).unwrap_or_default();
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let c = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "commat" => Some('@'),
        _ => match name.strip_prefix('#') {
            Some(digits) => match digits.strip_prefix(['x', 'X']) {
                Some(digits) => number(digits, 16),
                None => number(digits, 10),
            },
            None => None,
        },
    };
    c.map_or(('&', 1), |c| (c, end + 1))
}

fn backslash(rest: &[u8]) -> (char, usize) {
    match rest.get(1) {
        Some(b'u') => {
            let unit = |at: usize| -> Option<u16> {
                let digits = rest.get(at..at + 6).filter(|unit| unit.starts_with(b"\\u"))?;
                u16::from_str_radix(std::str::from_utf8(&digits[2..]).ok()?, 16).ok()
            };
            let Some(first) = unit(0) else { return ('\\', 1) };
            let pair = unit(6).and_then(|second| char::decode_utf16([first, second]).next()?.ok());
            match (char::from_u32(u32::from(first)), pair) {
                (Some(c), _) => (c, 6),
                (None, Some(c)) => (c, 12),
                (None, None) => ('\\', 1),
            }
        }
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(&c @ (b'"' | b'\'' | b'\\' | b'/')) => (char::from(c), 2),
        _ => ('\\', 1),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Catches: a stand-in that the application reads as something else, as its escapes are gone.
    #[test]
    fn escapes_stay() {
        let spelled = Spelled::read(b"p%40ss+w0rd%C3%A9", Spelling::PARAMETER);
        assert_eq!(spelled.value(), "p@ss w0rd\u{e9}");
        assert_eq!(spelled.respell("x@yz q1abx"), b"x%40yz+q1abx");
        let all = Spelling { entities: true, backslash: true, ..Spelling::PLAIN };
        let spelled = Spelled::read(br#"a&#64;b\"c\u003d"#, all);
        assert_eq!(spelled.value(), "a@b\"c=");
        assert_eq!(spelled.respell("x@y\"z="), br#"x&#64;y\"z\u003d"#);
    }

    /// Catches: a long value whose every letter is looked for in all of it, which takes hours.
    #[test]
    fn long_values_take_no_longer_a_letter() {
        let long = "a%20b".repeat(200_000);
        let spelled = Spelled::read(long.as_bytes(), Spelling::PARAMETER);
        let other: String = spelled.value().chars().map(|c| if c == 'a' { 'x' } else { c }).skip(1).collect();
        assert_eq!(spelled.respell(&other).len(), long.len() - 1);
    }

    proptest! {
        /// Catches: bytes lost of what is not replaced, whatever they are.
        #[test]
        fn what_is_the_same_is_spelled_the_same(raw in proptest::collection::vec(any::<u8>(), 0..40), percent: bool, plus: bool, entities: bool, backslash: bool) {
            let spelled = Spelled::read(&raw, Spelling { percent, plus, entities, backslash });
            prop_assert_eq!(spelled.respell(&spelled.value()), raw);
        }

        /// Catches: a spelling that is not read back.
        #[test]
        fn spellings_are_read_back(value in "[a-z0-9@&<>\"' /%+é]{1,12}") {
            let all = every_spelling(&value);
            let html = Spelling { entities: true, ..Spelling::PLAIN };
            let json = Spelling { backslash: true, ..Spelling::PLAIN };
            let read = [Spelling::PLAIN, Spelling::PARAMETER, Spelling::PARAMETER, Spelling::PARAMETER, html, html, html, json, json];
            for (spelled, spelling) in all.iter().zip(read) {
                prop_assert_eq!(&Spelled::read(spelled.as_bytes(), spelling).value(), &value);
            }
        }
    }
}
