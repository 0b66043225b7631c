//! Values whose origin the recording does not show.
//!
//! A page that was answered and not logged, as an access log leaves it, cannot tell where a recorded token stood on it. Nor can
//! any page tell that of a request which nobody recorded, or which another user sent. The live page can: a field, or a
//! link's parameter, of the same name that holds a token, too. And where the live answer redirects, a request of the same
//! shape follows it.

use restage_browser::request_uri;
use restage_model::{Key, Param, Params};

use crate::live::history::LiveValue;
use crate::live::origin::Looks;
use crate::live::recorded::Recorded;
use crate::live::visit::Visit;

/// The live token of this name for a request, on the latest page of which the recording does not tell.
pub(crate) fn live_token(name: &str, visits: &[Visit], request: &Recorded) -> Option<LiveValue> {
    visits.iter().rev().find_map(|visit| {
        let why = not_shown(visit, request)?;
        let page = visit.live_page().page();
        let found = |live: String, what: &str| LiveValue {
            live,
            source: format!("step {}: {what} {name}", visit.number),
            why: format!("{why}, and this has the same name"),
        };
        let is_token = |value: &String| matches!(Looks::of(value), Some(Looks::Token));
        let mut fields = page.forms.iter().flat_map(|form| form.named(name)).map(|field| field.value.clone());
        if let Some(live) = fields.find(is_token) {
            return Some(found(live, "field"));
        }
        let links = page.links.iter().chain(&page.resources);
        let mut values = links.filter_map(|link| {
            let params = Params::parse(link.href.split_once('?')?.1);
            params.0.iter().find(|param| param.name() == name).map(Param::value)
        });
        values.find(is_token).map(|live| found(live, "a link's parameter"))
    })
}

/// Where the step before redirects to, for a request that follows it; the step's number. Its recorded answer, if there is one, is
/// not the answer to what was sent.
pub(crate) fn live_redirect(visits: &[Visit], request: &Recorded) -> Option<(String, usize)> {
    let before = visits.last()?;
    let method = request.exchange.request.method.as_str();
    if before.recorded.was_recorded_with(request) || !matches!(method, "GET" | "HEAD") {
        return None;
    }
    let live = before.live_redirect().filter(|url| url.host_str() == request.url().host_str())?;
    let shape = |uri: &str| Key::of("", uri, "");
    let uri = request_uri(&live);
    (shape(&uri) == shape(&request.uri)).then_some((uri, before.number))
}

/// Why the recording does not tell where on a page a request's values stood; none where it does.
fn not_shown(visit: &Visit, request: &Recorded) -> Option<&'static str> {
    if was_not_logged(visit) {
        Some("the recorded page was not logged")
    } else if !visit.recorded.was_recorded_with(request) {
        Some("this request was not recorded with that page")
    } else {
        None
    }
}

fn was_not_logged(visit: &Visit) -> bool {
    let body = visit.recorded.exchange.response.as_ref().map(|response| response.body);
    visit.recorded.exchange.imported && body.is_some_and(|body| body.id.is_none() && body.size > 0)
}
