//! The store as a source of exchanges.

use restage_model::{BodyRef, Exchange, ExchangeId, Request};
use restage_store::Store;
use restage_suite::{ExchangeSource, SourceError};

/// The store as a source of exchanges.
#[derive(Debug)]
pub struct StoredExchanges<'a>(pub &'a Store);

impl ExchangeSource for StoredExchanges<'_> {
    fn exchange(&self, id: ExchangeId) -> Result<Exchange, SourceError> {
        Ok(self.0.exchange(id)?)
    }

    fn request(&self, id: ExchangeId) -> Result<Request, SourceError> {
        Ok(self.0.request(id)?)
    }

    fn body(&self, body: &BodyRef) -> Result<Vec<u8>, SourceError> {
        Ok(self.0.body(body)?)
    }
}
