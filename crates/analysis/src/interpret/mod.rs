//! Running a function without running it: every value is an approximation, both ways of an undecided condition are gone,
//! loops are gone through a few times.
//!
//! Every function is an *entry* once: it is run with parameters of which nothing is known but that a caller may know more
//! (they are *open*). What it calls is run inside of it where that matters. What happens to databases and sessions is
//! recorded as [`Effect`]s, with the calls that lead there.

mod builtins;
mod calls;
mod conditions;
mod effect;
mod expressions;
mod frame;
mod heap;
mod limits;
mod machine;
mod objects;
mod places;
mod session;
mod sinks;
mod statements;
mod summary;

pub(crate) use effect::{Effect, EffectKind, Site};
pub(crate) use heap::{Heap, Writes};
pub(crate) use limits::Limits;
pub(crate) use machine::{Consulted, Entered, Known, Machine};
pub(crate) use summary::Summary;
