//! By what runs are judged.

use restage_model::{DifferenceKind, KeyRules};
use restage_oracle::{Accepted, IgnoreRule, Oracle, OracleRules, Profile};

use crate::AftermathRules;

/// By what runs are judged.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Which oracle judges which pages.
    pub oracle: OracleRules,
    /// How pages are named, beside what their requests tell.
    pub keys: KeyRules,
    /// What is known to vary, where `restage calibrate` found out.
    pub profile: Option<Profile>,
    /// How what sessions left behind is judged.
    pub aftermath: AftermathRules,
    /// The changes that were accepted.
    pub accepted: Accepted,
    /// What differs and never matters.
    pub ignored: Vec<IgnoreRule>,
    /// From which kind on a difference fails; all do where there is none.
    pub fail_on: Option<DifferenceKind>,
}

impl From<OracleRules> for Rules {
    /// These oracles and nothing else: states are not compared, and nothing is accepted or ignored.
    fn from(oracle: OracleRules) -> Self {
        Self {
            oracle,
            keys: KeyRules::default(),
            profile: None,
            aftermath: AftermathRules::default(),
            accepted: Accepted::default(),
            ignored: Vec::new(),
            fail_on: None,
        }
    }
}

impl From<Oracle> for Rules {
    fn from(oracle: Oracle) -> Self {
        OracleRules::from(oracle).into()
    }
}
