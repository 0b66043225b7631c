//! Bodies that are neither text nor markup: images, archives, fonts. Only that they differ is said, and what
//! they are and how big.

use restage_model::{Difference, Place, counted};

/// How files of a type begin: the bytes, and where they are.
const MAGIC: [(&str, usize, &[u8]); 17] = [
    ("image/png", 0, b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", 0, b"\xff\xd8\xff"),
    ("image/gif", 0, b"GIF87a"),
    ("image/gif", 0, b"GIF89a"),
    ("image/webp", 8, b"WEBP"),
    ("image/avif", 4, b"ftypavif"),
    ("image/x-icon", 0, b"\0\0\x01\0"),
    ("application/pdf", 0, b"%PDF-"),
    ("application/zip", 0, b"PK\x03\x04"),
    ("application/zip", 0, b"PK\x05\x06"),
    ("application/gzip", 0, b"\x1f\x8b"),
    ("application/zstd", 0, b"\x28\xb5\x2f\xfd"),
    ("application/wasm", 0, b"\0asm"),
    ("font/woff", 0, b"wOFF"),
    ("font/woff2", 0, b"wOF2"),
    ("video/mp4", 4, b"ftyp"),
    ("application/x-sqlite3", 0, b"SQLite format 3\0"),
];

/// What differs between two bodies of bytes: at most one thing.
pub fn binary_differences(expected: &[u8], actual: &[u8]) -> Vec<Difference> {
    if expected == actual {
        return Vec::new();
    }
    let sized =
        |body: &[u8]| (!body.is_empty()).then(|| (kind(body).unwrap_or("content").to_owned(), body.len()));
    vec![Difference {
        seen_by: vec!["Binary".to_owned()],
        place: Place::Binary { was: sized(expected), is: sized(actual) },
        was: told(expected),
        is: told(actual),
    }]
}

/// What a body is by its first bytes, where that can be told.
fn kind(body: &[u8]) -> Option<&'static str> {
    MAGIC
        .iter()
        .find(|(_, at, magic)| body.get(*at..).is_some_and(|b| b.starts_with(magic)))
        .map(|(k, ..)| *k)
}

/// Enough to tell one from another: its hash is its content's.
fn told(body: &[u8]) -> Option<String> {
    let kind = kind(body).unwrap_or("content");
    let hash = &blake3::hash(body).to_hex()[..16];
    (!body.is_empty()).then(|| format!("{kind} of {} bytes, BLAKE3 {hash}", counted(body.len())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(expected: &[u8], actual: &[u8]) -> String {
        binary_differences(expected, actual).into_iter().map(|d| d.to_string()).collect()
    }

    fn png(size: usize) -> Vec<u8> {
        let mut body = b"\x89PNG\r\n\x1a\n".to_vec();
        body.resize(size, size as u8);
        body
    }

    #[test]
    fn type_and_size_are_told() {
        assert_eq!(said(&png(1204), &png(1310)), "image/png of 1,204 bytes became 1,310 bytes");
        assert_eq!(said(&png(20), b"GIF89a"), "image/png of 20 bytes became image/gif of 6 bytes");
        assert_eq!(said(b"ab", b"ac"), "content of 2 bytes became another of that size");
        assert_eq!(said(b"a", b""), "content of 1 byte became nothing");
        assert_eq!(said(b"", b"%PDF-1.7"), "application/pdf of 8 bytes appeared where there was nothing");
        assert_eq!(kind(b"RIFF\x10\0\0\0WEBPVP8 "), Some("image/webp"));
        assert_eq!(kind(b"\0\0\0\x20ftypavif"), Some("image/avif"));
        assert_eq!(kind(b"wOF2\0"), Some("font/woff2"));
    }

    proptest! {
        #[test]
        fn reflexive_and_symmetric(a in prop::collection::vec(any::<u8>(), 0..20), b in prop::collection::vec(any::<u8>(), 0..20)) {
            prop_assert!(binary_differences(&a, &a).is_empty());
            prop_assert_eq!(binary_differences(&a, &b).is_empty(), binary_differences(&b, &a).is_empty());
            prop_assert_eq!(binary_differences(&a, &b).is_empty(), a == b);
        }
    }
}
