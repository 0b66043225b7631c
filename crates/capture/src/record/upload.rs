//! A request's body, recorded while the application may already be answering.
//!
//! An application may answer without having read all of a request, and the request is still worth
//! having: the exchange then waits here until its body has passed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use crate::record::recording::Recording;
use crate::record::storing::raw::RawBody;

/// A request's body, recorded while the application may already be answering.
#[derive(Clone, Debug)]
pub(crate) struct Upload(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    body: RawBody,
    progress: Progress,
    /// An exchange whose response has ended already.
    waiting: Option<Recording>,
}

#[derive(Debug, Default)]
enum Progress {
    #[default]
    Going,
    Whole,
    /// It will not go on; why, where the client failed.
    BrokenOff(Option<String>),
}

impl Upload {
    pub(crate) fn new(limit: u64) -> Self {
        Self(Arc::new(Shared { limit, state: Mutex::default() }))
    }

    /// Bytes of the request pass.
    pub(crate) fn data(&self, data: &Bytes) {
        self.lock().body.add(data, self.0.limit);
    }

    /// All of it has passed.
    pub(crate) fn end(&self) {
        self.settle(Progress::Whole);
    }

    /// The client did not send all of it.
    pub(crate) fn fail(&self, why: &dyn std::error::Error) {
        let size = self.lock().body.size;
        let why = format!("the client broke off after {size} bytes of its request: {why}");
        self.settle(Progress::BrokenOff(Some(why)));
    }

    /// The application takes no more of it.
    pub(crate) fn abandon(&self) {
        self.settle(Progress::BrokenOff(None));
    }

    /// Why the client did not send all of it, where it did not.
    pub(crate) fn failure(&self) -> Option<String> {
        match &self.lock().progress {
            Progress::BrokenOff(why) => why.clone(),
            _ => None,
        }
    }

    /// The response has ended: so has the exchange, as soon as this has.
    pub(crate) fn finish(self, recording: Recording) {
        let mut state = self.lock();
        state.waiting = Some(recording);
        hand_over(state);
    }

    /// What has passed so far.
    pub(crate) fn take(&self) -> RawBody {
        std::mem::take(&mut self.lock().body)
    }

    fn settle(&self, progress: Progress) {
        let mut state = self.lock();
        if matches!(state.progress, Progress::Going) {
            state.progress = progress;
            hand_over(state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the waiting exchange, if the body has ended.
fn hand_over(mut state: MutexGuard<'_, State>) {
    let whole = match state.progress {
        Progress::Going => return,
        Progress::Whole => true,
        Progress::BrokenOff(_) => false,
    };
    if let Some(recording) = state.waiting.take() {
        let body = std::mem::take(&mut state.body);
        drop(state);
        let error = (!whole).then(|| format!("only {} bytes of the request's body were sent", body.size));
        recording.finish_with(body, error);
    }
}
