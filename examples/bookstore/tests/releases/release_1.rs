//! Release 1 is what sessions were recorded on: it never changes.

use std::ops::ControlFlow;

use bookstore::shoppers::drive_watched;
use bookstore::{Settings, start};

/// The hash of all that 40 shoppers of seed 7 send to a shop of seed 1 and get. Whoever means to change
/// release 1 changes this, too.
const DIGEST: &str = "a7e133235973ab38ccc332df6e4b2c38424c20d4b209c8c3772bb65ad0481c50";

#[test]
fn the_first_release_answers_byte_for_byte_as_it_always_did() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(folder.path());
    settings.seed = Some(1);
    settings.clock = "2026-11-15".parse().unwrap();
    let shop = start(settings).unwrap();
    let mut hasher = blake3::Hasher::new();
    drive_watched(&shop.url(), 7, 40, &mut |exchange| {
        let (method, address) = (exchange.method, &exchange.address);
        let (session, status, location) = (exchange.session, exchange.status, &exchange.location);
        hasher.update(format!("{session} {method} {address} {status} {location:?}\n").as_bytes());
        hasher.update(&exchange.body);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(hasher.finalize().to_hex().as_str(), DIGEST);
}
