//! Steps go to the store beside the replay: on a thread of its own, many to a transaction. All workers of a run share it.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use restage_model::RunId;
use restage_store::{ReplayedStep, Store, StoreError};

use crate::error::ReplayError;
use crate::secrecy::Secrecy;

/// How many steps are handed over at once: waking the thread for each costs more than the step.
const BATCH: usize = 32;
/// How many batches may wait: enough to hide a slow disk, little enough to bound memory.
const WAITING: usize = 8;

/// The thread that stores the steps of a run.
pub(crate) struct Writer {
    sender: SyncSender<Vec<ReplayedStep>>,
    thread: JoinHandle<Result<(), StoreError>>,
}

/// Where a worker hands its steps in. What it still holds when dropped is handed over then.
pub(crate) struct StepWriter {
    sender: SyncSender<Vec<ReplayedStep>>,
    batch: Vec<ReplayedStep>,
}

impl Writer {
    pub(crate) fn start(store: &Path, run: RunId, secrecy: Secrecy) -> Result<Self, StoreError> {
        let store = Store::open(store)?;
        let (sender, receiver) = sync_channel(WAITING);
        let thread = std::thread::spawn(move || write(store, run, &secrecy, &receiver));
        Ok(Self { sender, thread })
    }

    /// For one worker.
    pub(crate) fn steps(&self) -> StepWriter {
        StepWriter { sender: self.sender.clone(), batch: Vec::new() }
    }

    /// Waits until all is stored; the workers must have ended. An error where storing failed at any time.
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        drop(self.sender);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl StepWriter {
    /// Takes a step; an error where storing has failed.
    pub(crate) fn send(&mut self, step: ReplayedStep) -> Result<(), ReplayError> {
        self.batch.push(step);
        if self.batch.len() < BATCH { Ok(()) } else { self.flush() }
    }

    /// Hands over what was taken.
    pub(crate) fn flush(&mut self) -> Result<(), ReplayError> {
        let batch = std::mem::take(&mut self.batch);
        // The thread ends early only when storing has failed; what with is told at the end.
        if batch.is_empty() || self.sender.send(batch).is_ok() {
            Ok(())
        } else {
            Err(ReplayError::Interrupted)
        }
    }
}

impl Drop for StepWriter {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

fn write(
    mut store: Store,
    run: RunId,
    secrecy: &Secrecy,
    receiver: &Receiver<Vec<ReplayedStep>>,
) -> Result<(), StoreError> {
    while let Ok(mut batch) = receiver.recv() {
        batch.extend(receiver.try_iter().flatten());
        secrecy.cover_steps(&mut store, &mut batch)?;
        store.add_steps(run, &batch)?;
    }
    Ok(())
}
