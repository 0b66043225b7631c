//! New sessions of recorded ones (paper 4): what one session defines on the server, another one's request uses.
//!
//! - `dynamics`: what a suite does with the server's state, step by step: definitions and uses;
//! - `reading`: that view, made of facts and of what the source code says;
//! - `pairs`: what counts as one definition and one use, and which pairs steps in a row cover;
//! - `planning`: sequences for the pairs that the suite does not cover, the most promising first;
//! - `making`: from a planned sequence to a session;
//! - `outcome`: what came of it when it was run: pairs, and errors.
//!
//! Invariants: a sequence has its definition before its use, and no other definition of that state in between; what the suite covers is
//! not planned; what is counted as covered was seen so when the sequence was run.

mod dynamics;
mod making;
mod outcome;
mod pairs;
mod planning;
mod reading;

pub use dynamics::{
    Access, AccessKind, AccessLocation, Clearness, Dynamics, RequestPart, RowKeys, RowRelation,
    SessionDynamics, StateId, StepDynamics,
};
pub use making::{MadeSession, SourceSession, make_session, needed_pages};
pub use outcome::{Fault, Faults, Gained, Missed, gained};
pub use pairs::{Criterion, DefinedValue, DefinitionMark, ObservedPair, Pair, UseMark, observed_pairs};
pub use planning::{
    Aim, Choice, Limits, Plan, PlannedSequence, PlannedUse, StepPlace, Tried, plan, random_sequences,
};
pub use reading::{
    ReadStep, Reader, RequestVariants, SessionSeen, SessionTables, StateLines, read_session, read_step,
};
