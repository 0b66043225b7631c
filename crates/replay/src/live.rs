//! Live values: a recorded request as the live application would have the browser send it.
//!
//! Where a recorded request came from is found in the recorded pages before it: a redirect, a form, a
//! link. Its counterpart in the live pages then says what to send. What came from nowhere was typed, and
//! is sent as recorded, but for tokens that an earlier page or cookie held (a script sent them along).

use restage_html::Page;
use restage_model::{Headers, Param, Params, Substitution};
use url::Url;

use crate::ahead::Recorded;
use crate::form::{Submitted, submit};
use crate::jar::Jar;
use crate::link::{Click, fetch, follow};
use crate::multipart::Multipart;
use crate::unseen::live_token;
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
        if let Some((field, live)) = in_field(visit, value) {
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
    live_token(name, visits)
}

/// A field of that value in a recorded page, and the value of the live page's field of the same name and place.
fn in_field(visit: &Visit, value: &str) -> Option<(String, String)> {
    let fields = |page: &'_ Page, name: &str| -> Vec<String> {
        page.forms.iter().flat_map(|f| f.named(name)).map(|f| f.value.clone()).collect()
    };
    let (recorded, live) = (visit.recorded_page(), visit.live_page());
    let name = &recorded.forms.iter().flat_map(|f| &f.fields).find(|f| f.value == value)?.name;
    Some((name.clone(), same_place(&fields(recorded, name), fields(live, name), value)?))
}

/// A parameter of that name and value in a recorded link, and its value in the live link of the same place.
fn in_link(visit: &Visit, name: &str, value: &str) -> Option<String> {
    let parameter = |href: &str| -> Option<String> {
        let query = href.split_once('?')?.1;
        Params::parse(query).0.iter().find(|p| p.name() == name).map(Param::value)
    };
    let values = |page: &Page| -> Vec<String> {
        page.links.iter().chain(&page.resources).filter_map(|l| parameter(&l.href)).collect()
    };
    same_place(&values(visit.recorded_page()), values(visit.live_page()), value)
}

/// Of the values that stood where `value` stood, the one in its place; the first, where there are more or fewer now.
fn same_place(recorded: &[String], live: Vec<String>, value: &str) -> Option<String> {
    let place = recorded.iter().position(|v| v == value)?;
    let place = if recorded.len() == live.len() { place } else { 0 };
    live.into_iter().nth(place)
}

/// Long and mixed enough that finding it twice is no accident.
pub(crate) fn looks_like_a_token(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.bytes().filter(u8::is_ascii_alphanumeric).count() >= 8
        && !value.contains(' ')
}

