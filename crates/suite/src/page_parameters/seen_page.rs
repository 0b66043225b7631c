//! What is remembered of a request and its answer.

use std::collections::BTreeSet;

use restage_model::{KeyRules, PageParameter, Params, is_page_name};

use super::page_features::DocumentKind;

/// A request and its answer, as far as they say something of parameters.
#[derive(Debug)]
pub(super) struct SeenPage {
    pub(super) method: String,
    /// The parameters of the query and of the body: name, and value where that may name a page.
    pub(super) params: Vec<(String, Option<String>)>,
    pub(super) answer: SeenAnswer,
}

/// What was answered.
#[derive(Debug)]
pub(super) enum SeenAnswer {
    Page { kind: DocumentKind, all: BTreeSet<u64>, controls: BTreeSet<u64> },
    Redirect(Target),
}

/// Where a redirect leads.
#[derive(Debug)]
pub(super) struct Target {
    path: String,
    query: Vec<(String, String)>,
}

impl SeenPage {
    /// Its value of a parameter. `Err` where it has one that names no page.
    pub(super) fn value(&self, name: &str) -> Result<Option<&str>, ()> {
        match self.params.iter().find(|(own, _)| own == name) {
            None => Ok(None),
            Some((_, Some(value))) => Ok(Some(value)),
            Some((_, None)) => Err(()),
        }
    }

    /// Whether another differs from it in nothing but this parameter, and in those that are data.
    pub(super) fn differs_only_in(&self, other: &Self, name: &str, is_data: &dyn Fn(&str) -> bool) -> bool {
        let telling = |page: &Self| -> BTreeSet<(String, String)> {
            let others = page.params.iter().filter(|(own, _)| own != name && !is_data(own));
            others.filter_map(|(own, value)| Some((own.clone(), value.clone()?))).collect()
        };
        self.method == other.method && telling(self) == telling(other)
    }
}

/// The parameters as they are remembered.
pub(super) fn remembered(pairs: Vec<(String, String)>) -> Vec<(String, Option<String>)> {
    pairs.into_iter().map(|(name, value)| (name, Some(value).filter(|value| is_page_name(value)))).collect()
}

impl Target {
    /// Where a `Location` leads, seen from a page; none where that says nothing of the request: back where it came from, or
    /// where its own values said.
    pub(super) fn of(location: &str, referer: Option<&str>, sent: &[(String, String)]) -> Option<Self> {
        let address = without_origin(location);
        if referer.is_some_and(|referer| without_origin(referer) == address)
            || sent.iter().any(|(_, value)| !value.is_empty() && without_origin(value) == address)
        {
            return None;
        }
        let address = address.split('#').next().unwrap_or_default();
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let is_sent = |segment: &str| sent.iter().any(|(_, value)| !value.is_empty() && value == segment);
        let segments: Vec<&str> =
            path.split('/').map(|segment| if is_sent(segment) { "{sent}" } else { segment }).collect();
        Some(Self { path: segments.join("/"), query: Params::parse(query).pairs() })
    }

    /// The page it leads to: the first part of the path, and the values of parameters that lead to different pages. Further parts
    /// may be made of what was sent.
    pub(super) fn page(&self, rules: &KeyRules, found: &[PageParameter]) -> String {
        let template = rules.path_name(&self.path);
        let mut page: String = template.split('/').take(2).collect::<Vec<_>>().join("/");
        for (name, value) in &self.query {
            let leads = found.iter().chain(&rules.parameters.listed).chain(&rules.parameters.learnt);
            if leads.into_iter().any(|p| p.is(&self.path, &template, name)) && is_page_name(value) {
                page.push_str(&format!("&{name}={value}"));
            }
        }
        page
    }
}

/// An address without its scheme and host.
fn without_origin(address: &str) -> &str {
    match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => address,
    }
}
