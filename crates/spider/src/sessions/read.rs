//! A suite, read for its map, or for where its sessions went on one.

use restage_model::{Exchange, KeyRules, Session, Suite};
use restage_site::{ANONYMOUS, SiteBuilder, SiteUser};
use restage_store::{Store, StoreError};
use thiserror::Error;

use crate::sessions::traffic::Traffic;
use crate::sessions::user_kinds::{Login, UserKinds};
use crate::sessions::walk::SessionWalk;

/// What can go wrong when sessions are read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Where a session went on the map: the nodes in order, each with the user that she was there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionPath {
    /// The session's name.
    pub session: String,
    /// The user, and the node.
    pub visited: Vec<(String, String)>,
}

/// Takes in all that a suite's sessions show. `told` is called after each session, and says whether to go on.
pub fn read_sessions(
    store: &Store,
    suite: &Suite,
    builder: &mut SiteBuilder,
    mut told: impl FnMut(usize) -> bool,
) -> Result<Traffic, ReadError> {
    let kinds = user_kinds(store, suite, builder.rules())?;
    let mut traffic = Traffic::default();
    builder.add_user(SiteUser { name: ANONYMOUS.to_owned(), session: None, steps: 0 });
    for (number, session) in suite.sessions.iter().enumerate() {
        let walk = SessionWalk::new(session, builder, &mut traffic, &kinds);
        read(store, walk, session, &mut |_, _| {})?;
        if !told(number + 1) {
            return Err(ReadError::Interrupted);
        }
    }
    traffic.users = kinds.into_users();
    for user in &traffic.users {
        builder.add_user(user.on_map(user.ways_in.first()));
    }
    Ok(traffic)
}

/// Where a suite's sessions went, on a map whose pages are named by these rules.
pub fn session_paths(store: &Store, suite: &Suite, rules: &KeyRules) -> Result<Vec<SessionPath>, ReadError> {
    let kinds = user_kinds(store, suite, rules)?;
    let (mut builder, mut traffic) = (SiteBuilder::new(rules.clone()), Traffic::default());
    let mut paths = Vec::new();
    for session in &suite.sessions {
        let mut path = SessionPath { session: session.name.clone(), visited: Vec::new() };
        let walk = SessionWalk::new(session, &mut builder, &mut traffic, &kinds);
        read(store, walk, session, &mut |user, node| path.visited.push((user.to_owned(), node.to_owned())))?;
        paths.push(path);
    }
    Ok(paths)
}

/// The kinds of a suite's users. Of what kind a user is shows only when all of her session is known.
fn user_kinds(store: &Store, suite: &Suite, rules: &KeyRules) -> Result<UserKinds, StoreError> {
    let mut logins = Vec::new();
    let mut scratch = SiteBuilder::new(rules.clone());
    for session in &suite.sessions {
        let (mut traffic, kinds) = (Traffic::default(), UserKinds::default());
        let walk = SessionWalk::new(session, &mut scratch, &mut traffic, &kinds);
        logins.extend(read(store, walk, session, &mut |_, _| {})?);
    }
    Ok(UserKinds::of(logins))
}

/// Walks one session; its logins. `visited` is told the user and the node of each step.
fn read(
    store: &Store,
    mut walk: SessionWalk<'_>,
    session: &Session,
    visited: &mut dyn FnMut(&str, &str),
) -> Result<Vec<Login>, StoreError> {
    for id in &session.exchanges {
        let exchange: Exchange = store.exchange(*id)?;
        let sent = store.body(&exchange.request.body)?;
        let answered = match &exchange.response {
            Some(response) => store.body(&response.body)?,
            None => Vec::new(),
        };
        walk.step(&exchange, &sent, &answered, visited);
    }
    Ok(walk.finish())
}
