//! Verdicts, read session by session.

use restage_model::{Aftermath, DifferenceKind, Verdict};
use restage_oracle::{Accepted, IgnoreRule, Suppression};
use restage_store::{JudgementId, Store};

use crate::{JudgingError, Rules};

/// The verdicts on a session.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedSession {
    /// Its place in the run that is right.
    pub ordinal: u32,
    /// One a step that both runs have, in order.
    pub verdicts: Vec<Verdict>,
    /// On what it left behind, where both runs know.
    pub aftermath: Option<Aftermath>,
}

impl JudgedSession {
    /// Sets aside what is accepted or ignored.
    pub(crate) fn suppress(&mut self, suppression: &mut Suppression<'_>) {
        self.verdicts.iter_mut().for_each(|verdict| suppression.apply(verdict));
        self.aftermath.iter_mut().for_each(|aftermath| suppression.apply_to_aftermath(aftermath));
    }
}

/// Where verdicts are read from. What is accepted or ignored is set aside in them already.
pub trait VerdictSource {
    /// The sessions that were judged, by their place in the run that is right, in order.
    fn sessions(&self) -> Result<Vec<u32>, JudgingError>;

    /// The verdicts on one of them; none on a session that was not judged.
    fn session(&self, ordinal: u32) -> Result<JudgedSession, JudgingError>;

    /// Calls a function with each session, in order.
    fn each_session(&self, take: &mut dyn FnMut(JudgedSession)) -> Result<(), JudgingError> {
        for ordinal in self.sessions()? {
            take(self.session(ordinal)?);
        }
        Ok(())
    }
}

/// The verdicts of a store.
#[derive(Debug)]
pub struct StoredVerdicts<'s> {
    store: &'s Store,
    judgement: Option<JudgementId>,
    accepted: Accepted,
    ignored: Vec<IgnoreRule>,
    fail_on: Option<DifferenceKind>,
}

impl<'s> StoredVerdicts<'s> {
    pub(crate) fn new(store: &'s Store, judgement: Option<JudgementId>, rules: &Rules) -> Self {
        let Rules { accepted, ignored, fail_on, .. } = rules;
        Self { store, judgement, accepted: accepted.clone(), ignored: ignored.clone(), fail_on: *fail_on }
    }
}

impl VerdictSource for StoredVerdicts<'_> {
    fn sessions(&self) -> Result<Vec<u32>, JudgingError> {
        Ok(match self.judgement {
            Some(id) => self.store.judged_sessions(id)?,
            None => Vec::new(),
        })
    }

    fn session(&self, ordinal: u32) -> Result<JudgedSession, JudgingError> {
        let mut session = match self.judgement {
            Some(id) => JudgedSession {
                ordinal,
                verdicts: self.store.verdicts(id, ordinal)?,
                aftermath: self.store.aftermath(id, ordinal)?,
            },
            None => JudgedSession { ordinal, verdicts: Vec::new(), aftermath: None },
        };
        session.suppress(&mut Suppression::by(&self.accepted, &self.ignored).failing_from(self.fail_on));
        Ok(session)
    }
}

/// Verdicts in memory: those of a test.
impl VerdictSource for Vec<JudgedSession> {
    fn sessions(&self) -> Result<Vec<u32>, JudgingError> {
        Ok(self.iter().map(|session| session.ordinal).collect())
    }

    fn session(&self, ordinal: u32) -> Result<JudgedSession, JudgingError> {
        let none = || JudgedSession { ordinal, verdicts: Vec::new(), aftermath: None };
        Ok(self.iter().find(|session| session.ordinal == ordinal).cloned().unwrap_or_else(none))
    }
}
