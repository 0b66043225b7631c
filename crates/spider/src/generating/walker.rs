//! One sequence on the app, step by step: each request is made of what the page before it holds.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use restage_browser::{CookieJar, LoadedPage};
use restage_model::{ExchangeId, Headers, KeyRules, Moment, NewAnswer, NewRequest, NewStep};
use restage_replay::{ReplayError, Stage};
use restage_site::{ConstantTable, FormTarget, fill_fields, form_targets, link_node};

use crate::crawl::Outgoing;
use crate::generating::form_values::FormValues;
use crate::generating::submissions::{SubmissionMemory, candidates};
use crate::page_answer::PageAnswer;
use crate::sessions::{Traffic, offered_by};

/// A detour takes so many steps at the most.
const DETOUR: usize = 4;
/// So many detours are tried: ways of the map may not be there now.
const DETOURS: usize = 4;
/// A form is sent so many times in a row until its answer leads where it is to lead.
const RESENDS: usize = 8;
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
    /// Whether it matters which node a step begins at: edges are to be covered.
    pub(crate) by_edges: bool,
}

/// What is learnt while a user's sequences are walked.
#[derive(Debug)]
pub(crate) struct Learnt<'v> {
    /// Which values come next.
    pub(crate) values: &'v mut FormValues,
    /// Which submissions lead where.
    pub(crate) submissions: SubmissionMemory,
}

/// A request that a page leads to.
struct Way {
    outgoing: Outgoing,
    /// The recorded requests that its values come from.
    from: Vec<ExchangeId>,
    /// Of a form, which of its candidates it is sent with.
    submission: Option<usize>,
}

/// A sequence on its way.
pub(crate) struct Walker<'w, 'v, 's, 'p> {
    around: &'w Surroundings<'w>,
    stage: &'s mut Stage<'p>,
    learnt: &'w mut Learnt<'v>,
    jar: CookieJar,
    at: Moment,
    /// The form that was sent with the last step that somebody took, and which of its candidates.
    sent: Option<(String, usize)>,
    /// The page that is before the user.
    page: Option<PageAnswer>,
    /// The nodes that redirects led to since the last step that somebody took.
    by_itself: VecDeque<String>,
    /// The ways that are not there, in the state that is now.
    absent: HashSet<(String, String)>,
    /// The ways that are not there after the forms either that the map says they come after.
    unable: HashSet<(String, String)>,
    /// Whether forms are being sent for a way to be there.
    enabling: bool,
    pub(crate) steps: Vec<NewStep>,
    /// The nodes that were visited.
    pub(crate) visited: Vec<String>,
}

impl<'w, 'v, 's, 'p> Walker<'w, 'v, 's, 'p> {
    pub(crate) fn new(
        around: &'w Surroundings<'w>,
        stage: &'s mut Stage<'p>,
        learnt: &'w mut Learnt<'v>,
        jar: CookieJar,
        at: Moment,
    ) -> Self {
        Self {
            around,
            stage,
            learnt,
            jar,
            at,
            sent: None,
            page: None,
            by_itself: VecDeque::new(),
            absent: HashSet::new(),
            unable: HashSet::new(),
            enabling: false,
            steps: Vec::new(),
            visited: Vec::new(),
        }
    }

    /// Begins at an address.
    pub(crate) fn begin(&mut self, node: &str, uri: &str) -> Result<(), ReplayError> {
        self.send(node, &Outgoing::get(uri), "", &[])
    }

    /// Goes along a sequence from where it is; what cannot be reached, by a detour neither, is passed over.
    pub(crate) fn walk(&mut self, sequence: &[String]) -> Result<(), ReplayError> {
        let mut misses = 0;
        for (place, node) in sequence.iter().enumerate() {
            // A browser that is sent there goes by itself.
            if let Some(at) = self.by_itself.iter().position(|gone| gone == node) {
                self.by_itself.drain(..=at);
                continue;
            }
            let next = sequence.get(place + 1).map(String::as_str).filter(|_| self.around.by_edges);
            if self.reach(node, next)? {
                misses = 0;
                continue;
            }
            misses += 1;
            if misses == MISSES {
                break;
            }
        }
        Ok(())
    }

