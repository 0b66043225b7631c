//! Sends shoppers to a shop, one session after another.

use std::ops::ControlFlow;

use url::Url;

use super::browser::{Browser, Exchange, Interrupt, ShopperError, client};
use super::crowd::Crowd;
use super::identity::IDENTITIES;
use super::personas::{PERSONAS, Shopper};

/// What a drive came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShopperTally {
    /// Sessions held.
    pub sessions: usize,
    /// Requests sent, files and redirects included.
    pub requests: usize,
}

/// Sends `count` shoppers to the shop at `base_url`; `on_session` gets the number of each session,
/// from 0, once it is over.
pub fn drive(
    base_url: &str,
    seed: u64,
    count: usize,
    on_session: &mut dyn FnMut(usize),
) -> Result<ShopperTally, ShopperError> {
    run(base_url, seed, count, on_session, &mut |_| ControlFlow::Continue(()))
}

/// Sends shoppers and lets `watcher` see every exchange; it may stop them.
pub fn drive_watched(
    base_url: &str,
    seed: u64,
    count: usize,
    watcher: &mut dyn FnMut(&Exchange) -> ControlFlow<()>,
) -> Result<ShopperTally, ShopperError> {
    run(base_url, seed, count, &mut |_| {}, watcher)
}

fn run(
    base_url: &str,
    seed: u64,
    count: usize,
    on_session: &mut dyn FnMut(usize),
    watcher: &mut dyn FnMut(&Exchange) -> ControlFlow<()>,
) -> Result<ShopperTally, ShopperError> {
    let base = Url::parse(base_url)
        .map_err(|source| ShopperError::Address { address: base_url.to_owned(), source })?;
    let agent = client();
    let mut crowd = Crowd::default();
    let mut tally = ShopperTally::default();
    for session in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ session as u64);
        let identity = &IDENTITIES[rng.usize(..IDENTITIES.len())];
        let mut watch = |exchange: &Exchange| watcher(exchange);
        let mut browser = Browser::new(agent.clone(), base.clone(), identity, session, &mut watch);
        let script = PERSONAS[session % PERSONAS.len()];
        let shopper = &mut Shopper { browser: &mut browser, rng, crowd: &mut crowd };
        let outcome = script(shopper);
        tally.requests += browser.requests;
        match outcome {
            Ok(()) => tally.sessions += 1,
            Err(Interrupt::Stopped) => break,
            Err(Interrupt::Failed(error)) => return Err(error),
        }
        on_session(session);
    }
    Ok(tally)
}
