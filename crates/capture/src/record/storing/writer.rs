//! The thread that brings finished exchanges to the sink.
//!
//! A failing sink is tried again with growing pauses, and nothing is given up while there is room to
//! wait. A failure that may be one exchange's fault is sifted: each is appended alone, and when one
//! of them goes in, those that did not are at fault and lost.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use restage_model::Captured;

use crate::record::notice::Notice;
use crate::record::storing::intake::Intake;
use crate::record::storing::queue::Batch;
use crate::record::storing::sink::{Sink, SinkError, SinkFailure};

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Empties the intake's queue into the sink until it is closed.
pub(crate) struct Writer<S> {
    sink: S,
    intake: Arc<Intake>,
    failing: bool,
}

/// What the writer has in its hands.
#[derive(Default)]
struct Held {
    exchanges: Vec<Captured>,
    weight: usize,
}

impl Held {
    fn take(&mut self, batch: Batch) {
        self.weight += batch.weight;
        self.exchanges.extend(batch.exchanges.into_iter().map(|e| e.into_captured()));
    }
}

impl<S: Sink> Writer<S> {
    pub(crate) fn new(sink: S, intake: Arc<Intake>) -> Self {
        Self { sink, intake, failing: false }
    }

    /// Writes until the queue is closed and empty, or the sink fails to the last.
    pub(crate) fn run(mut self) {
        while let Some(batch) = self.intake.queue.next() {
            let mut held = Held::default();
            held.take(batch);
            self.write(&mut held);
            self.intake.queue.release(held.weight);
        }
    }

    fn write(&mut self, held: &mut Held) {
        let mut pause = FIRST_PAUSE;
        loop {
            let Err(error) = self.append(&mut held.exchanges) else {
                self.works();
                return;
            };
            self.fails(&error);
            if !self.intake.queue.pause(pause) {
                self.intake.lose(&error.message, held.exchanges.len() as u64);
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
            if error.failure != SinkFailure::Busy {
                // Where it cannot be opened, the next append says why.
                let _ = self.sink.reopen();
            }
            if error.failure == SinkFailure::Other {
                // Newer exchanges tell a bad exchange from a bad sink.
                held.take(self.intake.queue.more(held.exchanges.len()));
            }
        }
    }

    /// Appends all; what could not be appended stays in `exchanges`.
    fn append(&mut self, exchanges: &mut Vec<Captured>) -> Result<(), SinkError> {
        match self.sink.append(exchanges) {
            Ok(()) => {
                self.stored(exchanges.len());
                exchanges.clear();
                Ok(())
            }
            Err(error) if error.failure == SinkFailure::Other && exchanges.len() > 1 => self.sift(exchanges),
            Err(error) => Err(error),
        }
    }

    /// Appends one by one.
    fn sift(&mut self, exchanges: &mut Vec<Captured>) -> Result<(), SinkError> {
        let mut refused: Vec<(Captured, SinkError)> = Vec::new();
        let mut rest = std::mem::take(exchanges).into_iter();
        let mut any_went_in = false;
        let mut stopped = None;
        for exchange in rest.by_ref() {
            match self.sink.append(std::slice::from_ref(&exchange)) {
                Ok(()) => {
                    any_went_in = true;
                    self.stored(1);
                }
                Err(error) if error.failure == SinkFailure::Other => refused.push((exchange, error)),
                Err(error) => {
                    stopped = Some((exchange, error));
                    break;
                }
            }
        }
        let mut last = None;
        for (exchange, error) in refused {
            if any_went_in {
                self.intake.lose(&error.message, 1);
            } else {
                exchanges.push(exchange);
                last = Some(error);
            }
        }
        if let Some((exchange, error)) = stopped {
            exchanges.push(exchange);
            exchanges.extend(rest);
            last = Some(error);
        }
        last.map_or(Ok(()), Err)
    }

    fn stored(&self, exchanges: usize) {
        self.intake.counts.stored.fetch_add(exchanges as u64, Ordering::AcqRel);
    }

    fn fails(&mut self, error: &SinkError) {
        self.intake.queue.set_failure(Some(error.message.clone()));
        if !self.failing {
            self.failing = true;
            self.intake.tell(Notice::StoreFails { why: error.message.clone() });
        }
    }

    fn works(&mut self) {
        if self.failing {
            self.failing = false;
            self.intake.queue.set_failure(None);
            self.intake.tell(Notice::StoreWorks);
        }
    }
}

impl<S> Drop for Writer<S> {
    /// Should the sink panic, the traffic goes on and is counted.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.intake.queue.set_failure(Some("the store's writer failed".to_owned()));
            self.intake.queue.close();
        }
    }
}
