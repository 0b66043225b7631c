//! Which cookies of an application's traffic name its sessions.
//!
//! A name that frameworks and well-known applications use for it, and a value that can tell users
//! apart; or, whatever its name, values that for the most part look drawn at random, that no two newcomers shared
//! and that browsers sent back. A value that the application hands to every newcomer alike
//! (`session_hint=yes`) tells nobody apart, whatever its name.

use std::collections::{HashMap, HashSet};

use crate::sessions::identifiers::{Identifier, Identifiers, Kind};
use crate::sessions::row::Row;

/// The names that are a framework's, or an application's, own.
const KNOWN: &[&str] = &[
    "sid",
    "connect.sid",
    "phpsessid",
    "jsessionid",
    "sessionid",
    "asp.net_sessionid",
    "laravel_session",
    "cakephp",
    "cfid",
    "dokuwiki",
    "shaarli",
    "phpmyadmin",
    "jwt",
    "auth_token",
    "access_token",
];

/// The cookies that tell users apart, by the numbers of their names, in order of appearance. The rows are in the order
/// of time.
pub(super) fn session_cookies(rows: &[Row], identifiers: &Identifiers<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::new();
    let mut seen: HashMap<u32, Evidence> = HashMap::new();
    for row in rows {
        let of_row = identifiers.of(row.identifiers);
        for identifier in of_row {
            if !matches!(identifier.kind, Kind::Carried | Kind::Set) {
                continue;
            }
            let evidence = seen.entry(identifier.name).or_insert_with(|| {
                order.push(identifier.name);
                Evidence::new(identifiers.name(identifier.name))
            });
            let is_carried = |n: &Identifier| n.kind == Kind::Carried && n.name == identifier.name;
            match identifier.kind {
                Kind::Carried => evidence.carried(identifier),
                _ => evidence.set(identifier, of_row.iter().any(is_carried)),
            }
        }
    }
    order.retain(|name| seen.get(name).is_some_and(Evidence::tells_apart));
    order
}

#[derive(Default)]
struct Evidence {
    /// Its name is one that sessions have.
    named: bool,
    /// Its name is a framework's own.
    known: bool,
    carried_id: bool,
    set_id: bool,
    /// How often a value was set that looks drawn at random, and one that does not: of thousands that are drawn, some
    /// come out looking like a number.
    set_random: usize,
    set_plain: usize,
    /// A value that was set was sent back.
    returned: bool,
    newcomers: usize,
    values: HashSet<u32>,
}

impl Evidence {
    fn new(name: &str) -> Self {
        Self { named: is_session_name(name), known: is_known(name), ..Self::default() }
    }

    fn carried(&mut self, identifier: &Identifier) {
        self.carried_id |= identifier.long;
        self.returned |= self.values.contains(&identifier.value);
    }

    fn set(&mut self, identifier: &Identifier, carried: bool) {
        if identifier.removes || identifier.empty {
            return;
        }
        self.set_id |= identifier.long || (!identifier.persistent && self.known);
        if identifier.random {
            self.set_random += 1;
        } else {
            self.set_plain += 1;
        }
        if !carried {
            self.newcomers += 1;
            self.values.insert(identifier.value);
        }
    }

    fn tells_apart(&self) -> bool {
        let same_for_all = self.newcomers > 1 && self.values.len() * 2 <= self.newcomers;
        let by_name = self.named && (self.set_id || self.carried_id) && !same_for_all;
        let by_value =
            self.newcomers == self.values.len() && self.returned && self.set_random > self.set_plain;
        by_name || by_value
    }
}

fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known.eq_ignore_ascii_case(bare(name)))
}

fn is_session_name(name: &str) -> bool {
    let name = bare(name);
    // Of a name, not a value: phpBB and DokuWiki name cookies by a hash of 32 digits, whatever they are.
    let hex = |text: &str| text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
    if is_known(name) || hex(name) || name.strip_prefix("DW").is_some_and(hex) {
        return true;
    }
    let lower = name.to_ascii_lowercase();
    // Applications that know no session before login keep a token against forged requests, one a
    // browser: it joins what came before the login to what comes after.
    ["sess", "csrf", "xsrf", "wordpress_logged_in", "prestashop-", "aspnetcore.identity"]
        .iter()
        .any(|part| lower.contains(part))
        || ["_sid", ".sid", "-sid"].iter().any(|end| lower.ends_with(end))
}

fn bare(name: &str) -> &str {
    name.strip_prefix("__Host-").or_else(|| name.strip_prefix("__Secure-")).unwrap_or(name)
}
