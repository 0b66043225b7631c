//! What a value looks like: a number, a date, a token, a word.
//!
//! The one answer for the whole workspace. Keys, live values, masks of files, reductions and session cookies all ask it,
//! and add only what they know beside: how long a value must be to count, or what stands around it. Where dates stand in
//! running text is another question (`oracle/src/dates.rs`), and so is whether a value may be a secret
//! (`redact/src/candidates.rs`), which must rather be answered with yes once too often.

/// A token has at least so many characters.
const TOKEN_LENGTH: usize = 16;
/// A token has at least so many digits: a long word with a year's end in it is none.
const TOKEN_DIGITS: usize = 3;
/// A value with signs of base64, of signatures or of addresses has at least so many letters to be a token: `GA1.2.17…` is a counter.
const ENCODED_LETTERS: usize = 3;
/// A hash has at least so many characters.
const HASH_LENGTH: usize = 6;

/// What a value looks like, by its characters alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueShape {
    /// Nothing at all.
    Empty,
    /// Digits alone: `17`, `1794786652`.
    Number,
    /// A number with a sign or a fraction: `12.50`, `-3`.
    Decimal,
    /// A day: `2026-11-16`.
    Date,
    /// A day and a time: `2026-11-16T12:00:00Z`.
    DateTime,
    /// A short hash: hexadecimal digits, letters among them: `7c679d`, `3f2504e`.
    Hash,
    /// Drawn at random, of letters, digits, `-` and `_`: a UUID, a long hash, a session's id.
    Token,
    /// Drawn at random and written with other signs: base64, a signed value, a JSON Web Token.
    EncodedToken,
    /// Letters alone, upper and lower case in no order that words have: one in a few hundred tokens.
    CasedLetters,
    /// Short, and drawn at random, as link shorteners do: `hWhrYg`, `x7k2p`.
    ShortId,
    /// Words and small numbers, joined by signs: `the-winter-of-2026`, `report.pdf`.
    Slug,
    /// Letters alone.
    Word,
    /// An address, with its host or without: `/book/17`, `https://shop.example/`.
    Address,
    /// Several words, markup, JSON: to be looked into, not at.
    Text,
    /// None of these: `crane2`, `photo2026.jpg`.
    Mixed,
}

impl ValueShape {
    /// What a value looks like.
    pub fn of(value: &str) -> Self {
        let bytes = value.as_bytes();
        let made = Makeup::of(bytes);
        let long = bytes.len() >= TOKEN_LENGTH && made.digits >= TOKEN_DIGITS;
        if bytes.is_empty() {
            Self::Empty
        } else if made.digits == bytes.len() {
            Self::Number
        } else if is_date(bytes) {
            Self::Date
        } else if is_date_time(bytes) {
            Self::DateTime
        } else if made.composed {
            Self::Text
        } else if is_address(value) {
            Self::Address
        } else if bytes.len() >= HASH_LENGTH && made.is_hash() {
            if long { Self::Token } else { Self::Hash }
        } else if made.wordy && is_short_id(bytes) {
            Self::ShortId
        } else if value.chars().all(char::is_alphabetic) {
            let cased = made.lower >= 3 && made.upper >= 3 && made.letters() >= TOKEN_LENGTH;
            if cased { Self::CasedLetters } else { Self::Word }
        } else if is_decimal(value) {
            Self::Decimal
        } else if is_slug(value) {
            Self::Slug
        } else if long && made.wordy {
            Self::Token
        } else if long && made.encoded && made.letters() >= ENCODED_LETTERS {
            Self::EncodedToken
        } else {
            Self::Mixed
        }
    }

    /// Whether it was drawn at random beyond doubt: the same value twice is no accident, and the next time it is another.
    pub fn is_token(self) -> bool {
        matches!(self, Self::Token | Self::EncodedToken)
    }
}

/// What a value is made of.
struct Makeup {
    digits: usize,
    lower: usize,
    upper: usize,
    /// Hexadecimal digits alone.
    hex: bool,
    /// Letters, digits, `-` and `_` alone.
    wordy: bool,
    /// These, and signs of base64, of signatures and of addresses.
    encoded: bool,
    /// White space, quotes or brackets of markup and JSON.
    composed: bool,
}

impl Makeup {
    fn of(bytes: &[u8]) -> Self {
        let mut made =
            Self { digits: 0, lower: 0, upper: 0, hex: true, wordy: true, encoded: true, composed: false };
        for byte in bytes {
            match byte {
                b'0'..=b'9' => made.digits += 1,
                b'a'..=b'z' => made.lower += 1,
                b'A'..=b'Z' => made.upper += 1,
                b'-' | b'_' => {}
                _ => {
                    made.wordy = false;
                    made.encoded &= b"+/=.:~%|!*$,".contains(byte);
                    made.composed |= byte.is_ascii_whitespace() || b"\"'<>{}".contains(byte);
                }
            }
            made.hex &= byte.is_ascii_hexdigit();
        }
        made
    }

