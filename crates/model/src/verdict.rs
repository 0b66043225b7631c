//! What an oracle says of a step, and the distinct differences behind it.

use serde::{Deserialize, Serialize};

use crate::{ChangeId, Difference, DifferenceKind, Key, StepAt};

/// A part that differed and is not looked at, as it varies on the trusted version too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Masked {
    /// Which part: `value of input[name="csrf"]`.
    pub place: String,
    /// The part as expected.
    pub expected: String,
    /// The part as it is now.
    pub actual: String,
}

/// What an oracle says of what a session left behind: the state after it, and what the app wrote to its log
/// meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aftermath {
    /// The session's place in the run.
    pub ordinal: u32,
    /// The session's name.
    pub session: String,
    /// Pass or fail.
    pub outcome: Outcome,
    /// What differed; empty on a pass.
    pub differences: Vec<Difference>,
    /// What differed and was accepted as intended.
    #[serde(default)]
    pub accepted: Vec<Difference>,
    /// What differed and is ignored by a rule.
    #[serde(default)]
    pub ignored: Vec<Difference>,
    /// What differed and is masked.
    #[serde(default)]
    pub masked: Vec<Masked>,
    /// Of the rows that differed, how many are masked, and how many there are.
    #[serde(default, skip_serializing_if = "MaskedRows::is_empty")]
    pub masked_rows: MaskedRows,
}

/// How much of a page is masked, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MaskedShare {
    /// Of its text.
    pub text: u16,
    /// Of its tags.
    pub tags: u16,
}

impl MaskedShare {
    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Of rows that differed, those that are masked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MaskedRows {
    /// Those of which nothing is told.
    pub masked: u64,
    /// All that differed.
    pub of: u64,
}

impl MaskedRows {
    /// Whether none differed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Pass or fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The oracle saw no difference that matters.
    Pass,
    /// It did.
    Fail,
}

/// Pass or fail of a step under an oracle, with the differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The step.
    pub at: StepAt,
    /// The session's name.
    pub session: String,
    /// The recorded request's key.
    pub key: Key,
    /// Pass or fail.
    pub outcome: Outcome,
    /// The oracle that judged it.
    pub oracle: String,
    /// Whether that is weaker than what was asked for, because the step is noisy.
    pub weakened: bool,
    /// What differed; empty on a pass.
    pub differences: Vec<Difference>,
    /// What differed and was accepted as intended.
    #[serde(default)]
    pub accepted: Vec<Difference>,
    /// What differed and is ignored by a rule.
    #[serde(default)]
    pub ignored: Vec<Difference>,
    /// What differed and is masked, as it varies on the trusted version too.
    #[serde(default)]
    pub masked: Vec<Masked>,
    /// How much of the page is masked; nothing where both answers are the same.
    #[serde(default, skip_serializing_if = "MaskedShare::is_empty")]
    pub masked_share: MaskedShare,
    /// Why the live application did not offer what the recorded request used, where it did not.
    pub stale: Option<String>,
    /// How the first format told what some comparators see, where that is not how it is told now: files of that format
    /// name changes by those words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub old_wording: Vec<OldWording>,
}

/// A difference in the words of the first format of `restage.accepted.toml` and `[[ignore]]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldWording {
    /// The comparator that saw it.
    pub seen_by: String,
    /// What was told of it.
    pub sentence: String,
}

/// One distinct difference, wherever it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Its name.
    pub id: ChangeId,
    /// The difference, from the step that serves as the example; seen by all that saw the change anywhere.
    pub difference: Difference,
    /// The pages it shows on, most often first.
    pub keys: Vec<Key>,
    /// Every step it shows in; the first is the example.
    pub steps: Vec<StepAt>,
    /// The sessions in whose aftermath it shows, by their place in the run.
    #[serde(default)]
    pub sessions: Vec<u32>,
    /// How often it shows at once where it shows most often: 12, where one session lost twelve rows.
    #[serde(default)]
    pub at_once: usize,
}

impl Change {
    /// What a person would say changed.
    pub fn summary(&self) -> String {
        self.difference.to_string()
    }
}

/// Changes that are one thing to a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The worst of its changes' kinds.
    pub kind: DifferenceKind,
    /// How many steps show any of them.
    pub steps: usize,
    /// How many sessions left any of them behind.
    pub sessions: usize,
    /// Its changes, that which tells most first.
    pub changes: Vec<ChangeId>,
}

impl Finding {
    /// Of a change alone.
    pub fn of(change: &Change) -> Self {
        Self {
            kind: change.difference.kind(),
            steps: change.steps.len(),
            sessions: change.sessions.len(),
            changes: vec![change.id.clone()],
        }
    }
}

/// A change that fails nothing: accepted as intended, or ignored by a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledChange {
    /// The change, with the places where it is settled.
    pub change: Change,
    /// The reason it was accepted for, or the rule that ignores it. Empty where nobody gave a reason.
    pub why: String,
}

/// What settles changes and settled none in a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unused {
    /// Changes that were accepted.
    pub accepted: Vec<ChangeId>,
    /// Rules that ignore.
    pub rules: Vec<String>,
}

impl Unused {
    /// Whether all settled something.
    pub fn is_empty(&self) -> bool {
        self.accepted.is_empty() && self.rules.is_empty()
    }
}

/// What comparing the steps of two runs gave: run + run → verdicts. The judge adds what sessions left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepComparison {
    /// The run that is right.
    pub expected: String,
    /// The run that is judged.
    pub actual: String,
    /// The oracle asked for.
    pub oracle: String,
    /// One verdict a step that both runs have, in order.
    pub verdicts: Vec<Verdict>,
    /// One for each session that both runs know the aftermath of, in order.
    #[serde(default)]
    pub aftermaths: Vec<Aftermath>,
    /// The distinct differences that fail, the most frequent first.
    pub changes: Vec<Change>,
    /// Those that were accepted as intended.
    #[serde(default)]
    pub accepted: Vec<SettledChange>,
    /// Those that a rule ignores.
    #[serde(default)]
    pub ignored: Vec<SettledChange>,
    /// What was accepted or is to be ignored, and did not show.
    #[serde(default)]
    pub unused: Unused,
    /// Steps of one run that the other lacks: a run that ended early.
    pub missing: Vec<StepAt>,
}

impl StepComparison {
    /// The verdicts that fail.
    pub fn failing(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|v| v.outcome == Outcome::Fail)
    }

    /// By which weaker oracles noisy steps were judged, and how many by each; the most frequent first.
    pub fn weaker_oracles(&self) -> Vec<(&str, usize)> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for verdict in self.verdicts.iter().filter(|v| v.weakened) {
            match counts.iter_mut().find(|(oracle, _)| *oracle == verdict.oracle) {
                Some((_, n)) => *n += 1,
                None => counts.push((&verdict.oracle, 1)),
            }
        }
        counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        counts
    }

    /// The aftermaths that fail.
    pub fn failing_aftermaths(&self) -> impl Iterator<Item = &Aftermath> {
        self.aftermaths.iter().filter(|a| a.outcome == Outcome::Fail)
    }

    /// Whether all is well: no step and no aftermath fails, and no step is missing.
    pub fn passes(&self) -> bool {
        self.missing.is_empty()
            && self.failing().next().is_none()
            && self.failing_aftermaths().next().is_none()
    }
}
