//! Calls without running them again: what a function returns, and what it sends to a database, with the caller's arguments
//! in the places of its parameters.

use std::sync::Arc;

use super::calls::Arguments;
use super::effect::{Effect, EffectKind, Site};
use super::frame::Frame;
use super::machine::Machine;
use crate::php::ir::Position;
use crate::program::FunctionId;
use crate::value::{Alternative, Given, Hole, Key, Object, Piece, Template, Value};

/// What a run of a function as an entry says to its callers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    /// Whether the function was run.
    pub(crate) known: bool,
    pub(super) returned: Value,
    /// Whether it returns the object whose method it is.
    pub(super) returns_this: bool,
    /// What parameters that are references are left with.
    pub(super) left_behind: Vec<(usize, Value)>,
    /// Whether some condition depends on who calls: a run with the arguments may say less, and what is so.
    pub(super) conditional: bool,
}

/// What a call returns, as a summary says it.
pub(super) struct Returned {
    pub(super) value: Value,
    /// Whether a run would not say more.
    pub(super) complete: bool,
    /// What arguments that are references are left with.
    pub(super) left_behind: Vec<(usize, Value)>,
}

/// What a call gives to a function.
pub(super) struct Bound {
    function: FunctionId,
    /// For each of its parameters.
    values: Vec<Value>,
    /// For as many of them something is given.
    passed: usize,
    /// What is left of all of it.
    rest: Hole,
}

/// A value with arguments in the places of parameters.
pub(super) struct Filled {
    pub(super) value: Value,
    /// Whether nothing is left that depends on the call in another way.
    pub(super) complete: bool,
}

