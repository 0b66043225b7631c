//! Which pages a request needs first: those whose form it sends, with a token or other values of the page.

use restage_browser::{
    LoadedPage, Payload, address_of, is_html, redirect_target, request_uri, same_address, submitted_form,
};
use restage_html::Page;
use restage_model::{Exchange, Params, Session, ValueShape};
use restage_store::{Store, StoreError};
use url::Url;

/// So many pages before a request are looked at: people use several tabs, and go back.
const PAGES: usize = 8;
/// A request that needs more pages before it than this needs most of its session: it is sent without them.
const LONGEST: usize = 8;

struct Visited {
    step: usize,
    page: LoadedPage,
    /// Whether a form that was sent to the same address led there: the next page of a form in several steps, perhaps.
    by_own_form: bool,
}

/// For each step of a session, the earlier ones whose pages lead to it and hold what it sends, in order. A page that has links alone is
/// not needed: an address can be typed.
pub fn needed_pages(store: &Store, session: &Session) -> Result<Vec<Vec<usize>>, StoreError> {
    let mut needed: Vec<Vec<usize>> = Vec::with_capacity(session.exchanges.len());
    let mut visited: Vec<Visited> = Vec::new();
    let mut redirect: Option<Url> = None;
    for (step, id) in session.exchanges.iter().enumerate() {
        let exchange = store.exchange(*id)?;
        let url = address_of(&exchange.request.headers, &exchange.request.uri);
        let body = store.body(&exchange.request.body)?;
        let is_get = matches!(exchange.request.method.as_str(), "GET" | "HEAD");
        let by_own_form = is_get && redirect.as_ref().is_some_and(|to| same_address(to, &url));
        let pages = match leading_page(&visited, &exchange, &url, &body) {
            Some(page) => {
                let mut pages = needed[page.step].clone();
                if page.by_own_form {
                    // Without what was sent before it, the page would be another one.
                    pages.extend(needed[page.step - 1].clone());
                    pages.push(page.step - 1);
                }
                pages.push(page.step);
                pages.dedup();
                if pages.len() > LONGEST { Vec::new() } else { pages }
            }
            None => Vec::new(),
        };
        needed.push(pages);
        redirect = None;
        let Some(response) = exchange.response.as_ref().filter(|r| r.status < 400) else { continue };
        let to = redirect_target(&url, response.status, &response.headers);
        redirect = to.filter(|to| !is_get && to.path() == url.path());
        if is_html(&response.headers) {
            let page = LoadedPage::new(url, Page::of(&store.body(&response.body)?));
            visited.push(Visited { step, page, by_own_form });
            if visited.len() > PAGES {
                visited.remove(0);
            }
        }
    }
    Ok(needed)
}

/// The page that a request cannot do without.
fn leading_page<'v>(
    visited: &'v [Visited],
    exchange: &Exchange,
    url: &Url,
    body: &[u8],
) -> Option<&'v Visited> {
    let request = &exchange.request;
    let latest = || visited.iter().rev();
    if matches!(request.method.as_str(), "GET" | "HEAD") {
        let uri = request_uri(url);
        let has_token =
            Params::parse(request.query()).0.iter().any(|param| ValueShape::of(&param.value()).is_token());
        return latest().find(|v| has_token && v.page.may_lead_to(&uri));
    }
    let payload = Payload::of(&request.headers, body);
    let pairs = payload.params().map(|params| params.pairs()).unwrap_or_default();
    // The page whose form holds most of what was sent; of several, one that can be asked for as it is.
    let fit = |v: &Visited| {
        let form = submitted_form(&v.page, &request.method, url, &pairs)?;
        Some((form.hidden.len(), !v.by_own_form))
    };
    let by_form = visited.iter().filter_map(|v| Some((fit(v)?, v))).max_by_key(|(fit, v)| (*fit, v.step));
    // What a script sends may carry a token of the page that it runs in.
    let by_referer = || {
        let referer = Url::parse(request.headers.get("referer")?).ok()?;
        latest().find(|v| same_address(v.page.url(), &referer))
    };
    by_form.map(|(_, visited)| visited).or_else(by_referer)
}
