//! Any bytes are lines of an access log, in the common and combined formats and in JSON: nothing panics, and what is read
//! is a request that can be sent again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use restage_capture::import::parse::{access_log_line, json_log_line};
use restage_capture::Format;
use restage_model::{Captured, PathGlob};

fuzz_target!(|log: &[u8]| {
    let _ = Format::guess(log);
    for line in log.split(|byte| *byte == b'\n') {
        for exchange in [access_log_line(line), json_log_line(line)].into_iter().flatten() {
            check(&exchange);
        }
    }
});

fn check(exchange: &Captured) {
    assert!(!exchange.method.is_empty() && exchange.method.bytes().all(|b| b.is_ascii_graphic()), "{exchange:?}");
    assert!(!exchange.uri.is_empty(), "{exchange:?}");
    assert!(!exchange.uri.bytes().any(|b| b == b'\r' || b == b'\n' || b == b' '), "{exchange:?}");
    let _ = PathGlob::from("/a*b*").matches(&exchange.uri);
}
