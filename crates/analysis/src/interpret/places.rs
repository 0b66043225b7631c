//! What is assigned to: variables, items of arrays, properties, lists of these.

use std::sync::Arc;

use super::effect::EffectKind;
use super::frame::Frame;
use super::machine::Machine;
use crate::php::ir::{Expr, Item};
use crate::value::{Alternative, Array, Key, Value};

impl<'p> Machine<'p> {
    pub(super) fn set_variable(&mut self, frame: &mut Frame, slot: u16, value: Value) {
        if let Some(Some(name)) = frame.globals.get(slot as usize) {
            let name = name.clone();
            self.write_global(&name, &value);
            return;
        }
        if let Some(variable) = frame.variables.get_mut(slot as usize) {
            *variable = if value.is_undefined() { Value::unknown() } else { value };
        }
    }

    /// Assigns a value to what an expression names.
    pub(super) fn assign(&mut self, frame: &mut Frame, target: &'p Expr, value: &Value) {
        if !self.step() {
            return;
        }
        let paths = self.session_paths(frame, target);
        if !paths.is_empty() {
            return self.define_session(frame, &paths);
        }
        match target {
            Expr::Var(slot, _) => self.set_variable(frame, *slot, value.clone()),
            Expr::VarNamed(name) => {
                let names = self.eval(frame, name);
                for name in names.known_texts() {
                    self.set_named(frame, name, value);
                }
            }
            Expr::Index(base, key) => self.assign_index(frame, base, key.as_deref(), value),
            Expr::Property(object, name) => {
                let objects = self.eval(frame, object);
                let names = self.member_names(frame, name);
                let several = objects.objects().count() * names.known_texts().count() > 1;
                self.branches += u32::from(several);
                for object in objects.objects() {
                    for name in names.known_texts() {
                        self.set_property(object, &Arc::from(name), value);
                    }
                }
                self.branches -= u32::from(several);
            }
            Expr::StaticProperty(class, name) => {
                let names = self.member_names(frame, name);
                for class in self.classes(frame, class) {
                    for name in names.known_texts() {
                        let owner = self.program.property(class, name).map_or(class, |(owner, _)| owner);
                        let value = self.shared(value);
                        self.write_property(owner, &Arc::from(format!("::{name}")), &value);
                    }
                }
            }
            Expr::Array(items) => self.assign_list(frame, items, value),
            _ => {}
        }
    }

    fn set_named(&mut self, frame: &mut Frame, name: &str, value: &Value) {
        let program = self.program;
        let variables = &program.function(frame.function).function.variables;
        match variables.iter().position(|known| &**known == name) {
            Some(slot) => self.set_variable(frame, slot as u16, value.clone()),
            None if frame.sees_globals => self.write_global(&Arc::from(name), value),
            None => {}
        }
    }

    fn assign_index(&mut self, frame: &mut Frame, base: &'p Expr, key: Option<&'p Expr>, value: &Value) {
        let key = key.map(|key| self.eval(frame, key));
        if let Expr::Globals = base {
            for name in key.iter().flat_map(Value::known_texts) {
                self.write_global(&Arc::from(name), value);
            }
            return;
        }
        self.muted += 1;
        let old = self.eval(frame, base);
        self.muted -= 1;
        if old.objects().next().is_some() && old.arrays().next().is_none() {
            return;
        }
        let mut new = Value::default();
        for alternative in old.alternatives() {
            let mut array = match alternative {
                Alternative::Array(array) => Array::clone(array),
                Alternative::Null => Array::default(),
                Alternative::Text(text) if text.known() == Some("") => Array::default(),
                Alternative::Unknown(hole) => Array::of_unknown(hole.item(None)),
                _ => continue,
            };
            match &key {
                None => array.push(value.clone()),
                Some(key) => match key.known() {
                    Some(key) => array.set(Key::of(key), value.clone()),
                    None => {
                        let known: Vec<&str> = key.known_texts().collect();
                        if known.is_empty() || known.len() < key.alternatives().len() {
                            array.add_somewhere(value);
                        }
                        for key in known {
                            let key = Key::of(key);
                            let old = array.get(&key).cloned().unwrap_or_default();
                            array.set(key, old.joined(value));
                        }
                    }
                },
            }
            new.join(&Value::array(array));
        }
        if new.is_undefined() {
            let mut array = Array::default();
            match key.as_ref().map(|key| key.known()) {
                None => array.push(value.clone()),
                Some(Some(key)) => array.set(Key::of(key), value.clone()),
                Some(None) => array.add_somewhere(value),
            }
            new = Value::array(array);
        }
        self.assign(frame, base, &new);
    }