impl Machine<'_> {
    /// What is left to say of the entry that was run.
    pub(super) fn summarize(&mut self, id: FunctionId, frame: &Frame) -> Summary {
        let function = &self.program.function(id).function;
        let mut returned = frame.returned.clone();
        if returned.is_undefined() {
            returned = Value::null();
        }
        let this = frame.this.clone().map(Alternative::Object);
        let returns_this = this.is_some_and(|this| returned.alternatives().contains(&this));
        let mut left_behind = Vec::new();
        for (n, parameter) in function.parameters.iter().enumerate() {
            if parameter.by_reference
                && let Some(value) = frame.variables.get(parameter.slot as usize)
                && !value.is_undefined()
                && value.sessions().next().is_none()
            {
                left_behind.push((n, self.kept(value)));
            }
        }
        let returned = self.kept(&returned);
        Summary { known: true, returned, returns_this, left_behind, conditional: self.conditional }
    }

    /// A value as callers get it.
    fn kept(&self, value: &Value) -> Value {
        let objects = &self.objects;
        value.shallow().generalized(&|id| objects[id as usize].class)
    }

    /// What each parameter of a function is given by a call.
    fn bound(&mut self, id: FunctionId, arguments: &Arguments<'_>) -> Vec<Value> {
        let program = self.program;
        let entry = program.function(id);
        let mut bound = Vec::with_capacity(entry.function.parameters.len());
        for (n, parameter) in entry.function.parameters.iter().enumerate() {
            let named =
                arguments.named.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
            let given = named.or_else(|| arguments.values.get(n)).or(arguments.rest.as_ref());
            bound.push(if parameter.variadic {
                let mut array = crate::value::Array::default();
                arguments.values.iter().skip(n).for_each(|argument| array.push(argument.clone()));
                if let Some(rest) = &arguments.rest {
                    array.add_somewhere(rest);
                }
                Value::array(array)
            } else {
                match (given, &parameter.default) {
                    (Some(value), _) => value.clone(),
                    (None, Some(default)) => {
                        let mut inner = self.frame(id, None, entry.class);
                        self.eval(&mut inner, default)
                    }
                    (None, None) => Value::unknown(),
                }
            });
        }
        bound
    }

    fn given(&self, given: &Given, call: &Bound) -> Value {
        let Some(value) = call.values.get(given.parameter as usize) else { return Value::unknown() };
        let mut value = value.clone();
        for key in given.keys.iter() {
            value = match key {
                Some(key) => self.element(&value, &key.value()),
                None => items(&value),
            };
        }
        if value.is_undefined() { Value::unknown() } else { value }
    }

    /// What something is computed from. What a parameter is where nothing is given for it names no table.
    fn argument(&self, given: &Given, call: &Bound) -> Hole {
        let hole = self.given(given, call).as_hole();
        if (given.parameter as usize) < call.passed { hole } else { Hole { from: None, ..hole } }
    }

    /// A value with arguments in the places of parameters.
    pub(super) fn filled(&mut self, value: &Value, call: &Bound) -> Filled {
        if !has_open(value) {
            return Filled { value: value.clone(), complete: true };
        }
        let mut filled = Filled { value: Value::default(), complete: true };
        for alternative in value.alternatives() {
            match alternative {
                Alternative::Unknown(hole) => {
                    let (value, complete) = self.filled_hole(hole, call);
                    filled.complete &= complete;
                    filled.value.join(&value);
                }
                Alternative::Text(template) if template.is_open() => {
                    let (value, complete) = self.filled_template(template, call);
                    filled.complete &= complete;
                    filled.value.join(&value);
                }
                Alternative::Array(array) => {
                    let (complete, this) = (std::cell::Cell::new(true), std::cell::RefCell::new(&mut *self));
                    let array = array.map(|item| {
                        let item = this.borrow_mut().filled(item, call);
                        complete.set(complete.get() && item.complete);
                        item.value
                    });
                    filled.complete &= complete.get();
                    filled.value.join(&Value::array(array));
                }
                other => filled.value.join(&Value::one(other.clone())),
            }
        }
        filled
    }

    fn filled_hole(&self, hole: &Hole, call: &Bound) -> (Value, bool) {
        match &hole.given {
            Some(given) if given.is_argument() => (self.given(given, call), !given.inexact),
            Some(given) => {
                // The names in the argument are what it may have been computed from.
                let argument = self.argument(given, call);
                let given = argument.given.as_ref().map(Given::computed);
                let outside = hole.outside || argument.outside;
                let from = argument.from.clone().or(hole.from.clone());
                (Value::of_hole(Hole { given, outside, from, ..argument }), false)
            }
            None if hole.open && hole.parts.is_some() => {
                let mut left = hole.source_beside(call.function);
                for given in hole.parts.iter().flat_map(|parts| parts.iter()) {
                    let argument = self.argument(given, call);
                    left = left.and(&Hole { from: argument.from.clone(), ..argument.computed() });
                }
                let from = hole.from.clone().or(left.from.clone());
                (Value::of_hole(Hole { open: call.rest.open, from, ..left.one_of_several() }), false)
            }
            None if hole.open => {
                let from = hole.from.clone().or(call.rest.from.clone());
                let left = call.rest.and(&hole.source_beside(call.function));
                let left = Hole { given: call.rest.given.clone(), from, ..left };
                (Value::of_hole(left), false)
            }
            None => (Value::of_hole(hole.clone()), true),
        }
    }

    pub(super) fn filled_template(&mut self, template: &Template, call: &Bound) -> (Value, bool) {
        let mut value = Value::text("");
        let mut all = true;
        for piece in template.pieces() {
            match piece {
                Piece::Text(text) => value = value.concat(&Value::text(text)),
                Piece::Hole(hole) => {
                    let (filled, complete) = self.filled_hole(hole, call);
                    let filled = self.as_text(filled);
                    all &= complete;
                    value = value.concat(&filled);
                }
            }
        }
        (value, all)
    }

    /// What a wrapper does, with the arguments of a call; nothing where only a run of it can say.
    pub(super) fn filled_effects(
        &mut self,
        frame: &Frame,
        id: FunctionId,
        arguments: &Arguments<'_>,
        position: Position,
        even_incomplete: bool,
    ) -> Option<()> {
        let open = self.open;
        let values = self.bound(id, arguments);
        let call = Bound { function: id, values, passed: arguments.passed(), rest: arguments.hole() };
        let mut filled = Vec::new();
        for effect in &open[id as usize] {
            let (kind, complete) = match &effect.kind {
                EffectKind::Sql(all) => {
                    let (all, complete) = self.filled_all(all, &call);
                    (EffectKind::Sql(all), complete)
                }
                EffectKind::Table(all, writes) => {
                    let (all, complete) = self.filled_all(all, &call);
                    (EffectKind::Table(all, *writes), complete)
                }
                EffectKind::Define(path) => {
                    let (path, complete) = self.filled_all(path, &call);
                    (EffectKind::Define(path.into()), complete)
                }
                EffectKind::Use(path) => {
                    let (path, complete) = self.filled_all(path, &call);
                    (EffectKind::Use(path.into()), complete)
                }
                EffectKind::Function(..) => continue,
                EffectKind::Dispatch if even_incomplete => continue,
                EffectKind::Dispatch => return None,
            };
            if !complete && !even_incomplete && !crate::analysis::is_settled(&kind) {
                return None;
            }
            filled.push((effect, kind));
        }
        for (effect, kind) in filled {
            self.record_filled(Site { file: frame.file, position, callee: Some(id) }, effect, kind);
        }
        Some(())
    }

    fn filled_all(&mut self, all: &[Template], call: &Bound) -> (Vec<Template>, bool) {
        let mut filled: Vec<Template> = Vec::new();
        let mut all_complete = true;
        for template in all {
            let (value, complete) = self.filled_template(template, call);
            all_complete &= complete;
            for template in value.to_templates() {
                if !filled.contains(&template) {
                    filled.push(template);
                }
            }
        }
        (filled, all_complete)
    }

    fn record_filled(&mut self, site: Site, effect: &Effect, kind: EffectKind) {
        let mut chain = self.chain.clone();
        chain.push(site);
        chain.extend(effect.chain.last().cloned());
        let doubtful = effect.doubtful || self.doubts > 0;
        self.add(Effect { chain, sink: effect.sink.clone(), kind, layers: effect.layers, doubtful });
    }

    /// What a call returns, by the summary; whether that is all that a run would say.
    pub(super) fn returned(
        &mut self,
        id: FunctionId,
        this: Option<&Object>,
        arguments: &Arguments<'_>,
    ) -> Option<Returned> {
        let summaries = self.summaries;
        let summary = summaries.get(id as usize).filter(|summary| summary.known)?;
        let needs =
            has_open(&summary.returned) || summary.left_behind.iter().any(|(_, value)| has_open(value));
        let values = if needs { self.bound(id, arguments) } else { Vec::new() };
        let mut rest = arguments.hole();
        rest.open |= this.is_some_and(|this| self.is_entry(this));
        let call = Bound { function: id, values, passed: arguments.passed(), rest };
        let Filled { mut value, mut complete } = self.filled(&summary.returned, &call);
        if summary.returns_this
            && let Some(this) = this
        {
            let class = self.class_of(this);
            let others = value.alternatives().iter().filter(|a| match a {
                Alternative::Object(Object::Some(other)) => {
                    !self.program.is_a(class, *other) && !self.program.is_a(*other, class)
                }
                _ => true,
            });
            let mut with_this = Value::object(this.clone());
            for other in others {
                with_this.join(&Value::one(other.clone()));
            }
            value = with_this;
        }
        let mut left_behind = Vec::new();
        for (n, value) in &summary.left_behind {
            let filled = self.filled(value, &call);
            complete &= filled.complete;
            left_behind.push((*n, filled.value));
        }
        Some(Returned { value, complete: complete && !summary.conditional, left_behind })
    }
}

