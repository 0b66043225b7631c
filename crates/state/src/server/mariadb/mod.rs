//! MariaDB and MySQL, over their protocol.
//!
//! - `engine`: all of it together;
//! - `connection`: the connection, and what errors of the server mean;
//! - `sql`, `column`, `keys`: names, values and keys in statements;
//! - `catalogue`, `recently_altered`, `definition`, `schema`: what there is, and how it is made;
//! - `change_tracking`, `cascades`, `tracked_changes`: the database notes which rows change;
//! - `trigger_guard`: the application's triggers, silent for restage;
//! - `databases`: made and removed, for copies; `advisory_lock`: one restage at a time;
//! - `rows`: reading rows; `counters`: where ids go on;
//! - `restore/`: a restore, schema and rows.

mod advisory_lock;
mod cascades;
mod catalogue;
mod change_tracking;
mod column;
mod connection;
mod counters;
mod databases;
mod definition;
mod engine;
mod keys;
mod recently_altered;
mod restore;
mod rows;
mod schema;
mod sql;
mod statement_log;
mod tracked_changes;
mod trigger_guard;

pub(super) use advisory_lock::MariaDbLock;
pub(super) use databases::{create, drop_database, exists};
pub(super) use engine::MariaDb;
pub(super) use statement_log::{GeneralLog, LogMarker};
