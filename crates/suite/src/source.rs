//! Where exchanges and their bodies are read from.

use restage_model::{BodyRef, Exchange, ExchangeId, Request};

/// What reading an exchange fails with.
pub type SourceError = Box<dyn std::error::Error + Send + Sync>;

/// Where exchanges and their bodies are read from: the store, or what a test has in memory.
pub trait ExchangeSource {
    /// One recorded exchange.
    fn exchange(&self, id: ExchangeId) -> Result<Exchange, SourceError>;

    /// The request of one.
    fn request(&self, id: ExchangeId) -> Result<Request, SourceError> {
        Ok(self.exchange(id)?.request)
    }

    /// A body's bytes; empty for an empty body.
    fn body(&self, body: &BodyRef) -> Result<Vec<u8>, SourceError>;

    /// The hashes of the values that took a secret's place, so that nobody takes them for secrets.
    fn stand_ins(&self) -> Vec<u64> {
        Vec::new()
    }
}

/// A body as text.
pub fn body_text(source: &dyn ExchangeSource, body: &BodyRef) -> Result<String, SourceError> {
    Ok(String::from_utf8_lossy(&source.body(body)?).into_owned())
}
