//! What counts as one definition and as one use: by their places, or by values and statements (paper 4, sections 3.1 and 3.2).

use serde::Serialize;

use super::pair::{DefinedValue, DefinitionMark, Pair, UseMark};
use crate::dynamics::{Access, RowRelation, StepDynamics};

/// So many definitions of one kind in a row count, each as another one.
const LONGEST_CHAIN: usize = 3;

/// A criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// State-based DU: every place that defines, with every place that uses.
    Du,
    /// Value-aware DU: of variables every value at every place that defines, with every place that uses; of tables every statement
    /// that alters, with every request that uses: the rows that it altered, or others.
    Vadu,
    /// VADU that counts a statement which alters a table once more when others of its kind came before it in the session: one loan, a
    /// second one, a third one.
    Chained,
}

impl Criterion {
    /// Whether values and statements count, not only their places.
    pub fn is_by_value(self) -> bool {
        matches!(self, Self::Vadu | Self::Chained)
    }

    /// What a definition counts as.
    pub fn definition(self, access: &Access) -> DefinitionMark {
        let value = || match &access.value {
            Some(value) => DefinedValue::Set(value.clone()),
            None => DefinedValue::Gone,
        };
        let location = || Some(access.location.clone());
        match self {
            Self::Du => DefinitionMark { location: location(), value: None, earlier: 0 },
            Self::Vadu | Self::Chained if access.state.is_table() => {
                let earlier = if self == Self::Chained { access.earlier.min(LONGEST_CHAIN - 1) } else { 0 };
                DefinitionMark { location: None, value: Some(value()), earlier }
            }
            Self::Vadu | Self::Chained => {
                DefinitionMark { location: location(), value: Some(value()), earlier: 0 }
            }
        }
    }

    /// What a use counts as.
    pub fn usage(self, access: &Access, step: &StepDynamics) -> UseMark {
        let request = (self.is_by_value() && access.state.is_table()).then(|| step.request.clone());
        UseMark { location: access.location.clone(), request, other_rows: false }
    }

    /// The pair that a definition and a use of the same state are.
    pub fn pair(self, definition: &Access, usage: &Access, step: &StepDynamics) -> Pair {
        let of_rows = self.is_by_value() && usage.state.is_table();
        let other_rows = of_rows && definition.rows.relation(&usage.rows) == RowRelation::Other;
        let usage_mark = UseMark { other_rows, ..self.usage(usage, step) };
        Pair { state: usage.state.clone(), definition: self.definition(definition), usage: usage_mark }
    }
}
