//! What runs functions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::effect::{Effect, EffectKind, Site};
use super::frame::Frame;
use super::heap::{Heap, Writes};
use super::limits::Limits;
use super::objects::Made;
use super::summary::Summary;
use crate::php::ir::{Expr, Name, Parameter, Position};
use crate::program::{ClassId, FunctionId, Program};
use crate::value::{Hole, Object, Value};

/// As many closures that an entry gives away are run.
const MOST_CLOSURES: usize = 40;
/// As many effects of an entry are kept.
const MOST_EFFECTS: usize = 4_000;

/// What is known of all functions when some are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'p> {
    pub(crate) program: &'p Program,
    pub(crate) heap: &'p Heap,
    /// What functions pass on to a database or the session, of what they get.
    pub(crate) open: &'p [Vec<Effect>],
    /// What earlier runs said of them.
    pub(crate) summaries: &'p [Summary],
    /// As far as each function is followed.
    pub(crate) limits: Limits,
}

/// What a closure uses of the function around it.
pub(super) type Captured = Arc<Vec<(u16, Value)>>;

/// What the effects of a run depend on: a new wrapper among these makes another run say more.
#[derive(Debug, Default)]
pub(crate) struct Consulted {
    functions: HashSet<FunctionId>,
    methods: HashSet<Name>,
}

impl Consulted {
    /// Whether any of these, or a method of one of these names, was consulted.
    pub(crate) fn any(&self, functions: &HashSet<FunctionId>, methods: &HashSet<Name>) -> bool {
        self.functions.iter().any(|id| functions.contains(id))
            || self.methods.iter().any(|name| methods.contains(name))
    }
}

/// What a run of an entry said.
#[derive(Debug)]
pub(crate) struct Entered {
    pub(crate) effects: Vec<Effect>,
    pub(crate) summary: Summary,
    pub(crate) consulted: Consulted,
}

/// Runs functions, one entry after the other.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) heap: &'p Heap,
    /// What functions pass on to a database or the session, of what they get.
    pub(super) open: &'p [Vec<Effect>],
    pub(super) summaries: &'p [Summary],
    pub(crate) writes: Writes,
    pub(super) objects: Vec<Made>,
    pub(super) stack: Vec<FunctionId>,
    pub(super) chain: Vec<Site>,
    /// Effects are not recorded: we are in something that is run for its value alone.
    pub(super) muted: u32,
    /// How many conditions we are in, of which it is not known whether they hold.
    pub(super) branches: u32,
    /// How many calls on the way here are guessed.
    pub(super) doubts: u32,
    /// Values of global variables that this run assigned.
    pub(super) globals: HashMap<Arc<str>, Value>,
    /// Whether a condition depended on who calls the entry.
    pub(super) conditional: bool,
    /// As many steps may be made before calls are no longer followed for their values.
    value_limit: u32,
    limits: Limits,
    /// As many may be made at all.
    last_limit: u32,
    /// The functions that a run would follow if they were wrappers, and the methods that it knows by name alone.
    consulted: Consulted,
    /// We are in a branch that is not gone: what it changes is not so.
    pub(super) dry: u32,
    /// Closures that the entry made, with what they use of it, as long as nothing called them.
    pub(super) closures: Vec<(FunctionId, Captured, Option<Object>)>,
    /// Where the effects happen that a wrapper is run for.
    wanted: Option<Vec<(u32, Position)>>,
    effects: Vec<Effect>,
    seen: HashSet<Effect>,
    steps: u32,
}

impl<'p> Machine<'p> {
    pub(crate) fn new(known: Known<'p>) -> Self {
        Self {
            program: known.program,
            heap: known.heap,
            open: known.open,
            summaries: known.summaries,
            conditional: false,
            value_limit: known.limits.value,
            limits: known.limits,
            last_limit: known.limits.last,
            consulted: Consulted::default(),
            dry: 0,
            closures: Vec::new(),
            wanted: None,
            writes: Writes::default(),
            objects: Vec::new(),
            stack: Vec::new(),
            chain: Vec::new(),
            muted: 0,
            branches: 0,
            doubts: 0,
            globals: HashMap::new(),
            effects: Vec::new(),
            seen: HashSet::new(),
            steps: 0,
        }
    }

