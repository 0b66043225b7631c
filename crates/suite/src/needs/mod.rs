//! Which sessions need which (paper 1, section 4.1: "augment the test suite").
//!
//! A session needs an earlier one where it uses what that one wrote first: it changes or refers to a row that the other
//! added, logs in with an account that the other registered, asks for an address or sends a value that the other made, or is shown
//! a text of the other's. All is told by a trusted run: what its sessions sent, what they were shown, and what they wrote
//! between the snapshots before and after them.
//!
//! - `observed`: what is known of each session;
//! - `rows`: who wrote which row and file; `parts`: which rows are parts of others; `names`: how addresses and columns name tables;
//! - `values`: who wrote which value first; `fields`: whether two fields hold the same kind of thing; `texts`: where values are shown;
//! - `find`: the needs; `need`: one of them, and how it is said.
//!
//! What this cannot see: numbers that are counted up from what others did ("12 reviews"), and what is not shown since another
//! session removed it.

mod fields;
mod find;
mod names;
mod need;
mod observed;
mod parts;
mod rows;
mod texts;
mod values;

pub use find::find_needs;
pub use need::{Need, Needs, Why};
pub use observed::{Observed, ObservedStep};
