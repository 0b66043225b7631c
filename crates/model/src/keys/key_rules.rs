//! How requests are named, beside what they themselves tell.

use crate::{PageParameters, PathTemplates};

/// What keys are made by: which parts of paths are values, and which values tell pages apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyRules {
    /// Which parts of paths are values.
    pub templates: PathTemplates,
    /// Which parameters tell pages apart.
    pub parameters: PageParameters,
}

impl From<PathTemplates> for KeyRules {
    fn from(templates: PathTemplates) -> Self {
        Self { templates, parameters: PageParameters::default() }
    }
}
