//! What the source code says about the user's session, as lines.

use restage_analysis::Analysis;

use super::variables::StateLines;
use crate::dynamics::{AccessKind, StateId};

impl StateLines {
    /// The lines that an analysis found. Variables whose names it does not know are left to what was seen.
    pub fn of(analysis: &Analysis) -> Self {
        let mut lines = Self::default();
        for variable in &analysis.variables {
            let state = match &variable.name {
                Some(name) if name.contains('*') => continue,
                Some(name) => StateId::Variable(name.clone()),
                None => StateId::Session,
            };
            for (accesses, kind) in
                [(&variable.definitions, AccessKind::Definition), (&variable.uses, AccessKind::Use)]
            {
                for access in accesses {
                    lines.add(&access.location.file, access.location.line, state.clone(), kind);
                }
            }
        }
        for function in &analysis.functions {
            for (places, kind) in
                [(&function.definitions, AccessKind::Definition), (&function.uses, AccessKind::Use)]
            {
                for place in places {
                    lines.add(&place.file, place.line, StateId::Session, kind);
                }
            }
        }
        lines
    }
}
