//! `restage export`: a suite for other tools.

use std::path::{Path, PathBuf};

use restage_capture::{ScannedExchanges, StoredExchanges};
use restage_suite::export::{ExportedFile, Format, export};

use crate::cli::Global;
use crate::failure::{Failure, Outcome};
use crate::output::{self, count};
use crate::project::Project;
use crate::scan::Secrets;

/// Write a suite for other tools: HAR, hurl, curl, k6, Playwright
///
/// HAR holds all that was recorded and can be brought back in. The others are scripts that send the requests and check the
/// status of each answer; tokens are read from the live answers where hurl, k6 and Playwright can, or else sent as recorded, with a
/// comment. What users typed is in all of them, secrets replaced by stand-ins.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage export recorded --to har -o recorded.har
  restage export small --to hurl -o hurl/
  restage export small --to k6 > small.js")]
pub(crate) struct Args {
    /// What to write
    suite: String,
    /// As what: har, hurl, curl, k6, playwright
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// Where: a file, or a folder (a name that ends in / is one) [default: standard output]
    #[arg(long, short, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    /// Write it even where it holds secrets that no stand-in has replaced
    #[arg(long)]
    with_secrets: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = Project::find(global)?;
    let mut store = project.store()?;
    let suite = project.suite(&mut store, &args.suite)?;
    let secrets = Secrets::of_suite(&project, &store, &suite)?;
    if !args.with_secrets {
        secrets.refuse(&format!("the suite `{}`", suite.name))?;
    }
    let source = ScannedExchanges { stored: StoredExchanges(&store), stand_ins: secrets.stand_ins };
    let files = export(&suite, &source, args.to).map_err(|error| {
        Failure::environment(format!("the suite `{}` cannot be read: {error}", suite.name))
    })?;
    let written = match (&args.output, files.as_slice()) {
        (None, [file]) => {
            output::text(&file.text);
            return Ok(Outcome::Well);
        }
        (Some(path), [file]) if !is_folder(path) => {
            write(path, file)?;
            vec![path.clone()]
        }
        (Some(path), files) if is_folder(path) || !path.exists() => into_folder(path, files)?,
        _ => {
            return Err(Failure::user(format!(
                "{} is {}, one a session\n  hint: name a folder for them: -o {}/",
                args.to,
                count(files.len(), "file"),
                args.to
            )));
        }
    };
    if global.json {
        output::json(&serde_json::json!({ "suite": suite.name, "format": args.to.name(), "files": written }));
    } else {
        let place = args.output.as_deref().unwrap_or(Path::new("")).display();
        output::line(&format!("{}: {} written to {place}", suite.name, count(written.len(), "file")));
    }
    Ok(Outcome::Well)
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/')
}

fn into_folder(folder: &Path, files: &[ExportedFile]) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|e| Failure::environment(format!("cannot make the folder {}: {e}", folder.display())))?;
    let mut written = Vec::new();
    for file in files {
        let path = folder.join(&file.name);
        write(&path, file)?;
        written.push(path);
    }
    Ok(written)
}

fn write(path: &Path, file: &ExportedFile) -> Result<(), Failure> {
    std::fs::write(path, &file.text)
        .map_err(|e| Failure::environment(format!("cannot write {}: {e}", path.display())))
}
