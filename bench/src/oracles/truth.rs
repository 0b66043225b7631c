//! Where each fault shows: found with chance and the clock fixed, where every difference is the fault's.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bookstore::Fault;

use super::judging::Judging;
use super::trial::{Case, Trial};
use crate::Trouble;
use crate::seen::{Seen, SeenStep, seen};
use crate::subject::Subject;

/// Where each fault shows.
#[derive(Clone, Debug)]
pub struct Truth {
    /// One a fault.
    pub faults: Vec<Shown>,
    /// How many steps each session has.
    pub lengths: Vec<usize>,
}

/// Where a fault shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The fault.
    pub fault: Fault,
    /// Its run's steps.
    pub steps: Vec<SeenStep>,
    /// How many sessions leave other rows in the database.
    pub sessions: usize,
}

impl Shown {
    /// Whether any answer is another because of it.
    pub fn in_pages(&self) -> bool {
        self.steps.iter().any(|step| step.shows)
    }

    /// Whether the state is another because of it.
    pub fn in_state(&self) -> bool {
        self.sessions > 0
    }

    /// By whom each step of a run with this fault fails, beside whether the fault shows there.
    pub fn beside(&self, verdicts: Vec<Seen>) -> Vec<(bool, Seen)> {
        self.steps.iter().map(|step| step.shows).zip(verdicts).collect()
    }
}

impl Truth {
    /// Replays every fault.
    pub fn find(stop: Arc<AtomicBool>) -> Result<Self, Trouble> {
        let (mut subject, baseline) = Subject::fixed(stop)?;
        let (_, clean) = subject.replayed_with_rows(&baseline, "clean rows", &[])?;
        let mut faults = Vec::new();
        for &fault in Fault::ALL {
            let (run, left) = subject.replayed_with_rows(&baseline, fault.name(), &[fault])?;
            let steps = seen(&subject.project.store, &baseline, &run)?;
            let sessions = left.iter().zip(&clean).filter(|(is, was)| is != was).count();
            faults.push(Shown { fault, steps, sessions });
            subject.project.store.remove_run(run.id)?;
        }
        Ok(Self { faults, lengths: subject.lengths() })
    }

    /// The faults that pages show; an oracle of pages is measured on these (paper 2, section 4.3).
    pub fn in_pages(&self) -> impl Iterator<Item = &Shown> {
        self.faults.iter().filter(|shown| shown.in_pages())
    }

    /// Each comparator on the very runs that the truth is from.
    pub fn trial(&self) -> Trial {
        let case = |shown: &Shown| Case {
            fault: shown.fault,
            faulty: shown.beside(shown.steps.iter().map(|step| step.seen).collect()),
            clean: vec![Seen::NONE; shown.steps.len()],
        };
        Trial {
            name: "fixed",
            title: "Chance and the clock fixed",
            about: "Every difference is the fault's, as in the paper's deterministic applications. Each comparator is on\n\
                    its own.",
            always: Judging::Alone.always(),
            usual: Judging::Alone.usual(),
            cases: self.in_pages().map(case).collect(),
        }
    }
}
