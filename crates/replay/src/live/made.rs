//! What the live page offers for a request that nobody recorded: it was made for the page as it is now.
//!
//! Where the live page has the form that the request is a submission of, by its address and its names, hidden fields have the page's
//! own values. Where it has one link of the request's shape and not that very address, the link is followed.

use std::collections::BTreeSet;

use restage_browser::{LoadedPage, Payload, button_target, request_uri, without_ids};
use restage_html::{Field, FieldKind, Form};
use restage_model::{Key, Param, Params, Substitution};
use url::Url;

use crate::live::history::History;
use crate::live::origin::Looks;
use crate::live::prepare::Prepared;
use crate::live::recorded::Recorded;
use crate::live::visit::Visit;

const WHY: &str = "this request was not recorded with that page, which has its form";

/// The request as the live page offers it; none where no page does, or where it was recorded.
pub(crate) fn offered_now(
    recorded: &Recorded,
    history: &History<'_>,
    sent: Option<&Params>,
    payload: &Payload,
) -> Option<Prepared> {
    if recorded.was_sent() {
        return None;
    }
    let sent = sent.filter(|sent| !sent.0.is_empty() || recorded.exchange.request.method != "GET");
    let by_form =
        sent.and_then(|sent| history.in_order().iter().find_map(|v| by_form(recorded, v, sent, payload)));
    by_form.or_else(|| by_link(recorded, history))
}

fn by_form(recorded: &Recorded, visit: &Visit, sent: &Params, payload: &Payload) -> Option<Prepared> {
    let page = visit.live_page();
    let method = recorded.exchange.request.method.as_str();
    let (target, form) = live_form(page, method, recorded.url(), &sent.pairs())?;
    let mut prepared = Prepared::as_recorded(recorded);
    let (params, substitutions) = filled(form, sent, visit.number);
    let mut url = target;
    if method == "GET" {
        url.set_query(Some(&params.encode()));
    } else if params != *sent {
        prepared.body = payload.fill(&params);
    }
    let uri = request_uri(&url);
    if uri != prepared.uri && method != "GET" {
        prepared.substitutions.push(Substitution {
            target: "address".to_owned(),
            recorded: prepared.uri.clone(),
            live: uri.clone(),
            source: format!("step {}: its form", visit.number),
            why: WHY.to_owned(),
        });
    }
    prepared.uri = uri;
    prepared.substitutions.extend(substitutions);
    Some(prepared)
}

/// The form of a page that sends such a request, and where it goes. Of several, as in the rows of a list, it is the one that holds what is
/// sent; where none does, none is meant.
fn live_form<'a>(
    page: &'a LoadedPage,
    method: &str,
    wanted: &Url,
    pairs: &[(String, String)],
) -> Option<(Url, &'a Form)> {
    let shape = |url: &Url| match method {
        "GET" => Key::of("", url.path(), ""),
        _ => Key::of("", &request_uri(url), ""),
    };
    let mut places: Vec<(usize, Url)> = Vec::new();
    for (at, form) in page.forms().iter().enumerate().filter(|(_, form)| sends(form, pairs)) {
        let own = page.form_targets()[at].clone().filter(|_| form.method == method);
        let by_button = || {
            let named = form.buttons.iter().filter(|b| b.method.as_deref().unwrap_or(&form.method) == method);
            let mut urls = named.filter(|b| b.action.is_some()).filter_map(|b| button_target(page, at, b));
            urls.find(|url| shape(url) == shape(wanted))
        };
        let leads = |url: &Url| url.host_str() == wanted.host_str() && shape(url) == shape(wanted);
        places.extend(own.filter(leads).or_else(by_button).map(|url| (at, url)));
    }
    let told = |at: usize| held(&page.forms()[at], pairs);
    let rank = |(at, target): &(usize, Url)| (told(*at), target == wanted);
    let best = places.iter().max_by_key(|place| (rank(place), std::cmp::Reverse(place.0)))?;
    let form = &page.forms()[best.0];
    let is_meant = places.len() == 1 || told(best.0) > 0 || best.1 == *wanted || tells_nothing(form);
    is_meant.then(|| (best.1.clone(), form))
}

