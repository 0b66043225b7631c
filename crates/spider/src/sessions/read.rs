//! A suite, read for its map.

use restage_model::{Exchange, Session, Suite};
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

/// Takes in all that a suite's sessions show. `told` is called after each session, and says whether to go on.
pub fn read_sessions(
    store: &Store,
    suite: &Suite,
    builder: &mut SiteBuilder,
    mut told: impl FnMut(usize) -> bool,
) -> Result<Traffic, ReadError> {
    // Of what kind a user is shows only when all of her session is known: all are read twice.
    let mut logins = Vec::new();
    let mut scratch = SiteBuilder::new(builder.rules().clone());
    for session in &suite.sessions {
        let (mut traffic, kinds) = (Traffic::default(), UserKinds::default());
        logins.extend(read(store, SessionWalk::new(session, &mut scratch, &mut traffic, &kinds), session)?);
    }
    drop(scratch);
    let kinds = UserKinds::of(logins);
    let mut traffic = Traffic::default();
    builder.add_user(SiteUser { name: ANONYMOUS.to_owned(), session: None, steps: 0 });
    for (number, session) in suite.sessions.iter().enumerate() {
        read(store, SessionWalk::new(session, builder, &mut traffic, &kinds), session)?;
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

/// Walks one session; its logins.
fn read(store: &Store, mut walk: SessionWalk<'_>, session: &Session) -> Result<Vec<Login>, StoreError> {
    for id in &session.exchanges {
        let exchange: Exchange = store.exchange(*id)?;
        let sent = store.body(&exchange.request.body)?;
        let answered = match &exchange.response {
            Some(response) => store.body(&response.body)?,
            None => Vec::new(),
        };
        walk.step(&exchange, &sent, &answered);
    }
    Ok(walk.finish())
}
