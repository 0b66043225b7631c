//! Statements.

use super::frame::{Frame, Snapshot};
use super::machine::Machine;
use crate::php::ir::{Expr, Stmt};
use crate::value::{Alternative, Template, Value};

/// Arrays of up to as many items are gone through item by item.
const MOST_ITEMS: usize = 80;

impl<'p> Machine<'p> {
    pub(super) fn body(&mut self, frame: &mut Frame, body: &'p [Stmt]) {
        for statement in body {
            if frame.left || self.is_spent() {
                return;
            }
            self.statement(frame, statement);
        }
    }

    fn statement(&mut self, frame: &mut Frame, statement: &'p Stmt) {
        match statement {
            Stmt::Expr(Expr::Call(call)) => {
                self.call(frame, call, false);
            }
            Stmt::Expr(e) => {
                self.eval(frame, e);
            }
            Stmt::If(condition, then, other) => self.branch(frame, condition, then, other),
            Stmt::Loop { condition, body, after, once } => {
                self.run_loop(frame, condition, body, after, *once)
            }
            Stmt::Foreach { subject, key, value, by_reference, body } => {
                self.foreach(frame, subject, key.as_ref(), value, *by_reference, body);
            }
            Stmt::Switch(subject, cases) => self.switch(frame, subject, cases),
            Stmt::Try(body, catches, finally) => {
                let before = frame.snapshot();
                self.body(frame, body);
                let after = frame.snapshot();
                let mut end = after.clone();
                for (slot, body) in catches {
                    self.branches += 1;
                    // It may have thrown at any time.
                    frame.restore(before.clone());
                    frame.left = false;
                    frame.join(after.clone());
                    if let Some(slot) = slot {
                        self.set_variable(frame, *slot, Value::unknown());
                    }
                    self.body(frame, body);
                    self.branches -= 1;
                    let caught = frame.snapshot();
                    frame.restore(end);
                    frame.join(caught);
                    end = frame.snapshot();
                }
                frame.restore(end);
                let left = std::mem::take(&mut frame.left);
                self.body(frame, finally);
                frame.left |= left;
            }
            Stmt::Return(value) => {
                let value = value.as_ref().map_or_else(Value::null, |value| self.eval(frame, value));
                frame.returned.join(&value);
                frame.left = true;
            }
            Stmt::Jump => frame.jump(),
            Stmt::Global(names) => {
                for (slot, name) in names {
                    if let Some(bound) = frame.globals.get_mut(*slot as usize) {
                        *bound = Some(name.clone());
                    }
                }
            }
            Stmt::Static(items) => {
                for (slot, value) in items {
                    let mut value = value.as_ref().map_or_else(Value::null, |value| self.eval(frame, value));
                    value.join(&Value::unknown());
                    self.set_variable(frame, *slot, value);
                }
            }
            Stmt::Unset(all) => all.iter().for_each(|e| self.unset(frame, e)),
            Stmt::Constant(name, value) => {
                let value = self.eval(frame, value);
                let value = self.shared(&value);
                self.writes.constants.entry(name.clone()).or_default().join(&value);
            }
        }
    }

    fn branch(&mut self, frame: &mut Frame, condition: &'p Expr, then: &'p [Stmt], other: &'p [Stmt]) {
        let truth = self.condition(frame, condition);
        match truth {
            Some(holds) => {
                let (gone, not_gone) = if holds { (then, other) } else { (other, then) };
                let otherwise = self.look_at(frame, |machine, frame| {
                    machine.assume(frame, condition, !holds);
                    machine.body(frame, not_gone);
                });
                self.body(frame, gone);
                // Where it ends here with the values that are known, it goes on with others.
                if frame.left
                    && let Some(otherwise) = otherwise
                {
                    frame.join(otherwise);
                }
            }
            None => {
                let before = frame.snapshot();
                self.branches += 1;
                self.assume(frame, condition, true);
                self.body(frame, then);
                let after = frame.snapshot();
                frame.restore(before);
                self.assume(frame, condition, false);
                self.body(frame, other);
                self.branches -= 1;
                frame.join(after);
            }
        }
    }

    /// Goes a way of the entry that is not gone with the values that are known: settings may be others elsewhere, and what it
    /// sends to a database is to be found all the same. What it leaves the variables with is given back, and not kept.
    pub(super) fn look_at(
        &mut self,
        frame: &mut Frame,
        go: impl FnOnce(&mut Self, &mut Frame),
    ) -> Option<Snapshot> {
        if !self.is_in_entry() {
            return None;
        }
        let before = frame.snapshot();
        let returned = frame.returned.clone();
        let jumps = frame.jumps.clone();
        self.dry += 1;
        self.branches += 1;
        go(self, frame);
        self.branches -= 1;
        self.dry -= 1;
        let after = frame.snapshot();
        frame.jumps = jumps;
        frame.returned = returned;
        frame.restore(before);
        Some(after)
    }

