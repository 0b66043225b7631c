//! Tokens that a script sent along: held by an earlier page or cookie, and sent in a query, a body or a header.

use restage_html::Page;
use restage_model::{Param, Params, Substitution};

use crate::jar::Jar;
use crate::live::Prepared;
use crate::visit::Visit;

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

/// Replaces parameters that an earlier page or cookie held under the same name.
pub(crate) fn carry_tokens(prepared: &mut Prepared, is_form: bool, visits: &[Visit], jar: &Jar) {
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
    None
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
fn looks_like_a_token(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.bytes().filter(u8::is_ascii_alphanumeric).count() >= 8
        && !value.contains(' ')
}
