//! Reading the recording ahead of the replay, on a thread of its own: while the application works on a step,
//! the next ones are read, unpacked and parsed.

use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use restage_model::{ExchangeId, Session};
use restage_store::{Store, StoreError};

use crate::live::{Recorded, RecordedSteps};
use crate::secrecy::Secrecy;

/// How many sessions may be read prefetch: enough never to wait, little enough to bound memory. Whole sessions are
/// handed over, since waking a thread for each step costs more than the step.
const READ_AHEAD: usize = 4;

/// The sessions of a suite, in order. Several workers may take from it: each session goes to one of them.
pub(crate) struct Prefetch {
    sessions: Mutex<Sessions>,
}

struct Sessions {
    receiver: Receiver<Result<RecordedSteps, StoreError>>,
    /// How many were handed out.
    taken: usize,
    count: usize,
}

impl Prefetch {
    /// Begins to read sessions.
    pub(crate) fn start(
        store: &Path,
        sessions: &[(u32, &Session)],
        secrecy: Secrecy,
    ) -> Result<Self, StoreError> {
        let (store, later) = (Store::open(store)?, Arc::new(Mutex::new(Store::open(store)?)));
        let steps = |session: &Session| -> Vec<(usize, ExchangeId)> {
            let steps = session.exchanges.iter().enumerate();
            steps.map(|(step, id)| (session.part_of(step), *id)).collect()
        };
        let sessions: Vec<Vec<(usize, ExchangeId)>> = sessions.iter().map(|(_, s)| steps(s)).collect();
        let count = sessions.len();
        let (sender, receiver) = sync_channel(READ_AHEAD);
        std::thread::spawn(move || {
            let read = |(part, id): (usize, ExchangeId)| {
                let recorded = Recorded::read(&store, store.exchange(id)?, &later, &secrecy)?;
                Ok(Arc::new(recorded.of_part(part)))
            };
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
