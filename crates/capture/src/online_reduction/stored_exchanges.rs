//! The store as a source of exchanges.

use restage_model::{BodyRef, Exchange, ExchangeId, Request};
use restage_store::Store;
use restage_suite::{ExchangeSource, SourceError};

/// The store as a source of exchanges.
#[derive(Debug)]
pub struct StoredExchanges<'a>(pub &'a Store);

/// The store as a source of exchanges that were scanned for secrets, with the stand-ins that were met.
#[derive(Debug)]
pub struct ScannedExchanges<'a> {
    /// The store.
    pub stored: StoredExchanges<'a>,
    /// The hashes of the stand-ins.
    pub stand_ins: Vec<u64>,
}

impl ExchangeSource for ScannedExchanges<'_> {
    fn exchange(&self, id: ExchangeId) -> Result<Exchange, SourceError> {
        self.stored.exchange(id)
    }

    fn request(&self, id: ExchangeId) -> Result<Request, SourceError> {
        self.stored.request(id)
    }

    fn body(&self, body: &BodyRef) -> Result<Vec<u8>, SourceError> {
        self.stored.body(body)
    }

    fn stand_ins(&self) -> Vec<u64> {
        self.stand_ins.clone()
    }
}

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
