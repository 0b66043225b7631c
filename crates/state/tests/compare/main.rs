//! What differs between two snapshots, of real SQLite files and folders.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod changes;
mod files;
mod learning;
mod property;
mod rows;
mod shop;
