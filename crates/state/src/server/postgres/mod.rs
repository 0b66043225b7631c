//! PostgreSQL.
//!
//! Everything is text: PostgreSQL reads what it writes, under settings that are always the same. The notes of changed rows
//! are in a schema of their own, `restage_watch`; nothing else is added but two triggers a table. A restore is one
//! transaction, schema changes included.
//!
//! - `engine`: all of it together;
//! - `connection`, `error_hints`: the connection, its settings, and what an error of the server means;
//! - `catalogue`, `tables`: what the database is built of, as statements that make it; the tables that hold rows;
//! - `change_tracking`: the notes, and the triggers that write them;
//! - `rows`, `copy`, `copy_text`: reading rows;
//! - `counters`: sequences;
//! - `restore/`: a restore, schema and rows;
//! - `statistics`: by which the server chooses how to run a query;
//! - `statement_log`: the statements that the server logs;
//! - `databases`: making and removing a database; `advisory_lock`: one restage at a time.

mod advisory_lock;
mod catalogue;
mod change_tracking;
mod connection;
mod copy;
mod copy_text;
mod counters;
mod databases;
mod engine;
mod error_hints;
mod restore;
mod rows;
mod statement_log;
mod statistics;
mod tables;

pub(super) use self::advisory_lock::PostgresLock;
pub(super) use self::databases::{create, drop_database, exists};
pub(super) use self::engine::Postgres;
pub(super) use self::statement_log::{LogMarker, open_log};
