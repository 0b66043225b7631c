//! What other rules come to: which steps pass now, and which fail.

use restage_model::Outcome;

use crate::{JudgingError, VerdictSource};

/// In what two judgements of the same runs differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Steps that failed and pass now.
    pub now_pass: usize,
    /// Steps that fail still, and differ in less.
    pub differ_less: usize,
    /// Steps that passed and fail now: a stricter oracle can do that.
    pub now_fail: usize,
}

impl Effect {
    /// Compares the verdicts before with those after, session by session.
    pub fn of(before: &dyn VerdictSource, after: &dyn VerdictSource) -> Result<Self, JudgingError> {
        let mut effect = Self::default();
        for ordinal in before.sessions()? {
            let (was, is) = (before.session(ordinal)?.verdicts, after.session(ordinal)?.verdicts);
            for (was, is) in was.iter().zip(&is) {
                let less = is.differences.len() < was.differences.len();
                match (was.outcome, is.outcome) {
                    (Outcome::Fail, Outcome::Pass) => effect.now_pass += 1,
                    (Outcome::Fail, Outcome::Fail) => effect.differ_less += usize::from(less),
                    (Outcome::Pass, Outcome::Fail) => effect.now_fail += 1,
                    (Outcome::Pass, Outcome::Pass) => {}
                }
            }
        }
        Ok(effect)
    }
}
