//! One sequence on the app, step by step: each request is made of what the page before it holds.

use std::collections::{HashMap, HashSet, VecDeque};

use restage_browser::{CookieJar, LoadedPage};
use restage_model::{Headers, KeyRules, Moment, NewAnswer, NewRequest, NewStep};
use restage_replay::{ReplayError, Stage};
use restage_site::{ConstantTable, FormTarget, fill_fields, form_targets, link_node};

use crate::crawl::Outgoing;
use crate::generating::form_values::FormValues;
use crate::page_answer::PageAnswer;
use crate::sessions::Traffic;

/// A detour takes so many steps at the most.
const DETOUR: usize = 4;
/// So many detours are tried: ways of the map may not be there now.
const DETOURS: usize = 4;
/// A browser gives up after so many redirects.
const HOPS: usize = 8;
/// Where so many nodes in a row cannot be reached, the rest of the sequence is given up.
const MISSES: usize = 8;
/// A second.
const TICK: i64 = 1_000_000;

/// What stays the same for all sequences of a user.
pub(crate) struct Surroundings<'a> {
    pub(crate) rules: &'a KeyRules,
    pub(crate) traffic: &'a Traffic,
    pub(crate) constants: &'a ConstantTable,
    pub(crate) user: &'a str,
    pub(crate) browser: &'a Headers,
    /// Where one can go from each node.
    pub(crate) ways: &'a HashMap<String, Vec<String>>,
    /// The forms that have to be sent before a way is there, by where it begins and leads.
    pub(crate) after: &'a HashMap<(String, String), Vec<String>>,
}

/// A sequence on its way.
pub(crate) struct Walker<'w, 's, 'p> {
    around: &'w Surroundings<'w>,
    stage: &'s mut Stage<'p>,
    values: &'w mut FormValues,
    jar: CookieJar,
    at: Moment,
    /// The page that is before the user.
    page: Option<PageAnswer>,
    /// The nodes that redirects led to since the last step that somebody took.
    by_itself: VecDeque<String>,
    /// The ways that are not there, in the state that is now.
    absent: HashSet<(String, String)>,
    pub(crate) steps: Vec<NewStep>,
    /// The nodes that were visited.
    pub(crate) visited: Vec<String>,
    /// The ways that were not there: from where, and to where.
    pub(crate) missed: Vec<(String, String)>,
}

impl<'w, 's, 'p> Walker<'w, 's, 'p> {
    pub(crate) fn new(
        around: &'w Surroundings<'w>,
        stage: &'s mut Stage<'p>,
        values: &'w mut FormValues,
        jar: CookieJar,
        at: Moment,
    ) -> Self {
        Self {
            around,
            stage,
            values,
            jar,
            at,
            page: None,
            by_itself: VecDeque::new(),
            absent: HashSet::new(),
            steps: Vec::new(),
            visited: Vec::new(),
            missed: Vec::new(),
        }
    }

    /// Begins at an address.
    pub(crate) fn begin(&mut self, node: &str, uri: &str) -> Result<(), ReplayError> {
        self.send(node, &Outgoing::get(uri), "", &[])
    }

    /// Goes along a sequence from where it is; what cannot be reached, by a detour neither, is noted and passed over.
    pub(crate) fn walk(&mut self, sequence: &[String]) -> Result<(), ReplayError> {
        let mut misses = 0;
        for node in sequence {
            // A browser that is sent there goes by itself.
            if let Some(at) = self.by_itself.iter().position(|gone| gone == node) {
                self.by_itself.drain(..=at);
                continue;
            }
            if self.reach(node)? {
                misses = 0;
                continue;
            }
            let here = self.visited.last().cloned().unwrap_or_default();
            self.missed.push((here, node.clone()));
            misses += 1;
            if misses == MISSES {
                break;
            }
        }
        Ok(())
    }

    /// Goes to a node, directly or by a detour. Whether it got there.
    fn reach(&mut self, node: &str) -> Result<bool, ReplayError> {
        if self.step_to(node)? || self.enable(node)? {
            return Ok(true);
        }
        self.go_round(node)
    }

    /// Sends the forms that make a way from here to a node be there, comes back, and takes it. Whether that worked.
    fn enable(&mut self, node: &str) -> Result<bool, ReplayError> {
        let around = self.around;
        let Some(here) = self.visited.last().cloned() else { return Ok(false) };
        let Some(forms) = around.after.get(&(here.clone(), node.to_owned())) else { return Ok(false) };
        for form in forms.iter().filter(|form| *form != node) {
            if self.visited.last() != Some(form) && !self.step_to(form)? && !self.go_round(form)? {
                return Ok(false);
            }
        }
        let is_back = self.visited.last() == Some(&here) || self.step_to(&here)? || self.go_round(&here)?;
        Ok(is_back && self.step_to(node)?)
    }

