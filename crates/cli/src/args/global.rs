//! Arguments that every command takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What every command takes.
#[derive(Clone, Debug, Args)]
pub(crate) struct Global {
    /// The project's folder [default: the current folder, or the nearest one above it with a restage.toml]
    #[arg(long, global = true, value_name = "DIR", env = "RESTAGE_PROJECT", hide_env = true)]
    pub(crate) project: Option<PathBuf>,
    /// The store's file [default: .restage/restage.db in the project]
    #[arg(long, global = true, value_name = "FILE", env = "RESTAGE_STORE", hide_env = true)]
    pub(crate) store: Option<PathBuf>,
    /// Print JSON, for scripts
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no progress and no notes
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}
