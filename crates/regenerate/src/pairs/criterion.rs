//! What counts as one definition and as one use: by their places, or by values and statements (paper 4, sections 3.1 and 3.2).

use serde::Serialize;

use super::pair::{DefinedValue, DefinitionMark, Pair, UseMark};
use crate::dynamics::{Access, RowRelation, StepDynamics};

/// A criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// State-based DU: every place that defines, with every place that uses.
    Du,
    /// Value-aware DU: of variables every value at every place that defines, with every place that uses; of tables every statement
    /// that alters, with every request that uses: the rows that it altered, or others.
    Vadu,
}

impl Criterion {
    /// What a definition counts as.
    pub fn definition(self, access: &Access) -> DefinitionMark {
        let value = || match &access.value {
            Some(value) => DefinedValue::Set(value.clone()),
            None => DefinedValue::Gone,
        };
        match self {
            Self::Du => DefinitionMark { location: Some(access.location.clone()), value: None },
            Self::Vadu if access.state.is_table() => DefinitionMark { location: None, value: Some(value()) },
            Self::Vadu => DefinitionMark { location: Some(access.location.clone()), value: Some(value()) },
        }
    }

    /// What a use counts as.
    pub fn usage(self, access: &Access, step: &StepDynamics) -> UseMark {
        let request = (self == Self::Vadu && access.state.is_table()).then(|| step.request.clone());
        UseMark { location: access.location.clone(), request, other_rows: false }
    }

    /// The pair that a definition and a use of the same state are.
    pub fn pair(self, definition: &Access, usage: &Access, step: &StepDynamics) -> Pair {
        let of_rows = self == Self::Vadu && usage.state.is_table();
        let other_rows = of_rows && definition.rows.relation(&usage.rows) == RowRelation::Other;
        let usage_mark = UseMark { other_rows, ..self.usage(usage, step) };
        Pair { state: usage.state.clone(), definition: self.definition(definition), usage: usage_mark }
    }
}
