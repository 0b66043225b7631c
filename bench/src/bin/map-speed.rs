//! How long `restage map` takes on the bookstore of the demo, and how many requests a spider needs for what it finds.
//!
//! The demo's shoppers are recorded once; then a spider maps the shop several times, as nobody and as each kind of user, and restores its data after
//! everything that it presses. Aims: at most 3 requests for each edge; everything that a page leads sessions to is found. Ends with 1 where one is missed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use clap::Parser;
use restage_bench::{Table, Trouble, aim_met, restage_program, run_program};
use serde_json::Value;

const MOST_REQUESTS: f64 = 3.0;

/// How long a map of the bookstore takes, and how many requests
#[derive(Debug, Parser)]
struct Args {
    /// How often it is mapped
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// The program [default: the one built beside this one]
    #[arg(long, value_name = "PATH")]
    restage: Option<PathBuf>,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args).map(aim_met))
}

fn measure(args: &Args) -> Result<bool, Trouble> {
    let restage = restage_program(args.restage.clone())?;
    let folder = tempfile::tempdir()?;
    run(&restage, folder.path(), &["demo", "--dir", "shop", "--quiet"])?;
    let shop = folder.path().join("shop");
    let mut well = true;
    let head = [
        "round",
        "seconds",
        "requests",
        "forms sent",
        "restores",
        "nodes",
        "edges",
        "requests/edge",
        "found",
    ];
    let mut table = Table::new(0, &head);
    for round in 1..=args.rounds {
        let begun = Instant::now();
        let printed = run(&restage, &shop, &["map", "--from", "spider", "--json", "--quiet"])?;
        let took = begun.elapsed();
        let map: Value =
            serde_json::from_slice(&printed).map_err(|error| Trouble::from(error.to_string()))?;
        let count = |value: &Value| value.as_array().map_or(0, Vec::len);
        let number = |part: &str, name: &str| map[part][name].as_u64().unwrap_or(0);
        let (edges, requests) = (count(&map["edges"]), number("spider", "requests"));
        let ratio = requests as f64 / edges.max(1) as f64;
        let (found, led_to) = (number("sessions", "found_of_led_to"), number("sessions", "led_to"));
        well &= ratio <= MOST_REQUESTS && found == led_to;
        table.row(vec![
            round.to_string(),
            format!("{:.2}", took.as_secs_f64()),
            requests.to_string(),
            number("spider", "pressed").to_string(),
            number("spider", "restores").to_string(),
            count(&map["nodes"]).to_string(),
            edges.to_string(),
            format!("{ratio:.2}"),
            format!("{found} of {led_to}"),
        ]);
    }
    println!("{table}");
    Ok(well)
}

/// Runs restage in a folder; what it printed.
fn run(restage: &Path, folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, Trouble> {
    let output = Command::new(restage)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(Trouble::from(format!("restage {} ended with {}", arguments.join(" "), output.status)));
    }
    Ok(output.stdout)
}
