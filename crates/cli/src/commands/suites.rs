//! `restage suites`: what there is to replay.

use std::collections::BTreeMap;

use restage_model::{ExchangeId, Origin, Session, Suite};
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
    let mut store = project.store_to_read()?;
    if let Some(What::Show { suite }) = &args.what {
        let suite = project.suite(&mut store, suite)?;
        let receipt = store.receipt(suite.id)?.and_then(|text| serde_json::from_str(&text).ok());
        show(global, &suite, receipt.as_ref(), &store.origins()?);
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

/// Where what nobody recorded comes from.
type Origins = BTreeMap<ExchangeId, Origin>;

fn show(global: &Global, suite: &Suite, receipt: Option<&Receipt>, origins: &Origins) {
    if global.json {
        let mut value = serde_json::json!(suite);
        let exchanges = suite.sessions.iter().flat_map(|session| &session.exchanges);
        let origins: Origins = exchanges.filter_map(|id| Some((*id, origins.get(id)?.clone()))).collect();
        if !origins.is_empty() {
            value["origins"] = serde_json::json!(origins);
        }
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
        let steps = count(session.exchanges.len(), "step");
        output::line(&format!("{}  {steps}{}", session.name, made(session, origins)));
    }
}

/// What of a session nobody recorded: `, 2 edited, 1 generated, joined from s1 and s17`.
fn made(session: &Session, origins: &Origins) -> String {
    let mut told = String::new();
    for kind in ["edited", "generated"] {
        let of_kind = |id: &&ExchangeId| origins.get(id).is_some_and(|origin| origin.kind() == kind);
        match session.exchanges.iter().filter(of_kind).count() {
            0 => {}
            number => told.push_str(&format!(", {number} {kind}")),
        }
    }
    if !session.joined.is_empty() {
        let names: Vec<&str> = session.joined.iter().map(|part| part.session.as_str()).collect();
        told.push_str(&format!(", joined from {}", names.join(" and ")));
    }
    told
}
