//! Which session each exchange belongs to.

use std::time::Duration;

use restage_capture::StaticClass;
use restage_model::{Exchange, Moment};

use super::identifying::{Identification, Mark};

/// The sessions of exchanges in the order of time, each as the numbers of its exchanges, in order of first access.
pub(crate) fn assign(
    exchanges: &[&Exchange],
    identification: &Identification,
    idle: Duration,
) -> Vec<Vec<usize>> {
    let mut past = Past { exchanges, identification, idle, sessions: Vec::new() };
    for number in 0..exchanges.len() {
        match past.session_of(number) {
            Some(session) => past.sessions[session].push(number),
            None => past.sessions.push(vec![number]),
        }
    }
    past.sessions
}

/// What came before.
struct Past<'a> {
    exchanges: &'a [&'a Exchange],
    identification: &'a Identification,
    idle: Duration,
    sessions: Vec<Vec<usize>>,
}

impl Past<'_> {
    /// The session that an exchange goes to; none for a new one.
    fn session_of(&self, number: usize) -> Option<usize> {
        let exchange = self.exchanges[number];
        let (carried, set) = (self.identification.carried(exchange), self.identification.set(exchange));
        let here = self.open_at(self.identification.place(exchange), exchange.at);
        let unmarked = here.iter().copied().find(|&s| !self.is_marked(s));
        if !carried.is_empty() {
            self.of_marks(&carried, exchange.at)
        } else if !set.is_empty() {
            self.of_marks(&set, exchange.at).or(unmarked)
        } else {
            let may_come_without = |session: &usize| {
                let members = self.sessions[*session].iter().map(|&m| self.exchanges[m]);
                StaticClass::of(exchange).is_some()
                    || members.into_iter().any(|e| self.identification.lets_go(e))
            };
            unmarked.or_else(|| match here[..] {
                [only] => Some(only).filter(may_come_without),
                _ => None,
            })
        }
    }

    /// The open session that one of these marks is of; of several, the one that was last active, and of those that were
    /// so at the same moment, the newest.
    fn of_marks(&self, marks: &[Mark], now: Moment) -> Option<usize> {
        let owners = marks.iter().filter_map(|mark| self.owner(mark));
        owners.filter(|&s| self.is_open(s, now)).max_by_key(|&s| (self.last(s), s))
    }

    /// The session that a mark is of: where it was met last.
    fn owner(&self, mark: &Mark) -> Option<usize> {
        let last_met = |session: &Vec<usize>| {
            session.iter().copied().filter(|&m| self.marks(self.exchanges[m]).contains(mark)).max()
        };
        let met = self.sessions.iter().enumerate().filter_map(|(s, session)| Some((last_met(session)?, s)));
        met.max().map(|(_, session)| session)
    }

    /// The open sessions that have been at a place.
    fn open_at(&self, place: (&str, &str), now: Moment) -> Vec<usize> {
        let was_here = |&m: &usize| self.identification.place(self.exchanges[m]) == place;
        let sessions = (0..self.sessions.len()).filter(|&s| self.is_open(s, now));
        sessions.filter(|&s| self.sessions[s].iter().any(was_here)).collect()
    }

    fn is_marked(&self, session: usize) -> bool {
        self.sessions[session].iter().any(|&m| !self.marks(self.exchanges[m]).is_empty())
    }

    /// A pause longer than `idle` ends a session.
    fn is_open(&self, session: usize, now: Moment) -> bool {
        now.since(self.last(session)) <= self.idle.as_micros() as i64
    }

    /// When a session was last active.
    fn last(&self, session: usize) -> Moment {
        let members = &self.sessions[session];
        self.exchanges[members[members.len() - 1]].at
    }

    fn marks(&self, exchange: &Exchange) -> Vec<Mark> {
        [self.identification.carried(exchange), self.identification.set(exchange)].concat()
    }
}
