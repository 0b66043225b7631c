//! Objects and their properties.

use std::collections::HashMap;
use std::sync::Arc;

use super::calls::Arguments;
use super::machine::Machine;
use crate::program::ClassId;
use crate::value::{Alternative, Hole, Object, Value};

/// An object that was made in this run.
#[derive(Debug)]
pub(crate) struct Made {
    pub(super) class: ClassId,
    pub(super) properties: HashMap<Arc<str>, Value>,
    /// Whether it is the object whose method is the entry: a caller knows more of it.
    pub(super) entry: bool,
    /// Whether all that happened to it happened in this run.
    fresh: bool,
    /// In how many undecided conditions it was made.
    branches: u32,
}

/// As many objects are made in a run; others are some object of their class.
const MOST: usize = 4_000;

impl Machine<'_> {
    pub(super) fn make(&mut self, class: ClassId, entry: bool) -> Object {
        if self.objects.len() >= MOST {
            return Object::Some(class);
        }
        self.objects.push(Made {
            class,
            properties: HashMap::new(),
            entry,
            fresh: false,
            branches: self.branches,
        });
        Object::Made(self.objects.len() as u32 - 1)
    }

    pub(super) fn class_of(&self, object: &Object) -> ClassId {
        match object {
            Object::Some(class) => *class,
            Object::Made(id) => self.objects[*id as usize].class,
        }
    }

    /// Whether a caller may know more of an object.
    pub(super) fn is_entry(&self, object: &Object) -> bool {
        matches!(object, Object::Made(id) if self.objects[*id as usize].entry)
    }

    pub(super) fn property(&self, object: &Object, name: &Arc<str>) -> Value {
        let class = self.class_of(object);
        let own = match object {
            Object::Made(id) => self.objects[*id as usize].properties.get(name),
            Object::Some(_) => None,
        };
        let mut value = match own {
            Some(value) => value.clone(),
            None if self.is_fresh(object) => self.declared(class, name),
            None => {
                let mut value = self.heap.property(self.program, class, name);
                let declared = self.program.property(class, name);
                if value.is_unknown()
                    && let Some((_, property)) = declared
                {
                    let objects = self.objects_of(&property.classes);
                    if !objects.is_undefined() {
                        value = objects;
                    }
                }
                if self.is_entry(object) && self.differs_below(class, name, 0) {
                    value.join(&Value::of_hole(Hole::open()));
                }
                value
            }
        };
        if value.is_undefined() {
            value = Value::unknown();
        }
        if self.is_entry(object) { value.opened() } else { value }
    }

    /// The same with objects as the texts that they turn into.
    pub(super) fn as_text(&mut self, value: Value) -> Value {
        if value.objects().next().is_none() {
            return value;
        }
        let mut text = Value::default();
        for alternative in value.alternatives() {
            match alternative {
                Alternative::Object(object) => text.join(&self.object_text(object)),
                other => text.join(&Value::one(other.clone())),
            }
        }
        text
    }

    /// What `__toString` of an object gives.
    fn object_text(&mut self, object: &Object) -> Value {
        let class = self.class_of(object);
        let mut text = Value::default();
        for id in self.program.methods_of(class, "__tostring") {
            // A run sees what is known of the object by now; a summary is older.
            let value = match self.run_alone(id, object) {
                Some(value) => value,
                None => match self.returned(id, Some(object), &Arguments::default()) {
                    Some(returned) => returned.value,
                    None => Value::unknown(),
                },
            };
            text.join(&value);
        }
        if text.is_undefined() { Value::unknown() } else { text }
    }

    /// Whether all that happened to an object happened in this run.
    fn is_fresh(&self, object: &Object) -> bool {
        matches!(object, Object::Made(id) if self.objects[*id as usize].fresh)
    }

    /// What a property is declared with.
    fn declared(&self, class: ClassId, name: &Arc<str>) -> Value {
        let Some((owner, property)) = self.program.property(class, name) else { return Value::null() };
        match self.heap.declared.get(&(owner, name.clone())) {
            Some(value) => value.clone(),
            None => {
                let objects = self.objects_of(&property.classes);
                if objects.is_undefined() { Value::null() } else { objects }
            }
        }
    }

    /// A constructor was run on an object, or there is none.
    pub(super) fn mark_fresh(&mut self, object: &Object) {
        if let Object::Made(id) = object {
            self.objects[*id as usize].fresh = true;
        }
    }

    /// Whether a class that extends this one declares a property anew.
    fn differs_below(&self, class: ClassId, name: &Arc<str>, depth: usize) -> bool {
        depth < 6
            && self.program.class(class).children.iter().any(|child| {
                let declares = self.program.class(*child).class.as_ref().is_some_and(|class| {
                    class.properties.iter().any(|p| p.name == *name && p.value.is_some())
                });
                declares
                    || self.heap.properties.contains_key(&(*child, name.clone()))
                    || self.differs_below(*child, name, depth + 1)
            })
    }

    pub(super) fn set_property(&mut self, object: &Object, name: &Arc<str>, value: &Value) {
        if self.dry > 0 {
            return;
        }
        match object {
            Object::Made(id) => {
                let weak = self.branches > self.objects[*id as usize].branches;
                let old = weak.then(|| self.property(object, name));
                let made = &mut self.objects[*id as usize];
                match old {
                    Some(old) if made.properties.contains_key(name) => {
                        made.properties.insert(name.clone(), old.joined(value));
                    }
                    // What it was before is what others wrote, and stays with that.
                    Some(old) => {
                        made.properties
                            .insert(name.clone(), value.clone().joined(&old.without_unknown_part()));
                    }
                    None => {
                        made.properties.insert(name.clone(), value.clone());
                    }
                }
            }
            Object::Some(class) => {
                let value = self.shared(value);
                self.write_property(*class, name, &value);
            }
        }
    }

    pub(super) fn write_property(&mut self, class: ClassId, name: &Arc<str>, value: &Value) {
        if self.dry > 0 {
            return;
        }
        self.writes.properties.entry((class, name.clone())).or_default().join(value);
    }

    /// Others may see an object: what is known of it is known of all objects of its class.
    /// Lists are what a builder collects for one statement, and are shared only where `all` is.
    pub(super) fn share(&mut self, object: &Object, all: bool) {
        let Object::Made(id) = object else { return };
        let class = self.objects[*id as usize].class;
        let properties: Vec<(Arc<str>, Value)> = self.objects[*id as usize]
            .properties
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        for (name, value) in properties {
            let is_itself = value.alternatives() == [Alternative::Object(object.clone())];
            if is_itself || !all && value.arrays().next().is_some() {
                continue;
            }
            let objects = &self.objects;
            let value = value.shallow().generalized(&|id| objects[id as usize].class).without_open();
            if !value.is_undefined() {
                self.write_property(class, &name, &value);
            }
        }
    }
}
