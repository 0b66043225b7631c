//! What belongs to a session and is kept out of its replay, and why.
//!
//! Filters are views: nothing is deleted, and another rule in `restage.toml` brings it back. What is recorded on purpose
//! is taken as it is, but for what the rules list. What is imported was logged for other purposes, and also loses what
//! no user of the application asked for: requests that no application answered (paper 1, section 3.1: mistyped
//! addresses, files that are not there, other applications).

use std::collections::{HashMap, HashSet};
use std::fmt;

use restage_model::Exchange;
use serde::Serialize;

use crate::sessions::rules::{LeaveOut, SessionRules};
use crate::sessions::static_class::StaticClass;

/// Why an exchange, or a session, is kept out of replays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It is only looks.
    Static(StaticClass),
    /// It became another connection, which cannot be asked for again.
    Upgraded,
    /// `leave-out.paths` lists it.
    Listed,
    /// It went to another application.
    Elsewhere,
    /// Nobody who asked for it was answered with success.
    Invalid,
    /// A bot, by its name or by what it did.
    Bot(&'static str),
    /// All of the session is static pages, or kept out.
    OnlyStatic,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static(class) => write!(f, "{class}"),
            Self::Upgraded => f.write_str("upgraded connection"),
            Self::Listed => f.write_str("listed in leave-out"),
            Self::Elsewhere => f.write_str("another application"),
            Self::Invalid => f.write_str("never answered with success"),
            Self::Bot(how) => write!(f, "bot: {how}"),
            Self::OnlyStatic => f.write_str("nothing but static pages"),
        }
    }
}

/// The rules, and what was learnt from the traffic for them.
pub(super) struct Filter<'a> {
    rules: &'a SessionRules,
    /// Paths of imported exchanges that nobody was answered on with success.
    invalid: HashSet<&'a str>,
    /// Paths of imported exchanges that a server answered from files.
    files: HashSet<&'a str>,
}

impl<'a> Filter<'a> {
    pub(super) fn learn(rules: &'a SessionRules, exchanges: &[&'a Exchange]) -> Self {
        let mut paths: HashMap<&'a str, Evidence> = HashMap::new();
        for exchange in exchanges.iter().filter(|e| e.imported) {
            paths.entry(exchange.request.path()).or_default().add(exchange);
        }
        let having = |what: fn(&Evidence) -> bool| -> HashSet<&'a str> {
            paths.iter().filter(|(_, evidence)| what(evidence)).map(|(path, _)| *path).collect()
        };
        let invalid =
            if rules.leave_out.invalid { having(|e| e.refused && !e.accepted) } else { HashSet::new() };
        Self { rules, invalid, files: having(|e| e.file && !e.made) }
    }

    /// Why an exchange is kept out; none where it is replayed.
    pub(super) fn reason(&self, exchange: &Exchange) -> Option<Reason> {
        if !exchange.request.uri.starts_with('/') || !self.is_own(exchange) {
            return Some(Reason::Elsewhere);
        }
        self.rules.leave_out.reason(exchange).or_else(|| {
            let invalid = exchange.imported && self.invalid.contains(exchange.request.path());
            invalid.then_some(Reason::Invalid)
        })
    }

    /// Whether an exchange is a page that is the same for everybody, at all times.
    pub(super) fn is_static_page(&self, exchange: &Exchange) -> bool {
        let path = exchange.request.path();
        exchange.imported && exchange.request.query().is_empty() && self.files.contains(path)
            || self.rules.leave_out.static_pages.iter().any(|pattern| pattern.matches(path))
    }

    /// Whether an exchange is the application's, where `hosts` tells.
    fn is_own(&self, exchange: &Exchange) -> bool {
        let hosts = &self.rules.hosts;
        let Some(host) = exchange.request.headers.get("host").filter(|_| !hosts.is_empty()) else {
            return true;
        };
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        hosts.iter().any(|own| own.eq_ignore_ascii_case(host) || own.eq_ignore_ascii_case(name))
    }
}

/// What the answers on a path say of it.
#[derive(Default)]
struct Evidence {
    /// Answered as what is not there, or cannot be asked for.
    refused: bool,
    /// Answered in any other way. A page that needs a login is one, and so is one that fails.
    accepted: bool,
    /// Answered as servers answer from files.
    file: bool,
    /// Answered otherwise.
    made: bool,
}

impl Evidence {
    fn add(&mut self, exchange: &Exchange) {
        let Some(response) = &exchange.response else { return };
        let refused = matches!(response.status, 400 | 404 | 405 | 410 | 414 | 501);
        self.refused |= refused;
        self.accepted |= !refused;
        let has = |name: &str| response.headers.get(name).is_some();
        let file = has("last-modified") && has("accept-ranges") && !has("set-cookie");
        self.file |= file;
        self.made |= !file && response.status != 304;
    }
}

impl LeaveOut {
    /// Why an exchange is kept out by what is listed; none where it is not.
    pub fn reason(&self, exchange: &Exchange) -> Option<Reason> {
        // A connection that became something else cannot be asked for again.
        if exchange.response.as_ref().is_some_and(|response| response.status == 101) {
            return Some(Reason::Upgraded);
        }
        if !self.classes.is_empty()
            && let Some(class) = StaticClass::of(exchange).filter(|class| self.classes.contains(class))
        {
            return Some(Reason::Static(class));
        }
        let path = exchange.request.path();
        self.paths.iter().any(|pattern| pattern.matches(path)).then_some(Reason::Listed)
    }
}
