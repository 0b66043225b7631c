//! Reading the recording ahead of the replay, on a thread of its own: while the application works on a step,
//! the next ones are read, unpacked and parsed.

use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use restage_html::Page;
use restage_model::{Exchange, ExchangeId, Headers, Suite};
use restage_store::{Store, StoreError};
use url::Url;

use crate::visit::{address, is_html, request_uri};

/// How many sessions may be read ahead: enough never to wait, little enough to bound memory. Whole sessions are
/// handed over, since waking a thread for each step costs more than the step.
const AHEAD: usize = 4;

/// A recorded exchange with all that a replay needs of it.
pub(crate) struct Recorded {
    /// What was recorded.
    pub(crate) exchange: Exchange,
    /// Where the request went.
    pub(crate) url: Url,
    /// Its path and query, spelled as a link's target is.
    pub(crate) uri: String,
    /// The request's body.
    pub(crate) body: Vec<u8>,
    /// The response's links and forms.
    pub(crate) page: Page,
}

impl Recorded {
    pub(crate) fn read(store: &Store, exchange: Exchange) -> Result<Self, StoreError> {
        let url = address(&exchange.request.headers, &exchange.request.uri);
        let body = store.body(&exchange.request.body)?;
        let page = match exchange.response.as_ref().filter(|r| is_html(&r.headers)) {
            Some(response) => Page::of(&store.body(&response.body)?),
            None => Page::default(),
        };
        let uri = request_uri(&url);
        Ok(Self { exchange, url, uri, body, page })
    }

    /// The response's header fields, where there was one.
    pub(crate) fn answered(&self) -> Option<&Headers> {
        self.exchange.response.as_ref().map(|r| &r.headers)
    }
}

/// The steps of a session, as recorded.
pub(crate) type RecordedSteps = Vec<Arc<Recorded>>;

/// The sessions of a suite, in order. Several workers may take from it: each session goes to one of them.
pub(crate) struct Ahead {
    sessions: Mutex<Sessions>,
}

struct Sessions {
    receiver: Receiver<Result<RecordedSteps, StoreError>>,
    /// How many were handed out.
    taken: usize,
    count: usize,
}

impl Ahead {
    /// Begins to read a suite.
    pub(crate) fn start(store: &Path, suite: &Suite) -> Result<Self, StoreError> {
        let store = Store::open(store)?;
        let sessions: Vec<Vec<ExchangeId>> = suite.sessions.iter().map(|s| s.exchanges.clone()).collect();
        let count = sessions.len();
        let (sender, receiver) = sync_channel(AHEAD);
        std::thread::spawn(move || {
            let read = |id: ExchangeId| Ok(Arc::new(Recorded::read(&store, store.exchange(id)?)?));
            for session in sessions {
                // Nobody reads on: the replay has ended.
                if sender.send(session.into_iter().map(read).collect()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { sessions: Mutex::new(Sessions { receiver, taken: 0, count }) })
    }

    /// The next session's place in the suite, and its steps; none where all were handed out.
    pub(crate) fn next(&self) -> Result<Option<(usize, RecordedSteps)>, StoreError> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let ordinal = sessions.taken;
        if ordinal == sessions.count {
            return Ok(None);
        }
        sessions.taken += 1;
        let ended = |_| Err(StoreError::Unreadable("the suite has fewer sessions than it says".to_owned()));
        Ok(Some((ordinal, sessions.receiver.recv().unwrap_or_else(ended)?)))
    }
}
