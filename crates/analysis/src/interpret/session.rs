//! Places in the session's array, and PHP's functions on all of it.

use super::frame::Frame;
use super::machine::Machine;
use crate::php::ir::{Expr, Position};
use crate::value::{Alternative, SessionPath, Template, Value};

/// A place in the session, and where the program names it.
pub(super) type Access = (SessionPath, Position);

/// PHP's functions on the session as a whole: whether they define it, and whether they use it (paper 4, section 3.1).
const FUNCTIONS: &[(&str, bool, bool)] = &[
    ("session_start", true, false),
    ("session_destroy", true, false),
    ("session_unset", true, false),
    ("session_abort", true, false),
    ("session_reset", true, false),
    ("session_decode", true, false),
    ("session_regenerate_id", true, false),
    ("session_create_id", true, false),
    ("session_gc", true, false),
    ("session_write_close", true, false),
    ("session_commit", true, false),
    ("session_encode", false, true),
    ("session_status", false, true),
    ("session_id", false, true),
    ("session_name", false, true),
    ("session_save_path", false, true),
    ("session_module_name", false, true),
    ("session_cache_limiter", false, true),
    ("session_cache_expire", false, true),
    ("session_get_cookie_params", false, true),
    ("session_set_cookie_params", true, false),
    ("session_set_save_handler", true, false),
    ("session_register_shutdown", true, false),
];

/// With an argument these set what they get without.
const SET_BY_ARGUMENT: &[&str] = &[
    "session_id",
    "session_name",
    "session_save_path",
    "session_module_name",
    "session_cache_limiter",
    "session_cache_expire",
];

/// Whether a function of PHP defines the session as a whole; nothing where it has nothing to do with it.
pub(super) fn session_function(name: &str, arguments: usize) -> Option<bool> {
    let (name, defines, _) = FUNCTIONS.iter().find(|(known, _, _)| *known == name)?;
    Some(*defines || arguments > 0 && SET_BY_ARGUMENT.contains(name))
}

impl<'p> Machine<'p> {
    /// The places in the session that an expression means; none where it means something else.
    pub(super) fn session_paths(&mut self, frame: &mut Frame, e: &'p Expr) -> Vec<Access> {
        match e {
            Expr::Session(position) => vec![(Vec::new().into(), *position)],
            Expr::Var(slot, position) => {
                let Some(value) = frame.variables.get(*slot as usize) else { return Vec::new() };
                value.sessions().map(|path| (path.clone(), *position)).collect()
            }
            Expr::Property(object, name) => {
                // Only properties of objects that are at hand: others' are looked at as values.
                let Expr::This = **object else { return Vec::new() };
                let Some(this) = frame.this.clone() else { return Vec::new() };
                let crate::php::ir::Member::Named(name) = &**name else { return Vec::new() };
                let position = self.program.function(frame.function).function.position;
                let value = self.property(&this, name);
                value.sessions().map(|path| (path.clone(), position)).collect()
            }
            Expr::Index(base, key) => {
                if let (Expr::Globals, Some(key)) = (&**base, key) {
                    let is_session = matches!(&**key, Expr::Text(name) if &**name == "_SESSION");
                    let position = self.program.function(frame.function).function.position;
                    return if is_session { vec![(Vec::new().into(), position)] } else { Vec::new() };
                }
                let bases = self.session_paths(frame, base);
                if bases.is_empty() {
                    return bases;
                }
                let keys = match key {
                    Some(key) => self.eval(frame, key),
                    // `$_SESSION['list'][] = …` is a definition of the list.
                    None => return bases,
                };
                let mut paths = Vec::new();
                for (base, position) in &bases {
                    for key in self.keys(&keys) {
                        let mut path = base.to_vec();
                        path.push(key);
                        paths.push((path.into(), *position));
                    }
                }
                paths
            }
            _ => Vec::new(),
        }
    }

    fn keys(&self, keys: &Value) -> Vec<Template> {
        let known: Vec<Template> = keys
            .alternatives()
            .iter()
            .filter(|a| matches!(a, Alternative::Text(_)))
            .flat_map(|a| Value::one(a.clone()).to_templates())
            .collect();
        let unknown = keys.alternatives().iter().any(|a| !matches!(a, Alternative::Text(_)));
        let mut all = known;
        if unknown || all.is_empty() {
            let hole = keys.as_hole();
            all.push(Template::hole(crate::value::Hole { from: None, ..hole }));
        }
        all
    }
}
