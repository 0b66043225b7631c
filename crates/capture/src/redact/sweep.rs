//! Looking through what was stored for secrets that were not known as such then: a token of a page that only a later request named.

use restage_model::{Captured, ExchangeId};
use restage_store::{Store, StoreError};

use super::shared::{Redacting, redact_words};

/// How many exchanges are rewritten at once.
const BATCH: usize = 256;

impl Redacting {
    /// Replaces secrets in what was stored after an exchange; how many exchanges had any. `tick` is told of each that was looked at.
    pub fn sweep(
        &self,
        store: &mut Store,
        after: ExchangeId,
        mut tick: impl FnMut(),
    ) -> Result<u64, StoreError> {
        let mut swept = 0;
        let mut origins = store.origins()?;
        for ids in store.exchanges_after(after)?.chunks(BATCH) {
            let mut changed: Vec<(ExchangeId, Captured)> = Vec::new();
            for id in ids {
                let mut captured = store.captured(*id)?;
                if self.redactor().redact(&mut captured) {
                    changed.push((*id, captured));
                }
                if let Some(origin) = origins.get_mut(id)
                    && redact_words(&mut self.redactor(), origin.words_mut())
                {
                    store.add_stand_ins(&self.redactor().take_fresh())?;
                    store.rewrite_origin(*id, origin)?;
                    swept += 1;
                }
                tick();
            }
            if !changed.is_empty() {
                store.add_stand_ins(&self.redactor().take_fresh())?;
                store.rewrite_exchanges(&changed)?;
                swept += changed.len() as u64;
            }
        }
        Ok(swept)
    }
}