    fn is_hash(&self) -> bool {
        self.hex && self.digits > 0 && self.letters() > 0
    }

    fn letters(&self) -> usize {
        self.lower + self.upper
    }
}

fn is_address(value: &str) -> bool {
    let host = |scheme: &str| value.starts_with(scheme);
    value.len() > 1 && value.starts_with('/') || host("http://") || host("https://")
}

/// `12.50`, `-3`: digits with one point, or with a sign.
fn is_decimal(value: &str) -> bool {
    let number = value.strip_prefix('-').unwrap_or(value);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(fraction)
}

fn is_date(bytes: &[u8]) -> bool {
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// A date, `T` or a blank, and a clock; seconds, fractions and a zone as they like.
fn is_date_time(bytes: &[u8]) -> bool {
    let Some((date, rest)) = bytes.split_at_checked(10) else { return false };
    let [b'T' | b't' | b' ', a, b, b':', c, d, zone @ ..] = rest else { return false };
    is_date(date)
        && [a, b, c, d].iter().all(|digit| digit.is_ascii_digit())
        && zone.iter().all(|byte| byte.is_ascii_digit() || b":.,+-Zz ".contains(byte))
}

/// Words joined by signs read as a name, whatever year or number is among them; an id does not.
fn is_slug(value: &str) -> bool {
    let small = |word: &str| word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
    let sound = |word: &str| small(word) || word.chars().all(char::is_alphabetic);
    let sign = |c: char| !c.is_alphanumeric();
    value.contains(sign) && !value.chars().all(sign) && value.split(sign).all(sound)
}

/// `hWhrYg` and `x7k2p` were drawn, `addBook` and `page2` are names: they change between kinds of letters once.
fn is_short_id(bytes: &[u8]) -> bool {
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let changes = bytes[1..].windows(2).filter(|two| kind(two[0]) != kind(two[1])).count();
    (5..8).contains(&bytes.len()) && changes >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a value that one part of restage takes for a token and another for a word.
    #[test]
    fn every_shape() {
        use ValueShape::*;
        let table: &[(ValueShape, &[&str])] = &[
            (Empty, &[""]),
            (Number, &["0", "17", "1794786652", "20261115120000"]),
            (Decimal, &["12.5", "-3", "1234567890.25"]),
            (Date, &["2026-11-16"]),
            (DateTime, &["2026-11-16T12:00:00Z", "2026-11-16 12:00", "2026-11-16T12:00:00.25+01:00"]),
            (Hash, &["7c679d", "3f2504e", "a1b2c3", "ab12cd34ef"]),
            (
                Token,
                &[
                    "d41d8cd98f00b204e9800998ecf8427e",
                    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                    "q3h7k2m9v1c8b4n6l5p0",
                    "20261115-103000-0123",
                ],
            ),
            (
                EncodedToken,
                &[
                    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1",
                    "s%3Aj4Kq81bzQ.3dGh5/yT+0=",
                    "BAh7CEkiD3Nlc3Npb24=--3f2504e04f89",
                ],
            ),
            (CasedLetters, &["QwErTyUiOpAsDfGhJk"]),
            (ShortId, &["hWhrYg", "x7k2p"]),
            (
                Slug,
                &[
                    "the-winter-of-2026-in-pictures",
                    "keynote-2024",
                    "utf-8",
                    "report.pdf",
                    "photo-2026-11-15.jpeg",
                    "post_id",
                    "15/11/2026",
                    "127.0.0.1",
                    "größe-12",
                ],
            ),
            (Word, &["en", "hello", "postId", "addBook", "Über", "internationalisation"]),
            (Address, &["/book/17", "https://shop.example/", "/a"]),
            (Text, &["two words 12345678", "{\"a\":1}", "<b>", " ", "it's"]),
            (
                Mixed,
                &[
                    "crane2",
                    "page2",
                    "photo2026.jpg",
                    "photo-20261115",
                    "GA1.2.1234567890.1794786652",
                    "9a2f",
                    "--",
                    "/",
                    "anna1984@example.org",
                ],
            ),
        ];
        for (shape, values) in table {
            for value in *values {
                assert_eq!(ValueShape::of(value), *shape, "{value}");
            }
        }
    }

    proptest::proptest! {
        /// Catches: bytes in the middle of a character.
        #[test]
        fn any_text_has_a_shape(value in ".{0,24}") {
            ValueShape::of(&value);
        }
    }
}
