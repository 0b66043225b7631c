//! Links of a page that a user may have meant.

use std::collections::HashMap;

use restage_html::{FieldKind, Form};
use restage_model::{Params, ValueShape};
use restage_site::link_node;
use restage_site::repair::{Cause, Repair};

use super::address::{address_words, translated, values};
use super::form_likeness::visible;
use super::label::same_label;
use super::offer::{Asked, Offer};
use super::request::edited;
use crate::old::Act;

/// How likely a link is that leads to the same path with more parameters; and the same with the text that was clicked on.
const MORE_ASKED: f64 = 0.5;
const MORE_ASKED_SAME_TEXT: f64 = 0.9;

/// The links, and where the answer sends the browser.
pub(super) fn offers(asked: Asked<'_>) -> Vec<Offer> {
    let mut found: Vec<Offer> = Vec::new();
    let step = asked.step();
    if step.act == Act::Redirect
        && asked.page + 1 == asked.walk.steps.len()
        && let Some(uri) = &asked.live().answer.redirect
    {
        found.push(offer(asked, uri, &link_node(asked.context.rules, uri), 0.97));
    }
    let Some(page) = asked.loaded() else { return found };
    let mut texts: HashMap<String, Vec<&str>> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    for link in page.links().iter().filter(|link| !link.href.starts_with('#')) {
        let Some(uri) = page.uri(&link.href).filter(|uri| uri.starts_with('/')) else { continue };
        let known = texts.entry(uri.to_string()).or_insert_with(|| {
            order.push(uri.to_string());
            Vec::new()
        });
        known.push(&link.text);
    }
    let wanted = asked.step().recorded.uri();
    let own_values = values(asked.context.rules, &wanted);
    let mut made: Vec<String> = Vec::new();
    for uri in &order {
        let node = link_node(asked.context.rules, uri);
        let sure = asked.context.sameness(&step.node, &node);
        let by_text = same_text(asked, &texts, uri);
        let by_address = by_address(asked, &texts, uri);
        let by_node = sure.map(|sure| match () {
            () if *uri == wanted => 0.98,
            () if holds(&values(asked.context.rules, uri), &own_values) => 0.55 + 0.4 * sure,
            // Another one of its kind.
            () => 0.45 * sure,
        });
        let score = by_node.unwrap_or(0.0).max(by_text).max(by_address);
        if score > 0.0 {
            found.push(offer(asked, uri, &node, score));
        }
        // The page leads to such pages: the one that the user wanted is one of them.
        if let Some(sure) = sure.filter(|_| score < 0.55)
            && let Some(place) = asked.context.planner.network().place(&node)
            && let Some(own) = translated(asked.context.rules, &wanted, asked.context.node(place))
            && !order.contains(&own)
            && !made.contains(&own)
        {
            found.push(offer(asked, &own, &node, 0.35 + 0.3 * sure));
            made.push(own);
        }
    }
    found
}

/// Whether the only link of the text that was clicked on leads there, and to no page that the old version had.
fn same_text(asked: Asked<'_>, texts: &HashMap<String, Vec<&str>>, uri: &str) -> f64 {
    let Act::Link { text } = &asked.step().act else { return 0.0 };
    let is_called = |uri: &str| texts.get(uri).is_some_and(|all| all.iter().any(|t| same_label(t, text)));
    if !is_called(uri) || texts.keys().filter(|other| is_called(other)).count() > 1 {
        return 0.0;
    }
    let node = link_node(asked.context.rules, uri);
    let is_other = node != asked.step().node && asked.context.planner.old_node(&node).is_some();
    if is_other { 0.41 } else { 0.75 }
}

/// Whether a link leads to the same path with what was asked for there, and more: surer where it has the same text.
fn by_address(asked: Asked<'_>, texts: &HashMap<String, Vec<&str>>, uri: &str) -> f64 {
    let wanted = asked.step().recorded.uri();
    let parts = |uri: &str| -> (String, Vec<(String, String)>) {
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        (path.to_owned(), Params::parse(query).pairs())
    };
    let ((was, asked_for), (is, given)) = (parts(&wanted), parts(uri));
    if was != is || given.len() <= asked_for.len() || !asked_for.iter().all(|pair| given.contains(pair)) {
        return 0.0;
    }
    let Act::Link { text } = &asked.step().act else { return MORE_ASKED };
    let is_called = texts.get(uri).is_some_and(|all| all.iter().any(|t| same_label(t, text)));
    if is_called { MORE_ASKED_SAME_TEXT } else { MORE_ASKED }
}