    /// Runs a function as an entry.
    pub(crate) fn enter(&mut self, id: FunctionId) -> Entered {
        self.objects.clear();
        self.stack.clear();
        self.chain.clear();
        self.globals.clear();
        self.effects.clear();
        self.seen.clear();
        self.muted = 0;
        self.dry = 0;
        self.closures.clear();
        self.branches = 0;
        self.doubts = 0;
        self.steps = 0;
        self.conditional = false;
        self.value_limit = self.limits.value;
        self.wanted = None;
        let program = self.program;
        let entry = program.function(id);
        self.last_limit = self.limits.last_of(entry.function.size);
        let this = entry.class.filter(|_| !entry.function.is_static).map(|class| self.make(class, true));
        let mut frame = self.frame(id, this, entry.class);
        for (number, parameter) in entry.function.parameters.iter().enumerate() {
            let value = self.open_parameter(id, number, parameter);
            frame.arguments.push(value.clone());
            if let Some(slot) = frame.variables.get_mut(parameter.slot as usize) {
                *slot = value.clone();
            }
            if parameter.promoted
                && let Some(this) = frame.this.clone()
            {
                self.set_property(&this, &parameter.name, &value);
            }
        }
        self.stack.push(id);
        self.body(&mut frame, &entry.function.body);
        self.handed_on(&frame);
        self.stack.pop();
        if frame.sees_globals && &*entry.function.name == "{file}" {
            for (name, value) in entry.function.variables.iter().zip(&frame.variables) {
                if !value.is_undefined() {
                    self.write_global(name, value);
                }
            }
        }
        let summary = self.summarize(id, &frame);
        if let Some(this) = frame.this.take() {
            self.share(&this, true);
        }
        Entered {
            effects: std::mem::take(&mut self.effects),
            summary,
            consulted: std::mem::take(&mut self.consulted),
        }
    }

    /// Runs closures that the entry gave away, where what they use of it is known. What happens in them happens in the entry.
    fn handed_on(&mut self, frame: &Frame) {
        let program = self.program;
        for _ in 0..MOST_CLOSURES {
            let Some((id, captured, this)) = self.closures.pop() else { return };
            let mut inner = self.frame(id, this, frame.class);
            inner.class = frame.class;
            let function = &program.function(id).function;
            for parameter in &function.parameters {
                let objects = self.objects_of(&parameter.classes);
                let value = if objects.is_undefined() { Value::unknown() } else { objects };
                if let Some(slot) = inner.variables.get_mut(parameter.slot as usize) {
                    *slot = value;
                }
            }
            for (slot, value) in captured.iter() {
                if let Some(variable) = inner.variables.get_mut(*slot as usize) {
                    *variable = value.clone();
                }
            }
            self.branches += 1;
            self.body(&mut inner, &function.body);
            self.branches -= 1;
        }
    }

    /// A property of a class is declared with a value.
    pub(crate) fn declare(&mut self, top: FunctionId, class: ClassId, name: Arc<str>, value: &'p Expr) {
        let mut frame = self.frame(top, None, Some(class));
        frame.class = Some(class);
        frame.sees_globals = false;
        self.last_limit = self.limits.last;
        self.steps = 0;
        let value = self.eval(&mut frame, value);
        let value = self.shared(&value);
        self.writes.properties.entry((class, name)).or_default().join(&value);
    }

    fn open_parameter(&self, id: FunctionId, number: usize, parameter: &Parameter) -> Value {
        let classes = self.objects_of(&parameter.classes);
        if classes.is_undefined() {
            super::summary::parameter(id, number, parameter.variadic)
        } else {
            classes
        }
    }

    /// Objects of named classes.
    pub(super) fn objects_of(&self, classes: &[Arc<str>]) -> Value {
        let mut value = Value::default();
        for class in classes.iter().filter_map(|name| self.program.class_named(name)) {
            value.join(&Value::object(Object::Some(class)));
        }
        value
    }

    pub(super) fn frame(&self, id: FunctionId, this: Option<Object>, class: Option<ClassId>) -> Frame {
        let entry = self.program.function(id);
        let variables = entry.function.variables.len();
        Frame {
            function: id,
            file: entry.file,
            variables: vec![Value::default(); variables],
            globals: vec![None; variables],
            static_class: this.as_ref().map(|this| self.class_of(this)).or(class),
            this,
            class: entry.class.or(class),
            arguments: Vec::new(),
            returned: Value::default(),
            left: false,
            jumps: None,
            sees_globals: entry.function.includes,
            is_closure: entry.function.is_closure,
        }
    }

