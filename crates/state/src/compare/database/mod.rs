//! Databases: what differs between two of them, table by table and row by row.
//!
//! - `copies`: databases of snapshots as files that SQLite can open;
//! - `schema`: their tables; `schemas`: the same, read once for all that declare the same;
//! - `touched`, `btree`: which rows may differ at all, by the pages that do;
//! - `rows`: the rows that differ; `cell`: one value of a row;
//! - `table_view`, `matching`: which rows belong together, and what in them differs;
//! - `diff`: all of it together.

mod btree;
mod cell;
mod copies;
mod diff;
mod matching;
mod rows;
mod schema;
mod schemas;
mod table_view;
mod touched;

pub(super) use cell::Cell;
pub(super) use copies::Copies;
pub(super) use diff::{SEQUENCES, connection_diff, database_diff};
pub(super) use matching::{Changed, RowsDiff};
pub(super) use rows::Row;
pub(super) use schema::{Table, sql_name};
