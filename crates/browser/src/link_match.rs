//! Which link of another version of a page is the one that was followed.

use std::borrow::Cow;

use restage_model::Key;

use crate::likeness::{without_ids, without_numbers};
use crate::loaded_page::LoadedPage;

/// What became of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Click {
    /// The first page has no such link: the address was typed, or a script asked.
    NotALink,
    /// The other page offers it here, path and query; and why this is thought to be it.
    Offered(String, String),
    /// The other page does not offer the link of this text.
    Gone(String),
}

/// A link within the application: its text, and the path and query it leads to.
type Link<'a> = (&'a str, Cow<'a, str>);

/// Finds the counterpart on the live page of a click that led from the recorded one to `wanted`. Structure comes before
/// value: a link is known by its text and the shape of its address.
pub fn matching_link(recorded: &LoadedPage, live: &LoadedPage, wanted: &str) -> Click {
    let Some(text) = text_of(recorded, recorded.links(), wanted) else { return Click::NotALink };
    match counterpart((recorded, recorded.links()), (live, live.links()), text, wanted) {
        Some((uri, why)) => Click::Offered(uri, why),
        None => Click::Gone(text.to_owned()),
    }
}

/// Finds the counterpart of what a page made the browser ask for: an image, a script, a style. A page may well do
/// without one: that is no click which is no longer possible.
pub fn matching_resource(recorded: &LoadedPage, live: &LoadedPage, wanted: &str) -> Option<(String, String)> {
    let text = text_of(recorded, recorded.resources(), wanted)?;
    counterpart((recorded, recorded.resources()), (live, live.resources()), text, wanted)
}

/// The text of the recorded link to an address.
fn text_of<'a>(page: &LoadedPage, links: &'a [restage_html::Link], wanted: &str) -> Option<&'a str> {
    let leads_there = |link: &&restage_html::Link| page.uri(&link.href).is_some_and(|uri| uri == wanted);
    links.iter().find(leads_there).map(|link| link.text.as_str())
}

fn counterpart(
    recorded: (&LoadedPage, &[restage_html::Link]),
    live: (&LoadedPage, &[restage_html::Link]),
    text: &str,
    uri: &str,
) -> Option<(String, String)> {
    let live = &links(live);
    // The common case: nothing about it has changed.
    if live.iter().any(|(t, u)| *t == text && u == uri) {
        return Some((uri.to_owned(), "it has not changed".to_owned()));
    }
    let recorded = &links(recorded);
    let same_text = |t: &str| t == text;
    let (fine, coarse) = (without_ids(uri), Key::of("GET", uri, ""));
    let same_fine = |u: &str| without_ids(u) == fine;
    let same_coarse = |u: &str| Key::of("GET", u, "") == coarse;
    let twins = |is_text: &dyn Fn(&str) -> bool, is_shape: &dyn Fn(&str) -> bool| {
        let of = |list: &[Link<'_>]| -> Vec<String> {
            list.iter().filter(|(t, u)| is_text(t) && is_shape(u)).map(|(_, u)| u.to_string()).collect()
        };
        (of(recorded), of(live))
    };
    // The only one of its kind: the same address several times over is one link to the user.
    let only = |(before, now): &(Vec<String>, Vec<String>)| {
        let one = |list: &[String]| !list.is_empty() && list.iter().all(|u| *u == list[0]);
        (!text.is_empty() && one(before) && one(now)).then(|| now[0].clone())
    };
    // One of as many as before: the one in the same place.
    let placed = |(before, now): &(Vec<String>, Vec<String>)| {
        let place = before.iter().position(|u| u == uri)?;
        (before.len() == now.len()).then(|| now[place].clone())
    };
    let kin = twins(&same_text, &same_fine);
    let cousins = twins(&same_text, &same_coarse);
    let same_address = || live.iter().find(|(_, u)| u == uri).map(|(_, u)| u.to_string());
    let only_text = || {
        let named = |list: &[Link<'_>]| list.iter().filter(|(t, _)| !text.is_empty() && *t == text).count();
        let one = named(recorded) == 1 && named(live) == 1;
        one.then(|| live.iter().find(|(t, _)| *t == text).map(|(_, u)| u.to_string())).flatten()
    };
    // Its text has a date or a count in it.
    let like_text = || {
        let like = without_numbers(text);
        let alike = twins(&|t: &str| without_numbers(t) == like, &same_fine);
        only(&alike).or_else(|| placed(&alike))
    };
    let told = |why: &str| {
        let why = format!("{why} \"{text}\"");
        move |uri: String| (uri, why)
    };
    (only(&kin).map(told("the only such address under")))
        .or_else(|| only(&cousins).map(told("the only address of that shape under")))
        .or_else(|| same_address().map(told("still there, no longer under")))
        .or_else(|| placed(&kin).map(told("in the same place among as many under")))
        .or_else(|| only_text().map(told("the only link called")))
        .or_else(|| like_text().map(told("under what is like")))
        .or_else(|| placed(&cousins).map(told("in the same place among as many of that shape under")))
}

fn links<'a>((page, links): (&LoadedPage, &'a [restage_html::Link])) -> Vec<Link<'a>> {
    links.iter().filter_map(|link| Some((link.text.as_str(), page.uri(&link.href)?))).collect()
}
