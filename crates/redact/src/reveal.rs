//! The secrets that a replay needs: put back where their stand-ins are, just before a request is sent.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use restage_model::Headers;

use crate::known_secrets::KnownSecrets;
use crate::redactor::kind_of_value;
use crate::secret_kind::Kind;
use crate::stand_in::StandIns;

/// Shorter numbers are not put back.
const SHORTEST_NUMBER: usize = 6;

/// Puts secrets back in place of their stand-ins.
#[derive(Debug, Default)]
pub struct Reveal {
    known: KnownSecrets,
}

impl Reveal {
    /// For these secrets.
    pub fn new(stand_ins: &StandIns, secrets: &[String]) -> Self {
        let mut known = KnownSecrets::default();
        // A number of a few digits is that of something else in most places.
        let telling =
            |secret: &&String| secret.len() >= SHORTEST_NUMBER || !secret.bytes().all(|b| b.is_ascii_digit());
        for secret in secrets.iter().filter(telling) {
            // One that is no password by its look may have been typed as one.
            for kind in [Kind::Password, kind_of_value(secret)] {
                known.add(kind, &stand_ins.of(kind, secret), secret);
            }
        }
        Self { known }
    }

    /// Whether there is nothing to put back.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The text with the secrets in it; none where it has no stand-in of one.
    pub fn text(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut at = 0;
        self.known.find(text, |sighting| {
            if sighting.start >= at {
                out.extend_from_slice(&text[at..sighting.start]);
                out.extend_from_slice(sighting.stand_in.as_bytes());
                at = sighting.end;
            }
        });
        if at == 0 {
            return None;
        }
        out.extend_from_slice(&text[at..]);
        Some(out)
    }

    /// Puts secrets back into header fields, also into what `Basic` authorization holds.
    pub fn headers(&self, headers: &mut Headers) {
        headers.change(|name, value| {
            let basic = || {
                let packed = value.strip_prefix(b"Basic ").or_else(|| value.strip_prefix(b"basic "))?;
                let revealed = self.text(&STANDARD.decode(packed.trim_ascii()).ok()?)?;
                Some(format!("Basic {}", STANDARD.encode(revealed)).into_bytes())
            };
            if name.ends_with("authorization") {
                basic().or_else(|| self.text(value))
            } else {
                self.text(value)
            }
        });
    }
}
