//! A step that was replayed: what was recorded, and what the live application answered.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use restage_html::Page;
use restage_model::Headers;
use url::Url;

use crate::ahead::Recorded;
use crate::origin::{Places, Source, link_places};

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
    live_page: OnceCell<Page>,
    live_places: OnceCell<Places>,
    live_link_places: OnceCell<Places>,
    live_form_targets: OnceCell<Vec<Option<Url>>>,
}

impl Visit {
    pub(crate) fn new(number: usize, recorded: Arc<Recorded>, live_uri: &str, live: Option<Live>) -> Self {
        let live_url = if live_uri == recorded.exchange.request.uri {
            recorded.url.clone()
        } else {
            address(&recorded.exchange.request.headers, live_uri)
        };
        Self {
            number,
            recorded,
            live_url,
            live,
            live_page: OnceCell::new(),
            live_places: OnceCell::new(),
            live_link_places: OnceCell::new(),
            live_form_targets: OnceCell::new(),
        }
    }

    /// The recorded page's links and forms.
    pub(crate) fn recorded_page(&self) -> &Page {
        &self.recorded.page
    }

    /// The live page's links and forms.
    pub(crate) fn live_page(&self) -> &Page {
        self.live_page.get_or_init(|| match &self.live {
            Some((_, headers, body)) if is_html(headers) => Page::of(body),
            _ => Page::default(),
        })
    }

    /// The path and query that an address on the recorded page leads to; none where it leads out.
    pub(crate) fn recorded_uri<'a>(&self, address: &'a str) -> Option<Cow<'a, str>> {
        local_uri(&self.recorded.url, self.recorded_page().base.as_deref(), address)
    }

    /// The path and query that an address on the live page leads to; none where it leads out.
    pub(crate) fn live_uri<'a>(&self, address: &'a str) -> Option<Cow<'a, str>> {
        local_uri(&self.live_url, self.live_page().base.as_deref(), address)
    }

    /// Where the live page's forms lead.
    pub(crate) fn live_form_targets(&self) -> &[Option<Url>] {
        self.live_form_targets.get_or_init(|| {
            let page = self.live_page();
            let base = page.base.as_deref();
            page.forms.iter().map(|f| target(&self.live_url, base, &f.action)).collect()
        })
    }

    /// The values in the live page's links that later requests may send back.
    pub(crate) fn live_link_places(&self) -> &Places {
        self.live_link_places.get_or_init(|| link_places(self.live_page()))
    }

    /// The values in the live response that later requests may send back, but for those in links.
    pub(crate) fn live_places(&self) -> &Places {
        self.live_places.get_or_init(|| {
            let Some((status, headers, body)) = &self.live else { return Places::default() };
            let uri = request_uri(&self.live_url);
            let source = Source { uri: &uri, status: *status, headers, body, page: self.live_page() };
            let mut places = source.places();
            places.resolve_addresses(|a| self.live_uri(a).map(Cow::into_owned));
            places
        })
    }

    /// Where the live response sends the browser.
    pub(crate) fn live_redirect(&self) -> Option<Url> {
        let (status, headers, _) = self.live.as_ref()?;
        redirect(&self.live_url, *status, headers)
    }
}

/// Takes in the latest step. Where it asks again for a page that was there before, by a request that nobody recorded then, the page that
/// the user has before her is the new one: the requests after it take their values from that, as a token may be good for
/// one use.
pub(crate) fn visited(visits: &mut Vec<Visit>, latest: Visit) {
    let exchange = &latest.recorded.exchange;
    let is_page = matches!(&latest.live, Some((200, headers, _)) if is_html(headers));
    if exchange.origin.is_generated() && exchange.request.method == "GET" && is_page {
        for visit in visits.iter_mut().filter(|visit| same(&visit.live_url, &latest.live_url)) {
            let (recorded, live_url) = (visit.recorded.clone(), request_uri(&visit.live_url));
            *visit = Visit::new(latest.number, recorded, &live_url, latest.live.clone());
        }
    }
    visits.push(latest);
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

/// The path and query that an address on a page leads to; none where it leads out.
pub(crate) fn local_uri<'a>(page: &Url, base: Option<&str>, address: &'a str) -> Option<Cow<'a, str>> {
    // Most links are as plain as a request line: no need to take them apart.
    if base.is_none() && is_plain(address) {
        return Some(Cow::Borrowed(address));
    }
    let url = target(page, base, address)?;
    (url.host_str() == page.host_str()).then(|| Cow::Owned(request_uri(&url)))
}

/// Whether an address is a path, and a query perhaps, in which nothing is to be resolved or escaped.
fn is_plain(address: &str) -> bool {
    let plain = |b: u8| {
        b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'~' | b'?' | b'=' | b'&' | b'+' | b',')
    };
    address.starts_with('/') && !address.starts_with("//") && address.bytes().all(plain)
}

/// Whether two addresses ask for the same thing of the application.
pub(crate) fn same(a: &Url, b: &Url) -> bool {
    a.path() == b.path() && a.query() == b.query()
}

/// What an address on a page means.
pub(crate) fn target(page: &Url, base: Option<&str>, address: &str) -> Option<Url> {
    let base = base.and_then(|b| page.join(b).ok());
    let mut url = base.as_ref().unwrap_or(page).join(address).ok()?;
    url.set_fragment(None);
    Some(url)
}

/// Where a response sends the browser.
pub(crate) fn redirect(from: &Url, status: u16, headers: &Headers) -> Option<Url> {
    if !(300..400).contains(&status) {
        return None;
    }
    let mut url = from.join(&Headers::readable(headers.get("location")?)).ok()?;
    url.set_fragment(None);
    Some(url)
}

pub(crate) fn is_html(headers: &Headers) -> bool {
    matches!(headers.media_type().as_deref(), Some("text/html" | "application/xhtml+xml") | None)
}
