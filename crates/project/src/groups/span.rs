//! When a session did what, as it was recorded.

use restage_model::{Exchange, Moment, Session};
use restage_store::{Store, StoreError};

use super::places::Places;

/// When a session did what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// When its first request was sent, and when its last one.
    all: (Moment, Moment),
    /// The same of those that may have changed something.
    changes: Option<(Moment, Moment)>,
}

impl Span {
    fn of<'e>(exchanges: impl IntoIterator<Item = &'e Exchange>) -> Option<Self> {
        let widen = |span: Option<(Moment, Moment)>, at: Moment| {
            span.map_or((at, at), |(first, last)| (first.min(at), last.max(at)))
        };
        let mut all = None;
        let mut changes = None;
        for exchange in exchanges {
            all = Some(widen(all, exchange.at));
            if exchange.may_change_something() {
                changes = Some(widen(changes, exchange.at));
            }
        }
        all.map(|all| Self { all, changes })
    }

    /// Of somebody who changed something at either end.
    #[cfg(test)]
    pub(super) fn between(from: i64, to: i64) -> Self {
        let all = (Moment(from), Moment(to));
        Self { all, changes: Some(all) }
    }

    /// Whether the two were there at the same time.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.all.0 < other.all.1 && other.all.0 < self.all.1
    }

    /// Whether it matters that another session is replayed after the whole of this one: it had changed something before this
    /// one's last request, or had begun before this one's last change.
    pub(super) fn crosses(&self, later: &Self) -> bool {
        let changed_before = later.changes.is_some_and(|(first, _)| first < self.all.1);
        changed_before || self.changes.is_some_and(|(_, last)| later.all.0 < last)
    }
}

/// When a session did what, and where.
#[derive(Clone, Debug)]
pub(super) struct Presence {
    pub(super) span: Span,
    pub(super) places: Places,
}

/// The presence of sessions that were there at the same time as another one; none of the others, and none of those that nobody
/// recorded as they are.
pub(super) fn presences(store: &Store, sessions: &[Session]) -> Result<Vec<Option<Presence>>, StoreError> {
    let recorded = |session: &Session| session.joined.is_empty() && !session.fresh;
    let mut by_begin: Vec<usize> = (0..sessions.len()).filter(|n| recorded(&sessions[*n])).collect();
    by_begin.sort_by_key(|number| sessions[*number].from);
    let mut shared = vec![false; sessions.len()];
    let mut longest: Option<usize> = None;
    for number in by_begin {
        if let Some(before) = longest.filter(|before| sessions[number].from < sessions[*before].to) {
            shared[before] = true;
            shared[number] = true;
        }
        if longest.is_none_or(|before| sessions[before].to < sessions[number].to) {
            longest = Some(number);
        }
    }
    let presence = |(session, shared): (&Session, bool)| {
        if !shared {
            return Ok(None);
        }
        let exchanges = session.exchanges.iter().map(|id| store.exchange(*id));
        let exchanges = exchanges.collect::<Result<Vec<_>, StoreError>>()?;
        let places = Places::of(&exchanges, |body| store.body(body))?;
        Ok(Span::of(&exchanges).map(|span| Presence { span, places }))
    };
    sessions.iter().zip(shared).map(presence).collect()
}

#[cfg(test)]
mod tests {
    use restage_model::{BodyRef, ExchangeId, Headers, Origin, Request};

    use super::*;

    fn span(requests: &[(&str, i64)]) -> Span {
        let exchange = |(method, at): &(&str, i64)| Exchange {
            id: ExchangeId(*at),
            at: Moment(*at),
            took: 1,
            client: String::new(),
            request: Request {
                method: (*method).to_owned(),
                uri: "/".to_owned(),
                headers: Headers::new(),
                body: BodyRef::default(),
            },
            response: None,
            error: None,
            imported: false,
            origin: Origin::Recorded,
        };
        Span::of(&requests.iter().map(exchange).collect::<Vec<_>>()).unwrap()
    }

    /// Catches: sessions that only looked, or came one after the other, taken for such as met; one that saw what was not there yet.
    #[test]
    fn who_changed_something_meanwhile_may_have_been_met() {
        let long = span(&[("GET", 0), ("POST", 50), ("GET", 100)]);
        for (later, overlaps, crosses) in [
            (span(&[("GET", 10), ("GET", 20)]), true, true),
            (span(&[("GET", 60), ("GET", 70)]), true, false),
            (span(&[("GET", 60), ("POST", 70)]), true, true),
            (span(&[("GET", 60), ("POST", 120)]), true, false),
            (span(&[("POST", 110), ("POST", 120)]), false, false),
        ] {
            assert_eq!((long.overlaps(&later), long.crosses(&later)), (overlaps, crosses), "{later:?}");
        }
    }
}
