//! The thread that looks from time to time.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use restage_model::Moment;
use restage_store::StoreError;

use crate::online_reduction::{OnlineReducer, ReductionTally};

/// A look may take this share of the time, so that a large store is not read all the time.
const SHARE: u32 = 20;

/// An online reduction at work beside a recording.
#[derive(Debug)]
pub struct ReducerThread {
    stop: mpsc::Sender<()>,
    thread: JoinHandle<Result<ReductionTally, StoreError>>,
}

impl ReducerThread {
    /// Looks every so often, until it is [finished](Self::finish). `seen` is called after each look, and once for each row of
    /// looks that fail.
    pub fn start(
        mut reducer: OnlineReducer,
        every: Duration,
        mut seen: impl FnMut(Result<ReductionTally, &StoreError>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new().name("restage-reducer".to_owned()).spawn(move || {
            let (mut pause, mut failing) = (every, false);
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let begun = Instant::now();
                match reducer.look(Some(Moment::now())) {
                    Ok(tally) => {
                        failing = false;
                        seen(Ok(tally));
                    }
                    Err(error) if !std::mem::replace(&mut failing, true) => seen(Err(&error)),
                    Err(_) => {}
                }
                pause = every.max(begun.elapsed() * SHARE);
            }
            // Nobody comes any more: every session is over.
            reducer.look(None)
        })?;
        Ok(Self { stop, thread })
    }

    /// Decides on what is left, when the recording is over; what became of all sessions.
    pub fn finish(self) -> Result<ReductionTally, StoreError> {
        drop(self.stop);
        self.thread.join().unwrap_or_else(|_| {
            Err(StoreError::Unreadable("the thread of the online reduction failed".to_owned()))
        })
    }
}
