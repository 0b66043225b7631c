//! Calls: what they mean, and running it.

use std::sync::Arc;

use super::effect::{EffectKind, Site};
use super::frame::Frame;
use super::machine::Machine;
use super::session::session_function;
use super::sinks::{self, Sink};
use crate::php::ir::{Call, Callee, ClassName, Expr, Position};
use crate::program::{ClassId, FunctionId};
use crate::sql::looks_like_sql;
use crate::value::{Alternative, Array, Hole, Object, Piece, Value};

/// Functions that pass on what they get are followed as deep as this.
const DEEPEST: usize = 20;
/// Others, which are run for their value, as deep as this.
const DEEPEST_FOR_VALUE: usize = 5;
/// Larger functions are not run for their value alone.
const LARGEST_FOR_VALUE: u32 = 600;
/// As many functions that a call may mean are run.
const MOST_CANDIDATES: usize = 6;

/// The arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Arguments<'p> {
    pub(super) values: Vec<Value>,
    pub(super) named: Vec<(Arc<str>, Value)>,
    /// What they are in the source, for references.
    pub(super) places: Vec<Option<&'p Expr>>,
    /// More, of which nothing is known.
    pub(super) rest: Option<Value>,
}

impl Arguments<'_> {
    pub(super) fn of(values: Vec<Value>) -> Self {
        Self { values, ..Self::default() }
    }

    pub(super) fn get(&self, n: usize) -> Value {
        self.values.get(n).or(self.rest.as_ref()).cloned().unwrap_or_default()
    }

    /// How many parameters they are given for, as far as they are not named.
    pub(super) fn passed(&self) -> usize {
        if self.rest.is_some() || !self.named.is_empty() { usize::MAX } else { self.values.len() }
    }

    /// What is computed of them. It comes from outside only where all of them do that are not known, and none is a statement.
    pub(super) fn hole(&self) -> Hole {
        let all = self.values.iter().chain(self.named.iter().map(|(_, value)| value)).chain(&self.rest);
        let mut proven = true;
        let hole = all.fold(Hole::default(), |hole, value| {
            let this = value.as_hole();
            proven &= value.is_plain() || this.outside || this.origins.is_some();
            hole.and(&this)
        });
        if proven { hole } else { Hole { outside: false, origins: None, ..hole } }
    }
}

impl<'p> Machine<'p> {
    /// A call; `used` says whether its value is needed.
    pub(super) fn call(&mut self, frame: &mut Frame, call: &'p Call, used: bool) -> Value {
        if !self.step() {
            return Value::unknown();
        }
        match &call.callee {
            Callee::Function(full, other) => {
                let name = other.as_deref().unwrap_or(full);
                if let Some(value) = self.special(frame, name, call) {
                    return value;
                }
                let arguments = self.arguments(frame, call);
                self.call_named(frame, full, other.as_deref(), arguments, call.position, used)
            }
            Callee::Computed(e) => {
                let callee = self.eval(frame, e);
                let arguments = self.arguments(frame, call);
                self.call_value(frame, &callee, arguments, call.position)
            }
            Callee::Method(object, name) => {
                let object = self.eval(frame, object);
                let names = self.member_names(frame, name);
                let arguments = self.arguments(frame, call);
                let mut value = Value::default();
                let mut known = false;
                for name in names.known_texts() {
                    known = true;
                    value.join(&self.method(
                        frame,
                        &object,
                        &name.to_lowercase(),
                        &arguments,
                        call.position,
                        used,
                    ));
                }
                if !known {
                    self.dispatch(frame, &names, call.position);
                }
                if known { value } else { Value::of_hole(arguments.hole().and(&object.as_hole())) }
            }
            Callee::Static(class, name) => {
                let classes = self.classes(frame, class);
                let names = self.member_names(frame, name);
                let arguments = self.arguments(frame, call);
                let inherits =
                    matches!(class, ClassName::Parent | ClassName::SelfClass | ClassName::StaticClass);
                let mut value = Value::default();
                for name in names.known_texts() {
                    for class in &classes {
                        value.join(&self.static_call(
                            frame,
                            *class,
                            &name.to_lowercase(),
                            &arguments,
                            call.position,
                            inherits,
                        ));
                    }
                }
                if value.is_undefined() { Value::of_hole(arguments.hole()) } else { value }
            }
            Callee::New(class) => {
                let classes = self.classes(frame, class);
                let arguments = self.arguments(frame, call);
                let mut value = Value::default();
                for class in classes {
                    value.join(&self.instantiate(frame, class, &arguments, call.position));
                }
                if value.is_undefined() { Value::unknown() } else { value }
            }
        }
    }

