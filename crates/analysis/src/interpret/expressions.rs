//! Expressions.

use std::sync::Arc;

use super::frame::Frame;
use super::machine::Machine;
use crate::php::ir::{Cast, ClassName, Expr, Item, Member};
use crate::program::ClassId;
use crate::value::{Alternative, Array, Hole, Key, Template, Value};

/// Variables that PHP fills with what comes from outside.
const SUPERGLOBALS: &[&str] = &["_GET", "_POST", "_REQUEST", "_COOKIE", "_SERVER", "_FILES", "_ENV", "argv"];

impl<'p> Machine<'p> {
    pub(super) fn eval(&mut self, frame: &mut Frame, e: &'p Expr) -> Value {
        if !self.step() {
            return Value::unknown();
        }
        match e {
            Expr::Text(text) => Value::text(text),
            Expr::Null => Value::null(),
            Expr::Bool(value) => Value::bool(*value),
            Expr::Session(_) => {
                let paths = self.session_paths(frame, e);
                self.use_session(frame, &paths);
                Value::outside()
            }
            Expr::Globals => Value::unknown(),
            Expr::This => frame.this.clone().map_or_else(Value::unknown, Value::object),
            Expr::Var(slot, position) => {
                let value = self.variable(frame, *slot);
                if value.sessions().next().is_some() {
                    let paths = value.sessions().map(|path| (path.clone(), *position)).collect::<Vec<_>>();
                    self.use_session(frame, &paths);
                    return Value::outside();
                }
                value
            }
            Expr::VarNamed(name) => {
                let name = self.eval(frame, name);
                let mut value = Value::default();
                for name in name.known_texts() {
                    value.join(&self.variable_named(frame, name));
                }
                if value.is_undefined() { Value::of_hole(name.as_hole()) } else { value }
            }
            Expr::Index(base, key) => {
                let paths = self.session_paths(frame, e);
                if !paths.is_empty() {
                    self.use_session(frame, &paths);
                    return Value::outside();
                }
                self.index(frame, base, key.as_deref())
            }
            Expr::Property(object, name) => {
                let object = self.eval(frame, object);
                let names = self.member_names(frame, name);
                let value = self.properties(&object, &names);
                if value.sessions().next().is_some() { Value::outside() } else { value }
            }
            Expr::StaticProperty(class, name) => {
                let names = self.member_names(frame, name);
                let mut value = Value::default();
                for class in self.classes(frame, class) {
                    for name in names.known_texts() {
                        value.join(&self.static_property(class, name));
                    }
                }
                if value.is_undefined() { Value::unknown() } else { value }
            }
            Expr::ClassConstant(class, name) => self.class_constant(frame, class, name),
            Expr::Constant(full, other) => self.constant(full, other.as_deref()),
            Expr::Concat(parts) => {
                let mut all = Value::text("");
                for part in parts {
                    let part = self.eval(frame, part);
                    let part = self.as_text(part);
                    all = all.concat(&part);
                }
                all
            }
            Expr::Assign(target, value) => {
                let value = self.eval(frame, value);
                self.assign(frame, target, &value);
                value
            }
            Expr::AssignReference(target, source) => {
                let value = self.reference(frame, source);
                self.bind(frame, target, &value);
                value
            }
            Expr::AssignConcat(target, value) => {
                let value = self.eval(frame, value);
                let value = self.as_text(value);
                let old = self.eval(frame, target);
                let new = if old.is_undefined() { value } else { old.concat(&value) };
                self.assign(frame, target, &new);
                new
            }
            Expr::AssignCoalesce(target, value) => {
                let old = self.eval(frame, target);
                let value = self.eval(frame, value).joined(&old);
                self.assign(frame, target, &value);
                value
            }
            Expr::Modify(target, value) => {
                let added = value.as_ref().map(|value| self.eval(frame, value));
                let old = self.eval(frame, target);
                let mut new = Value::of_hole(old.as_hole().computed());
                if let Some(added) = &added
                    && added.arrays().next().is_some()
                {
                    new = sum(&old, added);
                }
                self.assign(frame, target, &new);
                new
            }
            Expr::Equal(a, b, equal) => {
                let a = self.eval(frame, a);
                let b = self.eval(frame, b);
                self.same(&a, &b).map_or_else(|| undecided(&[&a, &b]), |same| Value::bool(same == *equal))
            }
            Expr::And(a, b) => {
                let first = self.eval(frame, a);
                let a = first.truth();
                if a == Some(false) {
                    self.look_at(frame, |machine, frame| drop(machine.eval(frame, b)));
                    return Value::bool(false);
                }
                let second = self.undecided(frame, b, a.is_none());
                match (a, second.truth()) {
                    (_, Some(false)) => Value::bool(false),
                    (Some(true), Some(true)) => Value::bool(true),
                    _ => undecided(&[&first, &second]),
                }
            }
            Expr::Or(a, b) => {
                let first = self.eval(frame, a);
                let a = first.truth();
                if a == Some(true) {
                    self.look_at(frame, |machine, frame| drop(machine.eval(frame, b)));
                    return Value::bool(true);
                }
                let left = frame.left;
                let second = self.undecided(frame, b, a.is_none());
                if a.is_none() {
                    // `… or die()`.
                    frame.left = left;
                }
                match (a, second.truth()) {
                    (_, Some(true)) => Value::bool(true),
                    (Some(false), Some(false)) => Value::bool(false),
                    _ => undecided(&[&first, &second]),
                }
            }
            Expr::Not(inner) => {
                let value = self.eval(frame, inner);
                value.truth().map_or_else(|| undecided(&[&value]), |truth| Value::bool(!truth))
            }
            Expr::Add(a, b) => {
                let a = self.eval(frame, a);
                let b = self.eval(frame, b);
                sum(&a, &b)
            }
            Expr::InstanceOf(object, class) => {
                let object = self.eval(frame, object);
                let classes = self.classes(frame, class);
                self.instance_of(&object, &classes)
            }
            Expr::Conditional(condition, then, other) => {
                let value = self.eval(frame, condition);
                match value.truth() {
                    Some(true) => {
                        self.look_at(frame, |machine, frame| drop(machine.eval(frame, other)));
                        then.as_ref().map_or(value, |then| self.eval(frame, then))
                    }
                    Some(false) => {
                        if let Some(then) = then {
                            self.look_at(frame, |machine, frame| drop(machine.eval(frame, then)));
                        }
                        self.eval(frame, other)
                    }
                    None => {
                        self.conditional |= value.as_hole().open;
                        let before = frame.snapshot();
                        self.branches += 1;
                        self.assume(frame, condition, true);
                        let mut either = then.as_ref().map_or(value, |then| self.eval(frame, then));
                        let after = frame.snapshot();
                        frame.restore(before);
                        self.assume(frame, condition, false);
                        either.join(&self.eval(frame, other));
                        self.branches -= 1;
                        frame.join(after);
                        either
                    }
                }
            }
            Expr::Coalesce(a, b) => {
                let a = self.eval(frame, a);
                if !a.is_undefined()
                    && a.alternatives()
                        .iter()
                        .all(|a| !matches!(a, Alternative::Unknown(_) | Alternative::Null))
                {
                    return a;
                }
                let b = self.undecided(frame, b, true);
                a.without_null().joined(&b)
            }
            Expr::Match(subject, arms) => {
                let subject = self.eval(frame, subject);
                let mut either = Value::default();
                self.branches += 1;
                for (conditions, value) in arms {
                    let mut may = conditions.is_empty();
                    for condition in conditions {
                        let condition = self.eval(frame, condition);
                        may |= self.same(&subject, &condition) != Some(false);
                    }
                    if may {
                        let before = frame.snapshot();
                        either.join(&self.eval(frame, value));
                        frame.left = false;
                        frame.join(before);
                    }
                }
                self.branches -= 1;
                if either.is_undefined() { Value::unknown() } else { either }
            }
            Expr::Array(items) => self.array(frame, items),
            Expr::Cast(cast, inner) => {
                let value = self.eval(frame, inner);
                self.cast(*cast, value)
            }
            Expr::Isset(all) => {
                let mut hole = Hole::default();
                for e in all {
                    hole = hole.and(&self.eval(frame, e).as_hole());
                }
                Value::of_hole(hole.computed())
            }
            Expr::Empty(inner) => {
                let value = self.eval(frame, inner);
                value.truth().map_or_else(|| undecided(&[&value]), |truth| Value::bool(!truth))
            }
            Expr::Include(path) => {
                let path = self.eval(frame, path);
                self.include(frame, &path)
            }
            Expr::Call(call) => self.call(frame, call, true),
            Expr::Closure(local, uses) => {
                let id = self.program.files[frame.file as usize].first + local;
                let captured = uses
                    .iter()
                    .map(|(outer, inner, _)| (*inner, self.variable(frame, *outer)))
                    .collect::<Vec<_>>();
                let captured = Arc::new(captured);
                if self.is_in_entry() {
                    self.closures.retain(|(known, ..)| *known != id);
                    self.closures.push((id, captured.clone(), frame.this.clone()));
                }
                Value::one(Alternative::Closure(id, captured, frame.this.clone()))
            }
            Expr::Leave(all) => {
                for e in all {
                    self.eval(frame, e);
                }
                frame.left = true;
                Value::unknown()
            }
            Expr::Other(all) => {
                let mut hole = Hole::default();
                for e in all {
                    hole = hole.and(&self.eval(frame, e).as_hole());
                }
                Value::of_hole(hole.computed())
            }
        }
    }

