//! What became of asking for the facts of a run: of how many steps there are some, and what stood in the way.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Want;

/// What became of asking for the facts of a run. What the parts of a run found can be joined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactsReport {
    /// What was asked for.
    pub want: Vec<Want>,
    /// Steps that the application answered.
    pub steps: u64,
    /// Those of which there are facts.
    pub with_facts: u64,
    /// Statements that were read from the log of the database server.
    #[serde(default)]
    pub logged_statements: u64,
    /// What wrote the facts, as it calls itself, and of how many steps.
    #[serde(default)]
    pub runtimes: BTreeMap<String, u64>,
    /// What probes could not see, and in how many steps.
    #[serde(default)]
    pub notes: BTreeMap<String, u64>,
    /// What is missing, and why.
    #[serde(default)]
    pub problems: Vec<FactsProblem>,
}

/// Something that is missing from the facts of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactsProblem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// How often it was met.
    pub count: u64,
    /// Where it was met first: a step, a line of the facts file, a copy of the app.
    pub place: String,
    /// What was found there.
    pub what: String,
    /// What to do.
    pub hint: String,
}

/// What kind of problem it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// restage does not start the app, or could not put a probe into it.
    NotEquipped,
    /// No probe wrote anything.
    NoProbe,
    /// Steps without facts.
    StepsWithout,
    /// Lines that are of no probe.
    BadLines,
    /// Facts of steps that were not sent.
    UnknownSteps,
    /// The facts file could not be read to its end.
    File,
    /// The database server's log cannot be had, or not all of it.
    StatementLog,
}

impl FactsReport {
    /// Nothing yet of what is asked for.
    pub fn new(want: Vec<Want>) -> Self {
        Self { want, ..Self::default() }
    }

    /// Notes a problem; of several of a kind with the same remedy, the first place is kept.
    pub fn add(&mut self, problem: FactsProblem) {
        let same = |p: &&mut FactsProblem| p.kind == problem.kind && p.hint == problem.hint;
        match self.problems.iter_mut().find(same) {
            Some(known) => known.count += problem.count,
            None => self.problems.push(problem),
        }
    }

    /// Adds what another part of the run found.
    pub fn join(&mut self, other: Self) {
        if self.want.is_empty() {
            self.want = other.want;
        }
        self.steps += other.steps;
        self.with_facts += other.with_facts;
        self.logged_statements += other.logged_statements;
        for (runtime, steps) in other.runtimes {
            *self.runtimes.entry(runtime).or_default() += steps;
        }
        for (note, steps) in other.notes {
            *self.notes.entry(note).or_default() += steps;
        }
        other.problems.into_iter().for_each(|problem| self.add(problem));
    }
}

impl std::fmt::Display for FactsProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)?;
        if !self.place.is_empty() {
            write!(f, " ({}{})", if self.count > 1 { "first: " } else { "" }, self.place)?;
        }
        if !self.hint.is_empty() {
            write!(f, "\n  hint: {}", self.hint)?;
        }
        Ok(())
    }
}
