//! `restage export`: a suite for other tools.

use std::path::{Path, PathBuf};

use restage_capture::{ScannedExchanges, StoredExchanges};
use restage_project::Secrets;
use restage_suite::export::{ExportedFile, Format, export};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::output::{self, count};

/// Export a suite to HAR, hurl, curl, k6 or Playwright
///
/// HAR holds all that was recorded and can be imported again. The others are scripts that send the requests and check each
/// status. hurl, k6 and Playwright scripts read tokens from live responses where they can; other tokens are sent as recorded,
/// with a comment. Exports contain what users typed; secrets are replaced by stand-ins.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage export recorded --to har -o recorded.har
  restage export small --to hurl -o hurl/
  restage export small --to k6 > small.js")]
pub(crate) struct Args {
    /// The suite to export
    suite: String,
    /// The format: har, hurl, curl, k6 or playwright
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// The file or folder to write; a name that ends in / is a folder [default: standard output]
    #[arg(long, short, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    /// Export even if secrets are left that no stand-in replaces
    #[arg(long)]
    with_secrets: bool,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let mut store = project.store_to_read()?;
    let suite = project.suite(&mut store, &args.suite)?;
    let secrets = Secrets::of_suite(&project, &store, &suite)?;
    if !args.with_secrets {
        secrets.refuse(&format!("the suite `{}`", suite.name))?;
    }
    let source = ScannedExchanges { stored: StoredExchanges(&store), stand_ins: secrets.stand_ins };
    let files = export(&suite, &source, args.to)
        .map_err(|error| Failure::environment(format!("cannot read the suite `{}`: {error}", suite.name)))?;
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
                "the format {} makes {}, one for each session\n  hint: name a folder for them: -o {}/",
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
        .map_err(|e| Failure::environment(format!("cannot create the folder {}: {e}", folder.display())))?;
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
