//! Steps go to the store beside the replay: on a thread of its own, many to a transaction.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use restage_model::RunId;
use restage_store::{ReplayedStep, Store, StoreError};

/// How many steps are handed over at once: waking the thread for each costs more than the step.
const BATCH: usize = 32;
/// How many batches may wait: enough to hide a slow disk, little enough to bound memory.
const WAITING: usize = 8;

pub(crate) struct StepWriter {
    sender: Option<SyncSender<Vec<ReplayedStep>>>,
    batch: Vec<ReplayedStep>,
    thread: Option<JoinHandle<Result<(), StoreError>>>,
}

impl StepWriter {
    pub(crate) fn start(store: &Path, run: RunId) -> Result<Self, StoreError> {
        let store = Store::open(store)?;
        let (sender, receiver) = sync_channel(WAITING);
        let thread = std::thread::spawn(move || write(store, run, &receiver));
        Ok(Self { sender: Some(sender), batch: Vec::new(), thread: Some(thread) })
    }

    /// Takes a step; an error where storing has failed.
    pub(crate) fn send(&mut self, step: ReplayedStep) -> Result<(), StoreError> {
        self.batch.push(step);
        if self.batch.len() < BATCH { Ok(()) } else { self.flush() }
    }

    /// Hands over what was taken.
    pub(crate) fn flush(&mut self) -> Result<(), StoreError> {
        let batch = std::mem::take(&mut self.batch);
        let sent = batch.is_empty() || self.sender.as_ref().is_some_and(|s| s.send(batch).is_ok());
        // The thread ends early only when storing has failed.
        if sent { Ok(()) } else { self.end() }
    }

    /// Waits until all is stored.
    pub(crate) fn finish(&mut self) -> Result<(), StoreError> {
        self.flush()?;
        self.end()
    }

    fn end(&mut self) -> Result<(), StoreError> {
        self.sender = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Ok(()),
        }
    }
}

fn write(mut store: Store, run: RunId, receiver: &Receiver<Vec<ReplayedStep>>) -> Result<(), StoreError> {
    while let Ok(mut batch) = receiver.recv() {
        batch.extend(receiver.try_iter().flatten());
        store.add_steps(run, &batch)?;
    }
    Ok(())
}
