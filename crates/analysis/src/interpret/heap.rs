//! What functions share: global variables, properties, constants.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::program::{ClassId, Program};
use crate::value::{Hole, Origin, Value};

/// What functions share, by what all of them wrote.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    pub(crate) globals: HashMap<Arc<str>, Value>,
    /// Properties by class; those of classes themselves are called `::name`.
    pub(crate) properties: HashMap<(ClassId, Arc<str>), Value>,
    pub(crate) constants: HashMap<Arc<str>, Value>,
    /// What properties are declared with.
    pub(crate) declared: HashMap<(ClassId, Arc<str>), Value>,
    /// Where what parameters are given comes from.
    parameters: HashMap<Origin, Hole>,
    /// The parameters that are given what comes from outside of the program, by calls of any depth.
    outside: HashSet<Origin>,
}

/// What one or more runs wrote.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    pub(crate) globals: HashMap<Arc<str>, Value>,
    pub(crate) properties: HashMap<(ClassId, Arc<str>), Value>,
    pub(crate) constants: HashMap<Arc<str>, Value>,
    /// Where what parameters are given comes from.
    pub(crate) parameters: HashMap<Origin, Hole>,
}

impl Heap {
    /// Takes over what runs wrote, in their order.
    pub(crate) fn take(&mut self, writes: Vec<Writes>) {
        for writes in writes {
            merge(&mut self.globals, writes.globals);
            merge(&mut self.properties, writes.properties);
            merge(&mut self.constants, writes.constants);
            for (parameter, source) in writes.parameters {
                let known = self.parameters.entry(parameter).or_default();
                *known = known.and(&source);
            }
        }
    }

    /// Finds the parameters that are given what comes from outside, once all calls were seen.
    pub(crate) fn trace_outside(&mut self) {
        let mut passed_on: HashMap<Origin, Vec<Origin>> = HashMap::new();
        let mut open = Vec::new();
        for (parameter, source) in &self.parameters {
            if source.outside {
                open.push(*parameter);
            }
            for origin in source.origins.iter().flat_map(|origins| origins.iter()) {
                passed_on.entry(*origin).or_default().push(*parameter);
            }
        }
        while let Some(parameter) = open.pop() {
            if self.outside.insert(parameter) {
                open.extend(passed_on.get(&parameter).into_iter().flatten());
            }
        }
    }

    /// Whether something comes from outside of the program, by way of a parameter too.
    pub(crate) fn is_outside(&self, hole: &Hole) -> bool {
        hole.outside || hole.origins.iter().flat_map(|all| all.iter()).any(|one| self.outside.contains(one))
    }

    /// A property of an object of a class: what was written for it or for what it extends.
    pub(crate) fn property(&self, program: &Program, class: ClassId, name: &Arc<str>) -> Value {
        let mut found = Value::default();
        let declared = program.property(class, name).map(|(id, _)| id);
        for id in program.lineage(class).iter().copied() {
            if let Some(value) = self.properties.get(&(id, name.clone())) {
                found.join(value);
            }
            for used in &program.class(id).traits {
                if let Some(value) = self.properties.get(&(*used, name.clone())) {
                    found.join(value);
                }
            }
            if declared == Some(id) {
                break;
            }
        }
        found
    }
}

fn merge<K: std::hash::Hash + Eq>(into: &mut HashMap<K, Value>, from: HashMap<K, Value>) {
    for (key, value) in from {
        into.entry(key).or_default().join(&value);
    }
}
