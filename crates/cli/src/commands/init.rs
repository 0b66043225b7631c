//! `restage init`: a commented `restage.toml`, guessing what can be guessed.

use std::path::Path;

use restage_project::{Guess, SETTINGS_FILE, settings_template};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::terminal::output;
use crate::terminal::progress::note;

/// Write a commented restage.toml, with settings guessed from the folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  cd my-application && restage init\n  restage init --nginx")]
pub(crate) struct Args {
    /// Replace an existing restage.toml
    #[arg(long)]
    force: bool,
    /// Print it instead of writing it
    #[arg(long)]
    print: bool,
    /// Print the nginx configuration that logs all that `restage import` can use: cookies and form fields, too
    #[arg(long, conflicts_with_all = ["force", "print", "apache"])]
    nginx: bool,
    /// Print the same for Apache
    #[arg(long, conflicts_with_all = ["force", "print"])]
    apache: bool,
}

const NGINX: &str = include_str!("log_formats/nginx.conf");
const APACHE: &str = include_str!("log_formats/apache.conf");

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    if args.nginx || args.apache {
        output::line(if args.nginx { NGINX } else { APACHE }.trim_end());
        return Ok(Outcome::Well);
    }
    let folder = match &global.project {
        Some(folder) => folder.clone(),
        None => std::env::current_dir()?,
    };
    let guess = Guess::of(&folder);
    let text = settings_template(&guess);
    let path = folder.join(SETTINGS_FILE);
    if args.print {
        output::line(text.trim_end());
        return Ok(Outcome::Well);
    }
    if path.exists() && !args.force {
        return Err(Failure::user(format!(
            "{} already exists\n  hint: --force replaces it, --print shows what would be written",
            path.display()
        )));
    }
    std::fs::write(&path, &text)
        .map_err(|e| Failure::environment(format!("cannot write {}: {e}", path.display())))?;
    for made in guess.to_make.iter().map(|made| folder.join(made)) {
        make_folder(&made)
            .map_err(|e| Failure::environment(format!("cannot make the folder {}: {e}", made.display())))?;
    }
    if global.json {
        let databases: Vec<serde_json::Value> = guess
            .databases
            .iter()
            .map(|found| serde_json::json!({ "address": found.shown(), "from": found.from }))
            .collect();
        output::json(
            &serde_json::json!({ "wrote": path, "kind": guess.framework, "command": guess.command, "sqlite": guess.sqlite, "folders": guess.folders,
                "databases": databases, "notes": guess.notes }),
        );
        return Ok(Outcome::Well);
    }
    tell(global, &path, &guess);
    note(
        global,
        "next: check the file, start the application, then run `restage record --upstream http://127.0.0.1:PORT`",
    );
    Ok(Outcome::Well)
}

/// Makes a folder that version control has without what is in it, so that it is there in every checkout.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let ignore = folder.join(".gitignore");
    if ignore.exists() { Ok(()) } else { std::fs::write(ignore, "*\n!.gitignore\n") }
}

/// Says what was found, and what was not.
fn tell(global: &Global, path: &Path, guess: &Guess) {
    output::line(&format!("wrote {}", path.display()));
    match guess.framework {
        Some(framework) if guess.knows_command() => {
            output::line(&format!("  detected {framework}; it is started with: {}", guess.command));
        }
        Some(framework) => output::line(&format!(
            "  detected {framework}, and not how it is started: set `command` in [app] to what starts it"
        )),
        None => {
            output::line("  the application was not recognized: set `command` in [app] to what starts it");
        }
    }
    for path in guess.sqlite.iter().chain(&guess.folders) {
        let from = guess.origins.iter().find(|(known, _)| known == path);
        let from = from.map(|(_, from)| format!(" ({from})")).unwrap_or_default();
        output::line(&format!("  state: {}{from}", path.display()));
    }
    for database in &guess.databases {
        let password = database.password.as_ref().map(|password| format!("; {password}")).unwrap_or_default();
        output::line(&format!("  state: {} ({}{password})", database.shown(), database.from));
    }
    for text in &guess.notes {
        note(global, format!("note: {text}"));
    }
    if guess.has_no_state() {
        note(
            global,
            "note: no data of the application was found, so that each session would begin with what the one before it left behind\n  hint: name its databases and folders in [state]; an application that keeps nothing needs none",
        );
    }
}
