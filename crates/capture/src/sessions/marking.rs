//! What marks an exchange, by the rules.

use std::collections::HashMap;

use crate::sessions::cookie_names::session_cookies;
use crate::sessions::identifiers::{Identifier, Identifiers, Kind};
use crate::sessions::row::Row;
use crate::sessions::rules::{By, SessionRules};

/// What marks a user: which cookie or header, and the number of its value.
pub(super) type Mark = (u32, u32);

/// What an exchange is marked by.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// By its request: the marks of the first rule that has any.
    pub(super) carried: Vec<Mark>,
    /// By its response.
    pub(super) set: Vec<Mark>,
    /// Its response takes a mark back, or gives one for a part of the site: exchanges without it follow.
    pub(super) absent_later: bool,
}

/// Finds the marks of exchanges.
#[derive(Debug)]
pub(super) struct Marking {
    /// HostRewriting of cookies and headers; a mark is an index into it.
    pub(super) sources: Vec<By>,
    /// What decides where there is no mark.
    pub(super) client_by: By,
    /// Per rule, in order: which sources it has.
    rules: Vec<Vec<u32>>,
    cookies: HashMap<u32, u32>,
    headers: HashMap<u32, u32>,
    user: Option<u32>,
}

impl Marking {
    /// The rows are in the order of time.
    pub(super) fn new(rules: &SessionRules, rows: &[Row], identifiers: &mut Identifiers<'_>) -> Self {
        let mut marking = Self {
            sources: Vec::new(),
            client_by: By::IpAgent,
            rules: Vec::new(),
            cookies: HashMap::new(),
            headers: HashMap::new(),
            user: None,
        };
        for (number, by) in (0..).zip(&rules.by) {
            match by {
                By::Cookie(Some(name)) => {
                    let name = identifiers.name_number(name);
                    marking.add_cookies(&[name], identifiers);
                }
                By::Cookie(None) => marking.add_cookies(&session_cookies(rows, identifiers), identifiers),
                By::Header(_) => {
                    let source = marking.add_source(by.clone());
                    marking.headers.insert(number, source);
                    marking.rules.push(vec![source]);
                }
                By::User => {
                    let source = marking.add_source(by.clone());
                    marking.user = Some(source);
                    marking.rules.push(vec![source]);
                }
                // Every exchange has a client, so that no rule after it is ever asked.
                By::Ip | By::IpAgent => {
                    marking.client_by = by.clone();
                    break;
                }
            }
        }
        marking
    }

    /// The marks of an exchange with these identifiers.
    pub(super) fn read(&self, identifiers: &[Identifier], marks: &mut Marks) {
        marks.carried.clear();
        marks.set.clear();
        marks.absent_later = false;
        for identifier in identifiers {
            let source = match identifier.kind {
                Kind::Carried | Kind::Set => self.cookies.get(&identifier.name).copied(),
                Kind::Header => self.headers.get(&identifier.name).copied(),
                Kind::User => self.user,
            };
            let Some(source) = source else { continue };
            if identifier.kind == Kind::Set {
                marks.absent_later |= identifier.removes || identifier.part;
                // A deletion does not bind.
                if !identifier.empty && !identifier.removes {
                    marks.set.push((source, identifier.value));
                }
            } else if !identifier.empty {
                marks.carried.push((source, identifier.value));
            }
        }
        let decides = |rule: &&Vec<u32>| marks.carried.iter().any(|(source, _)| rule.contains(source));
        if let Some(rule) = self.rules.iter().find(decides) {
            marks.carried.retain(|(source, _)| rule.contains(source));
        }
    }

    fn add_cookies(&mut self, names: &[u32], identifiers: &Identifiers<'_>) {
        let mut rule = Vec::new();
        for name in names {
            let source = match self.cookies.get(name) {
                Some(source) => *source,
                None => self.add_source(By::Cookie(Some(identifiers.name(*name).to_owned()))),
            };
            self.cookies.insert(*name, source);
            rule.push(source);
        }
        self.rules.push(rule);
    }

    fn add_source(&mut self, by: By) -> u32 {
        self.sources.push(by);
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }
}
