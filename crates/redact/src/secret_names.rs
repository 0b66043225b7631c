//! Which names say that their value is secret.
//!
//! A name is that of a parameter, a form's field, a cookie, a header field, or a member of a JSON object. It is read word by word, so
//! that `wpPassword`, `new_password1` and `user[password]` are alike, and `passenger` is none of them.

use crate::secret_kind::Kind;

/// What a secret's name has in it, at least: what a text is searched for first.
pub(crate) const STEMS: &[&str] = &[
    "pass",
    "pwd",
    "pin",
    "otp",
    "cvv",
    "cvc",
    "csc",
    "token",
    "tok",
    "csrf",
    "xsrf",
    "nonce",
    "jwt",
    "secret",
    "sess",
    "sid",
    "auth",
    "key",
    "signature",
    "credential",
    "card",
    "ccnum",
    "pan",
    "security",
];

/// Anywhere in a name.
const PASSWORD_PARTS: &[&str] =
    &["password", "passwd", "passphrase", "passcode", "passwort", "secret", "credential"];
/// Whole words of a name.
const PASSWORD_WORDS: &[&str] = &["pass", "pwd", "pw", "pin", "otp"];
/// Words that end as a password's name does.
const ENDINGS: &[&str] = &["bypass", "compass", "trespass", "overpass"];
/// The digits on a card's back.
const CODE_WORDS: &[&str] = &["cvv", "cvc", "csc", "cvn"];
const TOKEN_PARTS: &[&str] = &["token", "csrf", "xsrf", "nonce", "apikey", "sesskey", "authkey"];
const TOKEN_WORDS: &[&str] = &["jwt", "signature", "auth", "sectok", "bearer"];
/// `key` is secret beside one of these.
const KEYS_OF: &[&str] =
    &["api", "access", "auth", "secret", "private", "session", "form", "encryption", "license"];
const SESSION_PARTS: &[&str] =
    &["sessionid", "sessid", "session_id", "session-id", "phpsessid", "jsessionid"];
const SESSION_WORDS: &[&str] = &["sid", "session", "sess"];

/// What kind of secret a value of this name is, if it is one.
pub(crate) fn kind_of(name: &str) -> Option<Kind> {
    let lower = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    if has(TOKEN_PARTS) {
        // `password_reset_token` is drawn by the server, not typed.
        return Some(Kind::Token);
    }
    if has(PASSWORD_PARTS) {
        return Some(Kind::Password);
    }
    let words = words(name);
    let is = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if is(PASSWORD_WORDS)
        || is(CODE_WORDS)
        || (is(&["security"]) && is(&["code"]))
        || lower.ends_with("pwd")
        || (lower.ends_with("pass") && !ENDINGS.iter().any(|word| lower.ends_with(word)))
    {
        return Some(Kind::Password);
    }
    if is(&["key"]) && is(KEYS_OF) {
        return Some(Kind::Authorization);
    }
    if is(&["authorization"]) {
        return Some(Kind::Authorization);
    }
    if is(TOKEN_WORDS) {
        return Some(Kind::Token);
    }
    if has(SESSION_PARTS) || is(SESSION_WORDS) {
        return Some(Kind::Session);
    }
    let card = is(&["card", "cc", "creditcard", "cardnumber", "ccnumber", "ccnum", "cardnum", "pan"]);
    (card
        && (is(&["number", "no", "num", "nr", "cardnumber", "ccnumber", "ccnum", "cardnum", "pan"])
            || words.len() == 1))
        .then_some(Kind::Card)
}

/// Whether a name says that its value is what a user types to prove who they are. The digits on a card's back are nothing of that kind.
pub fn is_password_name(name: &str) -> bool {
    kind_of(name) == Some(Kind::Password) && !is_card_code(name)
}

/// Whether a value is one of the few digits on a card's back, by its name.
pub(crate) fn is_card_code(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| CODE_WORDS.contains(&word.as_str()))
        || (words.iter().any(|w| w == "security") && words.iter().any(|w| w == "code"))
}

/// The words of a name in lower case, without the digits at their ends: `newPassword1` is `new`, `password`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && last_lower) {
            end(&mut word, &mut words);
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        last_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    end(&mut word, &mut words);
    words
}

fn end(word: &mut String, words: &mut Vec<String>) {
    let ended = std::mem::take(word);
    let trimmed = ended.trim_end_matches(|c: char| c.is_ascii_digit());
    if !trimmed.is_empty() {
        words.push(trimmed.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a framework's own spelling that is passed over, and a harmless name that is taken for a secret's.
    #[test]
    fn names_are_read_word_by_word() {
        for name in [
            "password",
            "wpPassword",
            "user[password]",
            "new_password1",
            "pass2",
            "pwd",
            "userpwd",
            "user-pass",
            "pin",
            "cvv",
            "securityCode",
        ] {
            assert_eq!(kind_of(name), Some(Kind::Password), "{name}");
        }
        for name in [
            "csrfmiddlewaretoken",
            "_wpnonce",
            "wpEditToken",
            "sectok",
            "authenticity_token",
            "X-CSRF-Token",
            "sesskey",
        ] {
            assert_eq!(kind_of(name), Some(Kind::Token), "{name}");
        }
        for name in ["PHPSESSID", "JSESSIONID", "connect.sid", "laravel_session", "session"] {
            assert_eq!(kind_of(name), Some(Kind::Session), "{name}");
        }
        for name in ["card_number", "cardNumber", "card", "cc-number"] {
            assert_eq!(kind_of(name), Some(Kind::Card), "{name}");
        }
        for name in ["api_key", "X-Api-Key", "access_key"] {
            assert_eq!(kind_of(name), Some(Kind::Authorization), "{name}");
        }
        for name in [
            "passenger",
            "compass",
            "bypass",
            "keyword",
            "key",
            "author",
            "shipping",
            "business_card",
            "side",
            "inside",
            "panel",
            "obsession",
        ] {
            assert_eq!(kind_of(name), None, "{name}");
        }
    }

    /// Catches: a name that is judged secret and never looked for.
    #[test]
    fn every_judged_word_has_a_stem() {
        let lists = [
            PASSWORD_PARTS,
            PASSWORD_WORDS,
            CODE_WORDS,
            TOKEN_PARTS,
            TOKEN_WORDS,
            SESSION_PARTS,
            SESSION_WORDS,
        ];
        for word in lists.concat() {
            // `pw`, `cvn` and `bearer` are asked for by name only, where names are known: in forms, cookies and header fields.
            let named = ["pw", "cvn", "bearer"].contains(&word);
            assert!(named || STEMS.iter().any(|stem| word.contains(stem)), "{word}");
        }
    }
}
