//! What belongs to a session and is kept out of its replay, and why.
//!
//! Filters are views: nothing is deleted, and another rule in `restage.toml` brings it back. What is recorded on purpose
//! is taken as it is, but for what the rules list. What is imported was logged for other purposes, and also loses what
//! no user of the application asked for: requests that no application answered (paper 1, section 3.1: mistyped
//! addresses, files that are not there, other applications).

use std::fmt;

use restage_model::Exchange;
use serde::Serialize;

use crate::sessions::bots::BotSign;
use crate::sessions::interner::Interner;
use crate::sessions::row::{Row, Traits};
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
    Bot(BotSign),
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

/// Why an exchange is kept out by what it is itself.
pub(super) fn own_reason(
    rules: &SessionRules,
    exchange: &Exchange,
    class: Option<StaticClass>,
) -> Option<Reason> {
    if !exchange.request.uri.starts_with('/') || !is_own(rules, exchange) {
        return Some(Reason::Elsewhere);
    }
    rules.leave_out.reason_in(exchange, class)
}

/// Whether an exchange is the application's, where `hosts` tells.
fn is_own(rules: &SessionRules, exchange: &Exchange) -> bool {
    let hosts = &rules.hosts;
    let Some(host) = exchange.request.headers.get("host").filter(|_| !hosts.is_empty()) else {
        return true;
    };
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    hosts.iter().any(|own| own.eq_ignore_ascii_case(host) || own.eq_ignore_ascii_case(name))
}

/// The paths of imported exchanges, and what was learnt of each from all that were answered.
#[derive(Debug, Default)]
pub(super) struct Paths {
    paths: Interner,
    evidence: Vec<Evidence>,
}

impl Paths {
    /// Looks at an imported exchange; its path's number.
    pub(super) fn add(&mut self, exchange: &Exchange) -> u32 {
        let number = self.paths.number(exchange.request.path());
        if number as usize == self.evidence.len() {
            self.evidence.push(Evidence::default());
        }
        self.evidence[number as usize].add(exchange);
        number
    }

    /// Why an exchange is kept out; none where it is replayed.
    pub(super) fn reason(&self, rules: &SessionRules, row: &Row) -> Option<Reason> {
        row.reason.or_else(|| {
            let invalid = rules.leave_out.invalid && self.of(row).is_some_and(|e| e.refused && !e.accepted);
            invalid.then_some(Reason::Invalid)
        })
    }

    /// Whether an exchange is a page that is the same for everybody, at all times. An action is none.
    pub(super) fn is_static_page(&self, row: &Row) -> bool {
        if !row.traits.has(Traits::GET) && !row.traits.has(Traits::HEAD) {
            return false;
        }
        let from_file = || self.of(row).is_some_and(|e| e.file && !e.made);
        row.traits.has(Traits::STATIC_PAGE) || !row.traits.has(Traits::QUERY) && from_file()
    }

    /// What is known of the path of an imported exchange.
    fn of(&self, row: &Row) -> Option<&Evidence> {
        self.evidence.get(row.path as usize).filter(|_| row.traits.has(Traits::IMPORTED))
    }
}

/// What the answers on a path say of it.
#[derive(Debug, Default)]
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
        self.reason_in(exchange, StaticClass::of(exchange))
    }

    /// The same, of an exchange whose class is known.
    fn reason_in(&self, exchange: &Exchange, class: Option<StaticClass>) -> Option<Reason> {
        // A connection that became something else cannot be asked for again.
        if exchange.response.as_ref().is_some_and(|response| response.status == 101) {
            return Some(Reason::Upgraded);
        }
        if let Some(class) = class.filter(|class| self.classes.contains(class)) {
            return Some(Reason::Static(class));
        }
        let path = exchange.request.path();
        self.paths.iter().any(|pattern| pattern.matches(path)).then_some(Reason::Listed)
    }
}
