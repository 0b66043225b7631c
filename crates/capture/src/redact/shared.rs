//! A redactor that threads share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use restage_model::Captured;
use restage_redact::Redactor;
use restage_store::{Store, StoreError};

/// A redactor that threads share. It knows the stand-ins that the store has.
#[derive(Clone, Debug)]
pub struct Redacting(Arc<Mutex<Redactor>>);

impl Redacting {
    /// Begins with what the store knows of stand-ins.
    pub fn new(mut redactor: Redactor, store: &Store) -> Result<Self, StoreError> {
        redactor.made_before(store.stand_ins()?);
        Ok(Self(Arc::new(Mutex::new(redactor))))
    }

    /// The redactor itself.
    pub fn redactor(&self) -> MutexGuard<'_, Redactor> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the secrets of exchanges, and stores which stand-ins were made for it: before the exchanges, so that no stand-in is ever taken
    /// for a secret.
    pub fn redact<'a>(
        &self,
        store: &mut Store,
        exchanges: impl IntoIterator<Item = &'a mut Captured>,
    ) -> Result<(), StoreError> {
        let mut redactor = self.redactor();
        redactor.meets_stand_ins(false);
        for captured in exchanges {
            redactor.redact(captured);
        }
        redactor.meets_stand_ins(true);
        store.add_stand_ins(&redactor.take_fresh())
    }
}

/// Replaces the secrets of words that are part of no request; whether there were any.
pub(crate) fn redact_words<'a>(
    redactor: &mut Redactor,
    words: impl IntoIterator<Item = &'a mut String>,
) -> bool {
    let mut any = false;
    for word in words {
        if let Some(redacted) = redactor.redact_text(word) {
            *word = redacted;
            any = true;
        }
    }
    any
}