    /// Something that may not be evaluated at all.
    fn undecided(&mut self, frame: &mut Frame, e: &'p Expr, undecided: bool) -> Value {
        if !undecided {
            return self.eval(frame, e);
        }
        // What it assigns is taken as assigned: copies of all variables for every `&&` would cost more than they tell.
        let left = frame.left;
        self.branches += 1;
        let value = self.eval(frame, e);
        self.branches -= 1;
        frame.left = left;
        value
    }

    pub(super) fn variable(&self, frame: &Frame, slot: u16) -> Value {
        let slot = slot as usize;
        if let Some(Some(name)) = frame.globals.get(slot) {
            return self.read_global(name);
        }
        let Some(value) = frame.variables.get(slot) else { return Value::unknown() };
        if !value.is_undefined() {
            return value.clone();
        }
        let name = self.program.function(frame.function).function.variables.get(slot);
        if name.is_some_and(|name| SUPERGLOBALS.contains(&&**name)) {
            return Value::outside();
        }
        match name {
            Some(name) if frame.sees_globals => self.read_global(name),
            _ => Value::of_hole(Hole { open: frame.is_closure, ..Hole::default() }),
        }
    }

    fn variable_named(&self, frame: &Frame, name: &str) -> Value {
        let variables = &self.program.function(frame.function).function.variables;
        match variables.iter().position(|known| &**known == name) {
            Some(slot) => self.variable(frame, slot as u16),
            None if frame.sees_globals => self.read_global(&Arc::from(name)),
            None => Value::unknown(),
        }
    }

