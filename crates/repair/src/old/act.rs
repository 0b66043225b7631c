//! What a user did to make a request, as the recorded pages before it show.

use restage_browser::{LoadedPage, request_uri, submitted_form};
use restage_model::{Exchange, Key, KeyRules};
use restage_site::{form_targets, link_node};

use super::old_step::OldStep;

/// What a user did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Nothing that a page shows: the address was typed, or came from elsewhere.
    Typed,
    /// A script sent it.
    Script,
    /// The page made the browser ask for it.
    Resource,
    /// Nothing: the answer before sent the browser there.
    Redirect,
    /// She clicked on a link of this text.
    Link { text: String },
    /// She sent a form, which is known by its place on the page.
    Form { at: usize },
}

/// What was done, on the page of which step, and the node that it led to.
pub(super) struct Found {
    pub(super) act: Act,
    pub(super) from: Option<usize>,
    pub(super) node: String,
}

/// Finds out what a user did to make a request after some others.
pub(super) fn find(rules: &KeyRules, before: &[OldStep], step: &OldStep) -> Found {
    let request = &step.exchange.request;
    let uri = request_uri(&step.recorded.url);
    let node = if step.is_get() { link_node(rules, &uri) } else { other_node(rules, step) };
    let found = |act: Act, from: usize, node: &str| Found { act, from: Some(from), node: node.to_owned() };
    if step.is_get()
        && let Some(from) = redirecting(before, &uri)
    {
        return found(Act::Redirect, from, &node);
    }
    let pairs = step.sent.pairs();
    for from in pages(before, &step.exchange) {
        let Some(page) = &before[from].recorded.page else { continue };
        if step.is_get() && page.may_lead_to(&uri) {
            let act = match page.links().iter().find(|link| page.uri(&link.href).as_deref() == Some(&uri)) {
                Some(link) => Act::Link { text: link.text.clone() },
                None => Act::Resource,
            };
            return found(act, from, &node);
        }
        if step.is_get() && pairs.is_empty() {
            continue;
        }
        if let Some(sent) = submitted_form(page, &request.method, &step.recorded.url, &pairs) {
            let node = form_node(rules, page, sent.at, step).unwrap_or(node);
            return found(Act::Form { at: sent.at }, from, &node);
        }
    }
    let latest = before.iter().rposition(|step| step.recorded.is_page());
    let act = if is_scripted(&step.exchange) { Act::Script } else { Act::Typed };
    let from = latest.filter(|_| act == Act::Script);
    Found { act, from, node }
}

/// The step whose redirect leads to an address, and that nobody has followed.
fn redirecting(before: &[OldStep], uri: &str) -> Option<usize> {
    let at = before.iter().rposition(|step| step.recorded.redirect.as_deref() == Some(uri))?;
    let followed = |later: &OldStep| later.from == Some(at) && later.act == Act::Redirect;
    (!before[at + 1..].iter().any(followed)).then_some(at)
}

/// The steps whose pages a request may come from: the one that it names, then the latest.
fn pages(before: &[OldStep], exchange: &Exchange) -> Vec<usize> {
    let referer = exchange.request.headers.get("referer").and_then(|r| url::Url::parse(r).ok());
    let is_referer = |at: &usize| {
        let url = &before[*at].recorded.url;
        referer.as_ref().is_some_and(|r| r.path() == url.path() && r.query() == url.query())
    };
    let is_page = |at: &usize| before[*at].recorded.page.is_some();
    let (mut order, rest): (Vec<usize>, Vec<usize>) =
        (0..before.len()).rev().filter(is_page).partition(is_referer);
    order.extend(rest);
    order
}

fn form_node(rules: &KeyRules, page: &LoadedPage, at: usize, step: &OldStep) -> Option<String> {
    let targets = form_targets(rules, page);
    let mut of_form = targets.iter().filter(|target| target.at == at && target.method == step.method());
    let pairs = step.sent.pairs();
    let pressed = of_form.clone().find(|target| {
        let sends = |name: &str, value: &str| pairs.iter().any(|(n, v)| n == name && v == value);
        target.button.is_some_and(|button| !button.name.is_empty() && sends(&button.name, &button.value))
    });
    let by_target = || of_form.find(|target| target.url.path() == step.recorded.url.path());
    pressed.or_else(by_target).map(|target| target.node.clone())
}

fn other_node(rules: &KeyRules, step: &OldStep) -> String {
    let body = || Ok::<_, std::convert::Infallible>(step.body.clone());
    let Ok(key) = Key::of_request(rules, &step.exchange.request, body);
    key.to_string()
}

/// Whether a browser says that a script sent the request.
fn is_scripted(exchange: &Exchange) -> bool {
    let headers = &exchange.request.headers;
    let has = |name: &str, value: &str| headers.get(name).is_some_and(|v| v.eq_ignore_ascii_case(value));
    has("x-requested-with", "XMLHttpRequest")
        || has("sec-fetch-dest", "empty")
        || headers.get("accept").is_some_and(|accept| accept.starts_with("application/json"))
        || headers.media_type().is_some_and(|kind| kind.ends_with("json"))
}
