//! Undoing a body's content encoding, so that all else sees what the application said.

use std::io::Read;

use thiserror::Error;

use crate::Headers;

/// Why a body could not be decoded.
#[derive(Debug, Error)]
pub enum ContentError {
    /// An encoding that is not known here.
    #[error("the content encoding `{0}` is not known")]
    Unknown(String),
    /// Bytes that are not what their encoding says.
    #[error("the body is not valid {0}")]
    Invalid(&'static str, #[source] std::io::Error),
    /// A small body that unpacks to more than `limit`.
    #[error("the decoded body is larger than {0} bytes")]
    TooLarge(u64),
}

/// The body with its `content-encoding` undone; at most `limit` bytes.
pub fn decode_content(headers: &Headers, bytes: Vec<u8>, limit: u64) -> Result<Vec<u8>, ContentError> {
    let Some(encodings) = headers.get("content-encoding") else { return Ok(bytes) };
    let mut bytes = bytes;
    // They are listed in the order they were applied.
    for encoding in encodings.rsplit(',').map(|e| e.trim().to_ascii_lowercase()) {
        if bytes.is_empty() {
            break;
        }
        bytes = match encoding.as_str() {
            "" | "identity" => bytes,
            "gzip" | "x-gzip" => read(flate2::read::MultiGzDecoder::new(&bytes[..]), "gzip", limit)?,
            "deflate" => inflate(&bytes, limit)?,
            "br" => read(brotli_decompressor::Decompressor::new(&bytes[..], 4096), "brotli", limit)?,
            "zstd" => {
                let decoder = zstd::Decoder::new(&bytes[..]).map_err(|e| ContentError::Invalid("zstd", e))?;
                read(decoder, "zstd", limit)?
            }
            _ => return Err(ContentError::Unknown(encoding)),
        };
    }
    Ok(bytes)
}

/// `deflate` means zlib, but servers that send it bare are common; browsers take both.
fn inflate(bytes: &[u8], limit: u64) -> Result<Vec<u8>, ContentError> {
    read(flate2::read::ZlibDecoder::new(bytes), "deflate", limit)
        .or_else(|_| read(flate2::read::DeflateDecoder::new(bytes), "deflate", limit))
}

fn read(decoder: impl Read, name: &'static str, limit: u64) -> Result<Vec<u8>, ContentError> {
    let mut out = Vec::new();
    decoder.take(limit + 1).read_to_end(&mut out).map_err(|e| ContentError::Invalid(name, e))?;
    if out.len() as u64 > limit {
        return Err(ContentError::TooLarge(limit));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn encoded(encoding: &str) -> Headers {
        [("content-encoding".to_owned(), encoding.to_owned())].into_iter().collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_zstd_and_both() {
        let gz = gzip(b"hello");
        assert_eq!(decode_content(&encoded("gzip"), gz.clone(), 100).unwrap(), b"hello");
        let both = zstd::encode_all(&gz[..], 1).unwrap();
        assert_eq!(decode_content(&encoded("gzip, zstd"), both, 100).unwrap(), b"hello");
    }

    #[test]
    fn bare_deflate_is_taken_too() {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(b"hello").unwrap();
        assert_eq!(decode_content(&encoded("deflate"), encoder.finish().unwrap(), 100).unwrap(), b"hello");
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = gzip(&vec![0; 1_000_000]);
        assert!(matches!(decode_content(&encoded("gzip"), bomb, 1000), Err(ContentError::TooLarge(1000))));
    }
}