/// Anything that is in something; a text stands for itself, as a list of one.
fn items(value: &Value) -> Value {
    let mut any = Value::default();
    for alternative in value.alternatives() {
        match alternative {
            Alternative::Array(array) => any.join(&array.any()),
            Alternative::Unknown(hole) => any.join(&Value::of_hole(hole.item(None))),
            Alternative::Text(_) => any.join(&Value::one(alternative.clone())),
            _ => {}
        }
    }
    any
}

fn has_open(value: &Value) -> bool {
    value.alternatives().iter().any(|alternative| match alternative {
        Alternative::Unknown(hole) => hole.open,
        Alternative::Text(template) => template.is_open(),
        Alternative::Array(array) => {
            array.items().iter().any(|(_, item)| has_open(item)) || array.rest().is_some_and(has_open)
        }
        _ => false,
    })
}

impl Hole {
    /// What something unknown has at a key, or at any.
    pub(super) fn item(&self, key: Option<Key>) -> Self {
        match &self.given {
            None => self.clone(),
            Some(given) => Self { given: given.at(key), ..self.clone() },
        }
    }
}

/// What an entry gets for a parameter.
pub(super) fn parameter(id: FunctionId, number: usize, variadic: bool) -> Value {
    let number = number.try_into().unwrap_or(u16::MAX);
    let hole = Hole { origins: Some(Arc::from([(id, number)])), ..Hole::given(Given::parameter(number)) };
    if variadic {
        let mut array = crate::value::Array::default();
        array.add_somewhere(&Value::of_hole(hole.item(None)));
        return Value::one(Alternative::Array(Arc::new(array)));
    }
    Value::of_hole(hole)
}
