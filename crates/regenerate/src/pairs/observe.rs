//! Which pairs steps in a row cover, as they were observed.

use std::collections::HashMap;

use super::{Criterion, Pair};
use crate::dynamics::{Access, Clearness, StateId, StepDynamics};

/// Where a pair was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedPair {
    /// The step that defines.
    pub definition: usize,
    /// The step that uses.
    pub usage: usize,
}

/// The pairs that steps in a row cover, each where it was seen first: the definition in a step, the use in a later one, and no other
/// definition of that state in between.
pub fn observed_pairs<'a>(
    steps: impl IntoIterator<Item = &'a StepDynamics>,
    criterion: Criterion,
) -> HashMap<Pair, ObservedPair> {
    let mut found: HashMap<Pair, ObservedPair> = HashMap::new();
    let mut reaching: HashMap<&StateId, (usize, Vec<&Access>)> = HashMap::new();
    for (at, step) in steps.into_iter().enumerate() {
        for usage in step.accesses.iter().filter(|access| access.uses()) {
            let Some((defined, definitions)) = reaching.get(&usage.state) else { continue };
            if step.clearness(usage) == Clearness::Blocked {
                continue;
            }
            for definition in definitions {
                let pair = criterion.pair(definition, usage, step);
                found.entry(pair).or_insert(ObservedPair { definition: *defined, usage: at });
            }
        }
        for access in step.accesses.iter().filter(|access| access.defines()) {
            if reaching.get(&access.state).is_none_or(|(defined, _)| *defined != at) {
                reaching.insert(&access.state, (at, step.definitions(&access.state).collect()));
            }
        }
    }
    found
}
