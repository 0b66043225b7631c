//! A restore: `database` as a whole, `schema`, and `rows`.

mod database;
mod rows;
mod schema;
