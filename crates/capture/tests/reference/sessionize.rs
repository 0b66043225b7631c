//! One pass over exchanges that are all in memory.

use std::collections::HashMap;

use restage_model::{Exchange, Moment, Session, SetCookie};

use restage_capture::{By, SessionRules, StaticClass};

use super::cookie_names::{carried, name_and_value, session_cookies};
use super::filter::Filter;

/// The sessions of exchanges that are in the order of time.
pub(crate) fn sessionize_by<'a>(
    exchanges: Vec<&'a Exchange>,
    rules: &'a SessionRules,
    filter: &Filter<'_>,
) -> Vec<Session> {
    let marking = Marking::new(rules, &exchanges);
    let idle = i64::try_from(rules.idle.as_micros()).unwrap_or(i64::MAX);
    let mut sorter = Sorter { idle, ..Sorter::default() };
    for exchange in exchanges {
        let marks = marking.marks(exchange);
        let session = sorter.session_of(exchange, &marks, marking.place(exchange));
        sorter.add(session, exchange, filter.reason(exchange).is_some());
    }
    let fallback = marking.place_by.to_string();
    sorter.sessions.into_iter().map(|open| open.into_session(&marking, &fallback)).collect()
}

/// What marks a user: which cookie or header, and its value.
type Mark<'a> = (usize, &'a str);
/// The client's address and, where the rule says so, its agent.
type Place<'a> = (&'a str, &'a str);

/// What an exchange is marked by.
#[derive(Default)]
struct Marks<'a> {
    /// By its request: the marks of the first rule that has any.
    carried: Vec<Mark<'a>>,
    /// By its response.
    set: Vec<Mark<'a>>,
    /// Its response takes a mark back, or gives one for a part of the site: exchanges without it follow.
    absent_later: bool,
}

/// Finds the marks of exchanges.
struct Marking<'a> {
    /// Names of cookies and headers; a mark is an index into it.
    sources: Vec<By>,
    /// Per rule, in order: which sources it has.
    rules: Vec<Vec<usize>>,
    cookies: HashMap<&'a str, usize>,
    headers: Vec<(String, usize)>,
    user: Option<usize>,
    place_by: By,
}

impl<'a> Marking<'a> {
    fn new(rules: &'a SessionRules, exchanges: &[&'a Exchange]) -> Self {
        let mut marking = Self {
            sources: Vec::new(),
            rules: Vec::new(),
            cookies: HashMap::new(),
            headers: Vec::new(),
            user: None,
            place_by: By::IpAgent,
        };
        for by in &rules.by {
            match by {
                By::Cookie(Some(name)) => marking.add_cookies(&[name]),
                By::Cookie(None) => marking.add_cookies(&session_cookies(exchanges)),
                By::Header(name) => {
                    marking.headers.push((name.clone(), marking.sources.len()));
                    marking.rules.push(vec![marking.sources.len()]);
                    marking.sources.push(by.clone());
                }
                By::User => {
                    marking.user = Some(marking.sources.len());
                    marking.rules.push(vec![marking.sources.len()]);
                    marking.sources.push(by.clone());
                }
                // Every exchange has a place, so that no rule after it is ever asked.
                By::Ip | By::IpAgent => {
                    marking.place_by = by.clone();
                    break;
                }
            }
        }
        marking
    }

    fn add_cookies(&mut self, names: &[&'a str]) {
        let mut rule = Vec::new();
        for name in names {
            let source = *self.cookies.entry(name).or_insert_with(|| {
                self.sources.push(By::Cookie(Some((*name).to_owned())));
                self.sources.len() - 1
            });
            rule.push(source);
        }
        self.rules.push(rule);
    }

    fn marks(&self, exchange: &'a Exchange) -> Marks<'a> {
        let mut marks = Marks::default();
        if self.sources.is_empty() {
            return marks;
        }
        let cookies = carried(exchange)
            .filter(|(_, value)| !value.is_empty())
            .filter_map(|(name, value)| Some((*self.cookies.get(name)?, value)));
        let headers = self.headers.iter().filter_map(|(name, source)| {
            let value = exchange.request.headers.get(name)?.trim();
            (!value.is_empty()).then_some((*source, value))
        });
        let user = self.user.and_then(|source| Some((source, user(exchange)?)));
        let all: Vec<Mark<'a>> = cookies.chain(headers).chain(user).collect();
        let deciding = self.rules.iter().find(|rule| all.iter().any(|(source, _)| rule.contains(source)));
        if let Some(rule) = deciding {
            marks.carried = all.into_iter().filter(|(source, _)| rule.contains(source)).collect();
        }
        for header in exchange.response.iter().flat_map(|r| r.headers.all("set-cookie")) {
            let Some((name, value)) = name_and_value(header) else { continue };
            let Some(source) = self.cookies.get(name) else { continue };
            let Some(cookie) = SetCookie::parse_at(header, exchange.at) else { continue };
            marks.absent_later |= cookie.removes || cookie.path.is_some_and(|path| path != "/");
            // A deletion does not bind.
            if !value.is_empty() && !cookie.removes {
                marks.set.push((*source, value));
            }
        }
        marks
    }

    fn place(&self, exchange: &'a Exchange) -> Place<'a> {
        let agent = match self.place_by {
            By::Ip => "",
            _ => exchange.request.headers.get("user-agent").unwrap_or_default(),
        };
        (&exchange.client, agent)
    }
}

/// The user that the server knows: by the credentials of basic authentication, or by what its log put before the address.
fn user(exchange: &Exchange) -> Option<&str> {
    let given = exchange.request.headers.get("authorization");
    let basic =
        given.filter(|value| value.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic ")));
    basic.or_else(|| exchange.client.rsplit_once('@').map(|(user, _)| user))
}

/// A session being put together.
struct Open<'a> {
    exchanges: Vec<&'a Exchange>,
    left_out: Vec<&'a Exchange>,
    first: &'a Exchange,
    last: Moment,
    /// What first marked it; none while it is known by its place alone.
    by: Option<usize>,
    /// Whether it may go on without its mark.
    may_be_unmarked: bool,
}

impl Open<'_> {
    fn into_session(self, marking: &Marking<'_>, fallback: &str) -> Session {
        let by = self.by.and_then(|source| marking.sources.get(source));
        Session {
            name: format!("s{}", self.first.id.0),
            by: by.map_or_else(|| fallback.to_owned(), By::to_string),
            client: self.first.client.clone(),
            from: self.first.at,
            to: self.last,
            exchanges: self.exchanges.iter().map(|e| e.id).collect(),
            left_out: self.left_out.iter().map(|e| e.id).collect(),
            joined: Vec::new(),
        }
    }
}

/// The sessions of a place.
#[derive(Clone, Copy, Default)]
struct AtPlace {
    /// The one that is known by the place alone.
    unmarked: Option<usize>,
    /// The last two that were active there. Exchanges come in the order of time, so that only when
    /// the second of them has ended, the first is the only one open.
    recent: [Option<usize>; 2],
}

#[derive(Default)]
struct Sorter<'a> {
    idle: i64,
    sessions: Vec<Open<'a>>,
    marked: HashMap<Mark<'a>, usize>,
    places: HashMap<Place<'a>, AtPlace>,
}

