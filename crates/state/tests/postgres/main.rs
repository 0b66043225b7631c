//! PostgreSQL databases: saved, and put back whatever a session did to them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../servers/postgres.rs"]
mod servers;

mod property;
mod rows;
mod schema;
mod shop;
mod trouble;
mod watching;
