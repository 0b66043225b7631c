//! All paths and parameters, in bounded memory.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use restage_model::{Exchange, KeyRules, PageParameter, Params, Request, body_fields};

use super::evidence::{Evidence, Finding};
use super::page_features::{DocumentKind, PageFeatures};
use super::seen_page::{SeenAnswer, SeenPage, Target, remembered};
use crate::source::{ExchangeSource, SourceError};

/// A parameter with more values is data.
const MANY: usize = 60;
/// How many answers to requests with the same values are looked at. More would tell nothing new.
const SAME: usize = 3;
/// How many answers of one path are looked at, and how many paths.
const PAGES: usize = 400;
const PATHS: usize = 2_000;
/// Larger bodies are no pages.
const LARGEST: u64 = 4 << 20;
/// What is found of one parameter may say something of another; so often it is looked again.
const ROUNDS: usize = 3;

/// Looks at exchanges, one after another, in any order.
#[derive(Debug, Default)]
pub struct ParameterLearner {
    rules: KeyRules,
    /// By what keys call the path.
    paths: BTreeMap<String, SeenPath>,
    /// On how many paths something of a page is.
    on_paths: HashMap<u64, usize>,
}

/// What was seen of a path.
#[derive(Debug, Default)]
struct SeenPath {
    pages: Vec<SeenPage>,
    /// How many answers were looked at, by what was asked.
    asked: HashMap<String, usize>,
    /// The values of each parameter that may name a page, as far as they count.
    values: BTreeMap<String, BTreeSet<String>>,
    /// Parameters that users type.
    typed: HashSet<String>,
    /// All that its pages are built of.
    features: HashSet<u64>,
}

impl ParameterLearner {
    /// A learner for paths that are called by these rules. What they know is not learnt again.
    pub fn new(rules: KeyRules) -> Self {
        Self { rules, ..Self::default() }
    }

    /// Takes in what is known by now.
    pub fn know(&mut self, learnt: impl IntoIterator<Item = PageParameter>) {
        self.rules.parameters.learnt.extend(learnt);
    }

    /// Looks at an exchange; whether it says something new. Bodies are read where they may.
    pub fn add(&mut self, exchange: &Exchange, source: &dyn ExchangeSource) -> Result<bool, SourceError> {
        let request = &exchange.request;
        let Some(response) = exchange.response.as_ref().filter(|_| request.uri.starts_with('/')) else {
            return Ok(false);
        };
        let redirects = matches!(response.status, 301 | 302 | 303 | 307 | 308);
        let kind = response.headers.media_type().and_then(|media_type| DocumentKind::of(&media_type));
        let has_page = (200..300).contains(&response.status)
            && kind.is_some()
            && response.body.id.is_some()
            && !response.body.cut
            && response.body.size <= LARGEST;
        if !redirects && !has_page {
            return Ok(false);
        }
        let name = self.rules.path_name(request.path()).into_owned();
        if self.paths.len() >= PATHS && !self.paths.contains_key(&name) {
            return Ok(false);
        }
        let sent = parameters(request, source)?;
        let params = remembered(sent.clone());
        let path = self.paths.entry(name).or_default();
        for (name, value) in &params {
            let Some(value) = value else { continue };
            let values = path.values.entry(name.clone()).or_default();
            if values.len() <= MANY && !values.contains(value) {
                values.insert(value.clone());
            }
        }
        let asked = path.asked.entry(format!("{} {params:?}", request.method)).or_default();
        if *asked >= SAME || path.pages.len() >= PAGES {
            return Ok(false);
        }
        *asked += 1;
        let answer = if redirects {
            let location = response.headers.get("location").unwrap_or_default();
            match Target::of(location, request.headers.get("referer"), &sent) {
                Some(target) => SeenAnswer::Redirect(target),
                None => return Ok(false),
            }
        } else {
            let Some(kind) = kind else { return Ok(false) };
            let PageFeatures { all, controls, typed } = PageFeatures::of(kind, &source.body(&response.body)?);
            for feature in &all {
                if path.features.insert(*feature) {
                    *self.on_paths.entry(*feature).or_default() += 1;
                }
            }
            self.note_typed(request, typed);
            SeenAnswer::Page { kind, all, controls }
        };
        let name = self.rules.path_name(request.path()).into_owned();
        let pages = &mut self.paths.entry(name).or_default().pages;
        pages.push(SeenPage { method: request.method.clone(), params, answer });
        Ok(true)
    }

    /// What was learnt beyond the rules, in order of its text.
    pub fn learnt(&self) -> Vec<PageParameter> {
        let mut data: BTreeSet<(&str, &str)> = BTreeSet::new();
        let mut open: Vec<(&str, &str)> = Vec::new();
        for (path, seen) in &self.paths {
            for (name, values) in &seen.values {
                if seen.typed.contains(name) || values.len() > MANY {
                    data.insert((path, name));
                } else if values.len() > 1 && !self.rules.parameters.knows(path, path, name) {
                    open.push((path, name));
                }
            }
        }
        let known_data = data.clone();
        let mut found: Vec<PageParameter> = Vec::new();
        for _ in 0..ROUNDS {
            let (mut pages, mut as_data) = (Vec::new(), known_data.clone());
            for (path, name) in &open {
                match self.finding(path, name, &data, &found) {
                    Finding::Pages => pages.push(PageParameter::of_path(path, name)),
                    Finding::Data => {
                        as_data.insert((path, name));
                    }
                    Finding::Unknown => {}
                }
            }
            let settled = pages == found && as_data == data;
            (found, data) = (pages, as_data);
            if settled {
                break;
            }
        }
        found.sort_by_key(ToString::to_string);
        found
    }

    fn finding(
        &self,
        path: &str,
        name: &str,
        data: &BTreeSet<(&str, &str)>,
        found: &[PageParameter],
    ) -> Finding {
        let Some(seen) = self.paths.get(path) else { return Finding::Unknown };
        let is_elsewhere = |feature: u64| {
            let own = usize::from(seen.features.contains(&feature));
            self.on_paths.get(&feature).is_some_and(|paths| *paths > own)
        };
        let others = self.paths.iter().any(|(other, seen)| other != path && !seen.features.is_empty());
        let evidence = Evidence {
            pages: &seen.pages,
            rules: &self.rules,
            found,
            is_data: &|name| data.contains(&(path, name)),
            is_elsewhere: others.then_some(&is_elsewhere as &dyn Fn(u64) -> bool),
        };
        evidence.of(name)
    }

    /// Takes in the fields that users type into, by the path that they are sent to.
    fn note_typed(&mut self, request: &Request, typed: Vec<(String, String)>) {
        for (action, name) in typed {
            let action = action.split(['?', '#']).next().unwrap_or_default();
            let path = match action.split_once("://") {
                Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]).to_owned(),
                None if action.is_empty() => request.path().to_owned(),
                None if action.starts_with('/') => action.to_owned(),
                None => {
                    let folder = request.path().rsplit_once('/').map_or("", |(folder, _)| folder);
                    format!("{folder}/{action}")
                }
            };
            let path = self.rules.path_name(&path).into_owned();
            if self.paths.len() < PATHS || self.paths.contains_key(&path) {
                self.paths.entry(path).or_default().typed.insert(name);
            }
        }
    }
}

/// The parameters of a query and of a body.
fn parameters(request: &Request, source: &dyn ExchangeSource) -> Result<Vec<(String, String)>, SourceError> {
    let mut all = Params::parse(request.query()).pairs();
    if request.body.id.is_some() && request.body.size <= LARGEST {
        all.extend(body_fields(request, &source.body(&request.body)?));
    }
    Ok(all)
}
