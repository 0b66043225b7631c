//! A call that is run: its variables, and what it returned so far.

use std::sync::Arc;

use crate::program::{ClassId, FunctionId};
use crate::value::{Object, Value};

/// A call that is run.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) file: u32,
    pub(crate) variables: Vec<Value>,
    /// The global variables that variables stand for.
    pub(crate) globals: Vec<Option<Arc<str>>>,
    pub(crate) this: Option<Object>,
    /// The class that `self` means.
    pub(crate) class: Option<ClassId>,
    /// The class that `static` means.
    pub(crate) static_class: Option<ClassId>,
    pub(crate) arguments: Vec<Value>,
    pub(crate) returned: Value,
    /// Whether what follows is not reached: it returned, threw, jumped or ended.
    pub(crate) left: bool,
    /// The variables where `break` and `continue` left off.
    pub(crate) jumps: Option<Snapshot>,
    /// Whether variables that it does not assign may be those of other files.
    pub(crate) sees_globals: bool,
    /// Whether variables that it does not assign are those around a closure.
    pub(crate) is_closure: bool,
}

/// The variables at a point, to go another way from it.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    variables: Vec<Value>,
    left: bool,
}

impl Frame {
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot { variables: self.variables.clone(), left: self.left }
    }

    pub(crate) fn restore(&mut self, snapshot: Snapshot) {
        self.variables = snapshot.variables;
        self.left = snapshot.left;
    }

    /// Goes on behind a loop or switch.
    pub(crate) fn jump(&mut self) {
        let here = self.snapshot();
        match self.jumps.take() {
            Some(other) => {
                self.join(other);
                self.jumps = Some(self.snapshot());
            }
            None => self.jumps = Some(here),
        }
        self.left = true;
    }

    /// Where jumps arrive; `outer` is where those of the loop around it left off.
    pub(crate) fn land(&mut self, outer: Option<Snapshot>) {
        if let Some(jumps) = std::mem::replace(&mut self.jumps, outer) {
            self.join(jumps);
        }
    }

    /// Either way may have been gone.
    pub(crate) fn join(&mut self, other: Snapshot) {
        if other.left {
            return;
        }
        if self.left {
            self.restore(other);
            return;
        }
        for (mine, theirs) in self.variables.iter_mut().zip(&other.variables) {
            if mine != theirs {
                mine.join(theirs);
            }
        }
    }
}
