//! What a SQL statement does: which tables it reads, which it writes, and by which keys.
//!
//! [`classify`] is the one way in, for statements that the analysis of PHP approximated as for those that a database server
//! logged. Parts that are not known are the character [`UNKNOWN`]. Statements on rows are read by a real parser; where that
//! fails, a scan of the words takes its place, and [`Statement::guessed`] says so. Statements on tables (`CREATE TABLE`,
//! `TRUNCATE` and others) begin with the table's name and are always scanned.
//!
//! No statement is too odd: the answer is then `Operation::Unknown`.

mod classify;
mod definition;
mod keys;
mod modifiers;
mod parsed;
mod scan;
mod statement;
mod token;

pub use classify::{classify, classify_with_keys, looks_like_sql};
pub use statement::{Dialect, Key, KeyRole, Operation, Statement, TableName, UNKNOWN};