/// Links in place of a button that was all there was of its form.
pub(super) fn in_place_of_button(asked: Asked<'_>, old: &Form) -> Vec<Offer> {
    let Some(page) = asked.loaded().filter(|_| visible(old).is_empty()) else { return Vec::new() };
    let step = asked.step();
    let label = old.buttons.first().map_or("", |button| button.text.as_str());
    let wanted = address_words(&step.recorded.uri());
    let mut found: Vec<Offer> = Vec::new();
    for link in page.links().iter().filter(|link| !link.href.starts_with('#')) {
        let Some(uri) = page.uri(&link.href).filter(|uri| uri.starts_with('/')) else { continue };
        let score = match (same_label(&link.text, label), address_words(&uri) == wanted) {
            (true, true) => 0.9,
            (false, true) => 0.8,
            (true, false) if holds(&values(asked.context.rules, &uri), &held_values(asked, old)) => 0.6,
            _ => continue,
        };
        let node = link_node(asked.context.rules, &uri);
        let mut offer = offer(asked, &uri, &node, score);
        "GET".clone_into(&mut offer.request.method);
        offer.request.body.clear();
        offer.request.headers.remove("content-type");
        offer.request.headers.remove("origin");
        let what = format!("the form {} is a link now: \"{}\" to {node}", step.node, link.text);
        let mut repair = Repair::new(Cause::SentOtherwise, asked.at, what, score);
        repair.changed.push((step.line(), format!("GET {uri}")));
        offer.repairs =
            std::iter::once(repair).chain(asked.moved("the link", Cause::FormMoved, score)).collect();
        found.push(offer);
    }
    found
}

/// The values of the address and the hidden fields of a form, but for tokens: they say what it is about.
fn held_values(asked: Asked<'_>, form: &Form) -> Vec<String> {
    let mut held = values(asked.context.rules, &asked.step().recorded.uri());
    let hidden =
        form.fields.iter().filter(|field| field.kind == FieldKind::Hidden && !field.value.is_empty());
    held.extend(hidden.map(|field| field.value.clone()).filter(|value| !ValueShape::of(value).is_token()));
    held
}

/// Whether all of some values are among others.
pub(super) fn holds(values: &[String], wanted: &[String]) -> bool {
    wanted.iter().all(|value| values.contains(value))
}

fn offer(asked: Asked<'_>, uri: &str, node: &str, score: f64) -> Offer {
    let step = asked.step();
    let mut repairs: Vec<Repair> = Vec::new();
    if *node != step.node {
        repairs.push(Repair::new(Cause::PageMoved, asked.at, format!("{} is {node} now", step.node), score));
    }
    let what = match &step.act {
        Act::Link { text } if !text.is_empty() => format!("the link \"{text}\" to {}", step.node),
        Act::Redirect => format!("a redirect to {}", step.node),
        _ => format!("a link to {}", step.node),
    };
    repairs.extend(asked.moved(&what, Cause::LinkGone, score));
    if repairs.is_empty() && step.act == Act::Redirect {
        let text =
            format!("{} no longer sends the browser to {}: a link there does", asked.live().node, step.node);
        repairs.push(Repair::new(Cause::LinkGone, asked.at, text, score));
    }
    if repairs.is_empty() {
        let text = format!("{} has {what} elsewhere on the page, or to another address", asked.live().node);
        repairs.push(Repair::new(Cause::LinkGone, asked.at, text, score));
    }
    let why = why(&repairs);
    let mut request = edited(&step.exchange, step.body.clone(), asked.live(), &why);
    request.uri = uri.to_owned();
    let now = format!("{} {uri}", request.method);
    if let Some(repair) = repairs.first_mut() {
        repair.changed.push((step.line(), now));
    }
    Offer { request, form: None, fields: Default::default(), score, repairs }
}

/// What was repaired, in a line.
pub(super) fn why(repairs: &[Repair]) -> String {
    repairs.iter().map(|repair| repair.what.as_str()).collect::<Vec<_>>().join("; ")
}
