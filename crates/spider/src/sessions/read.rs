//! A suite, read for its map.

use restage_model::{Exchange, Suite};
use restage_site::{ANONYMOUS, SiteBuilder, SiteUser};
use restage_store::{Store, StoreError};
use thiserror::Error;

use crate::sessions::traffic::Traffic;
use crate::sessions::user_kinds::UserKinds;
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
    let (mut traffic, mut kinds) = (Traffic::default(), UserKinds::default());
    builder.add_user(SiteUser { name: ANONYMOUS.to_owned(), session: None, steps: 0 });
    for (number, session) in suite.sessions.iter().enumerate() {
        let mut walk = SessionWalk::new(session, builder, &mut traffic, &mut kinds);
        for id in &session.exchanges {
            let exchange: Exchange = store.exchange(*id)?;
            let sent = store.body(&exchange.request.body)?;
            let answered = match &exchange.response {
                Some(response) => store.body(&response.body)?,
                None => Vec::new(),
            };
            walk.step(&exchange, &sent, &answered);
        }
        if !told(number + 1) {
            return Err(ReadError::Interrupted);
        }
    }
    traffic.users = kinds.finish();
    for user in &traffic.users {
        let (name, session) = (user.name.clone(), Some(user.session.clone()));
        builder.add_user(SiteUser { name, session, steps: user.steps });
    }
    Ok(traffic)
}
