//! Which redirect a recorded request followed, and where it leads now.

use restage_browser::{may_follow, request_uri, same_address};
use restage_model::Headers;

use crate::live::inferred::live_redirect;
use crate::live::recorded::Recorded;
use crate::live::visit::Visit;

/// What became of a redirect that was followed.
pub(crate) enum Followed {
    /// No earlier answer redirected here.
    NotARedirect,
    /// The live answer leads there; the step that redirects, and why this follows it.
    Offered(String, usize, &'static str),
    /// The live answer redirects no more, or out of the application.
    Gone(String),
}

/// Finds the live counterpart of a redirect to a recorded request.
pub(crate) fn redirected(visits: &[Visit], recorded: &Recorded) -> Followed {
    // After a request that nobody recorded, the live answer is all there is to go by.
    if let Some((uri, number)) = live_redirect(visits, recorded) {
        return Followed::Offered(uri, number, "the live answer redirects to such an address");
    }
    let Some(visit) = leading_to(visits, recorded) else { return Followed::NotARedirect };
    let number = visit.number;
    match visit.live_redirect() {
        Some(url) if url.host_str() == recorded.url().host_str() => {
            Followed::Offered(request_uri(&url), number, "the recorded answer redirected here")
        }
        Some(url) => Followed::Gone(format!("step {number} now redirects out of the application, to {url}")),
        // Whoever made the request knew.
        None if !recorded.was_sent() => Followed::NotARedirect,
        None => Followed::Gone(format!("step {number} no longer redirects")),
    }
}

/// The step whose redirect a request followed: nobody else did in between. With two tabs, several redirects may lead
/// to one address; a browser names the page that the first request came from in the one that follows.
fn leading_to<'a>(visits: &'a [Visit], recorded: &Recorded) -> Option<&'a Visit> {
    let mut pending: Vec<&Visit> = Vec::new();
    for visit in visits {
        if same_address(visit.recorded.url(), recorded.url())
            && let Some(at) = followed_by(&pending, &visit.recorded)
        {
            pending.remove(at);
        }
        // What was put in between follows the live answer.
        if !visit.recorded.was_sent() {
            pending.retain(|p| !p.live_redirect().is_some_and(|to| same_address(&to, &visit.live_url)));
        }
        if visit.recorded.redirect().is_some_and(|url| same_address(url, recorded.url())) {
            pending.push(visit);
        }
    }
    followed_by(&pending, recorded).map(|at| pending[at])
}

/// Which of some redirects a request follows: the latest that came from the same page, or else the latest.
fn followed_by(pending: &[&Visit], request: &Recorded) -> Option<usize> {
    let referer = |headers: &Headers| headers.get("referer").map(str::to_owned);
    let (method, from) =
        (request.exchange.request.method.as_str(), referer(&request.exchange.request.headers));
    let follows = |visit: &&Visit| {
        let status = visit.recorded.exchange.response.as_ref().map(|r| r.status);
        may_follow(status, method)
    };
    let same_page = |visit: &&Visit| referer(&visit.recorded.exchange.request.headers) == from;
    let latest = |fits: &dyn Fn(&&Visit) -> bool| pending.iter().rposition(|v| follows(v) && fits(v));
    latest(&same_page).or_else(|| latest(&|_| true))
}