/// How many hidden values of a form are sent, but for those that are drawn anew.
fn held(form: &Form, pairs: &[(String, String)]) -> usize {
    let sent =
        |field: &&Field| pairs.iter().any(|(name, value)| *name == field.name && *value == field.value);
    form.fields.iter().filter(|field| tells(field)).filter(sent).count()
}

/// Whether a hidden field tells its form from others like it.
fn tells(field: &Field) -> bool {
    field.kind == FieldKind::Hidden
        && !field.value.is_empty()
        && Looks::of(&field.value) != Some(Looks::Token)
}

fn tells_nothing(form: &Form) -> bool {
    !form.fields.iter().any(tells)
}

/// Whether a form sends parameters of these names, and nothing else that a user sees. An image sends where it was clicked.
fn sends(form: &Form, pairs: &[(String, String)]) -> bool {
    let by_image = |name: &str| {
        let stem = name.strip_suffix(".x").or_else(|| name.strip_suffix(".y"));
        form.buttons.iter().any(|b| b.image && (stem == Some(&b.name) || matches!(name, "x" | "y")))
    };
    let is_sent = |field: &Field| pairs.iter().any(|(name, _)| *name == field.name);
    let always = |field: &&Field| field.kind == FieldKind::Text && !field.disabled;
    pairs.iter().all(|(name, _)| form.named(name).next().is_some() || by_image(name))
        && form.fields.iter().filter(always).all(is_sent)
}

/// What is sent, with the page's own hidden values.
fn filled(form: &Form, sent: &Params, step: usize) -> (Params, Vec<Substitution>) {
    let (mut params, mut substitutions) = (Vec::with_capacity(sent.0.len()), Vec::new());
    let mut seen: Vec<String> = Vec::new();
    let substitution = |name: &str, recorded: String, live: &str| Substitution {
        target: format!("form field {name}"),
        recorded,
        live: live.to_owned(),
        source: format!("step {step}: hidden field {name}"),
        why: WHY.to_owned(),
    };
    for param in &sent.0 {
        let (name, value) = (param.name(), param.value());
        let nth = seen.iter().filter(|known| **known == name).count();
        let field = form.named(&name).nth(nth).filter(|field| field.kind == FieldKind::Hidden);
        let mut param = param.clone();
        if let Some(field) = field.filter(|field| field.value != value && !field.value.is_empty()) {
            param.set_value(&field.value);
            substitutions.push(substitution(&name, value, &field.value));
        }
        params.push(param);
        seen.push(name);
    }
    for field in form.fields.iter().filter(|field| field.kind == FieldKind::Hidden && !field.disabled) {
        if !seen.contains(&field.name) {
            params.push(Param::new(&field.name, &field.value));
            substitutions.push(substitution(&field.name, String::new(), &field.value));
            seen.push(field.name.clone());
        }
    }
    (Params(params), substitutions)
}

/// The only link of the request's shape on the page that it came from, where that lacks the very address.
fn by_link(recorded: &Recorded, history: &History<'_>) -> Option<Prepared> {
    let request = &recorded.exchange.request;
    if !matches!(request.method.as_str(), "GET" | "HEAD") || !recorded.uri.bytes().any(|b| b.is_ascii_digit())
    {
        return None;
    }
    let visit = history.page_before()?;
    let page = visit.live_page();
    let shape = without_ids(&recorded.uri);
    let mut alike: BTreeSet<String> = BTreeSet::new();
    for uri in page.links().iter().filter_map(|link| page.uri(&link.href)) {
        if uri == recorded.uri {
            return None;
        }
        if without_ids(&uri) == shape {
            alike.insert(uri.into_owned());
        }
    }
    let only = alike.pop_first().filter(|_| alike.is_empty())?;
    let source = format!("step {}: its link", visit.number);
    let why = "this request was not recorded with that page, which has one link of its shape".to_owned();
    Some(Prepared::as_recorded(recorded).addressed(only, source, why))
}