    fn index(&mut self, frame: &mut Frame, base: &'p Expr, key: Option<&'p Expr>) -> Value {
        if let (Expr::Globals, Some(key)) = (base, key) {
            let key = self.eval(frame, key);
            let mut value = Value::default();
            for name in key.known_texts() {
                value.join(&self.read_global(&Arc::from(name)));
            }
            return if value.is_undefined() { Value::unknown() } else { value };
        }
        let base = self.eval(frame, base);
        let key = match key {
            Some(key) => self.eval(frame, key),
            None => return Value::unknown(),
        };
        self.element(&base, &key)
    }

    /// What an array has at a key.
    pub(super) fn element(&self, base: &Value, key: &Value) -> Value {
        let keys: Vec<Key> = key.known_texts().map(Key::of).collect();
        let all_known = keys.len() == key.alternatives().len() && !keys.is_empty();
        let mut value = Value::default();
        for alternative in base.alternatives() {
            match alternative {
                Alternative::Array(array) if all_known => {
                    for key in &keys {
                        match (array.get(key), array.rest()) {
                            (Some(item), _) => value.join(item),
                            (None, Some(rest)) => value.join(rest),
                            (None, None) => value.join(&Value::null()),
                        }
                    }
                }
                Alternative::Array(array) => {
                    let any = array.any();
                    value.join(&if any.is_undefined() { Value::unknown() } else { any });
                }
                Alternative::Unknown(hole) if all_known => {
                    for key in &keys {
                        value.join(&Value::of_hole(hole.item(Some(key.clone()))));
                    }
                }
                Alternative::Unknown(hole) => value.join(&Value::of_hole(hole.item(None))),
                _ => value.join(&Value::unknown()),
            }
        }
        if value.is_undefined() { Value::unknown() } else { value }
    }

    /// The names that a member may have.
    pub(super) fn member_names(&mut self, frame: &mut Frame, member: &'p Member) -> Value {
        match member {
            Member::Named(name) => Value::text(name),
            Member::Computed(e) => self.eval(frame, e),
        }
    }

