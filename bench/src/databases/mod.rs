//! Large databases on servers of our own, for the study of what saving and restoring them costs.
//!
//! - `postgres`, `mariadb`: a private server each, filled, with an application's session on it and the ways people put
//!   a database back today.

mod mariadb;
mod postgres;

pub use mariadb::MariaDbSubject;
pub use postgres::PostgresSubject;

use std::path::Path;
use std::process::{Command, Stdio};

use crate::Trouble;

/// A way to put a database back that people use today.
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    /// How much faster restage aims to be.
    pub aim: f64,
}

/// A server with a large database, and an application on it.
pub trait DatabaseSubject {
    /// `PostgreSQL 15`.
    fn name(&self) -> &str;

    /// Where restage finds the database.
    fn spec(&self) -> Result<restage_state::DatabaseSpec, Trouble>;

    /// Fills the database with about so many megabytes.
    fn fill(&mut self, megabytes: u64) -> Result<(), Trouble>;

    /// How many bytes it takes on the server.
    fn size(&mut self) -> Result<u64, Trouble>;

    /// A session that changes ten rows: four changed, three added, three removed.
    fn session(&mut self, number: u64) -> Result<(), Trouble>;

    /// How it is done today.
    fn ways(&self) -> Vec<Way>;

    /// Saves the database in one of those ways.
    fn save(&mut self, way: usize) -> Result<(), Trouble>;

    /// Restores it in one of those ways.
    fn restore(&mut self, way: usize) -> Result<(), Trouble>;
}

/// Runs a command to its end, its input and output files.
fn run(command: &mut Command, input: Option<&Path>, output: Option<&Path>) -> Result<(), Trouble> {
    command.stdin(input.map_or(Ok(Stdio::null()), |path| std::fs::File::open(path).map(Stdio::from))?);
    command.stdout(output.map_or(Ok(Stdio::null()), |path| std::fs::File::create(path).map(Stdio::from))?);
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|e| format!("{name} does not start: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} ended: {status}").into()) }
}
