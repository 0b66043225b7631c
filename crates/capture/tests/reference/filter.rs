//! What is left out, and why.

use std::collections::{HashMap, HashSet};

use restage_capture::{Reason, SessionRules};
use restage_model::Exchange;

/// The rules, and what was learnt from the traffic for them.
pub(crate) struct Filter<'a> {
    rules: &'a SessionRules,
    /// Paths of imported exchanges that nobody was answered on with success.
    invalid: HashSet<&'a str>,
    /// Paths of imported exchanges that a server answered from files.
    files: HashSet<&'a str>,
}

impl<'a> Filter<'a> {
    pub(crate) fn learn(rules: &'a SessionRules, exchanges: &[&'a Exchange]) -> Self {
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
    pub(crate) fn reason(&self, exchange: &Exchange) -> Option<Reason> {
        if !exchange.request.uri.starts_with('/') || !self.is_own(exchange) {
            return Some(Reason::Elsewhere);
        }
        self.rules.leave_out.reason(exchange).or_else(|| {
            let invalid = exchange.imported && self.invalid.contains(exchange.request.path());
            invalid.then_some(Reason::Invalid)
        })
    }

    /// Whether an exchange is a page that is the same for everybody, at all times.
    pub(crate) fn is_static_page(&self, exchange: &Exchange) -> bool {
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
