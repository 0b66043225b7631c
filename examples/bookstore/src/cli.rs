//! The command line: `bookstore` serves the shop, `bookstore shoppers` sends shoppers to one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use serde::Serialize;

use crate::clock::Clock;
use crate::faults::Fault;
use crate::release::Release;
use crate::server::serve;
use crate::shop::Settings;
use crate::shoppers;

/// An online bookstore.
#[derive(Debug, Parser)]
#[command(name = "bookstore", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the shop (what happens without a command)
    Serve(ServeArgs),
    /// Send scripted shoppers to a shop
    Shoppers(ShoppersArgs),
}

#[derive(Debug, Args)]
struct ServeArgs {
    /// The port on 127.0.0.1; 0 picks a free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The folder for the database `shop.db` (or the path of a *.db file); made and stocked if new
    #[arg(long, value_name = "DIR", default_value = "bookstore-data")]
    data: PathBuf,
    /// The release to serve, 1 to 10
    #[arg(long, value_name = "N", default_value = "1")]
    release: Release,
    /// Switch a fault on; may be repeated
    #[arg(long = "fault", value_name = "NAME")]
    faults: Vec<Fault>,
    /// Make everything random reproducible
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The date to show and to date orders with, instead of the clock's
    #[arg(long, value_name = "YYYY-MM-DD")]
    today: Option<Clock>,
    /// How many milliseconds every request waits before it is answered
    #[arg(long, value_name = "MS", default_value_t = 0)]
    delay: u64,
    /// List the faults instead of serving
    #[arg(long)]
    list_faults: bool,
    /// With --list-faults: as JSON
    #[arg(long, requires = "list_faults")]
    json: bool,
}

#[derive(Debug, Args)]
struct ShoppersArgs {
    /// The shop's address
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    url: String,
    /// What the shoppers do depends on this alone
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// How many shoppers come, one after another
    #[arg(long, default_value_t = 40)]
    count: usize,
}

/// A fault as `--list-faults --json` prints it.
#[derive(Debug, Serialize)]
struct FaultRow {
    name: &'static str,
    category: &'static str,
    page: &'static str,
    shows: &'static str,
}

/// The whole program: the first argument is the program's name.
pub fn main_with_args<I: IntoIterator<Item = OsString>>(args: I) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing is left to do if the message cannot be printed.
            drop(error.print());
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let outcome = match cli.command {
        Some(Command::Shoppers(args)) => send_shoppers(&args),
        Some(Command::Serve(args)) => serve_or_list(args),
        None => serve_or_list(cli.serve),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bookstore: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve_or_list(args: ServeArgs) -> Result<(), Box<dyn std::error::Error>> {
    if args.list_faults {
        return list_faults(args.json);
    }
    let settings = Settings {
        port: args.port,
        data: args.data,
        release: args.release,
        faults: args.faults.into_iter().collect(),
        seed: args.seed,
        clock: args.today.unwrap_or(Clock::Real),
        delay: std::time::Duration::from_millis(args.delay),
    };
    serve(&settings, |address| println!("listening on http://{address}"), told_to_stop())?;
    Ok(())
}

fn list_faults(json: bool) -> Result<(), Box<dyn std::error::Error>> {
    if json {
        let rows: Vec<FaultRow> = Fault::ALL
            .iter()
            .map(|fault| FaultRow {
                name: fault.name(),
                category: fault.category().name(),
                page: fault.page(),
                shows: fault.shows(),
            })
            .collect();
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    println!("{:<26}{:<12}{:<20}WHAT A USER WOULD SEE", "NAME", "CATEGORY", "PAGE");
    for fault in Fault::ALL {
        println!("{fault:<26}{:<12}{:<20}{}", fault.category(), fault.page(), fault.shows());
    }
    Ok(())
}

fn send_shoppers(args: &ShoppersArgs) -> Result<(), Box<dyn std::error::Error>> {
    let tally = shoppers::drive(&args.url, args.seed, args.count, &mut |_| {})?;
    println!("{} sessions, {} requests", tally.sessions, tally.requests);
    Ok(())
}

async fn told_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        },
        Err(_) => drop(interrupted.await),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_serve_without_a_command() {
        let cli = Cli::try_parse_from(["bookstore", "--port", "0", "--fault", "crumb-missing"]).unwrap();
        assert_eq!((cli.serve.port, cli.serve.faults), (0, vec![Fault::CrumbMissing]));
    }

    #[test]
    fn an_unknown_fault_is_an_error_that_names_the_known() {
        let error = Cli::try_parse_from(["bookstore", "--fault", "nonsense"]).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("rating-not-saved"), "{error}");
    }
}
