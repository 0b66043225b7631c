//! Which live link a recorded click was on.

use restage_model::Key;
use url::Url;

use crate::visit::{Visit, request_uri};

/// What became of a recorded click.
pub(crate) enum Click {
    /// The recorded page has no such link: the address was typed, or a script asked.
    NotALink,
    /// The live page offers it here.
    Offered(Url),
    /// The live page no longer offers it.
    Gone(String),
}

/// Finds the live counterpart of a click on `wanted`. Structure comes before value: a link is known by its
/// text and the shape of its address.
pub(crate) fn follow(visit: &Visit, wanted: &Url) -> Click {
    let recorded: Vec<(String, Url)> = links(visit, true);
    let Some((text, url)) = recorded.iter().find(|(_, url)| same(url, wanted)) else {
        return Click::NotALink;
    };
    let live = links(visit, false);
    let offered = |found: Option<&(String, Url)>| found.map(|(_, url)| url.clone());
    let shape = shape(url);
    let twin = |(t, u): &&(String, Url)| t == text && self::shape(u) == shape;
    let named = |list: &[(String, Url)]| list.iter().filter(|(t, _)| !text.is_empty() && t == text).count();

    let unchanged = offered(live.iter().find(|(t, u)| t == text && same(u, url)));
    let only_twin = || {
        let (before, now): (Vec<_>, Vec<_>) =
            (recorded.iter().filter(twin).collect(), live.iter().filter(twin).collect());
        // The same address several times over is one link to the user.
        let one = |list: &[&(String, Url)]| list.iter().all(|(_, u)| same(u, &list[0].1));
        (!text.is_empty() && !before.is_empty() && !now.is_empty() && one(&before) && one(&now))
            .then(|| now[0].1.clone())
    };
    let same_address = || offered(live.iter().find(|(_, u)| same(u, url)));
    let only_text = || {
        (named(&recorded) == 1 && named(&live) == 1)
            .then(|| offered(live.iter().find(|(t, _)| t == text)))
            .flatten()
    };
    let same_place = || {
        let (before, now): (Vec<_>, Vec<_>) =
            (recorded.iter().filter(twin).collect(), live.iter().filter(twin).collect());
        let place = before.iter().position(|(_, u)| same(u, url))?;
        (before.len() == now.len()).then(|| now[place].1.clone())
    };
    match unchanged.or_else(only_twin).or_else(same_address).or_else(only_text).or_else(same_place) {
        Some(url) => Click::Offered(url),
        None => Click::Gone(format!(
            "the page of step {} no longer has the link \"{text}\" to {}",
            visit.number,
            request_uri(url)
        )),
    }
}

fn links(visit: &Visit, recorded: bool) -> Vec<(String, Url)> {
    let page = if recorded { visit.recorded_page() } else { visit.live_page() };
    let target = |href: &str| if recorded { visit.recorded_target(href) } else { visit.live_target(href) };
    page.links.iter().filter_map(|link| Some((link.text.clone(), target(&link.href)?))).collect()
}

fn same(a: &Url, b: &Url) -> bool {
    a.path() == b.path() && a.query() == b.query() && a.host_str() == b.host_str()
}

fn shape(url: &Url) -> Key {
    Key::of("GET", &request_uri(url), "")
}
