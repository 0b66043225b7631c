//! What may mark an exchange: cookies it carries and sets, headers, the user the server knows.
//!
//! Which cookies name sessions shows only when all traffic was seen, so that until then all are noted; their values by
//! number, since all that counts of them is whether two are the same.

use restage_model::{Exchange, SetCookie, ValueShape, cookie_pairs};

use crate::sessions::interner::Interner;
use crate::sessions::rules::{By, SessionRules};

/// Said of an exchange without identifiers.
pub(super) const NONE: u32 = u32::MAX;

/// A longer value stands here as its hash: signed ones may be kilobytes.
const LONGEST: usize = 64;
/// A value this long is taken for an identifier.
const ID_LENGTH: usize = 16;

/// What kind of thing is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A cookie that the request carries.
    Carried,
    /// The header of a rule.
    Header,
    /// The user.
    User,
    /// A cookie that the response sets.
    Set,
}

/// One thing that may mark an exchange.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identifier {
    pub(super) kind: Kind,
    /// The cookie's name, by number; of a header, its rule.
    pub(super) name: u32,
    /// Its value, by number.
    pub(super) value: u32,
    pub(super) empty: bool,
    /// The value is as long as an identifier.
    pub(super) long: bool,
    /// The value looks drawn at random.
    pub(super) random: bool,
    /// The cookie is taken back.
    pub(super) removes: bool,
    /// The cookie outlives the browser.
    pub(super) persistent: bool,
    /// The cookie is for a part of the site.
    pub(super) part: bool,
    last: bool,
}

/// The identifiers of all exchanges.
#[derive(Debug)]
pub(super) struct Identifiers<'r> {
    all_cookies: bool,
    cookies: Vec<&'r str>,
    headers: Vec<(u32, &'r str)>,
    user: bool,
    names: Interner,
    values: Interner,
    identifiers: Vec<Identifier>,
}

impl<'r> Identifiers<'r> {
    pub(super) fn new(rules: &'r SessionRules) -> Self {
        let mut identifiers = Self {
            all_cookies: false,
            cookies: Vec::new(),
            headers: Vec::new(),
            user: false,
            names: Interner::default(),
            values: Interner::default(),
            identifiers: Vec::new(),
        };
        for (number, by) in (0..).zip(&rules.by) {
            match by {
                By::Cookie(None) => identifiers.all_cookies = true,
                By::Cookie(Some(name)) => identifiers.cookies.push(name),
                By::Header(name) => identifiers.headers.push((number, name)),
                By::User => identifiers.user = true,
                // Every exchange has a client, so that no rule after it is ever asked.
                By::Ip | By::IpAgent => break,
            }
        }
        identifiers
    }

    /// Adds what may mark an exchange; where its identifiers begin.
    pub(super) fn add(&mut self, exchange: &Exchange) -> u32 {
        let begin = self.identifiers.len();
        let headers = &exchange.request.headers;
        if self.all_cookies || !self.cookies.is_empty() {
            for (name, value) in headers.all("cookie").flat_map(cookie_pairs) {
                self.add_cookie(Kind::Carried, name, value);
            }
        }
        for index in 0..self.headers.len() {
            let (rule, name) = self.headers[index];
            let value = headers.get(name).map(str::trim).filter(|value| !value.is_empty());
            if let Some(value) = value {
                self.add_one(Kind::Header, rule, value);
            }
        }
        if let Some(user) = user(exchange).filter(|_| self.user) {
            self.add_one(Kind::User, 0, user);
        }
        if self.all_cookies || !self.cookies.is_empty() {
            for header in exchange.response.iter().flat_map(|r| r.headers.all("set-cookie")) {
                let Some(cookie) = SetCookie::parse_at(header, exchange.at) else { continue };
                let Some(identifier) = self.add_cookie(Kind::Set, &cookie.name, &cookie.value) else {
                    continue;
                };
                identifier.removes = cookie.removes;
                identifier.persistent = cookie.persistent;
                identifier.part = cookie.path.is_some_and(|path| path != "/");
            }
        }
        match self.identifiers[begin..].last_mut() {
            Some(identifier) => {
                identifier.last = true;
                u32::try_from(begin).unwrap_or(NONE)
            }
            None => NONE,
        }
    }

    /// The identifiers that begin there.
    pub(super) fn of(&self, begin: u32) -> &[Identifier] {
        let Some(identifiers) = self.identifiers.get(begin as usize..) else { return &[] };
        let end = identifiers.iter().position(|identifier| identifier.last).map_or(0, |last| last + 1);
        &identifiers[..end]
    }

    /// The number of a cookie's name.
    pub(super) fn name_number(&mut self, name: &str) -> u32 {
        self.names.number(name)
    }

    /// A cookie's name by its number.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.text(number)
    }

    fn add_cookie(&mut self, kind: Kind, name: &str, value: &str) -> Option<&mut Identifier> {
        if !self.all_cookies && !self.cookies.contains(&name) {
            return None;
        }
        let name = self.names.number(name);
        Some(self.add_one(kind, name, value))
    }

    fn add_one(&mut self, kind: Kind, name: u32, value: &str) -> &mut Identifier {
        let number = if value.len() > LONGEST {
            self.values.number(&blake3::hash(value.as_bytes()).to_hex())
        } else {
            self.values.number(value)
        };
        self.identifiers.push_mut(Identifier {
            kind,
            name,
            value: number,
            empty: value.is_empty(),
            long: value.len() >= ID_LENGTH,
            random: looks_random(value),
            removes: false,
            persistent: false,
            part: false,
            last: false,
        })
    }
}

/// An identifier, and no word, date or setting. `GA1-17…-17…` counts visits: most of it are digits.
fn looks_random(value: &str) -> bool {
    ValueShape::of(value).is_token() && value.bytes().filter(u8::is_ascii_alphabetic).count() >= 3
}

/// The user that the server knows: by the credentials of basic authentication, or by what its log put before the address.
fn user(exchange: &Exchange) -> Option<&str> {
    let given = exchange.request.headers.get("authorization");
    let basic =
        given.filter(|value| value.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic ")));
    basic.or_else(|| exchange.client.rsplit_once('@').map(|(user, _)| user))
}
