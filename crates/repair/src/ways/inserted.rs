//! Requests that nobody made and that are put in: on a way of the map, or where a form was put in between.

use std::collections::BTreeSet;

use restage_browser::LoadedPage;
use restage_model::{ExchangeId, Moment, NewRequest, NewStep, Param, Params};
use restage_site::{EdgeKind, FormTarget, SiteEdge, form_targets, link_node};
use restage_spider::is_logout;

use super::address::values;
use super::form_likeness::visible;
use super::new_fields::fill;
use super::request::{FormBody, generated};
use crate::context::Context;
use crate::live::{LiveStep, Walk};
use crate::old::OldSession;

/// A request that is put in.
#[derive(Clone, Debug)]
pub(crate) struct Inserted {
    pub(crate) request: NewRequest,
    /// The node of the form, where it is one.
    pub(crate) form: Option<String>,
    pub(crate) fields: BTreeSet<String>,
}

/// For which step of the old session something is put in, and after what.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) session: &'a OldSession,
    pub(crate) at: usize,
    pub(crate) walk: &'a Walk,
}

impl<'a> Before<'a> {
    /// When the latest request counts as sent.
    pub(crate) fn moment(&self) -> Moment {
        let of_step = |step: &LiveStep| match &step.planned.step {
            NewStep::New(request) => request.at,
            NewStep::Stored(_) => {
                step.planned.of.map_or(Moment(0), |old| self.session.steps[old].exchange.at)
            }
        };
        let first = self.session.steps[self.at].exchange.at;
        self.walk.latest().map_or(Moment(first.0 - 1), of_step)
    }

    fn request(
        &self,
        page: Option<&LiveStep>,
        method: &str,
        uri: &str,
        why: &str,
        from: &[ExchangeId],
    ) -> NewRequest {
        let like = &self.session.steps[self.at].exchange;
        let mut request = generated(like, self.moment(), method, uri, why, from);
        if let Some(page) = page {
            request.headers.set("referer", page.referer());
        }
        request
    }

    /// Follows where the latest answer sends the browser.
    pub(crate) fn follow(&self) -> Option<Inserted> {
        let latest = self.walk.latest()?;
        let uri = latest.answer.redirect.clone()?;
        let why = format!("{} sends the browser there", latest.node);
        let request = self.request(None, "GET", &uri, &why, &[]);
        Some(Inserted { request, form: None, fields: BTreeSet::new() })
    }

    /// Asks for an address that no page names.
    pub(crate) fn ask_for(&self, uri: &str, why: &str) -> Inserted {
        Inserted { request: self.request(None, "GET", uri, why, &[]), form: None, fields: BTreeSet::new() }
    }

    fn submit(
        &self,
        page: &LiveStep,
        target: &FormTarget<'_>,
        why: &str,
        given: &[(String, String)],
        with_values: bool,
    ) -> Inserted {
        let filled = fill(self.context, self.session, self.at, target, given);
        let mut params = Params(filled.pairs.iter().map(|(name, value)| Param::new(name, value)).collect());
        if !with_values {
            let untouched = |param: &mut Param| {
                let name = param.name();
                let was_given = given.iter().any(|(known, _)| *known == name);
                let field = target.form.named(&name).next().filter(|_| !was_given);
                if let Some(value) = field.and_then(|field| field.untouched()) {
                    param.set_value(value);
                }
            };
            params.0.iter_mut().for_each(untouched);
        }
        let body = FormBody::of(target, &params, None);
        let mut request = self.request(Some(page), target.method, &body.uri, why, &filled.from);
        if let Some(content_type) = body.content_type {
            request.headers.set("content-type", content_type);
        }
        request.body = body.body;
        Inserted { request, form: Some(target.node.clone()), fields: visible(target.form) }
    }
}

