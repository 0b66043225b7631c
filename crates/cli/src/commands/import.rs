//! `restage import`: sessions from the traffic that was logged already.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use restage_capture::{FileTally, Format, ImportSettings, Input, import};
use restage_project::{RecordedErrors, redacted_counts};
use restage_store::Store;

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::learning;
use crate::terminal::output::{self, cut};
use crate::terminal::progress::{ByteBar, note};
use crate::terminal::recorded_errors;
use crate::terminal::redacted;

/// Import sessions from HAR files, access logs and GoReplay files
///
/// Imported requests join the recorded ones and become sessions in the same way. Lines that cannot be read are counted and
/// shown. Importing a file again adds only what is new in it. Files may be compressed with gzip or zstd; `-` is standard
/// input.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  restage import /var/log/nginx/access.log*\n  restage import checkout.har --host shop.example\n  mitmdump -nr flows --set hardump=out.har && restage import out.har\n  ssh web cat access.json | restage import -"
)]
pub(crate) struct Args {
    /// HAR files, access logs (common, combined, JSON), GoReplay files; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// har, clf, combined, jsonlog or gor [default: detected from each file's content]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The application's host in HAR files; requests to other hosts are not replayed [default: the first page's host]
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let inputs: Vec<Input> = args.files.iter().map(|path| Input::of(path)).collect();
    // A wrong name shows before the first file is read.
    for input in &inputs {
        if let Input::File(path) = input
            && let Err(error) = std::fs::metadata(path)
        {
            return Err(Failure::user(format!("cannot read {}: {error}", path.display())));
        }
    }
    let mut store = Store::open_or_create(project.store_path())?;
    let (before, redacting) = (store.last_exchange()?, project.redacting(&store)?);
    let stop = Interrupt::listen()?.stop;
    let settings = ImportSettings {
        format: args.format,
        hosts: args.hosts.clone(),
        stop,
        read: Arc::new(AtomicU64::new(0)),
        redacting,
    };
    let total: Option<u64> = inputs.iter().map(Input::size).sum();
    let bar = ByteBar::follow(global, "importing", total, settings.read.clone())?;
    let mut tallies = Vec::new();
    let mut failures = Vec::new();
    for input in &inputs {
        bar.about(&input.name());
        match import(&mut store, input, &settings) {
            Ok(tally) => tallies.push(tally),
            // One file that is none keeps no other from being imported.
            Err(
                error @ (restage_capture::ImportError::Unknown { .. }
                | restage_capture::ImportError::NotOfFormat { .. }
                | restage_capture::ImportError::Read { .. }),
            ) => failures.push(error),
            Err(error) => return Err(error.into()),
        }
    }
    drop(bar);
    let redacted = match &settings.redacting {
        // A log has addresses and header fields alone: what is secret there has its name beside it.
        Some(redacting) if tallies.iter().any(|t| matches!(t.format.as_str(), "har" | "gor")) => {
            redacted::sweep(global, &mut store, redacting, before)?
        }
        Some(redacting) => redacted_counts(redacting),
        None => BTreeMap::new(),
    };
    let bodies = tallies.iter().any(|t| t.added > 0 && matches!(t.format.as_str(), "har" | "gor"));
    let learnt = if bodies { project.learn_page_parameters(&mut store)? } else { Vec::new() };
    let errors = project.recorded_errors(&store, before)?;
    report(global, &tallies, &redacted, (&learnt, errors.as_ref()));
    learning::tell(global, &learnt);
    let Some(last) = failures.pop() else { return Ok(Outcome::Well) };
    for failure in failures {
        note(global, format!("error: {failure}"));
    }
    Err(last.into())
}

fn report(
    global: &Global,
    tallies: &[FileTally],
    redacted: &BTreeMap<String, u64>,
    (learnt, errors): (&[String], Option<&RecordedErrors>),
) {
    if global.json {
        return output::json(&serde_json::json!({
            "added": tallies.iter().map(|t| t.added).sum::<u64>(),
            "known": tallies.iter().map(|t| t.known).sum::<u64>(),
            "unread": tallies.iter().map(|t| t.unread).sum::<u64>(),
            "redacted": redacted,
            "parameters": learnt,
            "errors": errors,
            "files": tallies,
        }));
    }
    let mut said: Vec<&str> = Vec::new();
    for tally in tallies {
        output::line(&summary(tally));
        let part = match tally.format.as_str() {
            "har" => "entry ",
            "gor" => "message ",
            _ => "",
        };
        for unread in &tally.first_unread {
            output::line(&format!("  {}:{part}{}: {}", tally.name, unread.place, unread.why));
            if !unread.text.is_empty() {
                output::line(&format!("    | {}", cut(&unread.text, 90)));
            }
        }
        let more = tally.unread.saturating_sub(tally.first_unread.len() as u64);
        if more > 0 {
            output::line(&format!("  and {more} more that could not be read"));
        }
    }
    for text in tallies.iter().flat_map(|t| &t.notes) {
        // What a format lacks is said once.
        if !said.contains(&text.as_str()) {
            note(global, format!("note: {text}"));
            said.push(text);
        }
    }
    let templates: Vec<&str> = tallies.iter().flat_map(|t| &t.learnt).map(String::as_str).collect();
    if !templates.is_empty() {
        note(
            global,
            format!(
                "path templates learned from the traffic: {}\n  hint: `restage sessions keys` uses them; to use them in tests too, list them as `templates` in [keys]",
                templates.join(", ")
            ),
        );
    }
    if let Some(told) = redacted::in_words(redacted) {
        output::line(&told);
    }
    if let Some(errors) = errors {
        output::line(&recorded_errors::in_words(errors));
    }
    if tallies.iter().any(|t| t.added > 0) {
        note(
            global,
            "next: `restage sessions` lists the sessions (--all: also those left out, and why), `restage baseline` makes tests of them",
        );
    }
}

fn summary(tally: &FileTally) -> String {
    if tally.unchanged {
        return format!("{}: already imported, nothing new", tally.name);
    }
    let mut text = format!("{}: {}, {} exchanges added", tally.name, tally.format, tally.added);
    for (number, what) in [
        (tally.known, "already imported"),
        (tally.unread, "could not be read"),
        (tally.passed_over, "never sent to a server"),
    ] {
        if number > 0 {
            text.push_str(&format!(", {number} {what}"));
        }
    }
    text
}
