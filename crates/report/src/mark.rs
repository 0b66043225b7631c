//! What a reader should see of a step at a glance.

/// The one mark a step gets: the worst that can be said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// It passes.
    Pass,
    /// It passes under a weaker oracle than was asked for, because it is noisy.
    Weakened,
    /// It passes; what differs is ignored by a rule.
    Ignored,
    /// It passes; what differs was accepted as intended.
    Accepted,
    /// It passes, but the live page no longer offered what the recorded request used.
    Stale,
    /// It fails.
    Fail,
    /// It got no answer.
    Unanswered,
    /// Only one of the two runs has it.
    Missing,
}

impl Mark {
    /// Every mark, from best to worst.
    pub const ALL: [Self; 8] = [
        Self::Pass,
        Self::Weakened,
        Self::Ignored,
        Self::Accepted,
        Self::Stale,
        Self::Fail,
        Self::Unanswered,
        Self::Missing,
    ];

    /// Whether somebody should look at the step.
    pub fn needs_a_look(self) -> bool {
        self >= Self::Stale
    }

    /// Its name in output, and its class in the HTML report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Weakened => "weakened",
            Self::Ignored => "ignored",
            Self::Accepted => "accepted",
            Self::Stale => "stale",
            Self::Fail => "fail",
            Self::Unanswered => "unanswered",
            Self::Missing => "missing",
        }
    }

    /// What it means, for a legend.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Pass => "passes",
            Self::Weakened => "passes under a weaker oracle",
            Self::Ignored => "differs in what is ignored",
            Self::Accepted => "differs in what is accepted",
            Self::Stale => "no longer offered by the live page",
            Self::Fail => "fails",
            Self::Unanswered => "got no answer",
            Self::Missing => "in one run only",
        }
    }
}
