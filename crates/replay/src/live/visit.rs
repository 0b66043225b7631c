//! A step that was replayed: what was recorded, and what the live application answered.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use restage_browser::{LoadedPage, address_of, is_html, redirect_target, request_uri, same_address};
use restage_html::Page;
use restage_model::Headers;
use url::Url;

use crate::live::origin::{Source, ValueIndex, link_values};
use crate::live::recorded::Recorded;

/// A live response: status, header fields, body.
pub(crate) type Live = (u16, Headers, Arc<Vec<u8>>);

/// One replayed step, kept for the steps after it: their values come from it.
pub(crate) struct Visit {
    /// Its number in the session, from 1.
    pub(crate) number: usize,
    /// What was recorded.
    pub(crate) recorded: Arc<Recorded>,
    /// Where the live request went.
    pub(crate) live_url: Url,
    live: Option<Live>,
    live_page: OnceCell<LoadedPage>,
    live_values: OnceCell<ValueIndex>,
    live_link_values: OnceCell<ValueIndex>,
}

impl Visit {
    pub(crate) fn new(number: usize, recorded: Arc<Recorded>, live_uri: &str, live: Option<Live>) -> Self {
        let live_url = if live_uri == recorded.exchange.request.uri {
            recorded.url().clone()
        } else {
            address_of(&recorded.exchange.request.headers, live_uri)
        };
        Self {
            number,
            recorded,
            live_url,
            live,
            live_page: OnceCell::new(),
            live_values: OnceCell::new(),
            live_link_values: OnceCell::new(),
        }
    }

    /// The live page's links and forms.
    pub(crate) fn live_page(&self) -> &LoadedPage {
        self.live_page.get_or_init(|| {
            let url = self.live_url.clone();
            match &self.live {
                Some((_, headers, body)) if is_html(headers) => {
                    let source = body.clone();
                    LoadedPage::new(url, Page::of(body)).read_from(move || source.to_vec())
                }
                _ => LoadedPage::new(url, Page::default()),
            }
        })
    }

    /// The values in the live page's links that later requests may send back.
    pub(crate) fn live_link_values(&self) -> &ValueIndex {
        self.live_link_values.get_or_init(|| link_values(self.live_page()))
    }

    /// The values in the live response that later requests may send back, but for those in links.
    pub(crate) fn live_values(&self) -> &ValueIndex {
        self.live_values.get_or_init(|| {
            let Some((status, headers, body)) = &self.live else { return ValueIndex::default() };
            let uri = request_uri(&self.live_url);
            let source = Source { uri: &uri, status: *status, headers, body, page: self.live_page().page() };
            let mut places = source.values();
            places.resolve_addresses(|a| self.live_page().uri(a).map(Cow::into_owned));
            places
        })
    }

    /// Where the live response sends the browser.
    pub(crate) fn live_redirect(&self) -> Option<Url> {
        let (status, headers, _) = self.live.as_ref()?;
        redirect_target(&self.live_url, *status, headers)
    }
}

/// Takes in the latest step. Where it asks again for a page that was there before, by a request that nobody recorded then, the page that
/// the user has before her is the new one: the requests after it take their values from that, as a token may be good for
/// one use.
pub(crate) fn visited(visits: &mut Vec<Visit>, latest: Visit) {
    let exchange = &latest.recorded.exchange;
    let is_page = matches!(&latest.live, Some((200, headers, _)) if is_html(headers));
    let unanswered = exchange.origin.is_generated() && exchange.response.is_none();
    if unanswered && exchange.request.method == "GET" && is_page {
        for visit in visits.iter_mut().filter(|visit| same_address(&visit.live_url, &latest.live_url)) {
            let (recorded, live_url) = (visit.recorded.clone(), request_uri(&visit.live_url));
            *visit = Visit::new(latest.number, recorded, &live_url, latest.live.clone());
        }
    }
    visits.push(latest);
}
