//! A suite that is not stored yet: what suite → suite makes. The store gives it its id.

use crate::{Exchange, ExchangeId, Headers, Moment, Origin, Session, SessionPart, Suite};

/// A suite that is not stored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSuite {
    /// The name that it is to have.
    pub name: String,
    /// The command that makes it.
    pub origin: String,
    /// Its sessions, in order of first access. No two have the same name.
    pub sessions: Vec<NewSession>,
}

impl NewSuite {
    /// A suite of sessions whose requests are all stored.
    pub fn of(name: &str, origin: &str, sessions: impl IntoIterator<Item = Session>) -> Self {
        let sessions = sessions.into_iter().map(NewSession::from).collect();
        Self { name: name.to_owned(), origin: origin.to_owned(), sessions }
    }

    /// Its requests that are not stored yet.
    pub fn new_requests_mut(&mut self) -> impl Iterator<Item = &mut NewRequest> {
        self.sessions.iter_mut().flat_map(|session| &mut session.steps).filter_map(|step| match step {
            NewStep::New(request) => Some(&mut **request),
            NewStep::Stored(_) => None,
        })
    }

    /// Whether it has requests that are not stored yet.
    pub fn has_new_requests(&self) -> bool {
        self.sessions.iter().any(|session| session.steps.iter().any(|s| matches!(s, NewStep::New(_))))
    }
}

impl From<Suite> for NewSuite {
    fn from(suite: Suite) -> Self {
        Self::of(&suite.name, &suite.origin, suite.sessions)
    }
}

/// A session that is not stored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// Its name.
    pub name: String,
    /// How the user was told from others.
    pub by: String,
    /// The client's address.
    pub client: String,
    /// When it begins.
    pub from: Moment,
    /// When its last request begins.
    pub to: Moment,
    /// The requests that are replayed.
    pub steps: Vec<NewStep>,
    /// Exchanges that belong to it and are kept out of the replay.
    pub left_out: Vec<ExchangeId>,
    /// The sessions that it was joined from; none where it was recorded as one.
    pub joined: Vec<SessionPart>,
    /// Whether it begins from the initial state, whatever the sessions before it did.
    pub fresh: bool,
}

impl NewSession {
    /// Some steps of one session, then some of another: a user who goes on as another one did.
    pub fn join(
        name: &str,
        first: &[ExchangeId],
        of: &Session,
        then: &[ExchangeId],
        other: &Session,
    ) -> Self {
        let part = |session: &Session, steps: usize| SessionPart { session: session.name.clone(), steps };
        Self {
            name: name.to_owned(),
            by: of.by.clone(),
            client: of.client.clone(),
            from: of.from,
            to: of.to.max(other.to),
            steps: first.iter().chain(then).map(|id| NewStep::Stored(*id)).collect(),
            left_out: Vec::new(),
            joined: vec![part(of, first.len()), part(other, then.len())],
            fresh: false,
        }
    }
}

impl From<Session> for NewSession {
    fn from(session: Session) -> Self {
        Self {
            name: session.name,
            by: session.by,
            client: session.client,
            from: session.from,
            to: session.to,
            steps: session.exchanges.into_iter().map(NewStep::Stored).collect(),
            left_out: session.left_out,
            joined: session.joined,
            fresh: session.fresh,
        }
    }
}

/// A step of a session that is not stored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewStep {
    /// A request that the store has.
    Stored(ExchangeId),
    /// One that nobody recorded.
    New(Box<NewRequest>),
}

/// A request that nobody recorded, on its way to the store: its body still with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRequest {
    /// When it counts as sent: between the steps before and after it.
    pub at: Moment,
    /// The client's address.
    pub client: String,
    /// `GET`, `POST`, …
    pub method: String,
    /// Path and query.
    pub uri: String,
    /// Its header fields.
    pub headers: Headers,
    /// Its body.
    pub body: Vec<u8>,
    /// What the application answered when it was made, where it was sent then.
    pub answer: Option<NewAnswer>,
    /// Never `Recorded`.
    origin: Origin,
}

/// What the application answered to a request when that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAnswer {
    /// The status code.
    pub status: u16,
    /// Its header fields.
    pub headers: Headers,
    /// Its body, its content encoding undone.
    pub body: Vec<u8>,
}

impl NewRequest {
    /// A recorded request, to be changed; `body` is its body.
    pub fn edited(of: &Exchange, body: Vec<u8>, by: &str, why: &str) -> Self {
        Self {
            at: of.at,
            client: of.client.clone(),
            method: of.request.method.clone(),
            uri: of.request.uri.clone(),
            headers: of.request.headers.clone(),
            body,
            answer: None,
            origin: Origin::Edited { of: of.id, by: by.to_owned(), why: why.to_owned() },
        }
    }

    /// A request like no recorded one, without header fields and body yet. Its values come from those of `from`.
    pub fn generated(at: Moment, method: &str, uri: &str, by: &str, why: &str, from: &[ExchangeId]) -> Self {
        Self {
            at,
            client: String::new(),
            method: method.to_owned(),
            uri: uri.to_owned(),
            headers: Headers::new(),
            body: Vec::new(),
            answer: None,
            origin: Origin::Generated { by: by.to_owned(), why: why.to_owned(), from: from.to_vec() },
        }
    }

    /// Where it comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The words in its origin that a person or a program wrote.
    pub fn words_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.origin.words_mut()
    }
}