impl<'a> Sorter<'a> {
    /// The session an exchange belongs to; a new one where it belongs to none that is open.
    fn session_of(&mut self, exchange: &'a Exchange, marks: &Marks<'a>, place: Place<'a>) -> usize {
        let now = exchange.at;
        let at_place = self.places.get(&place).copied().unwrap_or_default();
        let unmarked = at_place
            .unmarked
            .filter(|&session| self.sessions[session].by.is_none() && self.is_open(session, now));
        let found = if !marks.carried.is_empty() {
            self.by_marks(&marks.carried, now)
        } else if !marks.set.is_empty() {
            // A newcomer's first answer. One who was here unmarked is marked now; but whoever is
            // marked already is somebody else.
            self.by_marks(&marks.set, now).or(unmarked)
        } else {
            let is_static = StaticClass::of(exchange).is_some();
            let may_be = |&session: &usize| is_static || self.sessions[session].may_be_unmarked;
            unmarked.or_else(|| self.only_open(at_place, now).filter(may_be))
        };
        let session = found.unwrap_or_else(|| self.begin(exchange));
        self.mark(session, marks);
        self.note_place(session, place);
        session
    }

    fn add(&mut self, session: usize, exchange: &'a Exchange, left_out: bool) {
        let open = &mut self.sessions[session];
        open.last = exchange.at;
        if left_out { &mut open.left_out } else { &mut open.exchanges }.push(exchange);
    }

    fn begin(&mut self, first: &'a Exchange) -> usize {
        let last = first.at;
        self.sessions.push(Open {
            exchanges: Vec::new(),
            left_out: Vec::new(),
            first,
            last,
            by: None,
            may_be_unmarked: false,
        });
        self.sessions.len() - 1
    }

    /// The open session one of these marks belongs to; the last active, where they disagree.
    fn by_marks(&self, marks: &[Mark<'a>], now: Moment) -> Option<usize> {
        marks
            .iter()
            .filter_map(|mark| self.marked.get(mark).copied())
            .filter(|&session| self.is_open(session, now))
            .max_by_key(|&session| (self.sessions[session].last, session))
    }

    fn only_open(&self, at_place: AtPlace, now: Moment) -> Option<usize> {
        let [last, before] = at_place.recent.map(|s| s.filter(|&session| self.is_open(session, now)));
        if before.is_some() { None } else { last }
    }

    fn is_open(&self, session: usize, now: Moment) -> bool {
        now.since(self.sessions[session].last) <= self.idle
    }

    fn mark(&mut self, session: usize, marks: &Marks<'a>) {
        self.sessions[session].may_be_unmarked |= marks.absent_later;
        for mark in marks.carried.iter().chain(&marks.set) {
            self.marked.insert(*mark, session);
            self.sessions[session].by.get_or_insert(mark.0);
        }
    }

    fn note_place(&mut self, session: usize, place: Place<'a>) {
        let at_place = self.places.entry(place).or_default();
        if self.sessions[session].by.is_none() {
            at_place.unmarked = Some(session);
        }
        if at_place.recent[0] != Some(session) {
            at_place.recent = [Some(session), at_place.recent[0]];
        }
    }
}
