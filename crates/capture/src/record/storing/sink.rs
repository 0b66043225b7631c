//! Where recorded exchanges go.

use restage_model::Captured;
use restage_store::{Store, StoreError};
use thiserror::Error;

/// Where recorded exchanges go: the store, or a stand-in that fails on demand.
pub trait Sink: Send + 'static {
    /// Adds all of a batch, or nothing of it.
    fn append(&mut self, batch: &[Captured]) -> Result<(), SinkError>;

    /// Begins anew after a failure, for sinks that a failure leaves in doubt.
    fn reopen(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Why a batch was not added.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SinkError {
    /// What kind of failure it is.
    pub failure: SinkFailure,
    /// What to tell the user.
    pub message: String,
}

/// What kind of failure kept a batch out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinkFailure {
    /// No room: it may work again later.
    Full,
    /// Someone else holds it: it may work again soon.
    Busy,
    /// Anything else, which may be the fault of one exchange of the batch.
    Other,
}

impl Sink for Store {
    fn append(&mut self, batch: &[Captured]) -> Result<(), SinkError> {
        Store::append(self, batch).map(drop).map_err(SinkError::from)
    }

    fn reopen(&mut self) -> Result<(), SinkError> {
        // `open_or_create` and not `open`: a folder that was cleaned away under a running recorder
        // is made again, so that the recording goes on.
        let path = self.path().to_owned();
        *self = Store::open_or_create(&path)?;
        Ok(())
    }
}

impl From<StoreError> for SinkError {
    fn from(error: StoreError) -> Self {
        let failure = if error.is_full() {
            SinkFailure::Full
        } else if error.is_busy() {
            SinkFailure::Busy
        } else {
            SinkFailure::Other
        };
        Self { failure, message: error.to_string() }
    }
}
