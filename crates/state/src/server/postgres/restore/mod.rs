//! A restore: a database made what it was, in one transaction.
//!
//! - `transaction`: the restore as a whole;
//! - `schema`: what is too much is dropped, what is missing is made;
//! - `whole_tables`: tables emptied and filled; `changed_rows`: single rows;
//! - `bound_by_foreign_keys`: the same by an account that foreign keys bind;
//! - `silence`: triggers, rules and foreign keys that must not act meanwhile.

mod bound_by_foreign_keys;
mod changed_rows;
mod schema;
mod silence;
mod transaction;
mod whole_tables;

pub(super) use transaction::{Own, put_back};