    /// Goes to a node, directly or by a detour. Whether it got there.
    fn reach(&mut self, node: &str, next: Option<&str>) -> Result<bool, ReplayError> {
        let there = self.step_to(node, next)?
            || self.enable(node, next)?
            || self.resend_to(node, next)?
            || self.go_round(node, next)?;
        if there && let Some(next) = next {
            self.resend(node, next)?;
        }
        Ok(there)
    }

    /// Sends the forms that make a way from here to a node be there, comes back, and takes it. Whether that worked.
    fn enable(&mut self, node: &str, next: Option<&str>) -> Result<bool, ReplayError> {
        let around = self.around;
        let Some(here) = self.visited.last().cloned() else { return Ok(false) };
        let way = (here, node.to_owned());
        let Some(forms) = around.after.get(&way).filter(|_| !self.enabling && !self.unable.contains(&way))
        else {
            return Ok(false);
        };
        self.enabling = true;
        let is_back = self.send_forms(forms, &way);
        self.enabling = false;
        let there = is_back? && self.step_to(node, next)?;
        if !there {
            self.unable.insert(way);
        }
        Ok(there)
    }

    /// Sends forms, and comes back to where a way begins.
    fn send_forms(&mut self, forms: &[String], (here, node): &(String, String)) -> Result<bool, ReplayError> {
        for form in forms.iter().filter(|form| *form != node) {
            // Not every form that was sent before is needed: one that is not there may be none of those.
            let is_here = self.visited.last() == Some(form);
            let _ = is_here || self.step_to(form, None)? || self.go_round(form, None)?;
        }
        let is_back = self.visited.last() == Some(here);
        Ok(is_back || self.step_to(here, Some(node))? || self.go_round(here, Some(node))?)
    }

    /// Sends the form that was sent last once more, so that it leads to a node, and goes there. Whether that worked.
    fn resend_to(&mut self, node: &str, next: Option<&str>) -> Result<bool, ReplayError> {
        let Some((form, _)) = self.sent.clone() else { return Ok(false) };
        let leads = self.around.ways.get(&form).is_some_and(|ways| ways.iter().any(|way| way == node));
        if !leads {
            return Ok(false);
        }
        self.resend(&form, node)?;
        self.step_to(node, next)
    }

