//! Password hashes: salted and iterated.

const ROUNDS: usize = 64;

/// The hash that is stored for a password.
pub(crate) fn hash_password(salt: &str, password: &str) -> String {
    let key = blake3::derive_key("bookstore password", salt.as_bytes());
    let mut hash = blake3::keyed_hash(&key, password.as_bytes());
    for _ in 0..ROUNDS {
        hash = blake3::keyed_hash(&key, hash.as_bytes());
    }
    hash.to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salt_and_password_both_matter() {
        assert_eq!(hash_password("a", "secret"), hash_password("a", "secret"));
        assert_ne!(hash_password("a", "secret"), hash_password("b", "secret"));
        assert_ne!(hash_password("a", "secret"), hash_password("a", "Secret"));
    }
}