fn same(a: &Url, b: &Url) -> bool {
    a.path() == b.path() && a.query() == b.query()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use restage_model::{BodyRef, Exchange, ExchangeId, Moment, Request, Response};

    use super::*;

    fn headers(fields: &[(&str, &str)]) -> Headers {
        fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    /// A recorded exchange: a request line, a body, and the answer's page or redirect.
    fn recorded(line: &str, body: &str, answer: &str) -> Recorded {
        let (method, uri) = line.split_once(' ').unwrap();
        let (uri, referer) = uri.split_once(" from ").unwrap_or((uri, ""));
        let mut fields = headers(&[("host", "app"), ("content-type", "application/x-www-form-urlencoded")]);
        if !referer.is_empty() {
            fields.push("referer", format!("http://app{referer}"));
        }
        let (status, answered) = answered(answer);
        let url = crate::visit::address(&fields, uri);
        Recorded {
            uri: request_uri(&url),
            url,
            body: body.as_bytes().to_vec(),
            page: if status == 200 { Page::of(answer.as_bytes()) } else { Page::default() },
            exchange: Exchange {
                id: ExchangeId(1),
                at: Moment(0),
                took: 0,
                client: String::new(),
                request: Request {
                    method: method.to_owned(),
                    uri: uri.to_owned(),
                    headers: fields,
                    body: BodyRef::default(),
                },
                response: Some(Response { status, headers: answered, body: BodyRef::default() }),
                error: None,
                imported: false,
            },
        }
    }

    fn answered(answer: &str) -> (u16, Headers) {
        match answer.strip_prefix("-> ") {
            Some(location) => (303, headers(&[("location", location)])),
            None => (200, headers(&[("content-type", "text/html")])),
        }
    }

    /// Pages visited so far, as recorded and as they are now; then the request, as it is sent now.
    fn sent(pages: &[(&str, &str, &str)], line: &str, body: &str) -> Prepared {
        let visits: Vec<Visit> = pages
            .iter()
            .enumerate()
            .map(|(n, (line, was, is))| {
                let (status, fields) = answered(is);
                let uri = line.split(' ').nth(1).unwrap();
                let live = (status, fields, Arc::new(is.as_bytes().to_vec()));
                Visit::new(n + 1, Arc::new(recorded(line, "", was)), uri, Some(live))
            })
            .collect();
        prepare(&recorded(line, body, ""), &visits, &Jar::default())
    }

    #[test]
    fn a_redirect_is_followed_where_it_leads_now() {
        let prepared = sent(&[("POST /add", "-> /note/17", "-> /note/18")], "GET /note/17", "");
        assert_eq!(prepared.uri, "/note/18");
        assert_eq!(prepared.substitutions[0].source, "step 1: where it redirects to");
        let stale = sent(&[("POST /add", "-> /note/17", "<p>wrong token")], "GET /note/17", "");
        assert_eq!(
            (stale.uri.as_str(), stale.stale.as_deref()),
            ("/note/17", Some("step 1 no longer redirects"))
        );
        let out = sent(&[("POST /add", "-> /x", "-> http://elsewhere/x")], "GET /x", "");
        assert!(out.uri == "/x" && out.stale.unwrap().contains("out of the application"));
    }

    #[test]
    fn a_link_is_known_by_its_text_and_shape_before_its_address() {
        let was = "<a href=/order/5>Shoes</a><a href=/order/6>Hat</a><a href=/about>About</a>";
        let uri =
            |is: &str, wanted: &str| sent(&[("GET /orders", was, is)], &format!("GET {wanted}"), "").uri;
        // The ids have moved on by one: order 6 is the shoes now.
        let moved = "<a href=/order/6>Shoes</a><a href=/order/7>Hat</a>";
        assert_eq!(uri(moved, "/order/6"), "/order/7");
        // The order of the list has changed.
        assert_eq!(uri("<a href=/order/6>Hat</a><a href=/order/5>Shoes</a>", "/order/6"), "/order/6");
        // The text has changed, the address is still there.
        assert_eq!(uri("<a href=/order/6>Cap</a>", "/order/6"), "/order/6");
        // A link that leads astray is followed: the user would.
        assert_eq!(uri("<a href=/abuot>About</a>", "/about"), "/abuot");
        // Relative addresses and a base mean what they mean in a browser.
        assert_eq!(uri("<base href=/shop/><a href=about>About</a>", "/about"), "/shop/about");
    }

    /// Catches: the third revision of a page is asked for by the time it was recorded at, and is not there.
    #[test]
    fn links_that_differ_by_a_time_go_by_their_place_and_by_what_else_they_say() {
        let page = |a: u32, b: u32| {
            format!(
                "<a href='/w?id=x&rev={a}'>x</a><a href='/w?id=y&rev={a}'>x</a><a href='/w?id=x&rev={b}'>x</a>\
                 <a href='/w?id=x&do=diff&rev={b}'>[2026/11/{b}]</a>"
            )
        };
        let uri = |wanted: &str, is: &str| {
            sent(&[("GET /w", &page(11, 12), is)], &format!("GET {wanted} from /w"), "").uri
        };
        let is = page(21, 22);
        assert_eq!(uri("/w?id=x&rev=12", &is), "/w?id=x&rev=22");
        assert_eq!(uri("/w?id=y&rev=11", &is), "/w?id=y&rev=21");
        assert_eq!(uri("/w?id=x&do=diff&rev=12", &is), "/w?id=x&do=diff&rev=22");
    }

    /// Catches: an image is asked for with the recorded token, and refused.
    #[test]
    fn what_a_page_shows_is_asked_for_where_the_live_page_has_it() {
        let page = |token: &str, now: u32| {
            format!(
                "<img src='/i?tok={token}&f=a' alt=A><img src='/i?tok={token}&f=b'><img src='/t?id=1&{now}'>"
            )
        };
        let visits = [("GET /p", &*page("105fda", 1_794_786_652), &*page("7c679d", 1_794_786_699))];
        let uri = |wanted: &str| sent(&visits, &format!("GET {wanted} from /p"), "").uri;
        assert_eq!(uri("/i?tok=105fda&f=b"), "/i?tok=7c679d&f=b");
        assert_eq!(uri("/t?id=1&1794786652"), "/t?id=1&1794786699");
        // A page that shows it no more is not at fault.
        let gone = sent(&[("GET /p", "<img src=/i?n=1>", "<p>")], "GET /i?n=1 from /p", "");
        assert_eq!((gone.uri.as_str(), gone.stale), ("/i?n=1", None));
    }

    #[test]
    fn only_the_page_the_user_was_on_can_lack_a_link() {
        let was = "<a href=/a>A</a>";
        let gone = sent(&[("GET /", was, "<p>nothing")], "GET /a from /", "");
        assert_eq!(gone.stale.as_deref(), Some("the page of step 1 no longer has the link \"A\" to /a"));
        let typed = sent(&[("GET /", was, "<p>"), ("GET /b", "<p>", "<p>")], "GET /a from /b", "");
        assert_eq!((typed.uri.as_str(), typed.stale), ("/a", None));
    }

    #[test]
    fn a_form_is_filled_in_as_the_user_did() {
        let was = "<form method=post action=/buy><input type=hidden name=token value=old><input name=count value=1>\
                   <input name=note><select name=size><option value=3>Large<option value=4>Small</select></form>";
        let is = "<form method=post action=/buy><input type=hidden name=token value=new><input name=count value=2>\
                  <input name=note><select name=size><option value=8>Small<option value=9>Large</select>\
                  <input type=hidden name=extra value=e></form>";
        let prepared =
            sent(&[("GET /book", was, is)], "POST /buy from /book", "token=old&count=1&note=hi+there&size=4");
        // The token and what was left alone are the live page's, what was typed stays, a choice goes by its text,
        // and a field that is new is sent too.
        assert_eq!(
            String::from_utf8(prepared.body).unwrap(),
            "token=new&count=2&note=hi+there&size=8&extra=e"
        );
        assert_eq!(prepared.stale, None);
    }

    /// Catches: of a list of revisions, those ticked are sent by the time they had when recorded.
    #[test]
    fn boxes_and_choices_that_hold_a_time_go_by_their_place_or_text() {
        let page = |t: [u32; 3]| {
            let boxes: String =
                t.iter().map(|t| format!("<input type=checkbox name=r[] value={t}>")).collect();
            let choices: String =
                t.iter().map(|t| format!("<option value={t}>1{t}:00 ada</option>")).collect();
            format!("<form method=post action=/d>{boxes}<select name=s>{choices}</select></form>")
        };
        let (was, is) = (page([13, 12, 11]), page([23, 22, 21]));
        let prepared = sent(&[("GET /r", &was, &is)], "POST /d from /r", "r%5B%5D=13&r%5B%5D=11&s=12");
        assert_eq!(String::from_utf8(prepared.body).unwrap(), "r%5B%5D=23&r%5B%5D=21&s=22");
        assert_eq!(prepared.stale, None);
        // With one more of them, nobody knows which was meant.
        let more = is.replace("<select", "<input type=checkbox name=r[] value=20><select");
        let stale = sent(&[("GET /r", &was, &more)], "POST /d from /r", "r%5B%5D=13&s=12").stale;
        assert_eq!(
            stale.as_deref(),
            Some("the form of step 1 no longer has the field `r[]` with the value \"13\"")
        );
    }

    /// Catches: a text that nobody touched is taken for typed, since browsers send `\r\n` for the page's `\n`.
    #[test]
    fn an_untouched_text_of_many_lines_is_the_live_pages() {
        let page = |text: &str| {
            format!("<form method=post action=/e><textarea name=t>\n{text}</textarea><input name=s></form>")
        };
        let sent_body = |body: &str| {
            let visits = [("GET /e", &*page("one\ntwo\n"), &*page("one\ntwo\nthree\n"))];
            String::from_utf8(sent(&visits, "POST /e from /e", body).body).unwrap()
        };
        assert_eq!(sent_body("t=one%0D%0Atwo%0D%0A&s=x"), "t=one%0D%0Atwo%0D%0Athree%0D%0A&s=x");
        assert_eq!(sent_body("t=one%0Atwo%0A&s=x"), "t=one%0Atwo%0Athree%0A&s=x");
        assert_eq!(sent_body("t=one%0D%0A2%0D%0A&s=x"), "t=one%0D%0A2%0D%0A&s=x");
    }

    #[test]
    fn what_a_form_no_longer_has_is_not_sent_and_told() {
        let was = "<form method=post action=/r><input name=name><input name=phone></form>";
        let is = "<form method=post action=/r><input name=name></form>";
        let prepared = sent(&[("GET /r", was, is)], "POST /r from /r", "name=a&phone=1");
        assert_eq!(String::from_utf8(prepared.body).unwrap(), "name=a");
        assert_eq!(prepared.stale.as_deref(), Some("the form of step 1 no longer has the field `phone`"));
    }

    #[test]
    fn of_many_forms_alike_the_one_with_the_same_values_is_meant() {
        let form = |book: u32, token: &str| {
            format!(
                "<form method=post action=/cart><input type=hidden name=t value={token}><input type=hidden name=book value={book}></form>"
            )
        };
        let was: String = [5, 6, 7].iter().map(|b| form(*b, "old")).collect();
        // The list is in another order now.
        let is: String = [7, 5, 6].iter().map(|b| form(*b, "new")).collect();
        let prepared = sent(&[("GET /list", &was, &is)], "POST /cart from /list", "t=old&book=6");
        assert_eq!(String::from_utf8(prepared.body).unwrap(), "t=new&book=6");
    }

    /// Catches: a link that happens to have a parameter in common with a form is sent as the form, with the recorded id.
    #[test]
    fn a_link_is_no_submission_of_a_form_that_would_send_more_or_less() {
        let page = |rev: u32| {
            format!(
                "<form action=/w><input type=hidden name=id value=x><select name=do><option>a</select></form>\
                 <a href='/w?id=x&rev={rev}'>old</a><a href='/w?do=a&id=x&rev={rev}'>older</a>"
            )
        };
        let uri = |wanted: &str| {
            sent(&[("GET /w", &page(11), &page(12))], &format!("GET {wanted} from /w"), "").uri
        };
        assert_eq!(uri("/w?id=x&rev=11"), "/w?id=x&rev=12");
        assert_eq!(uri("/w?do=a&id=x&rev=11"), "/w?do=a&id=x&rev=12");
        assert_eq!(uri("/w?id=x&do=a"), "/w?id=x&do=a");
        // Typed: it is no choice of the form.
        let typed = sent(&[("GET /w", &page(11), &page(12))], "GET /w?id=x&do=raw", "");
        assert_eq!((typed.uri.as_str(), typed.stale), ("/w?id=x&do=raw", None));
    }

    #[test]
    fn a_get_form_and_a_form_that_changed_its_address() {
        let was = "<form action=/search><input type=hidden name=k value=1><input name=q></form>";
        let is = "<form action=/find><input type=hidden name=k value=2><input name=q></form>";
        let prepared = sent(&[("GET /", was, is)], "GET /search?k=1&q=cat from /", "");
        assert_eq!(prepared.uri, "/find?k=2&q=cat");
    }

    #[test]
    fn a_token_that_a_script_sends_comes_from_where_the_page_holds_it() {
        let was = "<meta name=csrf-token content=0a1b2c3d4e5f><p>";
        let is = "<meta name=csrf-token content=9z8y7x6w5v4u><p>";
        let prepared = sent(&[("GET /", was, is)], "POST /api", "csrf=0a1b2c3d4e5f&text=0a1b");
        assert_eq!(String::from_utf8(prepared.body).unwrap(), "csrf=9z8y7x6w5v4u&text=0a1b");
        let pages = [("GET /", was, is)];
        let visits: Vec<Visit> = pages
            .iter()
            .map(|(line, was, is)| {
                let live = (200, headers(&[]), Arc::new(is.as_bytes().to_vec()));
                Visit::new(1, Arc::new(recorded(line, "", was)), "/", Some(live))
            })
            .collect();
        let header = live_header("x-csrf-token", "0a1b2c3d4e5f", &visits, &Jar::default()).unwrap();
        assert_eq!(header.live, "9z8y7x6w5v4u");
        assert!(live_header("x-requested-with", "XMLHttpRequest", &visits, &Jar::default()).is_none());
    }
}