    fn arguments(&mut self, frame: &mut Frame, call: &'p Call) -> Arguments<'p> {
        let mut arguments = Arguments::default();
        for argument in &call.arguments {
            // A variable of the session may be taken by reference: whether it is used shows when the call is known.
            let value = if self.may_take_reference(call) {
                self.reference(frame, &argument.value)
            } else {
                self.eval(frame, &argument.value)
            };
            if argument.spread {
                match value.alternatives() {
                    [Alternative::Array(array)] if array.rest().is_none() => {
                        for (_, value) in array.items() {
                            arguments.values.push(value.clone());
                            arguments.places.push(None);
                        }
                    }
                    _ => {
                        let any =
                            value.arrays().fold(Value::default(), |any, array| any.joined(&array.any()));
                        arguments.rest = Some(any.joined(&Value::of_hole(value.as_hole())));
                    }
                }
            } else if let Some(name) = &argument.name {
                arguments.named.push((name.clone(), value));
            } else {
                arguments.values.push(value);
                arguments.places.push(Some(&argument.value));
            }
        }
        arguments
    }

    /// Whether a function of the program by that name has parameters that are references, or one of PHP has.
    fn may_take_reference(&self, call: &Call) -> bool {
        let takes = |ids: &[FunctionId]| {
            ids.iter().any(|id| self.program.function(*id).function.parameters.iter().any(|p| p.by_reference))
        };
        match &call.callee {
            Callee::Function(full, other) => {
                takes(self.program.functions_named(full, other.as_deref()))
                    || super::builtins::takes_reference(other.as_deref().unwrap_or(full))
            }
            Callee::Method(_, crate::php::ir::Member::Named(name))
            | Callee::Static(_, crate::php::ir::Member::Named(name)) => self.program.takes_reference(name),
            Callee::New(_) => self.program.takes_reference("__construct"),
            _ => false,
        }
    }

    /// A function by its name.
    pub(super) fn call_named(
        &mut self,
        frame: &mut Frame,
        full: &str,
        other: Option<&str>,
        mut arguments: Arguments<'p>,
        position: Position,
        used: bool,
    ) -> Value {
        let program = self.program;
        let candidates = program.functions_named(full, other);
        let name = other.unwrap_or(full).trim_start_matches('\\');
        if candidates.is_empty() {
            if let Some(defines) = session_function(name, arguments.values.len()) {
                self.record(frame.file, position, name, EffectKind::Function(Arc::from(name), defines));
                return Value::unknown();
            }
            if let Some(sink) = sinks::function(name) {
                self.sink(frame, name, sink, &arguments, position);
                return Value::outside();
            }
            self.change_session_arguments(frame, name, &mut arguments, position);
            return self.builtin(frame, name, arguments, position);
        }
        let mut value = Value::default();
        for id in candidates.iter().take(MOST_CANDIDATES) {
            value.join(&self.run(frame, *id, None, None, &arguments, position, used));
        }
        value
    }

    /// `sort($_SESSION['x'])` defines it, and uses it; other functions of PHP use what they get.
    fn change_session_arguments(
        &mut self,
        frame: &Frame,
        name: &str,
        arguments: &mut Arguments<'p>,
        position: Position,
    ) {
        for (n, value) in arguments.values.iter_mut().enumerate() {
            let paths: Vec<_> = value.sessions().map(|path| (path.clone(), position)).collect();
            if paths.is_empty() {
                continue;
            }
            self.use_session(frame, &paths);
            if super::builtins::changes(name, n) {
                self.define_session(frame, &paths);
            }
            *value = Value::unknown();
        }
    }

    /// Whatever may be called: a closure, a name, an object and its method.
    pub(super) fn call_value(
        &mut self,
        frame: &mut Frame,
        callee: &Value,
        arguments: Arguments<'p>,
        position: Position,
    ) -> Value {
        let mut value = Value::default();
        for alternative in callee.alternatives() {
            match alternative {
                Alternative::Closure(id, captured, this) => {
                    value.join(&self.run_closure(frame, *id, captured, this.clone(), &arguments, position));
                }
                Alternative::Text(name) => {
                    let Some(name) = name.known() else { continue };
                    let name = name.trim_start_matches('\\').to_lowercase();
                    let again = Arguments { places: Vec::new(), ..Arguments::of(arguments.values.clone()) };
                    if let Some((class, method)) = name.split_once("::") {
                        if let Some(class) = self.program.class_named(class) {
                            value.join(&self.static_call(frame, class, method, &again, position, false));
                        }
                    } else {
                        value.join(&self.call_named(frame, &name, None, again, position, true));
                    }
                }
                Alternative::Array(array) if array.items().len() == 2 => {
                    let (object, method) = (&array.items()[0].1, &array.items()[1].1);
                    let Some(method) = method.known().map(str::to_lowercase) else { continue };
                    match object.known() {
                        Some(class) => {
                            let class = class.trim_start_matches('\\').to_lowercase();
                            if let Some(class) = self.program.class_named(&class) {
                                value.join(
                                    &self.static_call(frame, class, &method, &arguments, position, false),
                                );
                            }
                        }
                        None => value.join(&self.method(frame, object, &method, &arguments, position, true)),
                    }
                }
                Alternative::Object(_) => {
                    let object = Value::one(alternative.clone());
                    value.join(&self.method(frame, &object, "__invoke", &arguments, position, true));
                }
                Alternative::Unknown(_) => self.dispatch(frame, callee, position),
                _ => {}
            }
        }
        if value.is_undefined() {
            // Who chose the function says nothing of what it returns.
            let callee = Hole { outside: false, origins: None, ..callee.as_hole() };
            return Value::of_hole(callee.and(&arguments.hole()));
        }
        value
    }

    /// Something is called of which only a caller knows what it is.
    fn dispatch(&mut self, frame: &Frame, callee: &Value, position: Position) {
        if callee.as_hole().open {
            self.record(frame.file, position, "", EffectKind::Dispatch);
        }
    }

    /// A method of something.
    pub(super) fn method(
        &mut self,
        frame: &mut Frame,
        object: &Value,
        name: &str,
        arguments: &Arguments<'p>,
        position: Position,
        used: bool,
    ) -> Value {
        let program = self.program;
        let mut value = Value::default();
        let mut known = false;
        for object in object.objects() {
            known = true;
            let class = self.class_of(object);
            let mut methods = program.methods_of(class, name);
            if methods.is_empty()
                && let Some(magic) = program.method(class, "__call")
            {
                // What stands for another object has its methods: `__call` is not followed further than to those.
                self.consult_methods(name);
                let wrapped: Vec<FunctionId> =
                    program.methods_named(name).iter().copied().filter(|id| self.is_wrapper(*id)).collect();
                methods = if wrapped.is_empty() { vec![magic] } else { wrapped };
                methods.truncate(MOST_CANDIDATES);
                if methods != [magic] {
                    for id in methods {
                        let class = program.function(id).class.unwrap_or(class);
                        value.join(&self.run(
                            frame,
                            id,
                            Some(Object::Some(class)),
                            Some(class),
                            arguments,
                            position,
                            used,
                        ));
                    }
                    continue;
                }
                let mut array = Array::default();
                arguments.values.iter().for_each(|argument| array.push(argument.clone()));
                let passed = Arguments::of(vec![Value::text(name), Value::array(array)]);
                value.join(&self.run(
                    frame,
                    magic,
                    Some(object.clone()),
                    Some(class),
                    &passed,
                    position,
                    used,
                ));
                continue;
            }
            if methods.is_empty() {
                if let Some(sink) = sinks::method(name)
                    && (program.is_database(class) || self.says_sql(arguments))
                {
                    self.sink(frame, name, sink, arguments, position);
                }
                let mut hole = arguments.hole().computed();
                hole.outside |= program.gives_outside(class);
                value.join(&Value::of_hole(hole));
                continue;
            }
            let is_some = matches!(object, Object::Some(_)) && methods.len() > 1;
            for id in methods {
                // One of several classes that keep a promise.
                let this = if is_some {
                    program.function(id).class.map_or_else(|| object.clone(), Object::Some)
                } else {
                    object.clone()
                };
                value.join(&self.run(frame, id, Some(this), Some(class), arguments, position, used));
            }
        }
        if !known {
            value.join(&self.method_of_unknown(frame, object, name, arguments, position));
        }
        if value.is_undefined() { Value::unknown() } else { value }
    }

    /// A method of something of which the class is not known: what it means is guessed by its name.
    fn method_of_unknown(
        &mut self,
        frame: &mut Frame,
        object: &Value,
        name: &str,
        arguments: &Arguments<'p>,
        position: Position,
    ) -> Value {
        let program = self.program;
        self.consult_methods(name);
        let methods = program.methods_named(name);
        let wrapping: Vec<FunctionId> = methods
            .iter()
            .copied()
            .filter(|id| self.is_wrapper(*id) && !program.function(*id).function.is_static)
            .take(MOST_CANDIDATES)
            .collect();
        let mut value = Value::of_hole(object.as_hole().and(&arguments.hole()).computed());
        if let Some(sink) = sinks::method(name)
            && wrapping.is_empty()
            && (methods.is_empty() || name != "prepare" && self.says_sql(arguments))
        {
            // Without anything that looks like SQL it may be something else of this name.
            let doubtful = !self.says_sql(arguments);
            self.doubts += u32::from(doubtful);
            self.sink(frame, name, sink, arguments, position);
            self.doubts -= u32::from(doubtful);
            return Value::outside();
        }
        self.doubts += 1;
        for id in wrapping {
            let Some(class) = program.function(id).class else { continue };
            value.join(&self.run(
                frame,
                id,
                Some(Object::Some(class)),
                Some(class),
                arguments,
                position,
                true,
            ));
        }
        self.doubts -= 1;
        // A method that exists once is most likely what is meant, and is run for its value.
        if let [only] = methods
            && !self.is_wrapper(*only)
        {
            let class = program.function(*only).class;
            let returned = self.run(frame, *only, class.map(Object::Some), class, arguments, position, true);
            value.join(&returned);
        }
        value
    }

    /// Whether the first argument looks like SQL.
    fn says_sql(&self, arguments: &Arguments<'p>) -> bool {
        arguments.get(0).to_templates().iter().any(|template| match template.pieces().first() {
            Some(Piece::Text(text)) => looks_like_sql(text),
            _ => false,
        })
    }

    fn static_call(
        &mut self,
        frame: &mut Frame,
        class: ClassId,
        name: &str,
        arguments: &Arguments<'p>,
        position: Position,
        inherits: bool,
    ) -> Value {
        let program = self.program;
        let mut methods: Vec<FunctionId> = program.method(class, name).into_iter().collect();
        if methods.first().is_none_or(|id| program.function(*id).function.is_abstract) {
            methods = program.methods_of(class, name);
        }
        if methods.is_empty() {
            if inherits
                && let Some(sink) = sinks::method(name)
                && program.is_database(class)
            {
                self.sink(frame, name, sink, arguments, position);
            }
            if let Some(magic) = program.method(class, "__callstatic") {
                let mut array = Array::default();
                arguments.values.iter().for_each(|argument| array.push(argument.clone()));
                let passed = Arguments::of(vec![Value::text(name), Value::array(array)]);
                return self.run(frame, magic, None, Some(class), &passed, position, true);
            }
            return Value::of_hole(arguments.hole());
        }
        let mut value = Value::default();
        for id in methods {
            let is_static = program.function(id).function.is_static;
            let this = if !is_static && inherits { frame.this.clone() } else { None };
            let static_class = if inherits { frame.static_class.or(Some(class)) } else { Some(class) };
            value.join(&self.run(frame, id, this, static_class, arguments, position, true));
        }
        value
    }

    fn instantiate(
        &mut self,
        frame: &mut Frame,
        class: ClassId,
        arguments: &Arguments<'p>,
        position: Position,
    ) -> Value {
        if self.program.class(class).class.is_none() {
            return Value::object(Object::Some(class));
        }
        let object = self.make(class, false);
        if let Some(constructor) = self.program.method(class, "__construct") {
            let small = self.program.function(constructor).function.size < 600
                && self.has_budget()
                && self.stack.len() < DEEPEST_FOR_VALUE;
            if small {
                self.mark_fresh(&object);
            }
            self.run(frame, constructor, Some(object.clone()), Some(class), arguments, position, false);
            self.share(&object, true);
        } else {
            self.mark_fresh(&object);
        }
        Value::object(object)
    }

    fn run_closure(
        &mut self,
        frame: &mut Frame,
        id: FunctionId,
        captured: &[(u16, Value)],
        this: Option<Object>,
        arguments: &Arguments<'p>,
        position: Position,
    ) -> Value {
        let class = this.as_ref().map(|this| self.class_of(this)).or(frame.class);
        self.trace(id, arguments);
        self.run_with(frame, id, this, class, arguments, position, captured, true)
    }

    /// Runs a function where that says something.
    #[expect(clippy::too_many_arguments, reason = "a call is made of these")]
    fn run(
        &mut self,
        frame: &mut Frame,
        id: FunctionId,
        this: Option<Object>,
        class: Option<ClassId>,
        arguments: &Arguments<'p>,
        position: Position,
        used: bool,
    ) -> Value {
        let function = &self.program.function(id).function;
        let takes_session = arguments.values.iter().any(|value| value.sessions().next().is_some());
        if takes_session || function.is_closure {
            self.trace(id, arguments);
            return self.run_with(frame, id, this, class, arguments, position, &[], true);
        }
        self.trace(id, arguments);
        let made = matches!(&this, Some(Object::Made(_)));
        // What happened to an object that was made here is known here alone.
        let fresh = made && !this.as_ref().is_some_and(|this| self.is_entry(this));
        self.consult(id);
        if self.is_wrapper(id) && self.muted == 0 {
            let may_run = self.stack.len() < DEEPEST && self.has_budget_for_wrapper();
            if may_run && (fresh || self.filled_effects(frame, id, arguments, position, false).is_none()) {
                return self.for_wrapper(id, |machine| {
                    machine.run_with(frame, id, this, class, arguments, position, &[], true)
                });
            }
            if !may_run {
                self.filled_effects(frame, id, arguments, position, true);
            }
        }
        if !used && !made && !function.parameters.iter().any(|p| p.by_reference) {
            return Value::unknown();
        }
        let may_run = self.stack.len() < DEEPEST_FOR_VALUE
            && self.has_budget()
            && function.size <= LARGEST_FOR_VALUE
            && !self.stack.contains(&id);
        match self.returned(id, this.as_ref(), arguments) {
            Some(returned) if returned.complete && !fresh || !may_run => {
                for (n, value) in returned.left_behind {
                    if let Some(Some(place)) = arguments.places.get(n) {
                        self.assign(frame, place, &value);
                    }
                }
                self.or_promised(id, returned.value)
            }
            _ => self.run_with(frame, id, this, class, arguments, position, &[], false),
        }
    }

    /// Remembers where what a function is given comes from.
    fn trace(&mut self, id: FunctionId, arguments: &Arguments<'p>) {
        let program = self.program;
        for (n, parameter) in program.function(id).function.parameters.iter().enumerate() {
            let named = || arguments.named.iter().find(|(name, _)| *name == parameter.name).map(|(_, v)| v);
            let Some(value) = arguments.values.get(n).or_else(named).or(arguments.rest.as_ref()) else {
                continue;
            };
            if value.known().is_some() {
                continue;
            }
            let source = value.as_hole().source();
            if (source.outside || source.origins.is_some())
                && let Ok(number) = u16::try_from(n)
            {
                let known = self.writes.parameters.entry((id, number)).or_default();
                *known = known.and(&source);
            }
        }
    }

    /// Whether a function passes on what it gets to a database or the session.
    pub(super) fn is_wrapper(&self, id: FunctionId) -> bool {
        self.open.get(id as usize).is_some_and(|open| !open.is_empty())
    }

    /// What a function returns, or at least an object of the class that it promises.
    fn or_promised(&self, id: FunctionId, value: Value) -> Value {
        if value.is_unknown() {
            let objects = self.objects_of(&self.program.function(id).function.returns);
            if !objects.is_undefined() {
                return objects;
            }
        }
        value
    }

    /// What is passed by value is used.
    fn use_session_arguments(&mut self, frame: &Frame, arguments: &Arguments<'p>, position: Position) {
        for value in &arguments.values {
            let paths: Vec<_> = value.sessions().map(|path| (path.clone(), position)).collect();
            self.use_session(frame, &paths);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a call is made of these")]
    fn run_with(
        &mut self,
        frame: &mut Frame,
        id: FunctionId,
        this: Option<Object>,
        class: Option<ClassId>,
        arguments: &Arguments<'p>,
        position: Position,
        captured: &[(u16, Value)],
        wraps: bool,
    ) -> Value {
        let program = self.program;
        let entry = program.function(id);
        let function = &entry.function;
        let takes_session = arguments.values.iter().any(|value| value.sessions().next().is_some());
        let too_deep = self.stack.len() >= if wraps { DEEPEST } else { DEEPEST_FOR_VALUE };
        let recursive = self.stack.iter().filter(|running| **running == id).count() > usize::from(wraps);
        let too_large = !wraps && !takes_session && (function.size > LARGEST_FOR_VALUE || !self.has_budget());
        if too_deep || recursive || too_large || function.is_abstract {
            self.use_session_arguments(frame, arguments, position);
            return self.promised(id, this.as_ref(), arguments);
        }
        if function.is_closure && self.muted == 0 {
            self.closures.retain(|(known, ..)| *known != id);
        }
        let this = if function.is_static { None } else { this };
        let mut inner = self.frame(id, this, class);
        if function.is_closure {
            inner.class = class;
        }
        for (slot, value) in captured {
            if let Some(variable) = inner.variables.get_mut(*slot as usize) {
                *variable = value.clone();
            }
        }
        self.stack.push(id);
        let muted = !wraps;
        self.muted += u32::from(muted);
        self.chain.push(Site { file: frame.file, position, callee: Some(id) });
        self.parameters(frame, &mut inner, id, arguments, position);
        self.body(&mut inner, &function.body);
        self.chain.pop();
        self.muted -= u32::from(muted);
        self.stack.pop();
        for (n, parameter) in function.parameters.iter().enumerate() {
            if parameter.by_reference
                && let Some(Some(place)) = arguments.places.get(n)
                && let Some(value) = inner.variables.get(parameter.slot as usize).cloned()
                && value.sessions().next().is_none()
                && !value.is_undefined()
            {
                self.assign(frame, place, &value);
            }
        }
        let mut returned = inner.returned;
        if returned.is_undefined() {
            returned = Value::null();
        }
        self.or_promised(id, returned)
    }

    /// What a method without arguments returns, where no call is written down.
    pub(super) fn run_alone(&mut self, id: FunctionId, this: &Object) -> Option<Value> {
        let program = self.program;
        let function = &program.function(id).function;
        let too_deep = self.stack.len() >= DEEPEST_FOR_VALUE || self.stack.contains(&id);
        if too_deep || function.size > LARGEST_FOR_VALUE || !self.has_budget() {
            return None;
        }
        let mut inner = self.frame(id, Some(this.clone()), Some(self.class_of(this)));
        self.stack.push(id);
        self.muted += 1;
        self.body(&mut inner, &function.body);
        self.muted -= 1;
        self.stack.pop();
        Some(inner.returned)
    }

    /// What a function returns that is not run.
    fn promised(&mut self, id: FunctionId, this: Option<&Object>, arguments: &Arguments<'p>) -> Value {
        let objects = self.objects_of(&self.program.function(id).function.returns);
        if !objects.is_undefined() {
            return objects;
        }
        let mut hole = arguments.hole();
        hole.open |= this.is_some_and(|this| self.is_entry(this));
        Value::of_hole(hole)
    }

    fn parameters(
        &mut self,
        frame: &Frame,
        inner: &mut Frame,
        id: FunctionId,
        arguments: &Arguments<'p>,
        position: Position,
    ) {
        let program = self.program;
        inner.arguments.clone_from(&arguments.values);
        if let Some(rest) = &arguments.rest {
            inner.arguments.push(rest.clone());
        }
        for (n, parameter) in program.function(id).function.parameters.iter().enumerate() {
            let named =
                arguments.named.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value);
            let given = named.or_else(|| arguments.values.get(n)).or(arguments.rest.as_ref());
            let mut value = if parameter.variadic {
                let mut array = Array::default();
                arguments.values.iter().skip(n).for_each(|argument| array.push(argument.clone()));
                if let Some(rest) = &arguments.rest {
                    array.add_somewhere(rest);
                }
                Value::array(array)
            } else {
                match (given, &parameter.default) {
                    (Some(value), _) => value.clone(),
                    (None, Some(default)) => self.eval(inner, default),
                    (None, None) => Value::unknown(),
                }
            };
            if !parameter.by_reference && value.sessions().next().is_some() {
                let paths: Vec<_> = value.sessions().map(|path| (path.clone(), position)).collect();
                self.use_session(frame, &paths);
                value = Value::unknown();
            }
            if value.is_unknown() {
                let objects = self.objects_of(&parameter.classes);
                if !objects.is_undefined() {
                    value = objects;
                }
            }
            if parameter.promoted
                && let Some(this) = inner.this.clone()
            {
                self.set_property(&this, &parameter.name, &value);
            }
            if let Some(slot) = inner.variables.get_mut(parameter.slot as usize) {
                *slot = value;
            }
        }
    }

    /// A statement goes to a database.
    fn sink(&mut self, frame: &Frame, name: &str, sink: Sink, arguments: &Arguments<'p>, position: Position) {
        let at = match sink {
            Sink::At(at) | Sink::Table(at, _) => at,
            Sink::LastOf(most) => arguments.values.len().clamp(1, most) - 1,
            Sink::Either => {
                let second = arguments.get(1).to_templates();
                let first = arguments.get(0).to_templates();
                let is_text = |all: &[crate::value::Template]| {
                    all.iter().any(|t| t.pieces().iter().any(|p| matches!(p, Piece::Text(_))))
                };
                usize::from(!is_text(&first) && (is_text(&second) || arguments.values.len() > 1))
            }
        };
        let templates = self.as_text(arguments.get(at)).to_templates();
        let kind = match sink {
            Sink::Table(_, writes) => EffectKind::Table(templates, writes),
            _ => EffectKind::Sql(templates),
        };
        self.record(frame.file, position, name, kind);
    }
}
