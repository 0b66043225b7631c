//! Sessions that are no person's: crawlers, monitors, scanners.
//!
//! Known by the names they give themselves; or by what they do, where no browser does it. A script that a tester wrote
//! (curl, a library's own name) is no bot.

use std::fmt;

use serde::Serialize;

use crate::sessions::row::{Row, Traits};

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

/// How a session is known for a bot's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BotSign {
    /// Its agent has a bot's name.
    Name,
    /// It asked for `robots.txt`.
    Robots,
    /// It asked for nothing but heads.
    Heads,
    /// It says that it is a browser, and reads as no person can.
    Haste,
}

impl fmt::Display for BotSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "its agent's name",
            Self::Robots => "it asked for robots.txt",
            Self::Heads => "it asked for nothing but heads",
            Self::Haste => "it says browser and reads as no person can",
        })
    }
}

/// What an agent says of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct AgentKind {
    bot: bool,
    browser: bool,
}

impl AgentKind {
    pub(super) fn of(agent: &str) -> Self {
        let agent = agent.to_ascii_lowercase();
        Self { bot: is_bot_name(&agent), browser: agent.starts_with("mozilla/") }
    }
}

/// What the exchanges of a session, one after another, say of who sent them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conduct {
    robots: bool,
    only_heads: bool,
    /// None was reached from another, nothing sent, nothing shown.
    bare: bool,
}

impl Conduct {
    pub(super) fn new() -> Self {
        Self { robots: false, only_heads: true, bare: true }
    }

    pub(super) fn add(&mut self, row: &Row) {
        let traits = row.traits;
        self.robots |= traits.has(Traits::ROBOTS);
        self.only_heads &= traits.has(Traits::HEAD);
        self.bare &= traits.has(Traits::IMPORTED)
            && traits.has(Traits::GET)
            && !traits.has(Traits::ORIGIN)
            && row.class.is_none();
    }

    /// How a session of so many exchanges, in so many microseconds, is known for a bot's; none where it may be a
    /// person's.
    pub(super) fn sign(self, agent: AgentKind, exchanges: usize, lasted: i64) -> Option<BotSign> {
        // Many pages at a pace no person reads at.
        let hasty = exchanges >= MANY_PAGES
            && self.bare
            && lasted < FAST * i64::try_from(exchanges).unwrap_or(i64::MAX);
        if agent.bot {
            Some(BotSign::Name)
        } else if self.robots {
            Some(BotSign::Robots)
        } else if exchanges > 1 && self.only_heads {
            Some(BotSign::Heads)
        } else {
            (hasty && agent.browser).then_some(BotSign::Haste)
        }
    }
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
