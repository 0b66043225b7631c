//! Which of the pairs that a sequence was made for it covered, as it was seen when it was run; and why not the others.

use std::collections::HashSet;

use serde::Serialize;

use crate::dynamics::StepDynamics;
use crate::pairs::{Criterion, Pair, UseMark, observed_pairs};

/// Why a pair was not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missed {
    /// The steps before did not define the state so.
    NoDefinition,
    /// The requests behind did not use the state there.
    NoUse,
    /// Another definition came in between.
    DefinedBetween,
    /// The requests behind used other rows.
    OtherRows,
}

/// What a sequence came to.
#[derive(Clone, Debug, Default)]
pub struct Gained {
    /// All pairs that it covered.
    pub covered: Vec<Pair>,
    /// The pairs that it was made for, covered.
    pub met: usize,
    /// Those that it did not cover.
    pub missed: Vec<(Pair, Missed)>,
}

/// What a sequence came to whose steps did this; `prefix` of them lead to the definition.
pub fn gained(steps: &[StepDynamics], prefix: usize, asked: &[Pair], criterion: Criterion) -> Gained {
    let observed = observed_pairs(steps, criterion);
    let defined: HashSet<(&crate::dynamics::StateId, crate::pairs::DefinitionMark)> = steps
        [..prefix.min(steps.len())]
        .iter()
        .flat_map(|step| step.accesses.iter().filter(|access| access.defines()))
        .map(|access| (&access.state, criterion.definition(access)))
        .collect();
    let used: HashSet<(&crate::dynamics::StateId, UseMark)> = steps[prefix.min(steps.len())..]
        .iter()
        .flat_map(|step| step.accesses.iter().filter(|a| a.uses()).map(move |access| (step, access)))
        .map(|(step, access)| (&access.state, criterion.usage(access, step)))
        .collect();
    let mut gained = Gained::default();
    for pair in asked {
        let missed = if observed.contains_key(pair) {
            gained.met += 1;
            continue;
        } else if !defined.contains(&(&pair.state, pair.definition.clone())) {
            Missed::NoDefinition
        } else if !used.contains(&(&pair.state, UseMark { other_rows: false, ..pair.usage.clone() })) {
            Missed::NoUse
        } else if observed.contains_key(&other_rows(pair)) {
            Missed::OtherRows
        } else {
            Missed::DefinedBetween
        };
        gained.missed.push((pair.clone(), missed));
    }
    gained.covered = observed.into_keys().collect();
    gained
}

/// The pair of the same places where the rows lie the other way to each other.
fn other_rows(pair: &Pair) -> Pair {
    let usage = UseMark { other_rows: !pair.usage.other_rows, ..pair.usage.clone() };
    Pair { usage, ..pair.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Access, AccessKind, AccessLocation, RowKeys, StateId};
    use crate::pairs::DefinitionMark;

    fn at(line: u32) -> AccessLocation {
        AccessLocation::Line { file: "a.php".to_owned(), line }
    }

    fn step(accesses: &[(AccessKind, u32)]) -> StepDynamics {
        let access = |(kind, line): &(AccessKind, u32)| Access {
            state: StateId::Variable("game".to_owned()),
            kind: *kind,
            location: at(*line),
            value: None,
            rows: RowKeys::default(),
            order: None,
            earlier: 0,
            failed: false,
        };
        StepDynamics { accesses: accesses.iter().map(access).collect(), ..StepDynamics::default() }
    }

    fn pair(definition: u32, usage: u32) -> Pair {
        Pair {
            state: StateId::Variable("game".to_owned()),
            definition: DefinitionMark { location: Some(at(definition)), value: None, earlier: 0 },
            usage: UseMark { location: at(usage), request: None, other_rows: false },
        }
    }

    #[test]
    fn what_did_not_come_about_is_told_with_its_reason() {
        use AccessKind::{Definition, Use};
        let steps = [step(&[(Definition, 1)]), step(&[(Definition, 2)]), step(&[(Use, 7)])];
        let asked = [pair(2, 7), pair(1, 7), pair(3, 7), pair(2, 8)];
        let came = gained(&steps, 2, &asked, Criterion::Du);
        assert_eq!(came.met, 1);
        assert_eq!(came.covered, [pair(2, 7)]);
        let why: Vec<Missed> = came.missed.iter().map(|(_, why)| *why).collect();
        assert_eq!(why, [Missed::DefinedBetween, Missed::NoDefinition, Missed::NoUse]);
    }
}