/// A way of the map, from a page that was visited.
pub(crate) fn go_along(before: Before<'_>, page: usize, edge: &SiteEdge) -> Option<Inserted> {
    let live = before.walk.steps.get(page)?;
    let why = format!("leads from {} to {}", edge.from, edge.to);
    if edge.kind == EdgeKind::Redirect {
        return before.follow();
    }
    let loaded = live.answer.page.as_ref()?;
    if edge.kind != EdgeKind::Submit
        && let Some(uri) = link_to(before, loaded, edge)
    {
        let request = before.request(Some(live), "GET", &uri, &why, &[]);
        return Some(Inserted { request, form: None, fields: BTreeSet::new() });
    }
    let targets = form_targets(before.context.rules, loaded);
    let mut of_node = targets.iter().filter(|target| target.node == edge.to);
    let called = of_node.clone().find(|target| target.button.is_some_and(|button| button.text == edge.label));
    let target = called.or_else(|| of_node.next())?;
    Some(before.submit(live, target, &why, &[], true))
}

/// The link of a page to a node: the one that speaks of what the old step spoke of, the one of the map's text, or the first.
fn link_to(before: Before<'_>, page: &LoadedPage, edge: &SiteEdge) -> Option<String> {
    let rules = before.context.rules;
    let wanted = values(rules, &before.session.steps[before.at].recorded.uri());
    let mut best: Option<(usize, bool, String)> = None;
    for link in page.links().iter().filter(|link| !link.href.starts_with('#')) {
        let Some(uri) = page.uri(&link.href).filter(|uri| uri.starts_with('/')) else { continue };
        if link_node(rules, &uri) != edge.to {
            continue;
        }
        let held = values(rules, &uri).iter().filter(|value| wanted.contains(value)).count();
        let found = (held, link.text == edge.label, uri.into_owned());
        if best.as_ref().is_none_or(|best| (found.0, found.1) > (best.0, best.1)) {
            best = Some(found);
        }
    }
    best.map(|(_, _, uri)| uri)
}

/// The forms of the latest page that may have been put in between, the likeliest first: by their places on the page. What the page before
/// has, too, belongs to every page; what logs the user out is meant by nobody.
pub(crate) fn forms_between(before: Before<'_>) -> Vec<usize> {
    let Some(latest) = before.walk.latest_page().filter(|page| page + 1 == before.walk.steps.len()) else {
        return Vec::new();
    };
    let steps = &before.walk.steps;
    let Some(page) = &steps[latest].answer.page else { return Vec::new() };
    let rules = before.context.rules;
    let earlier: BTreeSet<String> = steps[..latest]
        .iter()
        .filter_map(|step| step.answer.page.as_ref())
        .flat_map(|page| form_targets(rules, page))
        .map(|target| target.node)
        .collect();
    let mut found: Vec<(bool, bool, usize)> = Vec::new();
    for target in form_targets(rules, page) {
        let label = target.button.map_or("", |button| button.text.as_str());
        let leaves = is_logout(target.url.path()) || is_logout(label) || is_cancel(label);
        if earlier.contains(&target.node) || leaves || found.iter().any(|(_, _, at)| *at == target.at) {
            continue;
        }
        let known = before.context.planner.old_node(&target.node).is_some();
        found.push((known, target.method == "GET", target.at));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, _, at)| at).collect()
}

/// Whether a button takes back what was done.
fn is_cancel(label: &str) -> bool {
    let label = label.to_lowercase();
    ["cancel", "back", "abort", "no", "abbrechen", "zurück"].iter().any(|word| label.trim() == *word)
}

/// A form of the latest page that was put in between, sent with what the old step sent, and with values for what is left.
pub(crate) fn form_between(before: Before<'_>, at: usize, with_values: bool) -> Option<Inserted> {
    let latest = before.walk.latest_page()?;
    let live = &before.walk.steps[latest];
    let targets = form_targets(before.context.rules, live.answer.page.as_ref()?);
    let mut of_form = targets.iter().filter(|target| target.at == at);
    let goes_on = |target: &&&FormTarget<'_>| !target.button.is_some_and(|button| is_cancel(&button.text));
    let target = of_form.clone().find(|target| goes_on(&target)).or_else(|| of_form.next())?;
    let sent = before.session.steps[before.at].sent.pairs();
    let given: Vec<(String, String)> =
        sent.into_iter().filter(|(name, _)| visible(target.form).contains(name)).collect();
    let why = format!("{} was put in between", target.node);
    Some(before.submit(live, target, &why, &given, with_values))
}
