//! Steps go to the store beside the replay: on a thread of its own, many to a transaction.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use restage_model::RunId;
use restage_store::{ReplayedStep, Store, StoreError};

/// How many steps may wait: enough to hide a slow disk, little enough to bound memory.
const WAITING: usize = 256;

pub(crate) struct StepWriter {
    sender: Option<SyncSender<ReplayedStep>>,
    thread: Option<JoinHandle<Result<(), StoreError>>>,
}

impl StepWriter {
    pub(crate) fn start(store: &Path, run: RunId) -> Result<Self, StoreError> {
        let store = Store::open(store)?;
        let (sender, receiver) = sync_channel(WAITING);
        let thread = std::thread::spawn(move || write(store, run, &receiver));
        Ok(Self { sender: Some(sender), thread: Some(thread) })
    }

    /// Hands over a step; an error where storing has failed.
    pub(crate) fn send(&mut self, step: ReplayedStep) -> Result<(), StoreError> {
        let sent = self.sender.as_ref().is_some_and(|s| s.send(step).is_ok());
        if sent { Ok(()) } else { self.finish() }
    }

    /// Waits until all is stored.
    pub(crate) fn finish(&mut self) -> Result<(), StoreError> {
        self.sender = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Ok(()),
        }
    }
}

fn write(mut store: Store, run: RunId, receiver: &Receiver<ReplayedStep>) -> Result<(), StoreError> {
    while let Ok(first) = receiver.recv() {
        let mut batch = vec![first];
        batch.extend(receiver.try_iter().take(WAITING));
        store.add_steps(run, &batch)?;
    }
    Ok(())
}
