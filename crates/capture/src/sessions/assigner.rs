//! Sorting exchanges into sessions, in one pass in the order of time.
//!
//! An exchange is *marked* by the cookies (or headers) that tell users apart: those its request
//! carries, and those its response sets. A mark belongs to one session; a session has many, as ids
//! are given anew at login. Exchanges without a mark go by their *client*, its address and
//! agent. Where exactly one session could be meant, it is; two users at one client are never joined
//! because one of them cannot be told. A browser that was given a cookie sends it: an exchange without one
//! is somebody else's, unless the cookie was taken back, is for another path, or is not sent for images.
//!
//! Every step is a look-up in a table: the time is that of sorting the exchanges.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use restage_model::Moment;

use crate::sessions::marking::{Mark, Marks};
use crate::sessions::row::Row;

/// A session being put together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// When its last exchange began.
    pub(super) last: Moment,
    /// What first marked it; none while it is known by its client alone.
    pub(super) by: Option<u32>,
    /// Whether it may go on without its mark.
    may_be_unmarked: bool,
    /// Where it was last.
    client: Option<u32>,
}

/// The sessions of a client.
#[derive(Clone, Debug, Default)]
struct AtClient {
    /// The one that is known by the client alone.
    unmarked: Option<u32>,
    /// All that were here, those among them that may have ended since; some of them more than once.
    sessions: Vec<u32>,
}

/// Tells which session an exchange belongs to.
#[derive(Debug)]
pub(super) struct SessionAssigner {
    idle: i64,
    pub(super) sessions: Vec<Open>,
    marked: HashMap<Mark, u32, RandomState>,
    clients: Vec<AtClient>,
}

impl SessionAssigner {
    /// For so many clients, and pauses of so many microseconds.
    pub(super) fn new(clients: usize, idle: i64) -> Self {
        let clients = vec![AtClient::default(); clients];
        Self { idle, sessions: Vec::new(), marked: HashMap::default(), clients }
    }

    /// The session an exchange belongs to; a new one where it belongs to none that is open.
    pub(super) fn session_of(&mut self, row: &Row, marks: &Marks, client: u32) -> u32 {
        let now = row.at;
        let unmarked = self.clients[client as usize]
            .unmarked
            .filter(|&session| self.session(session).by.is_none() && self.is_open(session, now));
        let found = if !marks.carried.is_empty() {
            self.by_marks(&marks.carried, now)
        } else if !marks.set.is_empty() {
            // A newcomer's first answer. One who was here unmarked is marked now; but whoever is
            // marked already is somebody else.
            self.by_marks(&marks.set, now).or(unmarked)
        } else {
            unmarked.or_else(|| {
                let only = self.only_open(client, now)?;
                (row.class.is_some() || self.session(only).may_be_unmarked).then_some(only)
            })
        };
        let session = found.unwrap_or_else(|| self.begin(now));
        self.mark(session, marks);
        self.note_client(session, client);
        self.sessions[session as usize].last = now;
        session
    }

    fn session(&self, session: u32) -> &Open {
        &self.sessions[session as usize]
    }

    fn begin(&mut self, now: Moment) -> u32 {
        self.sessions.push(Open { last: now, by: None, may_be_unmarked: false, client: None });
        u32::try_from(self.sessions.len() - 1).unwrap_or(u32::MAX)
    }

    /// The open session one of these marks belongs to; the last active, where they disagree.
    fn by_marks(&self, marks: &[Mark], now: Moment) -> Option<u32> {
        marks
            .iter()
            .filter_map(|mark| self.marked.get(mark).copied())
            .filter(|&session| self.is_open(session, now))
            .max_by_key(|&session| (self.session(session).last, session))
    }

    /// The open session of a client, where there is one and no other.
    fn only_open(&mut self, client: u32, now: Moment) -> Option<u32> {
        let mut sessions = std::mem::take(&mut self.clients[client as usize].sessions);
        let mut only = None;
        let mut several = false;
        let mut at = sessions.len();
        while at > 0 && !several {
            at -= 1;
            let session = sessions[at];
            // What has ended is never open again: each is looked at once, so that all of it takes no more time than it
            // took to list them.
            if only == Some(session) || !self.is_open(session, now) {
                sessions.swap_remove(at);
            } else {
                several = only.is_some();
                only = Some(session);
            }
        }
        self.clients[client as usize].sessions = sessions;
        only.filter(|_| !several)
    }

    fn is_open(&self, session: u32, now: Moment) -> bool {
        now.since(self.session(session).last) <= self.idle
    }

    fn mark(&mut self, session: u32, marks: &Marks) {
        let open = &mut self.sessions[session as usize];
        open.may_be_unmarked |= marks.absent_later;
        for mark in marks.carried.iter().chain(&marks.set) {
            self.marked.insert(*mark, session);
            open.by.get_or_insert(mark.0);
        }
    }

    fn note_client(&mut self, session: u32, client: u32) {
        let at_client = &mut self.clients[client as usize];
        let open = &mut self.sessions[session as usize];
        if open.by.is_none() {
            at_client.unmarked = Some(session);
        }
        if open.client != Some(client) {
            open.client = Some(client);
            at_client.sessions.push(session);
        }
    }
}
