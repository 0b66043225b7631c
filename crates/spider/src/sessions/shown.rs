//! Requests that no page offers: scripts sent them, or users typed their addresses. A spider can try them in its turn, since sessions show
//! how they are made.

use std::collections::BTreeSet;

use restage_model::ExchangeId;

/// What one session shows of requests that no page offers, in the order in which it was sent.
#[derive(Clone, Debug)]
pub struct ShownSession {
    /// The session.
    pub session: String,
    /// Its pages, what it sent from there, and such requests.
    pub steps: Vec<ShownStep>,
}

/// A page that a session was on, what it sent from there, or a request that no page offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownStep {
    /// As recorded.
    pub exchange: ExchangeId,
    /// The node that it leads to.
    pub node: String,
    /// The node of the page that it was sent from, where there was one.
    pub from: Option<String>,
    /// Who was logged in.
    pub user: String,
    /// What it is.
    pub kind: ShownKind,
    /// Its method.
    pub method: String,
    /// The status of the recorded answer.
    pub status: u16,
    /// The media type of the recorded answer, where it has one.
    pub media_type: Option<String>,
    /// Whether it logs its user in or out, as far as one can tell.
    pub changes_user: bool,
}

/// What a step of a session is, for those who try it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownKind {
    /// A page that a link, a form or a redirect led to. Others may have been sent from it.
    Page,
    /// A form that was sent, or a link that was answered by a redirect: it may have made what later steps are about.
    Sent,
    /// A script's request.
    Script,
    /// An address that a user typed, or a bookmark.
    Typed,
}

impl ShownStep {
    /// Whether no page offers it.
    pub(crate) fn is_offered_nowhere(&self) -> bool {
        matches!(self.kind, ShownKind::Script | ShownKind::Typed)
    }
}

impl ShownSession {
    /// Which of its requests one user sent who was not there yet: those that are still to be tried.
    pub(crate) fn untried<'s, 'd>(
        &'s self,
        user: &'d str,
        done: &'d BTreeSet<String>,
    ) -> impl Iterator<Item = (usize, &'s ShownStep)> + use<'s, 'd> {
        self.steps.iter().enumerate().filter(move |(_, step)| {
            step.is_offered_nowhere() && step.user == user && !done.contains(&step.node)
        })
    }
}
