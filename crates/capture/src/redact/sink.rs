//! The store, with stand-ins in place of secrets.

use restage_model::Captured;
use restage_store::Store;

use super::shared::Redacting;
use crate::record::{Sink, SinkError};

/// The store, with stand-ins in place of the secrets of what is appended.
#[derive(Debug)]
pub struct RedactingStore {
    store: Store,
    redacting: Option<Redacting>,
}

impl RedactingStore {
    /// A store behind a redactor; without one, all is stored as it is.
    pub fn new(store: Store, redacting: Option<Redacting>) -> Self {
        Self { store, redacting }
    }
}

impl Sink for RedactingStore {
    fn append(&mut self, batch: &[Captured]) -> Result<(), SinkError> {
        let Some(redacting) = &self.redacting else { return Sink::append(&mut self.store, batch) };
        // A batch that fails is handed in again as it was: what is known by then gives the same stand-ins.
        let mut batch = batch.to_vec();
        redacting.redact(&mut self.store, &mut batch)?;
        Sink::append(&mut self.store, &batch)
    }

    fn reopen(&mut self) -> Result<(), SinkError> {
        self.store.reopen()
    }
}
