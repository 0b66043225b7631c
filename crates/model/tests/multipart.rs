//! Forms of several parts on foreign bytes: nothing panics, and what is written is read as what it was written from.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use restage_model::{Headers, Multipart};

fn headers() -> Headers {
    let kind = "multipart/form-data; boundary=\"XX\"".to_owned();
    [("content-type".to_owned(), kind)].into_iter().collect()
}

/// Pieces of forms, in any order: they reach deeper than bytes alone.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"--XX\r\n".to_vec()),
        Just(b"\r\n--XX\r\n".to_vec()),
        Just(b"\r\n--XX--\r\n".to_vec()),
        Just(b"Content-Disposition: form-data; name=\"a\"\r\n\r\n".to_vec()),
        Just(b"content-disposition: form-data; name=b; filename=\"c;d\"\r\n".to_vec()),
        Just(b"Content-Disposition: form-data; name=\"%22;\"\r\n\r\n".to_vec()),
        Just(b"Content-Disposition: form-data; name=\"".to_vec()),
        Just(b"\r\n\r\n".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..10),
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Catches: bytes that make the reader panic, and forms that lose or gain fields when they are written again.
    #[test]
    fn what_is_read_is_written_back(
        body in prop_oneof![4 => pieces(), 1 => proptest::collection::vec(any::<u8>(), 0..200)]
    ) {
        let Some(form) = Multipart::parse(&headers(), &body) else { return Ok(()) };
        let params = form.params();
        for written in [form.map(|_, _| None), form.with(&params)] {
            let again = Multipart::parse(&headers(), &written).unwrap();
            prop_assert_eq!(again.params().pairs(), params.pairs());
        }
    }
}
