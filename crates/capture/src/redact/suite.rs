//! A suite on its way to the store: what it has that nobody recorded is redacted like recorded traffic.

use restage_model::{NewSuite, Suite};
use restage_redact::Texts;
use restage_store::{Store, StoreError};

use super::shared::{Redacting, redact_words};

impl Redacting {
    /// Stores a suite, with stand-ins in place of the secrets of its new requests.
    pub fn save_suite(&self, store: &mut Store, mut suite: NewSuite) -> Result<Suite, StoreError> {
        {
            let mut redactor = self.redactor();
            for request in suite.new_requests_mut() {
                redactor.redact_texts(&mut Texts {
                    uri: &mut request.uri,
                    headers: &mut request.headers,
                    body: &mut request.body,
                    response: request.answer.as_mut().map(|answer| (&mut answer.headers, &mut answer.body)),
                });
                redact_words(&mut redactor, request.words_mut());
            }
            store.add_stand_ins(&redactor.take_fresh())?;
        }
        store.save_suite(suite)
    }
}
