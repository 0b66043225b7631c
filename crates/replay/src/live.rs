//! Live values: a recorded request as the live application would have the browser send it.
//!
//! Where a recorded request came from is found in the recorded pages before it: a redirect, a form, a
//! link. Its counterpart in the live pages then says what to send. What came from nowhere was typed, and
//! is sent as recorded, but for tokens that an earlier page or cookie held (a script sent them along).

use restage_model::{Headers, Params, Substitution};
use url::Url;

use crate::ahead::Recorded;
use crate::carry::carry_tokens;
use crate::form::{Submitted, submit};
use crate::jar::Jar;
use crate::link::{Click, fetch, follow};
use crate::multipart::Multipart;
use crate::visit::{Visit, request_uri};

/// A request ready to be sent, but for its cookies.
pub(crate) struct Prepared {
    pub(crate) uri: String,
    pub(crate) body: Vec<u8>,
    pub(crate) substitutions: Vec<Substitution>,
    pub(crate) stale: Option<String>,
}

/// Makes the live request for a recorded one.
pub(crate) fn prepare(recorded: &Recorded, visits: &[Visit], jar: &Jar) -> Prepared {
    let (exchange, body) = (&recorded.exchange, recorded.body.clone());
    let request = &exchange.request;
    let wanted = recorded.url.clone();
    let as_recorded = |stale: Option<String>| Prepared {
        uri: request.uri.clone(),
        body: body.clone(),
        substitutions: Vec::new(),
        stale,
    };
    let is_form = request.headers.media_type().as_deref() == Some("application/x-www-form-urlencoded");

    if let Some(visit) =
        visits.iter().rev().find(|v| v.recorded_redirect().is_some_and(|u| same(&u, &wanted)))
        && is_next_hop(visits, visit, recorded)
    {
        return match visit.live_redirect() {
            Some(url) if url.host_str() == wanted.host_str() => {
                let source = format!("step {}: where it redirects to", visit.number);
                addressed(&request.uri, request_uri(&url), body, source)
            }
            Some(url) => as_recorded(Some(format!(
                "step {} now redirects out of the application, to {url}",
                visit.number
            ))),
            None => as_recorded(Some(format!("step {} no longer redirects", visit.number))),
        };
    }

    let multipart = Multipart::parse(&request.headers, &body);
    let sent = match request.method.as_str() {
        "GET" => Some(Params::parse(request.query())),
        _ if is_form => std::str::from_utf8(&body).ok().map(Params::parse),
        _ => multipart.as_ref().map(Multipart::params),
    };
    let mut stale = None;
    let from = page_before(visits, &request.headers);
    for visit in in_order(visits, &request.headers) {
        // Only the page that the user was on can be said to lack something; an older one may hold the same
        // address by chance.
        let was_here = from.is_some_and(|from| std::ptr::eq(from, visit));
        if let Some(sent) = &sent
            && !(request.method == "GET" && sent.0.is_empty())
        {
            match submit(visit, &request.method, &wanted, sent) {
                Submitted::Offered(submission) => {
                    let mut url = submission.url;
                    let mut body = body;
                    if request.method == "GET" {
                        url.set_query(Some(&submission.params.encode()));
                    } else {
                        body = match &multipart {
                            Some(form) => form.with(&submission.params),
                            None => submission.params.encode().into_bytes(),
                        };
                    }
                    let mut prepared = addressed(
                        &request.uri,
                        request_uri(&url),
                        body,
                        format!("step {}: its form", visit.number),
                    );
                    if request.method == "GET" {
                        prepared.substitutions.clear();
                    }
                    prepared.substitutions.extend(submission.substitutions);
                    prepared.stale = submission.stale;
                    return prepared;
                }
                Submitted::Gone(why) => stale = stale.or(was_here.then_some(why)),
                Submitted::NotAForm => {}
            }
        }
        if request.method == "GET" {
            match follow(visit, &recorded.uri) {
                Click::Offered(uri) => {
                    return addressed(&request.uri, uri, body, format!("step {}: its link", visit.number));
                }
                Click::Gone(why) => stale = stale.or(was_here.then_some(why)),
                Click::NotALink => {}
            }
            if let Some(uri) = fetch(visit, &recorded.uri) {
                return addressed(&request.uri, uri, body, format!("step {}: what it shows", visit.number));
            }
        }
    }

    let mut prepared = as_recorded(stale);
    carry_tokens(&mut prepared, request.method != "GET" && is_form, visits, jar);
    prepared
}

/// The live address that stands for a recorded one, for a referer.
pub(crate) fn live_referer(recorded: &str, visits: &[Visit]) -> Option<String> {
    let wanted = Url::parse(recorded).ok()?;
    let visit = visits.iter().rev().find(|v| same(&v.recorded.url, &wanted))?;
    let mut live = wanted.clone();
    live.set_path(visit.live_url.path());
    live.set_query(visit.live_url.query());
    (live != wanted).then(|| live.to_string())
}

fn addressed(recorded: &str, uri: String, body: Vec<u8>, source: String) -> Prepared {
    let mut substitutions = Vec::new();
    if uri != recorded {
        substitutions.push(Substitution {
            target: "address".to_owned(),
            recorded: recorded.to_owned(),
            live: uri.clone(),
            source,
        });
    }
    Prepared { uri, body, substitutions, stale: None }
}

/// Whether a request is the redirect's own next hop: nobody else asked for that address in between.
fn is_next_hop(visits: &[Visit], from: &Visit, recorded: &Recorded) -> bool {
    let follows_up = matches!(recorded.exchange.request.method.as_str(), "GET" | "HEAD")
        || matches!(from.recorded.exchange.response.as_ref().map(|r| r.status), Some(307 | 308));
    let wanted = &recorded.url;
    follows_up
        && !visits.iter().skip_while(|v| v.number <= from.number).any(|v| same(&v.recorded.url, wanted))
}

/// The page the user was on: the one the request says it came from, or the latest where it says nothing.
fn page_before<'a>(visits: &'a [Visit], headers: &Headers) -> Option<&'a Visit> {
    match headers.get("referer").and_then(|r| Url::parse(r).ok()) {
        Some(referer) => visits.iter().rev().find(|v| same(&v.recorded.url, &referer)),
        None => visits.last(),
    }
}

/// The visits to look for a request's origin in: the page it says it came from first, then the latest.
fn in_order<'a>(visits: &'a [Visit], headers: &Headers) -> impl Iterator<Item = &'a Visit> {
    let referer = headers.get("referer").and_then(|r| Url::parse(r).ok());
    let is_referer = move |visit: &&Visit| referer.as_ref().is_some_and(|r| same(&visit.recorded.url, r));
    let (first, rest): (Vec<&Visit>, Vec<&Visit>) = visits.iter().rev().partition(is_referer);
    first.into_iter().chain(rest)
}

fn same(a: &Url, b: &Url) -> bool {
    a.path() == b.path() && a.query() == b.query()
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
