//! A session on its way to being valid on the new version.

use restage_replay::{ReplayError, Stage};
use restage_site::repair::{Cause, Repair};

use super::candidate::Candidate;
use super::halves::SecondHalf;
use super::memory::Memory;
use crate::context::Context;
use crate::intent::Verdict;
use crate::live::{Planned, Start, Walk};
use crate::old::OldSession;

/// What was chosen for a step of the old session.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    /// The steps that stand for it, with those that were put in; none where it was left out.
    pub(crate) steps: Vec<Planned>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) verdict: Verdict,
    /// What was done.
    pub(super) candidate: Candidate,
    /// What was not tried yet.
    pub(super) left: Vec<Candidate>,
    /// The page of which walk step is the page of this step, where it was left out since that is there already.
    pub(super) shown_by: Option<usize>,
}

impl Chosen {
    /// Whether it came out as intended.
    pub(crate) fn is_good(&self) -> bool {
        self.verdict.is_good()
    }

    /// Whether it was accepted, and leads to another page than on the old version.
    pub(super) fn leads_elsewhere(&self) -> bool {
        self.repairs.iter().any(|repair| repair.cause == Cause::LeadsElsewhere)
    }
}

/// A session on its way.
pub(crate) struct Search<'s, 'p, 'a> {
    pub(super) stage: &'s mut Stage<'p>,
    pub(super) context: &'a Context<'a>,
    pub(super) session: &'a OldSession,
    pub(super) memory: &'s mut Memory,
    start: Start,
    pub(super) walk: Walk,
    /// What was chosen for each step so far.
    pub(super) chosen: Vec<Chosen>,
    /// Whether something was sent since that was not chosen.
    pub(super) astray: bool,
    /// How much was tried.
    pub(super) tries: usize,
    /// How much may be tried.
    pub(super) most_tries: usize,
    /// Where the second half begins, and what logs its user in, where the session has become two.
    half: Option<(usize, Vec<Planned>)>,
}

impl<'s, 'p, 'a> Search<'s, 'p, 'a> {
    /// A session that begins with a state.
    pub(crate) fn new(
        stage: &'s mut Stage<'p>,
        context: &'a Context<'a>,
        session: &'a OldSession,
        memory: &'s mut Memory,
        start: Start,
        most_tries: usize,
    ) -> Result<Self, ReplayError> {
        let walk = Walk::begin(stage, &start)?;
        Ok(Self {
            stage,
            context,
            session,
            memory,
            start,
            walk,
            chosen: Vec::new(),
            astray: false,
            tries: 0,
            most_tries,
            half: None,
        })
    }

    /// Goes back to where all that was chosen is done, and nothing else.
    pub(super) fn return_to_chosen(&mut self) -> Result<(), ReplayError> {
        if !self.astray {
            return Ok(());
        }
        let half = self.half.clone();
        self.begin(half.as_ref())?;
        let from = half.map_or(0, |half| half.0);
        let steps: Vec<(Vec<Planned>, Option<usize>, usize)> = (from..self.chosen.len())
            .map(|at| (self.chosen[at].steps.clone(), self.chosen[at].shown_by, at))
            .collect();
        for (steps, shown_by, at) in steps {
            for planned in steps {
                self.send(planned)?;
            }
            self.note_shown(shown_by, at);
        }
        Ok(())
    }

    /// Begins anew: the session, or its second half after the first.
    fn begin(&mut self, half: Option<&(usize, Vec<Planned>)>) -> Result<(), ReplayError> {
        self.walk = Walk::begin(self.stage, &self.start)?;
        self.astray = false;
        if let Some((at, login)) = half {
            let first: Vec<Planned> = self.chosen[..*at].iter().flat_map(|c| c.steps.clone()).collect();
            for planned in first {
                self.send(planned)?;
            }
            self.walk = Walk::go_on(self.stage)?;
            for planned in login.clone() {
                self.send(planned)?;
            }
        }
        Ok(())
    }

    /// Begins the second half of a session, after what was chosen for the first.
    pub(super) fn begin_half(&mut self, first: &[Chosen], half: &SecondHalf) -> Result<(), ReplayError> {
        self.chosen = first.to_vec();
        self.half = Some((half.at, half.login.clone()));
        self.astray = true;
        self.return_to_chosen()
    }

