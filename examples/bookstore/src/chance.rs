//! All randomness of the shop: session ids, tokens, salts, recommendations, the order of ties.
//!
//! A draw is named by its purpose and a key (a row id, a book id) and is a keyed hash of both. With
//! a fixed seed a draw depends on nothing else, so the same request on the same database gives the
//! same bytes whatever was served before. Without one, the key comes from the operating system and
//! a counter makes every draw new.

use std::sync::atomic::{AtomicU64, Ordering};

/// Where the shop's random values come from.
#[derive(Debug)]
pub(crate) struct Chance {
    key: [u8; 32],
    counter: Option<AtomicU64>,
}

impl Chance {
    /// Draws that depend on `seed`, purpose and key alone.
    pub(crate) fn seeded(seed: u64) -> Self {
        Chance { key: blake3::derive_key("bookstore seed", &seed.to_le_bytes()), counter: None }
    }

    /// Draws that nobody can foresee.
    pub(crate) fn real() -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Chance { key, counter: Some(AtomicU64::new(0)) })
    }

    /// A secret of 32 hexadecimal digits.
    pub(crate) fn token(&self, purpose: &str, key: i64) -> String {
        self.draw(purpose, key).to_hex()[..32].to_owned()
    }

    /// A generator for shuffles and picks; not for secrets.
    pub(crate) fn generator(&self, purpose: &str, key: i64) -> fastrand::Rng {
        let mut seed = [0; 8];
        seed.copy_from_slice(&self.draw(purpose, key).as_bytes()[..8]);
        fastrand::Rng::with_seed(u64::from_le_bytes(seed))
    }

    fn draw(&self, purpose: &str, key: i64) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&key.to_le_bytes()).update(purpose.as_bytes());
        if let Some(counter) = &self.counter {
            hasher.update(&counter.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        }
        hasher.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeded_draws_depend_on_purpose_and_key_alone() {
        let (one, other) = (Chance::seeded(7), Chance::seeded(7));
        one.token("session", 3);
        assert_eq!(one.token("session", 4), other.token("session", 4));
        assert_ne!(one.token("session", 4), one.token("csrf", 4));
        assert_ne!(one.token("session", 4), Chance::seeded(8).token("session", 4));
    }

    #[test]
    fn real_draws_differ_every_time() {
        let chance = Chance::real().unwrap();
        assert_ne!(chance.token("session", 1), chance.token("session", 1));
    }
}
