//! Sessions that are no person's: crawlers, monitors, scanners.
//!
//! Known by the names they give themselves; or by what they do, where no browser does it. A script that a tester wrote
//! (curl, a library's own name) is no bot.

use restage_model::Exchange;

use crate::sessions::static_class::StaticClass;

/// Parts of agents' names, in lower case.
const NAMES: &[&str] = &[
    "crawler",
    "crawling",
    "spider",
    "slurp",
    "bingpreview",
    "facebookexternalhit",
    "mediapartners-google",
    "feedfetcher",
    "ia_archiver",
    "archive.org",
    "ahrefs",
    "semrush",
    "pingdom",
    "uptimerobot",
    "statuscake",
    "site24x7",
    "newrelicpinger",
    "kube-probe",
    "healthcheck",
    "googlehc",
    "blackbox exporter",
    "w3c_validator",
    "chrome-lighthouse",
    "scrapy",
    "nikto",
    "sqlmap",
    "nmap scripting",
    "masscan",
    "zgrab",
    "censys",
    "expanse",
    "wpscan",
    "go-http-client/1.1 (compatible",
];

/// So many pages, and no image or style among them, are no browser's.
const MANY_PAGES: usize = 60;
/// When they come faster than this, in microseconds a page.
const FAST: i64 = 1_000_000;

/// How a session is known for a bot's; none where it may be a person's. `exchanges` are all of the session's.
pub(super) fn is_bot(exchanges: &[&Exchange]) -> Option<&'static str> {
    let agent = exchanges.first()?.request.headers.get("user-agent").unwrap_or_default().to_ascii_lowercase();
    if is_bot_name(&agent) {
        return Some("its agent's name");
    }
    if exchanges.iter().any(|e| e.request.path() == "/robots.txt") {
        return Some("it asked for robots.txt");
    }
    if exchanges.len() > 1 && exchanges.iter().all(|e| e.request.method == "HEAD") {
        return Some("it asked for nothing but heads");
    }
    (is_hasty(exchanges) && agent.starts_with("mozilla/"))
        .then_some("it says browser and reads as no person can")
}

fn is_bot_name(agent: &str) -> bool {
    if NAMES.iter().any(|name| agent.contains(name)) {
        return true;
    }
    // `Googlebot/2.1`, `bingbot;`, `my-bot`; not the telephones called Cubot, nor a word that goes on.
    agent.match_indices("bot").any(|(at, _)| {
        let before = &agent[..at];
        let after = agent[at + 3..].bytes().next();
        !before.ends_with("cu") && after.is_none_or(|b| !b.is_ascii_alphabetic())
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: people taken for bots, and bots for people.
    #[test]
    fn names() {
        for agent in [
            "mozilla/5.0 (compatible; googlebot/2.1; +http://www.google.com/bot.html)",
            "mozilla/5.0 applewebkit/537.36 (khtml, like gecko; compatible; bingbot/2.0)",
            "gptbot",
            "my-bot",
            "yandexbot;",
            "mozilla/5.0 (compatible; ahrefsbot/7.0)",
            "baiduspider",
            "kube-probe/1.29",
        ] {
            assert!(is_bot_name(agent), "{agent}");
        }
        for agent in [
            "",
            "mozilla/5.0 (x11; linux x86_64; rv:140.0) gecko/20100101 firefox/140.0",
            "mozilla/5.0 (linux; android 13; cubot p80) applewebkit/537.36",
            "curl/8.5.0",
            "ureq/3.1",
            "python-requests/2.31",
            "mozilla/5.0 headlesschrome/126.0",
            "browser of ada",
            "bottega shop app/1.0",
        ] {
            assert!(!is_bot_name(agent), "{agent}");
        }
    }
}