    /// What objects have as properties of some names.
    pub(super) fn properties(&self, object: &Value, names: &Value) -> Value {
        let mut value = Value::default();
        for object in object.objects() {
            for name in names.known_texts() {
                value.join(&self.property(object, &Arc::from(name)));
            }
        }
        let mut hole = object.as_hole();
        hole.outside |= object.objects().any(|object| self.program.gives_outside(self.class_of(object)));
        if value.is_undefined() || object.alternatives().iter().any(|a| matches!(a, Alternative::Unknown(_)))
        {
            value.join(&Value::of_hole(hole.computed()));
        }
        value
    }

    pub(super) fn static_property(&self, class: ClassId, name: &str) -> Value {
        let name = Arc::from(format!("::{name}"));
        let mut value = Value::default();
        for id in self.program.lineage(class) {
            if let Some(known) = self.heap.properties.get(&(*id, Arc::clone(&name))) {
                value.join(known);
                break;
            }
        }
        if value.is_undefined() {
            value = self.heap.property(self.program, class, &Arc::from(&name[2..]));
        }
        if value.is_unknown()
            && let Some((_, property)) = self.program.property(class, &name[2..])
        {
            let objects = self.objects_of(&property.classes);
            if !objects.is_undefined() {
                return objects;
            }
        }
        if value.is_undefined() { Value::unknown() } else { value }
    }

    fn class_constant(&mut self, frame: &mut Frame, class: &'p ClassName, name: &str) -> Value {
        if name.eq_ignore_ascii_case("class") {
            if let ClassName::Named(name) = class {
                return Value::text(name);
            }
            let classes = self.classes(frame, class);
            return classes
                .first()
                .map_or_else(Value::unknown, |id| Value::text(&self.program.class(*id).shown));
        }
        let mut value = Value::default();
        for class in self.classes(frame, class) {
            let Some((owner, e)) = self.program.class_constant(class, name) else { continue };
            if self.stack.len() > 40 {
                continue;
            }
            let first = self.program.class(owner).file.map(|file| self.program.files[file as usize].first);
            if let Some(first) = first {
                let mut inner = self.frame(first, None, Some(owner));
                inner.class = Some(owner);
                inner.sees_globals = false;
                // Constants may name each other in a circle.
                self.stack.push(first);
                value.join(&self.eval(&mut inner, e));
                self.stack.pop();
            }
        }
        if matches!(class, ClassName::StaticClass)
            && frame.this.as_ref().is_some_and(|this| self.is_entry(this))
            && frame.class.is_some_and(|class| !self.program.class(class).children.is_empty())
        {
            value.join(&Value::of_hole(Hole::open()));
        }
        if value.is_undefined() { Value::unknown() } else { value }
    }

    pub(super) fn constant(&self, full: &str, other: Option<&str>) -> Value {
        let find = |name: &str| self.writes.constants.get(name).or_else(|| self.heap.constants.get(name));
        let found = find(full).or_else(|| other.and_then(find)).cloned();
        match found {
            Some(value) if !value.is_undefined() => value,
            _ => match other.unwrap_or(full) {
                "PHP_EOL" => Value::text("\n"),
                "DIRECTORY_SEPARATOR" => Value::text("/"),
                _ => Value::unknown(),
            },
        }
    }

    pub(super) fn array(&mut self, frame: &mut Frame, items: &'p [Item]) -> Value {
        let mut array = Array::default();
        for item in items {
            let value = if item.by_reference {
                self.reference(frame, &item.value)
            } else {
                self.eval(frame, &item.value)
            };
            if item.spread {
                match value.alternatives() {
                    [Alternative::Array(spread)] => array.append(spread),
                    _ => array.add_somewhere(&Value::of_hole(value.as_hole())),
                }
                continue;
            }
            match &item.key {
                None => array.push(value),
                Some(key) => {
                    let key = self.eval(frame, key);
                    match key.known() {
                        Some(key) => array.set(Key::of(key), value),
                        None => array.add_somewhere(&value),
                    }
                }
            }
        }
        Value::array(array)
    }

    fn cast(&mut self, cast: Cast, value: Value) -> Value {
        match cast {
            Cast::Text => Value::templates(self.as_text(value).to_templates()),
            Cast::Number => match value.known() {
                Some(text) if text.parse::<f64>().is_ok() => value,
                _ => Value::template(Template::hole(value.as_hole().computed())),
            },
            Cast::Bool => value.truth().map_or_else(Value::unknown, Value::bool),
            Cast::Array => {
                let mut all = Value::default();
                for alternative in value.alternatives() {
                    let this = Value::one(alternative.clone());
                    all.join(&match alternative {
                        Alternative::Array(_) => this,
                        Alternative::Null => Value::array(Array::default()),
                        Alternative::Text(_) => {
                            let mut array = Array::default();
                            array.push(this);
                            Value::array(array)
                        }
                        _ => Value::array(Array::of_unknown(this.as_hole().item(None))),
                    });
                }
                all
            }
        }
    }

