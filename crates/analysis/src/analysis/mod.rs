//! The analysis of a whole application: reading, running, and putting together what was found.

mod agreement;
mod attribution;
mod outcome;
mod parallel;
mod passed_on;
mod reading;
mod result;
mod rounds;

pub use agreement::{Agreement, Disagreement, Line, LineHas, SentStatement, agreement};
pub(crate) use outcome::is_settled;
pub use reading::{Options, Source, analyze};
pub use result::{
    Analysis, CallCounts, DatabaseCall, FoundStatement, Location, Problem, SessionFunction, Table,
    TableAccess, Unresolved, UnresolvedKind, Variable, VariableAccess,
};
