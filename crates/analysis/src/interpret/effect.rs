//! What a function does to databases and sessions, as far as a run of it shows.

use std::sync::Arc;

use crate::php::ir::Position;
use crate::program::FunctionId;
use crate::value::{SessionPath, Template};

/// A call, or an access of the session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Site {
    pub(crate) file: u32,
    pub(crate) position: Position,
    /// What is called; nothing for what belongs to PHP.
    pub(crate) callee: Option<FunctionId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EffectKind {
    /// A statement goes to a database.
    Sql(Vec<Template>),
    /// A table is named to a function of PHP that makes the statement: whether it writes.
    Table(Vec<Template>, bool),
    /// A session variable, or the whole session, gets a value or goes away.
    Define(SessionPath),
    /// It is used.
    Use(SessionPath),
    /// Something is called that the caller names.
    Dispatch,
    /// A function of PHP that defines the session as a whole, or uses it.
    Function(Arc<str>, bool),
}

/// Something that a function does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Effect {
    /// The calls that lead there from the entry; the last is the place itself.
    pub(crate) chain: Vec<Site>,
    /// The name of PHP's own function or method, for a statement.
    pub(crate) sink: Arc<str>,
    pub(crate) kind: EffectKind,
    /// How many functions passed it on before.
    pub(crate) layers: u8,
    /// Whether it is only guessed which methods the calls mean.
    pub(crate) doubtful: bool,
}