    /// A body that may be run any number of times: it is run twice, so that what it leaves behind is seen by it.
    fn run_loop(
        &mut self,
        frame: &mut Frame,
        condition: &'p [Expr],
        body: &'p [Stmt],
        after: &'p [Expr],
        once: bool,
    ) {
        self.branches += 1;
        for round in 0..2 {
            let mut truth = None;
            if !(once && round == 0) {
                for e in condition {
                    truth = self.condition(frame, e);
                }
            }
            if truth == Some(false) && round == 0 {
                self.look_at(frame, |machine, frame| machine.round(frame, body));
                break;
            }
            let before = frame.snapshot();
            self.round(frame, body);
            for e in after {
                self.eval(frame, e);
            }
            if !(once && round == 0) {
                frame.left = false;
                frame.join(before);
            }
        }
        self.branches -= 1;
        frame.left = false;
    }

    /// One round of a loop.
    fn round(&mut self, frame: &mut Frame, body: &'p [Stmt]) {
        let outer = frame.jumps.take();
        self.body(frame, body);
        frame.land(outer);
    }

    fn foreach(
        &mut self,
        frame: &mut Frame,
        subject: &'p Expr,
        key: Option<&'p Expr>,
        value: &'p Expr,
        by_reference: bool,
        body: &'p [Stmt],
    ) {
        let paths = self.session_paths(frame, subject);
        if !paths.is_empty() {
            let item = if by_reference {
                let mut item = Value::default();
                for (path, _) in &paths {
                    let mut path = path.to_vec();
                    path.push(Template::hole(Default::default()));
                    item.join(&Value::one(Alternative::Session(path.into())));
                }
                item
            } else {
                Value::outside()
            };
            self.use_session(frame, &paths);
            return self.each_unknown(frame, key, &Value::outside(), value, &item, body);
        }
        let array = self.eval(frame, subject);
        let known: Option<&std::sync::Arc<crate::value::Array>> = match array.alternatives() {
            [Alternative::Array(known)] if known.rest().is_none() && known.items().len() <= MOST_ITEMS => {
                Some(known)
            }
            _ => None,
        };
        if let Some(known) = known {
            let items = known.items().to_vec();
            if items.is_empty() {
                let any = Value::unknown();
                self.look_at(frame, |machine, frame| {
                    machine.each_unknown(frame, key, &any, value, &any, body);
                });
            }
            for (name, item) in items {
                if let Some(key) = key {
                    self.assign(frame, key, &name.value());
                }
                self.assign(frame, value, &item);
                let before = frame.snapshot();
                self.round(frame, body);
                if frame.left {
                    // It may have gone on all the same.
                    frame.restore(before);
                }
                if self.is_spent() {
                    return;
                }
            }
            return;
        }
        let mut item = Value::default();
        let mut keys = Value::default();
        for known in array.arrays() {
            item.join(&known.any());
            keys.join(&known.any_key());
        }
        let others = array.alternatives().iter().any(|a| !matches!(a, Alternative::Array(_)));
        if others || item.is_undefined() {
            let mut hole = array.as_hole();
            hole.outside |= array.objects().any(|object| self.program.gives_outside(self.class_of(object)));
            item.join(&Value::of_hole(hole.item(None)));
            keys.join(&Value::of_hole(hole.computed()));
        }
        self.each_unknown(frame, key, &keys, value, &item, body);
    }

    fn each_unknown(
        &mut self,
        frame: &mut Frame,
        key: Option<&'p Expr>,
        keys: &Value,
        value: &'p Expr,
        item: &Value,
        body: &'p [Stmt],
    ) {
        self.branches += 1;
        for _ in 0..2 {
            let before = frame.snapshot();
            if let Some(key) = key {
                self.assign(frame, key, keys);
            }
            self.assign_item(frame, value, item);
            self.round(frame, body);
            if frame.left {
                frame.restore(before);
            } else {
                frame.join(before);
            }
        }
        self.branches -= 1;
    }

    fn switch(&mut self, frame: &mut Frame, subject: &'p Expr, cases: &'p [(Option<Expr>, Vec<Stmt>)]) {
        let subject = self.eval(frame, subject);
        self.conditional |= subject.as_hole().open;
        let subject = subject.known().map(str::to_owned);
        let before = frame.snapshot();
        let outer = frame.jumps.take();
        let (mut falls, mut has_default, mut decided) = (false, false, false);
        self.branches += 1;
        for (case, body) in cases {
            let value = case.as_ref().map(|case| self.eval(frame, case));
            let matches = match (&value, &subject) {
                (Some(value), Some(subject)) => value.known().map(|value| value == subject),
                _ => None,
            };
            has_default |= case.is_none();
            let enters = matches != Some(false) && !decided;
            if !falls && !enters {
                self.look_at(frame, |machine, frame| {
                    frame.restore(before.clone());
                    machine.body(frame, body);
                });
                continue;
            }
            if !falls {
                frame.restore(before.clone());
            } else if enters {
                // From the case before, or straight here.
                frame.join(before.clone());
            }
            decided |= matches == Some(true);
            self.body(frame, body);
            falls = !frame.left;
        }
        self.branches -= 1;
        frame.left = !falls;
        frame.land(outer);
        if !has_default && !decided {
            frame.join(before);
        }
    }
}
