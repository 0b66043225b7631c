//! A step that was replayed: what was recorded, and what the live application answered.

use std::cell::OnceCell;
use std::rc::Rc;

use restage_html::Page;
use restage_model::{Exchange, Headers};
use url::Url;

/// One replayed step, kept for the steps after it: their values come from it.
pub(crate) struct Visit {
    /// Its number in the session, from 1.
    pub(crate) number: usize,
    /// What was recorded.
    pub(crate) exchange: Rc<Exchange>,
    /// Where the recorded request went.
    pub(crate) recorded_url: Url,
    /// Where the live request went.
    pub(crate) live_url: Url,
    /// The live status, where there was an answer.
    pub(crate) live_status: Option<u16>,
    /// The live header fields.
    pub(crate) live_headers: Headers,
    recorded_body: Vec<u8>,
    live_body: Vec<u8>,
    recorded_page: OnceCell<Page>,
    live_page: OnceCell<Page>,
}

impl Visit {
    pub(crate) fn new(
        number: usize,
        exchange: Rc<Exchange>,
        recorded_body: Vec<u8>,
        live_uri: &str,
        live: Option<(u16, Headers, Vec<u8>)>,
    ) -> Self {
        let recorded_url = address(&exchange.request.headers, &exchange.request.uri);
        let live_url = address(&exchange.request.headers, live_uri);
        let (live_status, live_headers, live_body) = match live {
            Some((status, headers, body)) => (Some(status), headers, body),
            None => (None, Headers::new(), Vec::new()),
        };
        Self {
            number,
            exchange,
            recorded_url,
            live_url,
            live_status,
            live_headers,
            recorded_body,
            live_body,
            recorded_page: OnceCell::new(),
            live_page: OnceCell::new(),
        }
    }

    /// The recorded page's links and forms.
    pub(crate) fn recorded_page(&self) -> &Page {
        self.recorded_page.get_or_init(|| {
            let headers = self.exchange.response.as_ref().map(|r| &r.headers);
            if headers.is_some_and(is_html) { Page::of(&self.recorded_body) } else { Page::default() }
        })
    }

    /// The live page's links and forms.
    pub(crate) fn live_page(&self) -> &Page {
        self.live_page.get_or_init(|| {
            if is_html(&self.live_headers) { Page::of(&self.live_body) } else { Page::default() }
        })
    }

    /// What an address on the recorded page means.
    pub(crate) fn recorded_target(&self, address: &str) -> Option<Url> {
        target(&self.recorded_url, self.recorded_page().base.as_deref(), address)
    }

    /// What an address on the live page means.
    pub(crate) fn live_target(&self, address: &str) -> Option<Url> {
        target(&self.live_url, self.live_page().base.as_deref(), address)
    }

    /// Where the recorded response sent the browser.
    pub(crate) fn recorded_redirect(&self) -> Option<Url> {
        let response = self.exchange.response.as_ref()?;
        redirect(&self.recorded_url, response.status, &response.headers)
    }

    /// Where the live response sends the browser.
    pub(crate) fn live_redirect(&self) -> Option<Url> {
        redirect(&self.live_url, self.live_status?, &self.live_headers)
    }
}

/// The address a request asked for, under the name it gave the application.
pub(crate) fn address(headers: &Headers, uri: &str) -> Url {
    let host = headers.get("host").unwrap_or("localhost");
    let fallback = || Url::parse("http://localhost/").unwrap_or_else(|_| unreachable!("a constant address"));
    Url::parse(&format!("http://{host}")).ok().and_then(|base| base.join(uri).ok()).unwrap_or_else(fallback)
}

/// Path and query, as a request line has them.
pub(crate) fn request_uri(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

fn target(page: &Url, base: Option<&str>, address: &str) -> Option<Url> {
    let base = base.and_then(|b| page.join(b).ok());
    let mut url = base.as_ref().unwrap_or(page).join(address).ok()?;
    url.set_fragment(None);
    Some(url)
}

fn redirect(from: &Url, status: u16, headers: &Headers) -> Option<Url> {
    if !(300..400).contains(&status) {
        return None;
    }
    let mut url = from.join(&Headers::readable(headers.get("location")?)).ok()?;
    url.set_fragment(None);
    Some(url)
}

fn is_html(headers: &Headers) -> bool {
    matches!(headers.media_type().as_deref(), Some("text/html" | "application/xhtml+xml") | None)
}
