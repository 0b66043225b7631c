//! `restage suites`: what there is to replay.

use restage_model::Suite;
use restage_project::RECORDED;
use restage_suite::reduce::Receipt;

use crate::args::Global;
use crate::commands::reduce::print_receipt;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output::{self, count};

/// List the suites, or show the sessions of one
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: restage suites")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Show the sessions of one suite
    Show {
        /// The suite's name
        suite: String,
    },
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let mut store = project.store()?;
    if let Some(What::Show { suite }) = &args.what {
        let suite = project.suite(&mut store, suite)?;
        let receipt = store.receipt(suite.id)?.and_then(|text| serde_json::from_str(&text).ok());
        show(global, &suite, receipt.as_ref());
        return Ok(Outcome::Well);
    }
    let mut suites = vec![project.suite(&mut store, RECORDED)?];
    for summary in store.suites()?.into_iter().filter(|s| s.name != RECORDED) {
        suites.push(store.suite(summary.id)?);
    }
    if global.json {
        let value: Vec<_> = suites
            .iter()
            .map(|s| serde_json::json!({ "name": s.name, "sessions": s.sessions.len(), "steps": s.steps(), "origin": s.origin }))
            .collect();
        output::json(&value);
        return Ok(Outcome::Well);
    }
    let rows: Vec<Vec<String>> = suites
        .iter()
        .map(|s| vec![s.name.clone(), s.sessions.len().to_string(), s.steps().to_string(), s.origin.clone()])
        .collect();
    output::table(&["suite", "sessions ", "steps ", "origin"], &rows);
    Ok(Outcome::Well)
}

fn show(global: &Global, suite: &Suite, receipt: Option<&Receipt>) {
    if global.json {
        let mut value = serde_json::json!(suite);
        if let Some(receipt) = receipt {
            value["receipt"] = serde_json::json!(receipt);
        }
        return output::json(&value);
    }
    if let Some(receipt) = receipt {
        output::line(&format!("{}: {}", suite.name, suite.origin));
        print_receipt(receipt);
        output::line("");
    }
    for session in &suite.sessions {
        output::line(&format!("{}  {}", session.name, count(session.exchanges.len(), "step")));
    }
}