    /// Counts a step; whether there may be more.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps < self.last_limit
    }

    /// Whether calls may still be followed for their values.
    pub(super) fn has_budget(&self) -> bool {
        self.steps < self.value_limit
    }

    /// Whether a wrapper may still be run inside of its caller.
    pub(super) fn has_budget_for_wrapper(&self) -> bool {
        self.steps < self.limits.wrappers
    }

    /// Does something for the effects of a wrapper, with steps of its own.
    pub(super) fn for_wrapper<T>(&mut self, id: FunctionId, run: impl FnOnce(&mut Self) -> T) -> T {
        let open = self.open;
        let places = open[id as usize].iter().filter(|effect| !matches!(effect.kind, EffectKind::Dispatch));
        let dispatches = open[id as usize].iter().any(|effect| matches!(effect.kind, EffectKind::Dispatch));
        let places = places.filter_map(|effect| effect.chain.last()).map(|last| (last.file, last.position));
        // Inside of a wrapper, its own list says what is looked for.
        let outer = match &self.wanted {
            Some(_) => self.wanted.clone(),
            None => std::mem::replace(&mut self.wanted, (!dispatches).then(|| places.collect())),
        };
        let limit = self.value_limit;
        if outer.is_none() {
            self.value_limit = self.steps + self.limits.wrapper;
        }
        let done = run(self);
        self.wanted = outer;
        self.value_limit = limit;
        done
    }

    /// The run depends on whether a function is a wrapper.
    pub(super) fn consult(&mut self, id: FunctionId) {
        if self.muted == 0 {
            self.consulted.functions.insert(id);
        }
    }

    /// The run depends on which methods of a name are wrappers.
    pub(super) fn consult_methods(&mut self, name: &str) {
        if self.muted == 0 && !self.consulted.methods.contains(name) {
            self.consulted.methods.insert(Name::from(name));
        }
    }

    /// Whether we are in the entry itself, and in nothing that it calls.
    pub(super) fn is_in_entry(&self) -> bool {
        self.stack.len() == 1 && self.muted == 0
    }

    pub(super) fn is_spent(&self) -> bool {
        self.steps >= self.last_limit
    }

    /// Something happens at a place.
    pub(super) fn record(&mut self, file: u32, position: Position, sink: &str, kind: EffectKind) {
        if self.muted > 0 || self.effects.len() >= MOST_EFFECTS {
            return;
        }
        if self.wanted.as_ref().is_some_and(|wanted| !wanted.contains(&(file, position))) {
            return;
        }
        let mut chain = self.chain.clone();
        chain.push(Site { file, position, callee: None });
        self.add(Effect { chain, sink: Arc::from(sink), kind, layers: 0, doubtful: self.doubts > 0 });
    }

    /// Keeps what happens.
    pub(super) fn add(&mut self, effect: Effect) {
        if self.muted > 0 || self.effects.len() >= MOST_EFFECTS {
            return;
        }
        if let (Some(wanted), Some(last)) = (&self.wanted, effect.chain.last())
            && !wanted.contains(&(last.file, last.position))
        {
            return;
        }
        if self.seen.insert(effect.clone()) {
            self.effects.push(effect);
        }
    }

    pub(super) fn read_global(&self, name: &Arc<str>) -> Value {
        let mut value = self.globals.get(name).cloned().unwrap_or_default();
        if value.is_undefined()
            && let Some(shared) = self.heap.globals.get(name)
        {
            value = shared.clone();
        }
        if value.is_undefined() { Value::unknown() } else { value }
    }

    pub(super) fn write_global(&mut self, name: &Arc<str>, value: &Value) {
        if self.dry > 0 {
            return;
        }
        let value = self.shared(value);
        // An unknown value says nothing to others where they know of some.
        self.writes.globals.entry(name.clone()).or_default().join(&value);
        if self.branches > 0 {
            self.globals.entry(name.clone()).or_default().join(&value);
        } else {
            self.globals.insert(name.clone(), value);
        }
    }

    /// A value as it is kept for all functions.
    pub(super) fn shared(&mut self, value: &Value) -> Value {
        let made: Vec<Object> = value.objects().filter(|o| matches!(o, Object::Made(_))).cloned().collect();
        for object in &made {
            self.share(object, false);
        }
        let objects = &self.objects;
        let shared = value.shallow().generalized(&|id| objects[id as usize].class);
        // Who called is not known later.
        if shared.is_unknown() && !shared.is_undefined() {
            let hole = shared.as_hole();
            return Value::of_hole(Hole { open: false, given: None, parts: None, ..hole });
        }
        shared.without_open()
    }
}