    fn assign_list(&mut self, frame: &mut Frame, items: &'p [Item], value: &Value) {
        for (n, item) in items.iter().enumerate() {
            let key = match &item.key {
                Some(key) => self.eval(frame, key),
                None => Value::text(&n.to_string()),
            };
            let element = self.element(value, &key);
            self.assign(frame, &item.value, &element);
        }
    }

    /// An item of an array that is gone through, which may be a place in the session.
    pub(super) fn assign_item(&mut self, frame: &mut Frame, target: &'p Expr, item: &Value) {
        if item.sessions().next().is_some() {
            self.bind(frame, target, item);
        } else {
            self.assign(frame, target, item);
        }
    }

    /// What a reference to an expression is: a place in the session, or what it has.
    pub(super) fn reference(&mut self, frame: &mut Frame, source: &'p Expr) -> Value {
        let paths = self.session_paths(frame, source);
        if paths.is_empty() {
            return self.eval(frame, source);
        }
        let mut value = Value::default();
        for (path, _) in paths {
            value.join(&Value::one(Alternative::Session(path)));
        }
        value
    }

    /// Makes something a reference.
    pub(super) fn bind(&mut self, frame: &mut Frame, target: &'p Expr, value: &Value) {
        match target {
            // What it referred to before is left alone.
            Expr::Var(slot, _) => {
                if let Some(global) = frame.globals.get_mut(*slot as usize) {
                    *global = None;
                }
                if let Some(variable) = frame.variables.get_mut(*slot as usize) {
                    *variable = value.clone();
                }
            }
            Expr::Property(object, name) if value.sessions().next().is_some() => {
                let objects = self.eval(frame, object);
                let names = self.member_names(frame, name);
                for object in objects.objects() {
                    for name in names.known_texts() {
                        self.set_property(object, &Arc::from(name), value);
                    }
                }
            }
            _ => self.assign(frame, target, value),
        }
    }

    pub(super) fn unset(&mut self, frame: &mut Frame, target: &'p Expr) {
        if let Expr::Var(slot, _) = target {
            // A reference that goes away leaves the session as it is.
            if let Some(variable) = frame.variables.get_mut(*slot as usize) {
                *variable = Value::null();
            }
            return;
        }
        let paths = self.session_paths(frame, target);
        if !paths.is_empty() {
            return self.define_session(frame, &paths);
        }
        if let Expr::Index(base, Some(key)) = target {
            let key = self.eval(frame, key);
            let old = self.eval(frame, base);
            if let ([Alternative::Array(array)], Some(key)) = (old.alternatives(), key.known()) {
                let mut array = Array::clone(array);
                array.remove(&Key::of(key));
                self.assign(frame, base, &Value::array(array));
            }
        }
    }

    /// Assigns to a place in the session.
    pub(super) fn define_session(&mut self, frame: &Frame, paths: &[super::session::Access]) {
        for (path, position) in paths {
            self.record(frame.file, *position, "", EffectKind::Define(path.clone()));
        }
    }

    pub(super) fn use_session(&mut self, frame: &Frame, paths: &[super::session::Access]) {
        for (path, position) in paths {
            self.record(frame.file, *position, "", EffectKind::Use(path.clone()));
        }
    }
}
