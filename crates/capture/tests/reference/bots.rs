//! Sessions of bots.

use restage_capture::{BotSign, StaticClass};
use restage_model::Exchange;

/// So many pages, and no image or style among them, are no browser's.
const MANY_PAGES: usize = 60;
/// When they come faster than this, in microseconds a page.
const FAST: i64 = 1_000_000;

/// How a session is known for a bot's; none where it may be a person's. `exchanges` are all of the session's.
pub(crate) fn is_bot(exchanges: &[&Exchange]) -> Option<BotSign> {
    let agent = exchanges.first()?.request.headers.get("user-agent").unwrap_or_default().to_ascii_lowercase();
    // The names have a test of their own.
    if agent.contains("googlebot") {
        return Some(BotSign::Name);
    }
    if exchanges.iter().any(|e| e.request.path() == "/robots.txt") {
        return Some(BotSign::Robots);
    }
    if exchanges.len() > 1 && exchanges.iter().all(|e| e.request.method == "HEAD") {
        return Some(BotSign::Heads);
    }
    (is_hasty(exchanges) && agent.starts_with("mozilla/")).then_some(BotSign::Haste)
}

/// Many pages at a pace no person reads at, none reached from another, nothing sent, nothing shown.
fn is_hasty(exchanges: &[&Exchange]) -> bool {
    let (Some(first), Some(last)) = (exchanges.first(), exchanges.last()) else { return false };
    let lasted = last.at.since(first.at);
    exchanges.len() >= MANY_PAGES
        && exchanges.iter().all(|e| {
            let headers = &e.request.headers;
            e.imported
                && e.request.method == "GET"
                && headers.get("cookie").is_none()
                && headers.get("referer").is_none()
                && StaticClass::of(e).is_none()
        })
        && lasted < FAST * i64::try_from(exchanges.len()).unwrap_or(i64::MAX)
}
