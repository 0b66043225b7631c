//! Importers on foreign bytes: whatever is in a file, nothing panics, and what is not imported is counted.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use restage_capture::import::parse::{access_log_line, gor_file, har_file, json_log_line};
use restage_capture::{FileTally, Format, ImportSettings, Input, import};
use restage_store::Store;

fn imported(bytes: &[u8], format: Option<Format>) -> Option<(FileTally, u64)> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, bytes).unwrap();
    let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
    let settings = ImportSettings { format, ..ImportSettings::default() };
    let tally = import(&mut store, &Input::of(&file), &settings).ok()?;
    Some((tally, store.counts().unwrap().exchanges))
}

/// Whether a HAR is whole, and has no entries.
fn is_empty_har(bytes: &[u8]) -> bool {
    let value: Result<serde_json::Value, _> = serde_json::from_slice(bytes);
    value.is_ok_and(|har| har["log"]["entries"].as_array().is_some_and(Vec::is_empty))
}

/// Whether a file of GoReplay's holds nothing but what divides messages.
fn only_dividers(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes).replace("🐵🙈🙉", "").trim().is_empty()
}

/// Pieces of the formats, in any order: they reach deeper than bytes alone.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] ".to_vec()),
        Just(b"\"GET / HTTP/1.1\" 200 5 ".to_vec()),
        Just(b"\"-\" \"Mozilla\"\n".to_vec()),
        Just(b"{\"time\":\"2026-11-16T00:00:00Z\",\"request\":\"GET / HTTP/1.1\",\"status\":200}\n".to_vec()),
        Just(b"{\"log\":{\"entries\":[".to_vec()),
        Just(b"{\"startedDateTime\":\"2026-11-16T00:00:00Z\",\"request\":{\"method\":\"GET\",\"url\":\"http://a/\"}}".to_vec()),
        Just(b",]}".to_vec()),
        Just(b"1 0123456789abcdef 1794823201000000000\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".to_vec()),
        Just(b"2 0123456789abcdef 1794823201000000000 5\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab".to_vec()),
        Just("\n🐵🙈🙉\n".as_bytes().to_vec()),
        Just(b"\\\"\\x1\\".to_vec()),
        Just(b"\x1f\x8b\x08\x00".to_vec()),
        Just(b"\x28\xb5\x2f\xfd".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..20),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Catches: bytes that make a parser of lines panic.
    #[test]
    fn no_line_panics(bytes in proptest::collection::vec(any::<u8>(), 0..300), pieces in pieces()) {
        for line in [&bytes, &pieces] {
            let _ = access_log_line(line);
            let _ = json_log_line(line);
            let _ = Format::guess(line);
        }
    }

    /// Catches: bytes that make a reader of whole files panic, or fail for another reason than what is in them; a piece
    /// of a file that is neither an exchange nor counted.
    #[test]
    fn no_bytes_stop_a_reader(bytes in proptest::collection::vec(any::<u8>(), 0..300), pieces in pieces()) {
        for file in [&bytes, &pieces] {
            let har = har_file(file).unwrap();
            prop_assert!(!har.exchanges.is_empty() || har.unread + har.passed_over > 0 || is_empty_har(file));
            let gor = gor_file(file).unwrap();
            let messages = gor.exchanges.len() as u64 + gor.unread + gor.passed_over;
            prop_assert!(messages > 0 || file.trim_ascii().is_empty() || only_dividers(file), "{gor:?}");
        }
    }

    /// Catches: a file that makes an import panic or hang, or counts that do not add up to what is stored.
    #[test]
    fn no_file_panics_and_counts_add_up(bytes in pieces(), format in 0usize..6) {
        let format = Format::ALL.get(format).copied();
        if let Some((tally, stored)) = imported(&bytes, format) {
            prop_assert_eq!(tally.exchanges, tally.added + tally.known);
            prop_assert_eq!(tally.added, stored);
        }
    }

    /// Catches: a line of the combined format whose fields come back as others.
    #[test]
    fn a_line_is_read_as_it_was_meant(path in "/[a-z0-9/_.-]{0,20}", status in 100u16..600, agent in "[ -!#-\\[\\]-~]{1,20}") {
        let agent = format!("x{agent}x");
        let line = format!("10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] \"GET {path} HTTP/1.1\" {status} 7 \"-\" \"{agent}\"");
        let exchange = access_log_line(line.as_bytes()).unwrap();
        prop_assert_eq!(&exchange.uri, &path);
        prop_assert_eq!(exchange.headers.get("user-agent"), Some(agent.as_str()));
        prop_assert_eq!(exchange.response.unwrap().0, status);
    }
}

/// Catches: packed files that are read as what they are packed in.
#[test]
fn packed_files_are_unpacked() {
    use std::io::Write;
    let line = b"10.0.0.1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(line).unwrap();
    let gzip = gzip.finish().unwrap();
    // Rotated logs are often several packed files, one after the other.
    let twice = [gzip.as_slice(), &gzip].concat();
    assert_eq!(imported(&twice, None).unwrap().1, 2);
    let zstd = zstd::encode_all(&line[..], 1).unwrap();
    assert_eq!(imported(&zstd, None).unwrap().1, 1);
    // One that is cut off gives what it has.
    let (tally, stored) = imported(&twice[..twice.len() - 4], None).unwrap();
    assert!(stored >= 1 && !tally.notes.is_empty(), "{tally:?}");
}
