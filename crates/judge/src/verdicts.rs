//! Verdicts, read session by session.

use restage_model::{Aftermath, Comparison as SessionComparison, Unused, Verdict};
use restage_oracle::{Accepted, IgnoreRule, settle};
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
}

impl<'s> StoredVerdicts<'s> {
    pub(crate) fn new(store: &'s Store, judgement: Option<JudgementId>, rules: &Rules) -> Self {
        Self { store, judgement, accepted: rules.accepted.clone(), ignored: rules.ignored.clone() }
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
        let raw = match self.judgement {
            Some(id) => JudgedSession {
                ordinal,
                verdicts: self.store.verdicts(id, ordinal)?,
                aftermath: self.store.aftermath(id, ordinal)?,
            },
            None => JudgedSession { ordinal, verdicts: Vec::new(), aftermath: None },
        };
        Ok(settled(raw, &self.accepted, &self.ignored).0)
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

/// Sets aside what is accepted or ignored in a session, and says what that comes to.
pub(crate) fn settled(
    raw: JudgedSession,
    accepted: &Accepted,
    ignored: &[IgnoreRule],
) -> (JudgedSession, SessionComparison) {
    let mut comparison = SessionComparison {
        expected: String::new(),
        actual: String::new(),
        oracle: String::new(),
        verdicts: raw.verdicts,
        aftermaths: raw.aftermath.into_iter().collect(),
        changes: Vec::new(),
        accepted: Vec::new(),
        ignored: Vec::new(),
        unused: Unused::default(),
        missing: Vec::new(),
    };
    settle(&mut comparison, accepted, ignored);
    let session = JudgedSession {
        ordinal: raw.ordinal,
        verdicts: std::mem::take(&mut comparison.verdicts),
        aftermath: comparison.aftermaths.pop(),
    };
    (session, comparison)
}
