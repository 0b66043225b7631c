//! Stand-ins: values that look like a secret, and are the same for the same secret.
//!
//! A stand-in is drawn from a keyed hash of the secret, so that nobody without the key can try words until one fits. Letters stay letters of
//! their case, digits stay digits, and all else stays as it is: what the application asks of a password or a number still holds.

use crate::candidates::luhn;
use crate::secret_kind::Kind;

/// Makes stand-ins with a key.
#[derive(Clone)]
pub struct StandIns {
    key: [u8; 32],
}

/// The shortest name before the `@` of a stand-in: so many that two users do not get the same.
const SHORTEST_LOCAL: usize = 8;
/// How often another is drawn, at most.
const ROUNDS: u8 = 16;
/// Nobody gets mail there (RFC 2606).
const DOMAIN: &str = "example.com";

impl std::fmt::Debug for StandIns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StandIns")
    }
}

impl StandIns {
    /// Stand-ins with this key.
    pub fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// Stand-ins with a key out of any text.
    pub fn of_text(key: &str) -> Self {
        Self { key: blake3::derive_key("restage redaction key", key.as_bytes()) }
    }

    /// What takes the place of a secret.
    pub fn of(&self, kind: Kind, secret: &str) -> String {
        match kind {
            Kind::Email => self.email(secret),
            Kind::Card => self.card(secret),
            // What is typed in the wrong case has to stay the same word in the wrong case.
            _ => self.like(secret, &secret.to_lowercase()),
        }
    }

    /// As many characters of the same kinds, drawn by a seed. Never the secret itself, where it has anything that can be replaced.
    fn like(&self, secret: &str, seed: &str) -> String {
        let hex = is_hex(secret);
        // A draw may come out as the secret itself, where that is short.
        let mut draws = (0..ROUNDS).map(|round| {
            let mut draw = self.draw(seed, round);
            let mut drawn: String = secret.chars().map(|c| replaced(c, hex, &mut draw)).collect();
            // A number stays one as JSON has it.
            if drawn.starts_with('0') && !secret.starts_with('0') {
                drawn.replace_range(..1, &pick(b"123456789", &mut draw).to_string());
            }
            drawn
        });
        draws.find(|drawn| drawn != secret).unwrap_or_else(|| secret.to_owned())
    }

    fn email(&self, secret: &str) -> String {
        let local = secret.split('@').next().unwrap_or_default();
        // The same mailbox however it is spelled; but what was upper case stays so.
        let seed = secret.to_ascii_lowercase();
        let mut drawn = self.like(local, &seed);
        let mut more = self.draw(&seed, u8::MAX);
        while drawn.len() < SHORTEST_LOCAL {
            drawn.push(pick(b"abcdefghijklmnopqrstuvwxyz", &mut more));
        }
        let domain = secret.rsplit('@').next().unwrap_or_default();
        let shouted =
            domain.bytes().any(|b| b.is_ascii_uppercase()) && !domain.bytes().any(|b| b.is_ascii_lowercase());
        if shouted { format!("{drawn}@{}", DOMAIN.to_ascii_uppercase()) } else { format!("{drawn}@{DOMAIN}") }
    }

    /// Another number of the same brand and grouping, with a right last digit where the secret's was.
    fn card(&self, secret: &str) -> String {
        let digits: Vec<u8> = secret.bytes().filter(u8::is_ascii_digit).collect();
        let mut draw = self.draw(&String::from_utf8_lossy(&digits), 0);
        let mut drawn: Vec<u8> = digits
            .iter()
            .enumerate()
            .map(|(place, &digit)| if place < 2 { digit } else { pick(b"0123456789", &mut draw) as u8 })
            .collect();
        if luhn(&digits) == 0
            && let Some(last) = drawn.last_mut()
        {
            *last = b'0';
            let wrong = luhn(&drawn);
            if let Some(last) = drawn.last_mut() {
                *last = b'0' + ((10 - wrong) % 10) as u8;
            }
        }
        let mut drawn = drawn.into_iter();
        secret
            .chars()
            .map(|c| if c.is_ascii_digit() { drawn.next().map_or(c, char::from) } else { c })
            .collect()
    }

