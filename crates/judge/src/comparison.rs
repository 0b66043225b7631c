//! What comparing two runs gave, but for the verdicts themselves.

use restage_model::{Change, ChangeId, DifferenceKind, Finding, SettledChange, StepAt, Unused};
use restage_store::{JudgementId, Store};
use serde::Serialize;

use crate::Rules;
use crate::verdicts::StoredVerdicts;

/// What comparing two runs gave. Its size goes by what differs: verdicts stay in the store, and are read session by session.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The run that is right.
    pub expected: String,
    /// The run that is judged.
    pub actual: String,
    /// The oracle asked for.
    pub oracle: String,
    /// How many steps and sessions were judged, and how they did.
    pub counts: VerdictCounts,
    /// By which weaker oracles noisy steps were judged, and how many by each; the most frequent first.
    pub weaker_oracles: Vec<(String, usize)>,
    /// The distinct differences that fail, the most frequent first.
    pub changes: Vec<Change>,
    /// What these come to for a person, the worst first.
    pub findings: Vec<Finding>,
    /// From which kind on a difference fails; what is milder is among those that are ignored. All fail where there is none.
    pub fail_on: Option<DifferenceKind>,
    /// Those that were accepted as intended.
    pub accepted: Vec<SettledChange>,
    /// Those that a rule ignores.
    pub ignored: Vec<SettledChange>,
    /// What was accepted or is to be ignored, and did not show.
    pub unused: Unused,
    /// Steps of the run that is right that the other lacks, though it was asked for them: a run that ended early.
    pub missing: Vec<StepAt>,
    /// How many of the suite's sessions were replayed, where not all were asked for.
    pub replayed: Option<(usize, usize)>,
    /// Where the verdicts are; none where they are nowhere but in memory.
    pub judgement: Option<JudgementId>,
}

/// How many steps and sessions were judged, and how they did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VerdictCounts {
    /// Steps that were judged.
    pub steps: usize,
    /// Steps that fail.
    pub failing: usize,
    /// Sessions of which it is known what they left behind.
    pub aftermaths: usize,
    /// Those that left something else behind than they should.
    pub failing_aftermaths: usize,
    /// Steps judged by a weaker oracle than was asked for, because they are noisy.
    pub weakened: usize,
    /// Steps of which a part is masked.
    pub masked: usize,
}

impl VerdictCounts {
    /// Steps and aftermaths that fail.
    pub fn all_failing(&self) -> usize {
        self.failing + self.failing_aftermaths
    }
}

impl Comparison {
    /// A change's id as it is shown: as much of it as tells it from the others here.
    pub fn short_id<'a>(&self, id: &'a ChangeId) -> &'a str {
        let settled = self.accepted.iter().chain(&self.ignored).map(|settled| &settled.change);
        id.prefix(ChangeId::telling_length(self.changes.iter().chain(settled).map(|change| &change.id)))
    }

    /// Whether all is well: no step and no aftermath fails, and no step is missing.
    pub fn passes(&self) -> bool {
        self.missing.is_empty() && self.counts.all_failing() == 0
    }

    /// The verdicts, with what these rules accept and ignore set aside.
    pub fn verdicts<'s>(&self, store: &'s Store, rules: &Rules) -> StoredVerdicts<'s> {
        StoredVerdicts::new(store, self.judgement, rules)
    }
}
