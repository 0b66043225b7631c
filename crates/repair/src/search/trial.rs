//! Trying something on the application.

use std::collections::BTreeSet;

use restage_model::NewStep;
use restage_replay::ReplayError;
use restage_site::repair::{Cause, Repair};

use super::candidate::{Candidate, Move};
use super::session_search::{Chosen, Search};
use crate::intent::{Trouble, Verdict};
use crate::live::Planned;
use crate::old::Act;
use crate::ways::{Asked, Before, Inserted, form_between, go_along, offers, without_referer};

/// So many redirects in a row are followed.
const HOPS: usize = 5;
/// How sure it is that a request belongs that a redirect, or a way of the map, asks for.
const ADDED: f64 = 0.9;
/// How much a step that is left out is worth.
const LEFT_OUT: f64 = 0.3;

/// What a move comes to.
struct Resolved {
    planned: Planned,
    repairs: Vec<Repair>,
}

impl Search<'_, '_, '_> {
    /// Does all that a candidate says, and looks at what comes of it.
    pub(super) fn try_out(&mut self, candidate: &Candidate) -> Result<Chosen, ReplayError> {
        self.return_to_chosen()?;
        self.tries += 1;
        let (at, first) = (self.at(), self.walk.steps.len());
        let mut repairs: Vec<Repair> = Vec::new();
        let mut added: Vec<String> = Vec::new();
        let failed = |trouble| Chosen {
            steps: Vec::new(),
            repairs: Vec::new(),
            verdict: Verdict::bad(trouble),
            candidate: candidate.clone(),
            left: Vec::new(),
            shown_by: None,
        };
        for (nth, action) in candidate.moves.iter().enumerate() {
            if let Move::Drop { cause, what, shown_by } = action {
                return Ok(self.leave_out(candidate, *cause, what, *shown_by));
            }
            let Some(resolved) = self.resolve(at, action) else { return Ok(failed(Trouble::NotOffered)) };
            let Resolved { planned, repairs: own } = resolved;
            let stale = self.walk.add(self.stage, &planned)?;
            if let Some(why) = stale.filter(|_| self.counts_as_stale(at, action)) {
                self.walk.take_back(self.stage);
                return Ok(failed(Trouble::Stale(why)));
            }
            if !action.is_the_step() {
                added.push(line(&planned));
            }
            self.walk.send(self.stage, self.context.rules, planned)?;
            self.astray = true;
            for mut repair in own {
                repair.added.append(&mut added);
                repairs.push(repair);
            }
            let follows = matches!(candidate.moves.get(nth + 1), Some(Move::Go { edge, .. })
                if self.context.planner.network().edge(*edge).kind == restage_site::EdgeKind::Redirect);
            if !follows {
                // The session has the next request itself after the last that stands for the step.
                let is_last = action.is_the_step() || nth + 1 == candidate.moves.len();
                added.extend(self.follow_redirects(at, is_last)?);
            }
        }
        if !added.is_empty() {
            let what = format!("{} leads on by {}", self.session.steps[at].node, added.join(", "));
            let mut repair = Repair::new(Cause::StepAdded, at, what, ADDED);
            repair.added = added;
            repairs.push(repair);
        }
        if let Some(last) = self.walk.steps.last_mut() {
            last.planned.shows.push(at);
        }
        let steps: Vec<Planned> = self.walk.steps[first..].iter().map(|step| step.planned.clone()).collect();
        let verdict = match self.walk.latest() {
            Some(last) => self.verdict(at, last),
            None => Verdict::bad(Trouble::NotOffered),
        };
        let verdict = match self.walk.steps[first..].iter().find_map(|step| step.stale.clone()) {
            Some(why) if !self.session.steps[at].was_stale => verdict.stale(why),
            _ => self.or_accepted(at, &self.walk.steps[first..], verdict),
        };
        Ok(Chosen { steps, repairs, verdict, candidate: candidate.clone(), left: Vec::new(), shown_by: None })
    }

    /// Whether it matters that the live application does not offer what a step uses: not where it did not on the old version.
    fn counts_as_stale(&self, at: usize, action: &Move) -> bool {
        *action == Move::AsIs && !self.session.steps[at].was_stale
    }

    /// Sends a step as it was recorded, whatever comes of it.
    pub(super) fn keep_as_is(&mut self) -> Result<Chosen, ReplayError> {
        self.return_to_chosen()?;
        let (at, candidate) = (self.at(), Candidate::new(vec![Move::AsIs], 0.0));
        let mut planned = self.as_recorded(at);
        planned.shows.push(at);
        self.astray = true;
        self.send(planned.clone())?;
        let verdict = match self.walk.latest() {
            Some(last) => match &last.stale {
                Some(why) => self.verdict(at, last).stale(why.clone()),
                None => self.verdict(at, last),
            },
            None => Verdict::bad(Trouble::NotOffered),
        };
        Ok(Chosen {
            steps: vec![planned],
            repairs: Vec::new(),
            verdict,
            candidate,
            left: Vec::new(),
            shown_by: None,
        })
    }

    fn leave_out(&self, candidate: &Candidate, cause: Cause, what: &str, shown_by: Option<usize>) -> Chosen {
        let at = self.at();
        let mut repair = Repair::new(cause, at, what, if cause == Cause::StepJoined { 0.85 } else { 0.6 });
        repair.dropped.push(self.session.steps[at].line());
        Chosen {
            steps: Vec::new(),
            repairs: vec![repair],
            verdict: Verdict { score: LEFT_OUT, trouble: None, in_place: true },
            candidate: candidate.clone(),
            left: Vec::new(),
            shown_by,
        }
    }

    /// The request that a move makes now; none where it cannot be made.
    fn resolve(&self, at: usize, action: &Move) -> Option<Resolved> {
        let step = &self.session.steps[at];
        let before = self.before(at);
        let latest = || self.walk.latest_page();
        let resolved = |request, of, form, fields, repairs| Resolved {
            planned: planned(request, of, form, fields),
            repairs,
        };
        match action {
            Move::AsIs => Some(Resolved { planned: self.as_recorded(at), repairs: Vec::new() }),
            Move::Perform { page, nth } => {
                let page = match page {
                    Some(page) => *page,
                    // Where an answer sends the browser is on no page.
                    None if step.act == Act::Redirect => self.walk.steps.len().checked_sub(1)?,
                    None => latest()?,
                };
                let offer = offers(self.asked(at, page)).into_iter().nth(*nth)?;
                Some(resolved(offer.request, Some(at), offer.form, offer.fields, offer.repairs))
            }
            Move::Typed { uri } => {
                // Whoever typed the address types another one now.
                let (cause, what) = match step.act {
                    Act::Typed => {
                        let now = restage_site::link_node(self.context.rules, uri);
                        (Cause::PageMoved, format!("{} is {now} now", step.node))
                    }
                    _ => {
                        let what =
                            format!("no page leads to {} any more: its address is asked for", step.node);
                        (Cause::LinkGone, what)
                    }
                };
                let mut repair = Repair::new(cause, at, what.clone(), 0.5);
                repair.changed.push((step.line(), format!("{} {uri}", step.method())));
                let request = without_referer(&step.exchange, step.body.clone(), uri.clone(), &what);
                Some(resolved(request, Some(at), None, BTreeSet::new(), vec![repair]))
            }
            Move::Go { page, edge } => {
                let edge = self.context.planner.network().edge(*edge);
                let page = page.or_else(latest)?;
                let Inserted { request, form, fields } = go_along(before, page, edge)?;
                Some(resolved(request, None, form, fields, Vec::new()))
            }
            Move::Between { form, with_values } => {
                let Inserted { request, form, fields } = form_between(before, *form, *with_values)?;
                Some(resolved(request, None, form, fields, Vec::new()))
            }
            Move::Home { uri } => {
                let Inserted { request, form, fields } = before.ask_for(uri, "begins at the home page again");
                Some(resolved(request, None, form, fields, Vec::new()))
            }
            Move::Drop { .. } => None,
        }
    }

    pub(super) fn before(&self, at: usize) -> Before<'_> {
        Before { context: self.context, session: self.session, at, walk: &self.walk }
    }

    pub(super) fn asked(&self, at: usize, page: usize) -> Asked<'_> {
        Asked { context: self.context, session: self.session, at, walk: &self.walk, page }
    }

    fn as_recorded(&self, at: usize) -> Planned {
        let step = &self.session.steps[at];
        let is_form = matches!(step.act, Act::Form { .. }) || !step.is_get();
        let fields = step.form(&self.session.steps).map(crate::ways::visible_names).unwrap_or_default();
        Planned {
            step: NewStep::Stored(step.exchange.id),
            of: Some(at),
            shows: Vec::new(),
            form: is_form.then(|| step.node.clone()),
            fields,
            uri: step.exchange.request.uri.clone(),
            method: step.method().to_owned(),
        }
    }

    /// Follows where answers send the browser; what was asked for. After the step itself that is done only where the old version did
    /// not send the browser anywhere: else the session has the next request itself.
    fn follow_redirects(&mut self, at: usize, is_the_step: bool) -> Result<Vec<String>, ReplayError> {
        let mut added = Vec::new();
        if is_the_step && self.session.steps[at].expected().is_redirect() {
            return Ok(added);
        }
        while added.len() < HOPS
            && let Some(Inserted { request, form, fields }) = self.before(at).follow()
        {
            let planned = planned(request, None, form, fields);
            added.push(line(&planned));
            self.send(planned)?;
            self.astray = true;
        }
        Ok(added)
    }
}

fn planned(
    request: restage_model::NewRequest,
    of: Option<usize>,
    form: Option<String>,
    fields: BTreeSet<String>,
) -> Planned {
    let (uri, method) = (request.uri.clone(), request.method.clone());
    Planned { step: NewStep::New(Box::new(request)), of, shows: Vec::new(), form, fields, uri, method }
}

fn line(planned: &Planned) -> String {
    format!("{} {}", planned.method, planned.uri)
}
