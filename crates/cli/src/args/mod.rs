//! The command line: the commands there are, and arguments that several of them take.

mod cli;
mod facts;
mod global;
mod proxy;
mod replay;
mod report;
mod runs;
mod wait;

pub(crate) use cli::{Cli, Command};
pub(crate) use facts::FactsArgs;
pub(crate) use global::{Color, Global};
pub(crate) use proxy::ProxyArgs;
pub(crate) use replay::{AppArgs, EventArgs, JobsArgs, OrderArgs};
pub(crate) use report::ReportArgs;
pub(crate) use runs::RunPairArgs;
pub(crate) use wait::WaitArgs;
