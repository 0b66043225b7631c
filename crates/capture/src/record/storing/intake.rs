//! Where finished exchanges are handed in, and everything about them is counted.

use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use crate::record::counts::Counts;
use crate::record::notice::Notice;
use crate::record::storing::queue::Queue;
use crate::record::storing::raw::RawExchange;

/// Told of every notice.
pub(crate) type Listener = Box<dyn Fn(Notice) + Send + Sync>;

/// Where finished exchanges are handed in. One a recorder.
pub(crate) struct Intake {
    pub(crate) queue: Queue,
    pub(crate) counts: Arc<Counts>,
    pub(crate) body_limit: u64,
    open: AtomicUsize,
    all_ended: Notify,
    stopping: AtomicBool,
    listener: Listener,
    told: Mutex<HashSet<String>>,
}

impl Intake {
    pub(crate) fn new(queue_bytes: usize, body_limit: u64, counts: Arc<Counts>, listener: Listener) -> Self {
        Self {
            queue: Queue::new(queue_bytes),
            counts,
            body_limit,
            open: AtomicUsize::new(0),
            all_ended: Notify::new(),
            stopping: AtomicBool::new(false),
            listener,
            told: Mutex::default(),
        }
    }

    /// A request has arrived.
    pub(crate) fn begin(&self) {
        self.open.fetch_add(1, Ordering::AcqRel);
        self.counts.seen.fetch_add(1, Ordering::AcqRel);
    }

    /// Its exchange has ended.
    pub(crate) fn end(&self, exchange: RawExchange) {
        let cut = exchange.cut_bodies();
        if cut > 0 {
            self.counts.cut_bodies.fetch_add(cut, Ordering::Relaxed);
        }
        if let Err(why) = self.queue.push(exchange) {
            self.lose(&why, 1);
        }
        if self.open.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.all_ended.notify_waiters();
        }
    }

    /// Exchanges are lost.
    pub(crate) fn lose(&self, why: &str, exchanges: u64) {
        if self.counts.lose(why, exchanges) {
            (self.listener)(Notice::NotStored { why: why.to_owned() });
        }
    }

    /// Tells the user.
    pub(crate) fn tell(&self, notice: Notice) {
        (self.listener)(notice);
    }

    /// Tells the user, once for each `what`.
    pub(crate) fn tell_once(&self, what: &str, notice: impl FnOnce() -> Notice) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.contains(what) {
            told.insert(what.to_owned());
            drop(told);
            (self.listener)(notice());
        }
    }

    /// From now on, what is broken off is broken off by the recorder.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub(crate) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Waits until every exchange begun has ended.
    pub(crate) async fn all_ended(&self) {
        loop {
            let notified = self.all_ended.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if self.open.load(Ordering::Acquire) == 0 {
                return;
            }
            notified.await;
        }
    }
}

impl fmt::Debug for Intake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Intake").field("counts", &self.counts).finish_non_exhaustive()
    }
}