    /// The classes that a name means.
    pub(super) fn classes(&mut self, frame: &mut Frame, class: &'p ClassName) -> Vec<ClassId> {
        match class {
            ClassName::Named(name) => self.program.class_named(name).into_iter().collect(),
            ClassName::SelfClass => frame.class.into_iter().collect(),
            ClassName::StaticClass => frame.static_class.or(frame.class).into_iter().collect(),
            ClassName::Parent => {
                let class =
                    frame.class.map(|class| self.program.class(class).parents.clone()).unwrap_or_default();
                class.into_iter().take(1).collect()
            }
            ClassName::Computed(e) => {
                let value = self.eval(frame, e);
                let mut classes: Vec<ClassId> = value.objects().map(|object| self.class_of(object)).collect();
                let named = value.known_texts().filter_map(|name| {
                    self.program.class_named(&name.trim_start_matches('\\').to_lowercase())
                });
                classes.extend(named);
                classes
            }
        }
    }

    fn instance_of(&self, object: &Value, classes: &[ClassId]) -> Value {
        let mut truth = None;
        for alternative in object.alternatives() {
            let this = match alternative {
                Alternative::Unknown(_) => return Value::unknown(),
                Alternative::Object(object) => {
                    let class = self.class_of(object);
                    if classes.iter().any(|other| self.program.is_a(class, *other)) {
                        true
                    } else if classes.is_empty()
                        || classes.iter().any(|other| self.program.is_a(*other, class))
                    {
                        return Value::unknown();
                    } else {
                        false
                    }
                }
                _ => false,
            };
            if truth.is_some_and(|other| other != this) {
                return Value::unknown();
            }
            truth = Some(this);
        }
        truth.map_or_else(Value::unknown, Value::bool)
    }

    fn include(&mut self, frame: &mut Frame, path: &Value) -> Value {
        for template in path.to_templates() {
            // What is known of the end of the path names the file.
            let end = match template.pieces().last() {
                Some(crate::value::Piece::Text(text)) => text.clone(),
                _ => continue,
            };
            let Some(file) = self.program.included(frame.file, &end) else {
                // A file of settings that is not part of the program.
                if end.ends_with(".php") {
                    self.set_outside(frame);
                }
                continue;
            };
            let top = self.program.files[file as usize].first;
            let entry = self.program.function(top);
            // A file of settings that returns an array.
            let returns =
                entry.function.body.iter().any(|s| matches!(s, crate::php::ir::Stmt::Return(Some(_))));
            if returns && !self.stack.contains(&top) && self.stack.len() < 20 && entry.function.size < 20_000
            {
                self.stack.push(top);
                self.muted += 1;
                let mut inner = self.frame(top, None, None);
                self.body(&mut inner, &entry.function.body);
                self.muted -= 1;
                self.stack.pop();
                return if inner.returned.is_undefined() { Value::unknown() } else { inner.returned };
            }
        }
        Value::unknown()
    }
}

impl Machine<'_> {
    /// A file from outside of the program may have set any variable of a function.
    fn set_outside(&self, frame: &mut Frame) {
        if &*self.program.function(frame.function).function.name == "{file}" {
            return;
        }
        for (variable, global) in frame.variables.iter_mut().zip(&frame.globals) {
            if global.is_none() && !variable.is_undefined() && variable.sessions().next().is_none() {
                variable.join(&Value::outside());
            }
        }
    }
}

/// What is left of a condition that is not decided.
fn undecided(values: &[&Value]) -> Value {
    Value::of_hole(values.iter().fold(Hole::default(), |hole, value| hole.and(&value.as_hole())).computed())
}

/// `+` of arrays, or of numbers.
fn sum(a: &Value, b: &Value) -> Value {
    let (Some(first), Some(second)) = (a.arrays().next(), b.arrays().next()) else {
        let hole = a.as_hole().and(&b.as_hole());
        return Value::of_hole(hole.computed());
    };
    let mut array = Array::clone(first);
    for (key, value) in second.items() {
        if array.get(key).is_none() {
            array.set(key.clone(), value.clone());
        }
    }
    if let Some(rest) = second.rest() {
        array.add_somewhere(rest);
    }
    Value::array(array)
}