    /// Goes to a node by other ways than directly. Whether it got there.
    fn go_round(&mut self, node: &str) -> Result<bool, ReplayError> {
        for _ in 0..DETOURS {
            let Some(way) = self.detour(node) else { return Ok(false) };
            let mut arrived = true;
            for next in &way {
                if let Some(at) = self.by_itself.iter().position(|gone| gone == next) {
                    self.by_itself.drain(..=at);
                } else if !self.step_to(next)? {
                    arrived = false;
                    break;
                }
            }
            if arrived {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The shortest way to a node by ways that are not known to be absent.
    fn detour(&self, node: &str) -> Option<Vec<String>> {
        let here = self.visited.last()?;
        let mut before: HashMap<&str, &str> = HashMap::new();
        let mut seen: HashSet<&str> = HashSet::from([here.as_str()]);
        let mut open = VecDeque::from([(here.as_str(), 0)]);
        while let Some((at, far)) = open.pop_front() {
            for next in self.around.ways.get(at).into_iter().flatten() {
                let absent = self.absent.contains(&(at.to_owned(), next.clone()));
                if absent || far >= DETOUR || !seen.insert(next) {
                    continue;
                }
                before.insert(next, at);
                if next == node {
                    let mut way = vec![next.clone()];
                    while let Some(&earlier) =
                        before.get(way[way.len() - 1].as_str()).filter(|at| *at != here)
                    {
                        way.push(earlier.to_owned());
                    }
                    way.reverse();
                    return Some(way);
                }
                open.push_back((next, far + 1));
            }
        }
        None
    }

    /// Takes a step to a node that the page leads to. Whether it does.
    fn step_to(&mut self, node: &str) -> Result<bool, ReplayError> {
        let Some(answer) = self.page.take() else { return Ok(false) };
        let found = match &answer.page {
            Some(page) => self.way_to(page, node),
            None => None,
        };
        let referer = answer.url.to_string();
        self.page = Some(answer);
        let Some((outgoing, from)) = found else {
            let here = self.visited.last().cloned().unwrap_or_default();
            self.absent.insert((here, node.to_owned()));
            return Ok(false);
        };
        self.send(node, &outgoing, &referer, &from)?;
        if outgoing.method != "GET" {
            // What was not there may be there now.
            self.absent.clear();
        }
        Ok(true)
    }

    /// The request that leads from a page to a node, and the recorded requests that its values come from.
    fn way_to(
        &mut self,
        page: &LoadedPage,
        node: &str,
    ) -> Option<(Outgoing, Vec<restage_model::ExchangeId>)> {
        let around = self.around;
        let links = page.links().iter().filter(|link| !link.href.starts_with('#'));
        let mut links = links.filter_map(|link| page.uri(&link.href)).filter(|uri| uri.starts_with('/'));
        if let Some(uri) = links.find(|uri| link_node(around.rules, uri) == node) {
            return Some((Outgoing::get(&uri), Vec::new()));
        }
        let forms = form_targets(around.rules, page);
        let form: &FormTarget<'_> = forms.iter().find(|form| form.node == node)?;
        let submissions = around.traffic.lookup.of_form(node, around.user);
        let submission = submissions.into_iter().find(|submission| submission.accepted);
        let mut filled =
            fill_fields(form.form, form.button, submission, &around.traffic.lookup, around.constants);
        self.values.apply(node, form.form, &mut filled);
        Some((Outgoing::submit(form, &filled), filled.from))
    }

    /// Sends a request, takes in its answer, and follows where it sends the browser.
    fn send(
        &mut self,
        node: &str,
        outgoing: &Outgoing,
        referer: &str,
        from: &[restage_model::ExchangeId],
    ) -> Result<(), ReplayError> {
        self.by_itself.clear();
        let why = match self.visited.last() {
            Some(before) => format!("leads from {before} to {node}"),
            None => format!("begins at {node}"),
        };
        let mut answer = self.exchange(node, outgoing, referer, &why, from)?;
        let mut hops = 0;
        while let Some(uri) =
            answer.as_ref().and_then(|answer| answer.redirect.clone()).filter(|_| hops < HOPS)
        {
            hops += 1;
            let node = link_node(self.around.rules, &uri);
            self.by_itself.push_back(node.clone());
            answer = self.exchange(&node, &Outgoing::get(&uri), referer, "follows a redirect", &[])?;
        }
        // Where the answer is no page, the one before is still before the user.
        if let Some(answer) = answer.filter(|answer| answer.page.is_some()) {
            self.page = Some(answer);
        }
        Ok(())
    }

    fn exchange(
        &mut self,
        node: &str,
        outgoing: &Outgoing,
        referer: &str,
        why: &str,
        from: &[restage_model::ExchangeId],
    ) -> Result<Option<PageAnswer>, ReplayError> {
        self.at = Moment(self.at.0 + TICK);
        let sent = outgoing.headers(self.around.browser, &self.jar, Some(referer).filter(|r| !r.is_empty()));
        let fetched = self.stage.send(&outgoing.method, &outgoing.uri, &sent, &outgoing.body)?;
        let mut request =
            NewRequest::generated(self.at, &outgoing.method, &outgoing.uri, "generate", why, from);
        request.body.clone_from(&outgoing.body);
        request.headers = sent.clone();
        for own in ["cookie", "content-length"] {
            request.headers.remove(own);
        }
        self.visited.push(node.to_owned());
        let answer = fetched.ok().map(|fetched| {
            self.jar.receive(&outgoing.uri, &fetched.headers);
            let answer =
                PageAnswer::of(&sent, &outgoing.uri, fetched.status, &fetched.headers, &fetched.body);
            request.answer =
                Some(NewAnswer { status: fetched.status, headers: fetched.headers, body: fetched.body });
            answer
        });
        self.steps.push(NewStep::New(Box::new(request)));
        Ok(answer)
    }

    /// When the last step counts as sent.
    pub(crate) fn ended(&self) -> Moment {
        self.at
    }
}
