//! The store as a source of bodies.

use restage_model::BodyRef;
use restage_oracle::BodySource;
use restage_store::Store;

/// The store as a source of bodies.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a>(pub &'a Store);

impl BodySource for Bodies<'_> {
    fn bytes(&self, body: &BodyRef) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.0.body(body)?)
    }
}
