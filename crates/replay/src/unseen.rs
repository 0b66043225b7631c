//! Values of pages that were answered and not logged, as an access log leaves them.
//!
//! Such a page cannot tell where a recorded token stood on it. The live one can: a field, or a link's parameter, of the
//! same name that holds a token, too.

use restage_model::{Param, Params};

use crate::origin::Looks;
use crate::trail::Found;
use crate::visit::Visit;

/// The live token of this name on the latest page that was not logged.
pub(crate) fn live_token(name: &str, visits: &[Visit]) -> Option<Found> {
    visits.iter().rev().filter(|visit| was_not_logged(visit)).find_map(|visit| {
        let page = visit.live_page();
        let found = |live: String, what: &str| Found {
            live,
            source: format!("step {}: {what} {name}", visit.number),
            why: "the recorded page was not logged, and this has the same name".to_owned(),
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

fn was_not_logged(visit: &Visit) -> bool {
    let body = visit.recorded.exchange.response.as_ref().map(|response| response.body);
    visit.recorded.exchange.imported && body.is_some_and(|body| body.id.is_none() && body.size > 0)
}
