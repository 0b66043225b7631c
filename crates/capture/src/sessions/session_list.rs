//! Sessions as they were told apart, in little memory: each is made when it is looked at.

use restage_model::{ExchangeId, Moment, Session};

use crate::sessions::filter::Reason;
use crate::sessions::interner::Interner;

/// The sessions of some traffic, in order of first access. Every exchange is in exactly one.
#[derive(Debug)]
pub struct SessionList {
    /// The exchanges, session by session; of each, first those that are replayed.
    ids: Vec<ExchangeId>,
    reasons: Vec<Option<Reason>>,
    groups: Vec<Group>,
    addresses: Interner,
    told_by: Vec<String>,
    /// What tells sessions without a mark.
    by_client: String,
}

/// Where a session is.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) first: ExchangeId,
    pub(super) from: Moment,
    pub(super) to: Moment,
    pub(super) client: u32,
    pub(super) by: Option<u32>,
    pub(super) begin: usize,
    pub(super) kept: u32,
    pub(super) left_out: u32,
    /// Why the whole session is left out.
    pub(super) reason: Option<Reason>,
}

impl SessionList {
    pub(super) fn new(
        ids: Vec<ExchangeId>,
        reasons: Vec<Option<Reason>>,
        groups: Vec<Group>,
        addresses: Interner,
        told_by: Vec<String>,
        by_client: String,
    ) -> Self {
        Self { ids, reasons, groups, addresses, told_by, by_client }
    }

    /// The sessions that are replayed.
    pub fn sessions(&self) -> impl Iterator<Item = Session> {
        self.groups.iter().filter(|group| group.reason.is_none()).map(|group| self.session(group))
    }

    /// All sessions, with the reason of those that are left out.
    pub fn all(&self) -> impl Iterator<Item = (Session, Option<Reason>)> {
        self.groups.iter().map(|group| (self.session(group), group.reason))
    }

    /// How many sessions are left out.
    pub fn left_out(&self) -> usize {
        self.groups.iter().filter(|group| group.reason.is_some()).count()
    }

    /// A session by its name, replayed or not.
    pub fn named(&self, name: &str) -> Option<Session> {
        Some(self.session(self.group(name)?))
    }

    /// The exchanges of a session that are left out of its replay, and why each is.
    pub fn reasons(&self, name: &str) -> Vec<(ExchangeId, Reason)> {
        let Some(group) = self.group(name) else { return Vec::new() };
        let (_, left_out) = group.ranges();
        let pairs = self.ids[left_out.clone()].iter().zip(&self.reasons[left_out]);
        pairs.filter_map(|(id, reason)| Some((*id, (*reason)?))).collect()
    }

    /// The exchanges of all sessions that are replayed, in order of their ids.
    pub fn replayed(&self) -> Vec<ExchangeId> {
        let kept = self.groups.iter().filter(|group| group.reason.is_none());
        let mut ids: Vec<ExchangeId> = kept.flat_map(|group| &self.ids[group.ranges().0]).copied().collect();
        ids.sort_unstable();
        ids
    }

    fn group(&self, name: &str) -> Option<&Group> {
        let first: i64 = name.strip_prefix('s')?.parse().ok()?;
        self.groups.iter().find(|group| group.first.0 == first && session_name(group) == name)
    }

    fn session(&self, group: &Group) -> Session {
        let by = group.by.and_then(|source| self.told_by.get(source as usize));
        let (kept, left_out) = group.ranges();
        Session {
            name: session_name(group),
            by: by.unwrap_or(&self.by_client).clone(),
            client: self.addresses.text(group.client).to_owned(),
            from: group.from,
            to: group.to,
            exchanges: self.ids[kept].to_vec(),
            left_out: self.ids[left_out].to_vec(),
            joined: Vec::new(),
            fresh: false,
        }
    }
}

impl Group {
    /// Where its exchanges are: those that are replayed, and those that are left out.
    fn ranges(&self) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let middle = self.begin + self.kept as usize;
        (self.begin..middle, middle..middle + self.left_out as usize)
    }
}

fn session_name(group: &Group) -> String {
    format!("s{}", group.first.0)
}
