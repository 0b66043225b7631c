//! Conditions: whether they hold, and what is so where they do.

use super::frame::Frame;
use super::machine::Machine;
use crate::php::ir::{Callee, Expr};
use crate::php::last;
use crate::value::{Alternative, Value};

impl<'p> Machine<'p> {
    /// Whether a condition holds, where that is known.
    pub(super) fn condition(&mut self, frame: &mut Frame, condition: &'p Expr) -> Option<bool> {
        let value = self.eval(frame, condition);
        let truth = value.truth();
        self.conditional |= truth.is_none() && value.as_hole().open;
        truth
    }

    /// A condition holds, or does not: variables that it tests are what they must be then.
    pub(super) fn assume(&mut self, frame: &mut Frame, condition: &'p Expr, holds: bool) {
        match condition {
            Expr::Not(inner) => self.assume(frame, inner, !holds),
            Expr::And(a, b) if holds => {
                self.assume(frame, a, true);
                self.assume(frame, b, true);
            }
            Expr::Or(a, b) if !holds => {
                self.assume(frame, a, false);
                self.assume(frame, b, false);
            }
            Expr::Equal(a, b, equal) if *equal == holds => {
                // `$x === 'name'`: it is that name.
                if let (Expr::Var(slot, _), Expr::Text(text)) | (Expr::Text(text), Expr::Var(slot, _)) =
                    (&**a, &**b)
                    && frame.variables.get(*slot as usize).is_some_and(|value| !value.is_undefined())
                {
                    self.set_variable(frame, *slot, Value::text(text));
                }
            }
            Expr::Call(call) => {
                let (Callee::Function(name, _), [argument]) = (&call.callee, &call.arguments[..]) else {
                    return;
                };
                let Expr::Var(slot, _) = &argument.value else { return };
                let is: fn(&Alternative) -> bool = match last(name) {
                    "is_array" => |a| matches!(a, Alternative::Array(_)),
                    "is_string" | "is_numeric" | "is_int" => |a| matches!(a, Alternative::Text(_)),
                    "is_object" => |a| matches!(a, Alternative::Object(_) | Alternative::Closure(..)),
                    "is_null" => |a| matches!(a, Alternative::Null),
                    _ => return,
                };
                let Some(value) = frame.variables.get(*slot as usize) else { return };
                let mut kept = Value::default();
                for alternative in value.alternatives() {
                    if matches!(alternative, Alternative::Unknown(_)) || is(alternative) == holds {
                        kept.join(&Value::one(alternative.clone()));
                    }
                }
                if !kept.is_undefined() {
                    self.set_variable(frame, *slot, kept);
                }
            }
            _ => {}
        }
    }

    /// Whether two values are the same, where that is known.
    pub(super) fn same(&self, a: &Value, b: &Value) -> Option<bool> {
        match (kind(a)?, kind(b)?) {
            (Kind::Null, Kind::Null) => Some(true),
            (Kind::Bool(a), Kind::Bool(b)) => Some(a == b),
            (Kind::Text(a), Kind::Text(b)) => Some(a == b),
            (Kind::Null, Kind::Text(text)) | (Kind::Text(text), Kind::Null) if !text.is_empty() => {
                Some(false)
            }
            (Kind::Null | Kind::Text(_), Kind::Filled) | (Kind::Filled, Kind::Null | Kind::Text(_)) => {
                Some(false)
            }
            _ => None,
        }
    }
}

/// A value that is one and known.
enum Kind<'a> {
    Null,
    Bool(bool),
    Text(&'a str),
    /// An array that is not empty, or an object.
    Filled,
}

fn kind(value: &Value) -> Option<Kind<'_>> {
    match value.alternatives() {
        [Alternative::Null] => Some(Kind::Null),
        [Alternative::Bool(value)] => Some(Kind::Bool(*value)),
        [Alternative::Text(template)] => Some(Kind::Text(template.known()?)),
        [Alternative::Array(array)] if array.is_empty() == Some(false) => Some(Kind::Filled),
        [Alternative::Object(_)] => Some(Kind::Filled),
        _ => None,
    }
}
