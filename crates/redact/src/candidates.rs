//! Which values can be secret at all, and which can be told wherever they stand.
//!
//! Not `ValueShape`: a secret that is missed is stored, so that here a slug with a year in it counts as drawn, too.

use crate::secret_kind::Kind;
use crate::secret_names;

/// The shortest value that is replaced: anything shorter is a setting or a number.
const SHORTEST: usize = 4;
const SHORTEST_TOKEN: usize = 8;
const SHORTEST_RULE: usize = 2;
const SHORTEST_SESSION: usize = 6;
/// What is longer was not typed, and not drawn: a list of the passwords that are used most, for one.
const LONGEST_PASSWORD: usize = 1024;
const LONGEST_TOKEN: usize = 16 << 10;
/// A value this long is an identifier whatever it is made of.
const LONG: usize = 20;
const RANDOM: usize = 16;

/// Who wrote a value: a client's own words are secret more often than a server's, which may be a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Request,
    Response,
}

/// Whether the value of a secret's name is a secret.
pub(crate) fn is_secret(kind: Kind, name: &str, value: &str, side: Side) -> bool {
    let length = value.chars().count();
    let longest = if kind == Kind::Password { LONGEST_PASSWORD } else { LONGEST_TOKEN };
    if length > longest {
        return false;
    }
    match kind {
        Kind::Password if secret_names::is_card_code(name) => {
            matches!(length, 3..=4) && value.bytes().all(|b| b.is_ascii_digit())
        }
        Kind::Rule => length >= SHORTEST_RULE && !is_literal(value),
        Kind::Password => {
            let label = value.contains(char::is_whitespace) || value.chars().all(char::is_alphabetic);
            length >= SHORTEST && !is_literal(value) && (side == Side::Request || !label)
        }
        Kind::Token | Kind::Authorization => {
            length >= SHORTEST_TOKEN && (is_drawn(value) || side == Side::Request && is_mixed(value))
        }
        // `session=keynote-2024` is a talk.
        Kind::Session => {
            let plain = value.bytes().all(|b| b.is_ascii_alphanumeric());
            length >= SHORTEST_SESSION && is_drawn(value) && (plain || length >= RANDOM)
        }
        Kind::Card => {
            value.bytes().filter(u8::is_ascii_digit).count() >= 12
                && value.bytes().all(|b| b.is_ascii_digit() || b == b' ' || b == b'-')
        }
        Kind::Email => false,
    }
}

/// Whether a value looks drawn at random, whatever its name: long, of letters and digits mixed.
pub(crate) fn looks_random(value: &str) -> bool {
    let count = |kind: fn(&u8) -> bool| value.bytes().filter(kind).count();
    value.len() >= RANDOM
        && count(u8::is_ascii_digit) >= 3
        && count(u8::is_ascii_alphabetic) >= 3
        && value.bytes().all(|b| b.is_ascii_graphic())
}

/// Whether a value is told by itself, and so is replaced wherever it stands: no word that pages are written with.
pub(crate) fn is_telling(value: &str) -> bool {
    let length = value.chars().count();
    let letters = value.chars().any(char::is_alphabetic);
    let digits = value.chars().any(|c| c.is_ascii_digit());
    // `password` and the like stand on every page that has a form.
    let is_name = value.chars().all(|c| c.is_ascii_alphabetic() || "_-".contains(c))
        && secret_names::kind_of(value).is_some();
    if is_name || is_literal(value) || longest_run(value).is_none_or(|run| run.len() < 4) {
        return false;
    }
    // A word is a word, even where somebody has it for a password.
    let word = value.chars().all(char::is_alphabetic);
    let long_enough = if word { RANDOM } else { 6 };
    length >= long_enough && letters && (word || digits || length >= 8) || length >= 10 && digits
}

/// The longest run of letters and digits.
pub(crate) fn longest_run(value: &str) -> Option<&str> {
    // The first of those that are equally long.
    value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .rev()
        .max_by_key(|run| run.len())
        .filter(|run| !run.is_empty())
}

/// The run that a value is known by: its longest, and of a JSON Web Token none of its head, which all tokens of an application have in common.
pub(crate) fn telling_run(value: &str) -> Option<&str> {
    let rest = value.starts_with("eyJ").then(|| value.split_once('.')).flatten().map(|(_, rest)| rest);
    rest.and_then(longest_run).filter(|run| run.len() >= RANDOM).or_else(|| longest_run(value))
}

fn is_drawn(value: &str) -> bool {
    if is_literal(value) || value.contains(char::is_whitespace) {
        return false;
    }
    value.bytes().any(|b| b.is_ascii_digit()) || value.len() >= LONG && !value.contains(['.', '/', '('])
}

/// Letters of both cases in no order that words have.
fn is_mixed(value: &str) -> bool {
    let turns = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .count();
    turns >= 2 && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

fn is_literal(value: &str) -> bool {
    ["true", "false", "null", "none", "undefined", "required", "optional", "string"]
        .iter()
        .any(|literal| value.eq_ignore_ascii_case(literal))
}

/// Whether digits are the number of a payment card: a card brand's first digits, and the last as Luhn's formula wants it.
pub(crate) fn is_card(digits: &[u8]) -> bool {
    let brand = matches!(
        digits,
        [b'4', ..]
            | [b'5', b'1'..=b'5', ..]
            | [b'2', b'2'..=b'7', ..]
            | [b'3', b'4'..=b'8', ..]
            | [b'3', b'0', b'0'..=b'5', ..]
            | [b'6', b'0', b'1', b'1', ..]
            | [b'6', b'2' | b'4' | b'5', ..]
    );
    brand
        && (14..=19).contains(&digits.len())
        && luhn(digits) == 0
        && digits.windows(2).any(|pair| pair[0] != pair[1])
}

/// What the last digit is wrong by.
pub(crate) fn luhn(digits: &[u8]) -> u32 {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(digit - b'0');
            if place % 2 == 0 { digit } else { digit * 2 / 10 + digit * 2 % 10 }
        })
        .sum();
    sum % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a word of the page taken for a secret (it would be replaced everywhere), and a real one let through.
    #[test]
    fn labels_and_settings_are_no_secrets() {
        use Side::{Request, Response};
        assert!(is_secret(Kind::Password, "password", "opensesame", Request));
        assert!(is_secret(Kind::Password, "password", "hunter2", Response));
        assert!(!is_secret(Kind::Password, "password", "Enter it", Response));
        assert!(!is_secret(Kind::Password, "reset_password", "1", Request));
        assert!(is_secret(Kind::Token, "token", "a8f3c2d191", Request));
        assert!(!is_secret(Kind::Token, "token", "required", Response));
        assert!(is_secret(Kind::Password, "cvv", "123", Request));
        // What a script has that tells weak passwords from strong ones.
        assert!(!is_secret(Kind::Password, "passwords", &"123456,qwerty,".repeat(100), Response));
        assert!(!is_telling("password") && !is_telling("1234567") && !is_telling("anna"));
        assert!(is_telling("hunter2") && is_telling("open sesame") && is_telling("p@ss w0rd!"));
        assert!(!is_telling("products") && !is_telling("opensesame"));
    }

    #[test]
    fn cards_have_a_brand_and_a_sum() {
        assert!(is_card(b"4111111111111111") && is_card(b"378282246310005") && is_card(b"5555555555554444"));
        assert!(!is_card(b"4111111111111112") && !is_card(b"0000000000000000") && !is_card(b"1699999999999"));
    }
}
