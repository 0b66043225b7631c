//! The folder that the demo's project is made in.

use std::path::{Path, PathBuf};

use bookstore::TOUR;
use restage_project::SETTINGS_FILE;

use crate::failure::Failure;

/// Marks a folder as a demo's, which the next demo may replace.
const MARK: &str = "made-by-restage-demo";

/// Makes the project's folder, in place of one that an earlier demo made.
pub(crate) fn make_folder(dir: &Path) -> Result<PathBuf, Failure> {
    let failed = |e: std::io::Error| Failure::environment(format!("cannot create {}: {e}", dir.display()));
    if dir.exists() {
        let empty = std::fs::read_dir(dir).map_err(failed)?.next().is_none();
        if !empty && !dir.join(MARK).exists() {
            return Err(Failure::user(format!(
                "{} already exists, and no demo created it\n  hint: name another folder with --dir",
                dir.display()
            )));
        }
        std::fs::remove_dir_all(dir).map_err(failed)?;
    }
    std::fs::create_dir_all(dir.join("data")).map_err(failed)?;
    std::fs::write(dir.join(MARK), "The next `restage demo` may replace this folder.\n").map_err(failed)?;
    let dir = dir.canonicalize().map_err(failed)?;
    let program = std::env::current_exe()?;
    let faults: Vec<String> = TOUR.iter().map(|stop| format!("--fault {}", stop.fault.name())).collect();
    let command = |faults: &str| {
        let line = format!("exec '{}' bookstore --port {{port}} --data data {faults}", program.display());
        toml::Value::String(line.trim_end().to_owned()).to_string()
    };
    let config = format!(
        "# The demo's project: a bookstore, its shoppers' sessions, and a faulty release.\n\n\
         [app]\ncommand = {}\n\n[app.faulty]\ncommand = {}\n\n[state]\nfolders = [\"data\"]\n\n\
         # What is secret is not stored. Replays get the passwords of members from here.\n\
         [redact]\nsecrets = {{ file = \"members.env\" }}\n",
        command(""),
        command(&faults.join(" ")),
    );
    std::fs::write(dir.join(SETTINGS_FILE), config).map_err(failed)?;
    let secrets: String =
        bookstore::members().map(|(name, password)| format!("{name}={password}\n")).collect();
    std::fs::write(dir.join("members.env"), secrets).map_err(failed)?;
    Ok(dir)
}
