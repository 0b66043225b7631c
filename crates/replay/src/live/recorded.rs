//! A recorded exchange with all that a replay needs of it.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock};

use restage_browser::{LoadedPage, address_of, is_html, redirect_target, request_uri};
use restage_html::Page;
use restage_model::{BodyRef, Exchange, Headers, Origin};
use restage_store::{Store, StoreError};
use url::Url;

use crate::live::origin::{Source, ValueIndex, link_values};
use crate::secrecy::Secrecy;

/// A recorded exchange with all that a replay needs of it.
pub(crate) struct Recorded {
    /// What was recorded.
    pub(crate) exchange: Exchange,
    /// Its path and query, spelled as a link's target is.
    pub(crate) uri: String,
    /// The request's body.
    pub(crate) body: Vec<u8>,
    /// The response's links and forms, at the address that was asked for.
    pub(crate) page: LoadedPage,
    /// Which of the sessions that its session was joined from it is of.
    pub(crate) part: usize,
    /// Where the response's body is: most are never asked for again.
    response_body: ResponseBody,
    places: OnceLock<ValueIndex>,
    link_values: OnceLock<ValueIndex>,
    redirect: OnceLock<Option<Url>>,
}

/// Where a response's body is.
#[derive(Clone)]
pub(crate) enum ResponseBody {
    /// In the store.
    Stored(Arc<Mutex<Store>>, Secrecy),
    /// Here.
    #[cfg(test)]
    Here(Vec<u8>),
}

impl ResponseBody {
    /// Reads it. A body that cannot be read is one that nothing is found in: the replay goes on.
    fn read(&self, body: &BodyRef) -> Vec<u8> {
        match self {
            Self::Stored(store, secrecy) => {
                let stored = store.lock().ok().and_then(|s| s.body(body).ok());
                secrecy.reveal_body(stored.unwrap_or_default())
            }
            #[cfg(test)]
            Self::Here(body) => body.clone(),
        }
    }
}

impl Recorded {
    /// An exchange, its request's body, and its response's links and forms.
    pub(crate) fn new(exchange: Exchange, body: Vec<u8>, page: Page, response_body: ResponseBody) -> Self {
        let url = address_of(&exchange.request.headers, &exchange.request.uri);
        let uri = request_uri(&url);
        let mut page = LoadedPage::new(url, page);
        if let Some(response) = &exchange.response {
            let (source, body) = (response_body.clone(), response.body);
            page = page.read_from(move || source.read(&body));
        }
        Self {
            uri,
            exchange,
            body,
            page,
            part: 0,
            response_body,
            places: OnceLock::new(),
            link_values: OnceLock::new(),
            redirect: OnceLock::new(),
        }
    }

    /// Reads an exchange; its response is read later, where it is looked into.
    pub(crate) fn read(
        store: &Store,
        mut exchange: Exchange,
        later: &Arc<Mutex<Store>>,
        secrecy: &Secrecy,
    ) -> Result<Self, StoreError> {
        secrecy.reveal_exchange(&mut exchange);
        let body = secrecy.reveal_body(store.body(&exchange.request.body)?);
        let page = match exchange.response.as_ref().filter(|r| is_html(&r.headers)) {
            Some(response) => Page::of(&secrecy.reveal_body(store.body(&response.body)?)),
            None => Page::default(),
        };
        Ok(Self::new(exchange, body, page, ResponseBody::Stored(later.clone(), secrecy.clone())))
    }

    /// The same with another body, which is not stored.
    pub(crate) fn with_body(self, body: Vec<u8>) -> Self {
        Self { body, ..self }
    }

    /// The same, as a step of one of the sessions that its session was joined from.
    pub(crate) fn of_part(self, part: usize) -> Self {
        Self { part, ..self }
    }

    /// Whether it was recorded together with another exchange: then the answer to one shows where the other has its values from.
    pub(crate) fn was_recorded_with(&self, other: &Self) -> bool {
        self.was_sent() && other.was_sent() && self.part == other.part
    }

    /// Whether the request was sent as it is: by a user, or when it was made, and then so were those before it.
    pub(crate) fn was_sent(&self) -> bool {
        match &self.exchange.origin {
            Origin::Recorded => true,
            Origin::Generated { .. } => self.exchange.response.is_some(),
            Origin::Edited { .. } => false,
        }
    }

    /// Where the request went.
    pub(crate) fn url(&self) -> &Url {
        self.page.url()
    }

    /// The response's header fields, where there was one.
    pub(crate) fn answered(&self) -> Option<&Headers> {
        self.exchange.response.as_ref().map(|r| &r.headers)
    }

    /// The values in the page's links that later requests may send back.
    pub(crate) fn link_values(&self) -> &ValueIndex {
        self.link_values.get_or_init(|| link_values(&self.page))
    }

    /// The values in the response that later requests may send back, but for those in links.
    pub(crate) fn values(&self) -> &ValueIndex {
        self.places.get_or_init(|| {
            let Some(response) = &self.exchange.response else { return ValueIndex::default() };
            let body = self.response_body.read(&response.body);
            let (status, headers) = (response.status, &response.headers);
            let source = Source { uri: &self.uri, status, headers, body: &body, page: self.page.page() };
            let mut places = source.values();
            places.resolve_addresses(|a| self.page.uri(a).map(Cow::into_owned));
            places
        })
    }

    /// Where the response sent the browser.
    pub(crate) fn redirect(&self) -> Option<&Url> {
        let found = self.redirect.get_or_init(|| {
            let response = self.exchange.response.as_ref()?;
            redirect_target(self.url(), response.status, &response.headers)
        });
        found.as_ref()
    }
}

/// The steps of a session, as recorded.
pub(crate) type RecordedSteps = Vec<Arc<Recorded>>;
