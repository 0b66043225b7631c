//! Which live link a recorded click was on.

use std::borrow::Cow;

use restage_model::Key;

use crate::visit::Visit;

/// What became of a recorded click.
pub(crate) enum Click {
    /// The recorded page has no such link: the address was typed, or a script asked.
    NotALink,
    /// The live page offers it here: path and query.
    Offered(String),
    /// The live page no longer offers it.
    Gone(String),
}

/// A link within the application: its text, and the path and query it leads to.
type Link<'a> = (&'a str, Cow<'a, str>);

/// Finds the live counterpart of a click on `wanted`. Structure comes before value: a link is known by its
/// text and the shape of its address.
pub(crate) fn follow(visit: &Visit, wanted: &str) -> Click {
    let recorded = recorded_links(visit);
    let Some(&(text, ref uri)) = recorded.iter().find(|(_, uri)| uri == wanted) else {
        return Click::NotALink;
    };
    let live = live_links(visit);
    // The common case: nothing about it has changed.
    if live.iter().any(|(t, u)| *t == text && u == uri) {
        return Click::Offered(uri.to_string());
    }
    let shape = Key::of("GET", uri, "");
    let is_twin = |(t, u): &&Link<'_>| *t == text && Key::of("GET", u, "") == shape;
    let before: Vec<&Link<'_>> = recorded.iter().filter(is_twin).collect();
    let now: Vec<&Link<'_>> = live.iter().filter(is_twin).collect();
    let named = |list: &[Link<'_>]| list.iter().filter(|(t, _)| !text.is_empty() && *t == text).count();

    let only_twin = || {
        // The same address several times over is one link to the user.
        let one = |list: &[&Link<'_>]| list.iter().all(|(_, u)| *u == list[0].1);
        (!text.is_empty() && !now.is_empty() && one(&before) && one(&now)).then(|| now[0].1.to_string())
    };
    let same_address = || live.iter().find(|(_, u)| u == uri).map(|(_, u)| u.to_string());
    let only_text = || {
        let one = named(&recorded) == 1 && named(&live) == 1;
        one.then(|| live.iter().find(|(t, _)| *t == text).map(|(_, u)| u.to_string())).flatten()
    };
    let same_place = || {
        let place = before.iter().position(|(_, u)| u == uri)?;
        (before.len() == now.len()).then(|| now[place].1.to_string())
    };
    match only_twin().or_else(same_address).or_else(only_text).or_else(same_place) {
        Some(uri) => Click::Offered(uri),
        None => Click::Gone(format!(
            "the page of step {} no longer has the link \"{text}\" to {uri}",
            visit.number
        )),
    }
}

fn recorded_links(visit: &Visit) -> Vec<Link<'_>> {
    let links = &visit.recorded_page().links;
    links.iter().filter_map(|link| Some((link.text.as_str(), visit.recorded_uri(&link.href)?))).collect()
}

fn live_links(visit: &Visit) -> Vec<Link<'_>> {
    let links = &visit.live_page().links;
    links.iter().filter_map(|link| Some((link.text.as_str(), visit.live_uri(&link.href)?))).collect()
}
