//! The secrets of a replay: put back before they are sent, covered before they are stored.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use restage_facts::StepFacts;
use restage_model::{Exchange, Headers, StepAt};
use restage_redact::{Redactor, Reveal, Texts};
use restage_store::{ReplayedStep, Store, StoreError};

use restage_app::Written;

use crate::facts::cover_facts;

/// What a replay knows of secrets; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Secrecy {
    /// Puts the secrets of existing accounts in place of their stand-ins.
    pub reveal: Arc<Reveal>,
    /// Puts stand-ins in place of secrets.
    pub cover: Option<Arc<Mutex<Redactor>>>,
}

impl Secrecy {
    /// A recorded exchange as it is to be sent.
    pub(crate) fn reveal_exchange(&self, exchange: &mut Exchange) {
        if self.reveal.is_empty() {
            return;
        }
        if let Some(uri) = self.reveal.text(exchange.request.uri.as_bytes()) {
            exchange.request.uri = String::from_utf8_lossy(&uri).into_owned();
        }
        self.reveal.headers(&mut exchange.request.headers);
        if let Some(response) = &mut exchange.response {
            self.reveal.headers(&mut response.headers);
        }
    }

    /// A body as it is to be sent, or was when it was recorded.
    pub(crate) fn reveal_body(&self, body: Vec<u8>) -> Vec<u8> {
        if self.reveal.is_empty() {
            return body;
        }
        self.reveal.text(&body).unwrap_or(body)
    }

    /// A header field's value as it is to be sent.
    pub(crate) fn reveal_field(&self, value: &str) -> String {
        let revealed = self.reveal.text(&Headers::value_bytes(value));
        revealed.map_or_else(|| value.to_owned(), |bytes| bytes.into_iter().map(char::from).collect())
    }

    /// Puts stand-ins in place of the secrets of steps, and stores which were made.
    pub(crate) fn cover_steps(
        &self,
        store: &mut Store,
        steps: &mut [ReplayedStep],
    ) -> Result<(), StoreError> {
        let Some(mut redactor) = self.redactor() else { return Ok(()) };
        for step in steps {
            cover(&mut redactor, step);
        }
        store.add_stand_ins(&redactor.take_fresh())
    }

    /// Puts stand-ins in place of the secrets of what the server did for steps, and stores which were made.
    pub(crate) fn cover_facts(
        &self,
        store: &mut Store,
        facts: &mut [(StepAt, StepFacts)],
    ) -> Result<(), StoreError> {
        let Some(mut redactor) = self.redactor() else { return Ok(()) };
        for (_, facts) in facts {
            cover_facts(&mut redactor, facts);
        }
        store.add_stand_ins(&redactor.take_fresh())
    }

    /// What the app wrote to its log, with stand-ins in place of secrets.
    pub(crate) fn cover_log(&self, store: &mut Store, log: Written) -> Result<Written, StoreError> {
        let Some(mut redactor) = self.redactor() else { return Ok(log) };
        let covered = redactor.redact_text(&String::from_utf8_lossy(&log.bytes));
        store.add_stand_ins(&redactor.take_fresh())?;
        let Some(covered) = covered else { return Ok(log) };
        // As much was cut off as before.
        let size = log.size - log.bytes.len() as u64 + covered.len() as u64;
        Ok(Written { bytes: covered.into_bytes(), size })
    }

    /// What covers secrets; none where nothing does.
    pub fn redactor(&self) -> Option<MutexGuard<'_, Redactor>> {
        self.cover.as_ref().map(|cover| cover.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Puts stand-ins in place of the secrets of a step; whether it had any.
pub fn cover(redactor: &mut Redactor, step: &mut ReplayedStep) -> bool {
    let mut answer = step.answer.as_ref().ok().map(|(_, headers, body)| (headers.clone(), body.to_vec()));
    let found = redactor.redact_texts(&mut Texts {
        uri: &mut step.uri,
        headers: &mut step.headers,
        body: &mut step.body,
        response: answer.as_mut().map(|(headers, body)| (headers, body)),
    });
    let mut any = !found.is_empty();
    if let (Ok((_, headers, body)), Some((covered_headers, covered_body)), true) =
        (&mut step.answer, answer, any)
    {
        *headers = covered_headers;
        *body = Arc::new(covered_body);
    }
    let texts =
        step.substitutions.iter_mut().flat_map(|s| [&mut s.recorded, &mut s.live]).chain(step.stale.as_mut());
    for text in texts {
        if let Some(covered) = redactor.redact_text(text) {
            *text = covered;
            any = true;
        }
    }
    any
}