    fn draw(&self, seed: &str, round: u8) -> blake3::OutputReader {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&[round]);
        hasher.update(seed.as_bytes());
        hasher.finalize_xof()
    }
}

/// Which digits a stand-in is drawn from: of `3f-25`, hexadecimal ones, whatever its shape.
fn is_hex(secret: &str) -> bool {
    secret.bytes().filter(u8::is_ascii_alphanumeric).all(|b| b.is_ascii_hexdigit())
}

fn replaced(c: char, hex: bool, draw: &mut blake3::OutputReader) -> char {
    match c {
        '0'..='9' => pick(b"0123456789", draw),
        'a'..='z' if hex => pick(b"abcdef", draw),
        'A'..='Z' if hex => pick(b"ABCDEF", draw),
        'a'..='z' => pick(b"abcdefghijklmnopqrstuvwxyz", draw),
        'A'..='Z' => pick(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", draw),
        c if !c.is_ascii() && c.is_uppercase() => pick(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", draw),
        c if !c.is_ascii() && c.is_alphanumeric() => pick(b"abcdefghijklmnopqrstuvwxyz", draw),
        c => c,
    }
}

fn pick(from: &[u8], draw: &mut blake3::OutputReader) -> char {
    let mut bytes = [0; 4];
    draw.fill(&mut bytes);
    char::from(from[u32::from_le_bytes(bytes) as usize % from.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stand_ins() -> StandIns {
        StandIns::of_text("a key")
    }

    /// Catches: a stand-in that a password rule or a form refuses, or that the same user does not get again.
    #[test]
    fn shape_is_kept_and_the_same_is_the_same() {
        let made = stand_ins().of(Kind::Password, "Hunter-2!");
        assert_ne!(made, "Hunter-2!");
        assert_eq!(made, stand_ins().of(Kind::Token, "Hunter-2!"));
        let shape = |text: &str| {
            let class = |c: char| match c {
                'a'..='z' => 'a',
                'A'..='Z' => 'A',
                '0'..='9' => '0',
                c => c,
            };
            text.chars().map(class).collect::<String>()
        };
        assert_eq!(shape(&made), "Aaaaaa-0!");
        let hex = stand_ins().of(Kind::Session, "00ff13aeb2c4d6e8");
        assert!(hex.bytes().all(|b| b.is_ascii_hexdigit()), "{hex}");
        assert_eq!(stand_ins().of(Kind::Password, "hunter-2!"), made.to_lowercase());
        assert_ne!(made, StandIns::of_text("another").of(Kind::Password, "Hunter-2!"));
    }

    /// Catches: mail sent to strangers, two users of one short name, the same mailbox in two spellings.
    #[test]
    fn addresses_are_nobodys() {
        let anna = stand_ins().of(Kind::Email, "anna.b@corp.org");
        assert!(anna.ends_with("@example.com") && anna.contains('.'), "{anna}");
        assert_eq!(stand_ins().of(Kind::Email, "Anna.B@corp.org").to_lowercase(), anna);
        assert_ne!(stand_ins().of(Kind::Email, "a@corp.org"), stand_ins().of(Kind::Email, "a@other.org"));
    }

    /// Catches: a number that the application's own check refuses, or two numbers for two ways of writing one.
    #[test]
    fn cards_stay_valid() {
        let made = stand_ins().of(Kind::Card, "4111 1111 1111 1111");
        let digits: Vec<u8> = made.bytes().filter(u8::is_ascii_digit).collect();
        assert!(crate::candidates::is_card(&digits), "{made}");
        assert_eq!(made.replace(' ', ""), stand_ins().of(Kind::Card, "4111111111111111"));
        assert_ne!(made, "4111 1111 1111 1111");
    }
}
