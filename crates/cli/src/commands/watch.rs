//! `restage watch`: recording that keeps one session for each behaviour, and shows what it keeps.

use std::time::Duration;

use restage_suite::reduce::Requirement;

use crate::args::{Global, ProxyArgs};
use crate::commands::record::{Reduced, record};
use crate::failure::{Failure, Outcome};
use crate::terminal::status_line::KeptLine;

/// How long the line that is shown may be behind.
const REFRESHED: Duration = Duration::from_secs(2);

/// Record continuously, and keep only sessions that show new behaviour
///
/// This is `restage record --keep reduced` for endless traffic. A finished session that shows nothing new is dropped, so the
/// store grows with what people do, not with how many people do it. Sessions recorded earlier stay. A status line shows how many
/// sessions were seen and kept, how many behaviours they cover, and the bytes stored; --json prints an object on each change.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage watch --upstream http://127.0.0.1:8080 --listen 127.0.0.1:9090")]
pub(crate) struct Args {
    #[command(flatten)]
    proxy: ProxyArgs,
    /// What counts as new: key, key-pairs, params or values
    #[arg(long, value_name = "KIND", default_value_t = Requirement::Key)]
    require: Requirement,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let line = KeptLine::new(global);
    let reduced = Reduced { require: args.require, longest_pause: REFRESHED, line: Some(line) };
    record(global, &args.proxy, Some(reduced))
}
