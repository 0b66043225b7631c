//! A recorded request, with what was answered and what its user did.

use std::collections::BTreeSet;
use std::sync::Arc;

use restage_browser::Payload;
use restage_html::Form;
use restage_model::{Answer, Exchange, ExchangeId, Params, Step};
use restage_spider::proves_identity;
use restage_store::{Store, StoreError};

use super::act::Act;
use crate::seen_answer::SeenAnswer;

/// A recorded request.
#[derive(Debug)]
pub(crate) struct OldStep {
    /// As it is stored.
    pub(crate) exchange: Exchange,
    /// Its body.
    pub(crate) body: Vec<u8>,
    /// What it carries: the query of a `GET`, the form of a `POST`.
    pub(crate) sent: Params,
    /// What was answered when it was recorded.
    pub(crate) recorded: SeenAnswer,
    /// What the old version answered when it was replayed, where it was.
    pub(crate) trusted: Option<SeenAnswer>,
    /// Whether it was stale then.
    pub(crate) was_stale: bool,
    /// What its user did.
    pub(crate) act: Act,
    /// The step whose page she was on.
    pub(crate) from: Option<usize>,
    /// The node that it led to.
    pub(crate) node: String,
}

impl OldStep {
    /// Reads a request; what its user did is found out later.
    pub(crate) fn read(store: &Store, id: ExchangeId, replayed: Option<&Step>) -> Result<Self, StoreError> {
        let exchange = store.exchange(id)?;
        let request = &exchange.request;
        let body = store.body(&request.body)?;
        let recorded = match &exchange.response {
            Some(response) => {
                let known = response.body.id.is_some() || response.body.size == 0;
                let bytes = if known { Some(Arc::new(store.body(&response.body)?)) } else { None };
                SeenAnswer::of(&request.headers, &request.uri, response.status, &response.headers, bytes)
            }
            None => SeenAnswer::none(&request.headers, &request.uri),
        };
        let trusted = match replayed.map(|step| (step, &step.answer)) {
            Some((step, Answer::Received(received))) => {
                let body = Some(Arc::new(store.body(&received.body)?));
                let (headers, uri) = (&step.sent.headers, &step.sent.uri);
                Some(SeenAnswer::of(headers, uri, received.status, &received.headers, body))
            }
            _ => None,
        };
        let sent = match request.method.as_str() {
            "GET" | "HEAD" => Params::parse(request.query()),
            _ => Payload::of(&request.headers, &body).params().unwrap_or_default(),
        };
        Ok(Self {
            was_stale: replayed.is_some_and(|step| step.stale.is_some()),
            sent,
            recorded,
            trusted,
            act: Act::Typed,
            from: None,
            node: String::new(),
            exchange,
            body,
        })
    }

    /// What the old version answers: as it was replayed, or else as it was recorded.
    pub(crate) fn expected(&self) -> &SeenAnswer {
        self.trusted.as_ref().unwrap_or(&self.recorded)
    }

    pub(crate) fn method(&self) -> &str {
        &self.exchange.request.method
    }

    pub(crate) fn is_get(&self) -> bool {
        matches!(self.method(), "GET" | "HEAD")
    }

    /// The form that was sent, where it was one.
    pub(crate) fn form<'s>(&self, steps: &'s [Self]) -> Option<&'s Form> {
        let Act::Form { at, .. } = self.act else { return None };
        steps.get(self.from?)?.recorded.page.as_ref()?.forms().get(at)
    }

    /// Whether somebody logs in with it, or makes an account.
    pub(crate) fn logs_in(&self, steps: &[Self]) -> bool {
        !self.is_get() && proves_identity(self.form(steps), &self.sent.pairs())
    }

    /// The names of the fields that were filled in.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.sent.pairs().into_iter().map(|(name, _)| name).collect()
    }

    /// Method and address, for people.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", self.method(), self.exchange.request.uri)
    }
}
