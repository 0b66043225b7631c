//! Which statements were seen in callers of the functions that send them.
//!
//! A statement of which a caller may know more belongs to its callers. Where no caller was seen to send it, because nobody calls
//! the function or because the run of a caller was cut short, it stays with the function: no call of a database gets lost.

use std::collections::{HashMap, HashSet};

use super::rounds::Effects;
use crate::interpret::Effect;
use crate::php::ir::Position;
use crate::program::{FunctionId, Program};

/// The places where something happens, by who shows it.
#[derive(Debug, Default)]
pub(super) struct PassedOn {
    /// By the function that a caller calls to get there.
    by_call: HashSet<(FunctionId, u32, Position)>,
    /// By one function that gets there, and whether it is the only one.
    by_owner: HashMap<(u32, Position), (FunctionId, bool)>,
}

impl PassedOn {
    pub(super) fn of(effects: &Effects) -> Self {
        let mut passed_on = Self::default();
        for (id, effects) in effects.of.iter().enumerate() {
            let id = id as FunctionId;
            for effect in effects {
                let (Some(first), Some(last)) = (effect.chain.first(), effect.chain.last()) else { continue };
                if let Some(callee) = first.callee {
                    passed_on.by_call.insert((callee, last.file, last.position));
                }
                let place = (first.file, first.position);
                let (owner, only) = passed_on.by_owner.entry(place).or_insert((id, true));
                *only &= *owner == id;
            }
        }
        passed_on
    }

    /// Whether what a function does was seen in a caller of it, or what a closure does in the function around it.
    pub(super) fn contains(&self, program: &Program, id: FunctionId, effect: &Effect) -> bool {
        let (Some(first), Some(last)) = (effect.chain.first(), effect.chain.last()) else { return false };
        self.by_call.contains(&(id, last.file, last.position))
            || program.function(id).function.is_closure
                && self
                    .by_owner
                    .get(&(first.file, first.position))
                    .is_some_and(|(owner, only)| !only || *owner != id)
    }
}