    /// Sends a form once more with other values, until its answer leads where it is to lead: one that is refused has other ways than one that
    /// is taken.
    fn resend(&mut self, form: &str, next: &str) -> Result<(), ReplayError> {
        let around = self.around;
        for _ in 0..RESENDS {
            let Some((_, place)) = self.sent.clone().filter(|(sent, _)| sent == form) else { return Ok(()) };
            let led = self.learnt.submissions.leads(form, place, next) == Some(true);
            if led || (!around.by_edges && self.is_offered(next)) {
                return Ok(());
            }
            let candidates = candidates(&around.traffic.lookup, form, around.user);
            let choice = self.learnt.submissions.choose(form, Some(next), &candidates);
            if choice == place || self.learnt.submissions.leads(form, choice, next) == Some(false) {
                return Ok(());
            }
            if !self.step_to(form, Some(next))? && !self.go_round(form, Some(next))? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether the page that is before the user leads to a node, or has led there by itself.
    fn is_offered(&self, node: &str) -> bool {
        let page = self.page.as_ref().and_then(|answer| answer.page.as_ref());
        self.by_itself.iter().any(|gone| gone == node)
            || page.is_some_and(|page| offered_by(self.around.rules, page).contains(node))
    }

    /// Goes to a node by other ways than directly. Whether it got there.
    fn go_round(&mut self, node: &str, next: Option<&str>) -> Result<bool, ReplayError> {
        for _ in 0..DETOURS {
            let Some(way) = self.detour(node) else { return Ok(false) };
            let mut arrived = true;
            for (place, stop) in way.iter().enumerate() {
                let after = way.get(place + 1).map(String::as_str);
                let next = if after.is_none() { next } else { after.filter(|_| self.around.by_edges) };
                if let Some(at) = self.by_itself.iter().position(|gone| gone == stop) {
                    self.by_itself.drain(..=at);
                } else if !self.step_to(stop, next)? && !self.enable(stop, next)? {
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

    /// The shortest way to a node by ways that are not known to be absent, or can be made to be there.
    fn detour(&self, node: &str) -> Option<Vec<String>> {
        let here = self.visited.last()?;
        let mut before: HashMap<&str, &str> = HashMap::new();
        let mut seen: HashSet<&str> = HashSet::from([here.as_str()]);
        let mut open = VecDeque::from([(here.as_str(), 0)]);
        while let Some((at, far)) = open.pop_front() {
            for next in self.around.ways.get(at).into_iter().flatten() {
                let way = (at.to_owned(), next.clone());
                let enabled =
                    !self.enabling && self.around.after.contains_key(&way) && !self.unable.contains(&way);
                let absent = self.absent.contains(&way) && !enabled;
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

    /// Takes a step to a node that the page leads to, so that it leads to the next one where that can be chosen. Whether the page does.
    fn step_to(&mut self, node: &str, next: Option<&str>) -> Result<bool, ReplayError> {
        let Some(answer) = self.page.take() else { return Ok(false) };
        let found = match &answer.page {
            Some(page) => self.way_to(page, node, next),
            None => None,
        };
        let referer = answer.url.to_string();
        self.page = Some(answer);
        let Some(Way { outgoing, from, submission }) = found else {
            let here = self.visited.last().cloned().unwrap_or_default();
            self.absent.insert((here, node.to_owned()));
            return Ok(false);
        };
        self.sent = submission.map(|place| (node.to_owned(), place));
        self.send(node, &outgoing, &referer, &from)?;
        if outgoing.method != "GET" {
            // What was not there may be there now.
            self.absent.clear();
        }
        Ok(true)
    }

    /// The request that leads from a page to a node.
    fn way_to(&mut self, page: &LoadedPage, node: &str, next: Option<&str>) -> Option<Way> {
        let around = self.around;
        let links = page.links().iter().filter(|link| !link.href.starts_with('#'));
        let mut links = links.filter_map(|link| page.uri(&link.href)).filter(|uri| uri.starts_with('/'));
        if let Some(uri) = links.find(|uri| link_node(around.rules, uri) == node) {
            return Some(Way { outgoing: Outgoing::get(&uri), from: Vec::new(), submission: None });
        }
        let forms = form_targets(around.rules, page);
        let form: &FormTarget<'_> = forms.iter().find(|form| form.node == node)?;
        let candidates = candidates(&around.traffic.lookup, node, around.user);
        let place = self.learnt.submissions.choose(node, next, &candidates);
        let submission = candidates.get(place).copied().flatten();
        let mut filled =
            fill_fields(form.form, form.button, submission, &around.traffic.lookup, around.constants);
        // A form that is sent for what comes after it is sent as it was taken or refused then.
        if place == 0 && !self.enabling {
            self.learnt.values.apply(node, form.form, &mut filled);
        }
        Some(Way { outgoing: Outgoing::submit(form, &filled), from: filled.from, submission: Some(place) })
    }

    /// Notes where the answer to a form leads.
    fn note_answer(&mut self, answer: &PageAnswer) {
        let Some((form, place)) = &self.sent else { return };
        let led_to = match (&answer.redirect, &answer.page) {
            (Some(uri), _) => BTreeSet::from([link_node(self.around.rules, uri)]),
            (None, Some(page)) => offered_by(self.around.rules, page),
            (None, None) => BTreeSet::new(),
        };
        self.learnt.submissions.note(form, *place, led_to);
    }

    /// Sends a request, takes in its answer, and follows where it sends the browser.
    fn send(
        &mut self,
        node: &str,
        outgoing: &Outgoing,
        referer: &str,
        from: &[ExchangeId],
    ) -> Result<(), ReplayError> {
        self.by_itself.clear();
        let why = match self.visited.last() {
            Some(before) => format!("leads from {before} to {node}"),
            None => format!("begins at {node}"),
        };
        let mut answer = self.exchange(node, outgoing, referer, &why, from)?;
        if let Some(answer) = &answer {
            self.note_answer(answer);
        }
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
        from: &[ExchangeId],
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
