//! Live values: a recorded request as the live application would have the browser send it.
//!
//! Where a recorded request came from is found in the recorded pages before it: a redirect, a form, a
//! link. Its counterpart in the live pages then says what to send. What came from nowhere was typed, and
//! is sent as recorded, but for tokens that an earlier page or cookie held (a script sent them along).

use restage_model::{Headers, Param, Params, Substitution};
use url::Url;

use crate::ahead::Recorded;
use crate::form::{Submitted, submit};
use crate::jar::Jar;
use crate::link::{Click, follow};
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
        }
    }

    let mut prepared = as_recorded(stale);
    carry_tokens(&mut prepared, request.method != "GET" && is_form, visits, jar);
    prepared
}

/// A header value that an earlier page or cookie held, as the live application has it.
pub(crate) fn live_header(name: &str, value: &str, visits: &[Visit], jar: &Jar) -> Option<Substitution> {
    let (live, source) = held_elsewhere(name, value, visits, jar)?;
    (live != value).then(|| Substitution {
        target: format!("header {name}"),
        recorded: value.to_owned(),
        live,
        source,
    })
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

/// Replaces parameters that an earlier page or cookie held under the same name.
fn carry_tokens(prepared: &mut Prepared, is_form: bool, visits: &[Visit], jar: &Jar) {
    let (path, query) = prepared.uri.split_once('?').unwrap_or((&prepared.uri, ""));
    let path = path.to_owned();
    let mut in_query = Params::parse(query);
    let mut changed = carry(&mut in_query, "query parameter", visits, jar);
    if !changed.is_empty() {
        prepared.uri = format!("{path}?{}", in_query.encode());
    }
    if is_form && let Ok(text) = std::str::from_utf8(&prepared.body) {
        let mut in_body = Params::parse(text);
        let found = carry(&mut in_body, "form field", visits, jar);
        if !found.is_empty() {
            prepared.body = in_body.encode().into_bytes();
            changed.extend(found);
        }
    }
    prepared.substitutions.extend(changed);
}

fn carry(params: &mut Params, what: &str, visits: &[Visit], jar: &Jar) -> Vec<Substitution> {
    let mut substitutions = Vec::new();
    for param in &mut params.0 {
        let (name, value) = (Param::name(param), Param::value(param));
        if let Some((live, source)) = held_elsewhere(&name, &value, visits, jar)
            && live != value
        {
            param.set_value(&live);
            substitutions.push(Substitution {
                target: format!("{what} {name}"),
                recorded: value,
                live,
                source,
            });
        }
    }
    substitutions
}

/// Where an earlier recorded page or cookie held a value, and what the live one holds there.
fn held_elsewhere(name: &str, value: &str, visits: &[Visit], jar: &Jar) -> Option<(String, String)> {
    if !looks_like_a_token(value) {
        return None;
    }
    for visit in visits.iter().rev() {
        let hidden =
            |page: &restage_html::Page, wanted: Option<&str>, field: &str| -> Option<(String, String)> {
                let mut fields = page.forms.iter().flat_map(|f| &f.fields);
                let found = fields
                    .find(|f| (field.is_empty() || f.name == field) && wanted.is_none_or(|w| f.value == w))?;
                Some((found.name.clone(), found.value.clone()))
            };
        if let Some((field, _)) = hidden(visit.recorded_page(), Some(value), "")
            && let Some((_, live)) = hidden(visit.live_page(), None, &field)
        {
            return Some((live, format!("step {}: field {field}", visit.number)));
        }
        if let Some(meta) = visit.recorded_page().metas.iter().find(|m| m.content == value)
            && let Some(live) = visit.live_page().metas.iter().find(|m| m.name == meta.name)
        {
            return Some((live.content.clone(), format!("step {}: meta {}", visit.number, meta.name)));
        }
        if let Some(live) = in_link(visit, name, value) {
            return Some((live, format!("step {}: a link's parameter {name}", visit.number)));
        }
        let response = visit.recorded.exchange.response.as_ref();
        let set = response.into_iter().flat_map(|r| r.headers.all("set-cookie"));
        if let Some(cookie) = set.filter_map(restage_model::SetCookie::parse).find(|c| c.value == value)
            && let Some(live) = jar.value(&cookie.name)
        {
            return Some((live.to_owned(), format!("cookie {}", cookie.name)));
        }
    }
    None
}

/// A parameter of that name and value in a recorded link, and its value in the live link of the same place.
fn in_link(visit: &Visit, name: &str, value: &str) -> Option<String> {
    let parameter = |href: &str| -> Option<String> {
        let query = href.split_once('?')?.1;
        Params::parse(query).0.iter().find(|p| p.name() == name).map(Param::value)
    };
    visit.recorded_page().links.iter().find(|l| parameter(&l.href).as_deref() == Some(value))?;
    visit.live_page().links.iter().find_map(|l| parameter(&l.href))
}

/// Long and mixed enough that finding it twice is no accident.
fn looks_like_a_token(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.bytes().filter(u8::is_ascii_alphanumeric).count() >= 8
        && !value.contains(' ')
}

fn same(a: &Url, b: &Url) -> bool {
    a.path() == b.path() && a.query() == b.query()
}
