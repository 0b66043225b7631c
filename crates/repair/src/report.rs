//! What was repaired, why, and what was not.

use std::collections::BTreeMap;

use restage_site::repair::{Cause, Repair};
use serde::Serialize;

/// What became of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RepairOutcome {
    /// It is valid as it is.
    Unchanged,
    /// It was repaired.
    Repaired,
    /// It became two.
    Split,
    /// Some of it does not come out as intended, and nothing was found that does.
    Unrepaired,
}

impl RepairOutcome {
    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Repaired => "repaired",
            Self::Split => "split",
            Self::Unrepaired => "unrepaired",
        }
    }
}

/// Something that does not come out as intended, and was left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RemainingTrouble {
    /// The step, from 1, as it was recorded.
    pub step: usize,
    /// The request.
    pub request: String,
    /// What is wrong.
    pub what: String,
}

/// What became of the requests of sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RepairCounts {
    /// They stay.
    pub kept: usize,
    /// They were changed.
    pub changed: usize,
    /// They were put in.
    pub added: usize,
    /// They were left out.
    pub dropped: usize,
}

impl std::ops::AddAssign for RepairCounts {
    fn add_assign(&mut self, other: Self) {
        self.kept += other.kept;
        self.changed += other.changed;
        self.added += other.added;
        self.dropped += other.dropped;
    }
}

/// What became of a session, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionRepair {
    /// Its name.
    pub session: String,
    /// What became of it.
    pub outcome: RepairOutcome,
    /// The sessions that come of it.
    pub into: Vec<String>,
    /// Its requests.
    pub requests: RepairCounts,
    /// What was repaired.
    pub repairs: Vec<Repair>,
    /// What does not come out as intended.
    pub remaining: Vec<RemainingTrouble>,
    /// How sure the least sure repair is; 1 where there is none.
    pub confidence: f64,
    /// How much was tried.
    pub tries: usize,
}

/// One thing about the new version that sessions were repaired for, wherever it shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Why.
    pub cause: Cause,
    /// What was found.
    pub what: String,
    /// Whether something that users had is no longer there: somebody should look at it.
    pub to_review: bool,
    /// In how many steps.
    pub steps: usize,
    /// The sessions that needed it.
    pub sessions: Vec<String>,
    /// How sure that is, at the least.
    pub confidence: f64,
}

/// What was repaired in a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RepairReport {
    /// Each session.
    pub sessions: Vec<SessionRepair>,
    /// All requests.
    pub requests: RepairCounts,
    /// What sessions were repaired for, that of most sessions first.
    pub findings: Vec<Finding>,
}

impl RepairReport {
    /// Whether every session is valid as it is.
    pub fn is_unchanged(&self) -> bool {
        self.sessions.iter().all(|session| session.outcome == RepairOutcome::Unchanged)
    }

    /// Puts what became of sessions together.
    pub(crate) fn of(sessions: Vec<SessionRepair>) -> Self {
        let mut requests = RepairCounts::default();
        let mut found: BTreeMap<(Cause, String), Finding> = BTreeMap::new();
        for session in &sessions {
            requests += session.requests;
            for repair in &session.repairs {
                let finding = found.entry((repair.cause, repair.what.clone())).or_insert_with(|| Finding {
                    cause: repair.cause,
                    what: repair.what.clone(),
                    to_review: repair.cause.is_loss(),
                    steps: 0,
                    sessions: Vec::new(),
                    confidence: 1.0,
                });
                finding.steps += 1;
                finding.confidence = finding.confidence.min(repair.confidence);
                if finding.sessions.last() != Some(&session.session) {
                    finding.sessions.push(session.session.clone());
                }
            }
        }
        let mut findings: Vec<Finding> = found.into_values().collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.sessions.len()));
        Self { sessions, requests, findings }
    }

    /// How many sessions have an outcome.
    pub fn count(&self, outcome: RepairOutcome) -> usize {
        self.sessions.iter().filter(|session| session.outcome == outcome).count()
    }

    /// How many steps do not come out as intended.
    pub fn remaining(&self) -> usize {
        self.sessions.iter().map(|session| session.remaining.len()).sum()
    }

    /// Calls a function with all texts that pages and sessions wrote.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        for session in &mut self.sessions {
            for repair in &mut session.repairs {
                change(&mut repair.what);
                repair.added.iter_mut().chain(&mut repair.dropped).for_each(&mut *change);
                for (was, is) in &mut repair.changed {
                    change(was);
                    change(is);
                }
            }
            for remaining in &mut session.remaining {
                change(&mut remaining.request);
                change(&mut remaining.what);
            }
        }
        for finding in &mut self.findings {
            change(&mut finding.what);
        }
    }
}
