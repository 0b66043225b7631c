//! What functions share: global variables, properties, constants.

use std::collections::HashMap;
use std::sync::Arc;

use crate::program::{ClassId, Program};
use crate::value::Value;

/// What functions share, by what all of them wrote.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    pub(crate) globals: HashMap<Arc<str>, Value>,
    /// Properties by class; those of classes themselves are called `::name`.
    pub(crate) properties: HashMap<(ClassId, Arc<str>), Value>,
    pub(crate) constants: HashMap<Arc<str>, Value>,
    /// What properties are declared with.
    pub(crate) declared: HashMap<(ClassId, Arc<str>), Value>,
}

/// What one or more runs wrote.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    pub(crate) globals: HashMap<Arc<str>, Value>,
    pub(crate) properties: HashMap<(ClassId, Arc<str>), Value>,
    pub(crate) constants: HashMap<Arc<str>, Value>,
}

impl Heap {
    /// Takes over what runs wrote, in their order.
    pub(crate) fn take(&mut self, writes: Vec<Writes>) {
        for writes in writes {
            merge(&mut self.globals, writes.globals);
            merge(&mut self.properties, writes.properties);
            merge(&mut self.constants, writes.constants);
        }
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
