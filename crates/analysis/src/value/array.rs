//! An array as far as it is known: the items whose keys are known, in order, and what else is in it.

use std::sync::Arc;

use super::{Hole, Template, Value};

/// A key of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Number(i64),
    Name(Arc<str>),
}

impl Key {
    /// As PHP makes keys of strings.
    pub(crate) fn of(text: &str) -> Self {
        match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => Self::Number(number),
            _ => Self::Name(text.into()),
        }
    }

    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Number(number) => Value::text(&number.to_string()),
            Self::Name(name) => Value::text(name),
        }
    }
}

/// An array as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Array {
    items: Vec<(Key, Value)>,
    /// What is at keys that are not known.
    rest: Option<Box<Value>>,
    /// How much is in it, counted all the way down.
    weight: u32,
}

/// More is not kept in an array: what is added is not known then.
const MOST_WEIGHT: u32 = 400;

/// More items go to the rest.
const MOST_ITEMS: usize = 256;

impl Array {
    pub(crate) fn items(&self) -> &[(Key, Value)] {
        &self.items
    }

    pub(crate) fn rest(&self) -> Option<&Value> {
        self.rest.as_deref()
    }

    /// Whether it is known to be empty, or not to be.
    pub(crate) fn is_empty(&self) -> Option<bool> {
        match (self.items.is_empty(), &self.rest) {
            (true, Some(_)) => None,
            (empty, _) => Some(empty),
        }
    }

    pub(crate) fn get(&self, key: &Key) -> Option<&Value> {
        self.items.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    pub(crate) fn set(&mut self, key: Key, value: Value) {
        let value = self.bearable(value);
        let weight = value.weight();
        if let Some((_, old)) = self.items.iter_mut().find(|(known, _)| *known == key) {
            self.weight = (self.weight + weight).saturating_sub(old.weight());
            *old = value;
        } else if self.items.len() >= MOST_ITEMS {
            self.add_somewhere(&value);
        } else {
            self.weight += weight + 1;
            self.items.push((key, value));
        }
    }

    /// How much is in it, counted all the way down.
    pub(crate) fn weight(&self) -> u32 {
        self.weight
    }

    /// A value that an array can take.
    fn bearable(&self, value: Value) -> Value {
        if self.weight + value.weight() <= MOST_WEIGHT || value.weight() <= 1 {
            return value;
        }
        Value::of_hole(value.as_hole().computed())
    }

    pub(crate) fn remove(&mut self, key: &Key) {
        if let Some(at) = self.items.iter().position(|(known, _)| known == key) {
            let (_, old) = self.items.remove(at);
            self.weight = self.weight.saturating_sub(old.weight() + 1);
        }
    }

    pub(crate) fn push(&mut self, value: Value) {
        let next = self.items.iter().filter_map(|(key, _)| match key {
            Key::Number(number) => Some(number.saturating_add(1)),
            Key::Name(_) => None,
        });
        let next = next.max().unwrap_or(0);
        self.set(Key::Number(next), value);
    }

    /// Something at a key that is not known.
    pub(crate) fn add_somewhere(&mut self, value: &Value) {
        let value = self.bearable(value.clone());
        match &mut self.rest {
            Some(rest) => {
                self.weight = self.weight.saturating_sub(rest.weight());
                rest.join(&value);
                self.weight += rest.weight();
            }
            None => {
                self.weight += value.weight();
                self.rest = Some(Box::new(value));
            }
        }
    }

    /// Anything that is in it.
    pub(crate) fn any(&self) -> Value {
        let mut any = Value::default();
        for (_, value) in &self.items {
            any.join(value);
        }
        if let Some(rest) = &self.rest {
            any.join(rest);
        }
        any
    }

    /// Any of its keys.
    pub(crate) fn any_key(&self) -> Value {
        let mut any = Value::default();
        for (key, _) in &self.items {
            any.join(&key.value());
        }
        if let Some(rest) = &self.rest {
            any.join(&Value::of_hole(rest.as_hole().source()));
        }
        any
    }

    /// The items of another after its own, as `array_merge` does.
    pub(crate) fn append(&mut self, other: &Self) {
        for (key, value) in &other.items {
            match key {
                Key::Number(_) => self.push(value.clone()),
                Key::Name(_) => self.set(key.clone(), value.clone()),
            }
        }
        if let Some(rest) = &other.rest {
            self.add_somewhere(rest);
        }
    }

    pub(crate) fn merged(all: &[&Arc<Self>]) -> Self {
        let mut merged = Self::default();
        for array in all {
            for (key, value) in &array.items {
                let joined = match merged.get(key) {
                    Some(old) => old.clone().joined(value),
                    None => value.clone(),
                };
                merged.set(key.clone(), joined);
            }
            if let Some(rest) = &array.rest {
                merged.add_somewhere(rest);
            }
        }
        merged
    }

    pub(crate) fn map(&self, change: impl Fn(&Value) -> Value) -> Self {
        let items: Vec<(Key, Value)> =
            self.items.iter().map(|(key, value)| (key.clone(), change(value))).collect();
        let rest = self.rest.as_ref().map(|rest| Box::new(change(rest)));
        let weight = items.iter().map(|(_, value)| value.weight() + 1).sum::<u32>()
            + rest.as_ref().map_or(0, |rest| rest.weight());
        Self { items, rest, weight }
    }

    /// Its items as strings with something between them.
    pub(crate) fn implode(&self, between: &Template) -> Value {
        let mut all = Value::text("");
        for (n, (_, value)) in self.items.iter().enumerate() {
            if n > 0 {
                all = all.concat(&Value::template(between.clone()));
            }
            all = all.concat(value);
        }
        match &self.rest {
            Some(rest) => {
                let rest = Value::of_hole(rest.as_hole());
                if self.items.is_empty() {
                    rest
                } else {
                    all.concat(&Value::template(between.clone())).concat(&rest)
                }
            }
            None => all,
        }
    }

    pub(crate) fn of_unknown(hole: Hole) -> Self {
        Self { items: Vec::new(), rest: Some(Box::new(Value::of_hole(hole))), weight: 1 }
    }
}