    /// Sends a step that is part of what is chosen, or becomes it.
    pub(super) fn send(&mut self, planned: Planned) -> Result<(), ReplayError> {
        self.walk.add(self.stage, &planned)?;
        self.walk.send(self.stage, self.context.rules, planned)?;
        Ok(())
    }

    /// The page of a step that was left out is one that is there.
    pub(super) fn note_shown(&mut self, shown_by: Option<usize>, at: usize) {
        if let Some(step) = shown_by.and_then(|page| self.walk.steps.get_mut(page)) {
            step.planned.shows.push(at);
        }
    }

    /// Takes what came of a trial, which was the last thing that was sent or is done again.
    pub(super) fn choose(&mut self, chosen: Chosen, is_done: bool) -> Result<(), ReplayError> {
        let at = self.chosen.len();
        if !is_done {
            self.astray |= self.is_ahead();
            self.return_to_chosen()?;
            for planned in chosen.steps.clone() {
                self.send(planned)?;
            }
        }
        self.note_shown(chosen.shown_by, at);
        self.astray = false;
        self.chosen.push(chosen);
        Ok(())
    }

    /// Whether more was sent than was chosen.
    fn is_ahead(&self) -> bool {
        let (from, login) = self.half.as_ref().map_or((0, 0), |(at, login)| (*at, login.len()));
        let chosen: usize = self.chosen[from..].iter().map(|chosen| chosen.steps.len()).sum();
        self.walk.steps.len() > chosen + login
    }

    /// Takes back all that was chosen from a step on.
    pub(super) fn take_back(&mut self, to: usize) {
        self.chosen.truncate(to);
        self.astray = true;
    }

    /// The step of the old session that is next.
    pub(super) fn at(&self) -> usize {
        self.chosen.len()
    }

    /// What the page was called that a step came from.
    pub(super) fn origin_node(&self, at: usize) -> String {
        let from = self.session.steps[at].from;
        from.map(|from| self.session.steps[from].node.clone()).unwrap_or_default()
    }

    /// How much of the session came out as intended.
    pub(super) fn score(&self) -> f64 {
        self.chosen
            .iter()
            .map(|chosen| if chosen.is_good() { chosen.verdict.score.max(0.2) } else { 0.0 })
            .sum()
    }

    /// How much was tried.
    pub(crate) fn tries(&self) -> usize {
        self.tries
    }

    /// Does all that was chosen once more, from the beginning, and looks at each step of the old session again. Where nothing is to be
    /// repaired, it was done just so already.
    pub(crate) fn confirm(
        &mut self,
        chosen: &[Chosen],
        second: Option<(&SecondHalf, &[Chosen])>,
    ) -> Result<Vec<Verdict>, ReplayError> {
        let all: Vec<Chosen> =
            chosen.iter().chain(second.iter().flat_map(|(_, second)| second.iter())).cloned().collect();
        self.half = None;
        self.chosen = chosen.to_vec();
        self.astray = true;
        self.return_to_chosen()?;
        let mut verdicts = self.verdicts(0, 0);
        if let Some((half, _)) = second {
            self.half = Some((half.at, half.login.clone()));
            self.chosen = all;
            self.astray = true;
            self.return_to_chosen()?;
            verdicts.extend(self.verdicts(half.at, half.login.len()));
        }
        Ok(verdicts)
    }

    /// What is thought of each step from a place on, after so many steps of the walk.
    fn verdicts(&self, from: usize, skipped: usize) -> Vec<Verdict> {
        let mut place = skipped;
        let mut verdicts = Vec::new();
        for (at, chosen) in self.chosen.iter().enumerate().skip(from) {
            if chosen.steps.is_empty() {
                verdicts.push(chosen.verdict.clone());
                continue;
            }
            let steps = &self.walk.steps[place..place + chosen.steps.len()];
            place += chosen.steps.len();
            let stale = steps.iter().find_map(|step| step.stale.clone());
            let Some(last) = steps.last() else { continue };
            let mut verdict = self.verdict(at, last);
            if chosen.leads_elsewhere() {
                verdict = self.or_accepted(at, steps, verdict).settled();
            }
            verdicts.push(match stale.filter(|_| !self.session.steps[at].was_stale) {
                Some(why) => verdict.stale(why),
                None => verdict,
            });
        }
        verdicts
    }
}
