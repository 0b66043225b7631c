//! `restage record` as a process: started, interrupted, and what it says it stored.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};

use serde_json::Value;
use url::Url;

use crate::Trouble;
use crate::process::Server;

/// The `restage` program: the one given, or the one built beside this program.
pub fn restage_program(given: Option<PathBuf>) -> Result<PathBuf, Trouble> {
    let program = match given {
        Some(program) => program,
        None => std::env::current_exe()?.with_file_name("restage"),
    };
    if program.is_file() {
        return Ok(program);
    }
    Err(format!(
        "{} is not there\n  hint: `cargo build --release -p restage`, or --restage PATH",
        program.display()
    )
    .into())
}

/// A recorder at work.
#[derive(Debug)]
pub struct Recording {
    /// The process.
    pub server: Server,
    lines: BufReader<ChildStdout>,
}

/// What a recorder says at its end.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// Exchanges that passed.
    pub seen: u64,
    /// Exchanges in the store.
    pub stored: u64,
}

impl Recording {
    /// Starts recording into a new project in `folder`.
    pub fn start(program: &Path, folder: &Path, upstream: SocketAddr) -> Result<Self, Trouble> {
        std::fs::create_dir_all(folder)?;
        let mut child = Command::new(program)
            .args(["--json", "--quiet", "--project"])
            .arg(folder)
            .args(["record", "--no-snapshot", "--listen", "127.0.0.1:0", "--upstream"])
            .arg(format!("http://{upstream}"))
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{} does not start: {e}", program.display()))?;
        let stdout = child.stdout.take().ok_or("restage has no standard output")?;
        // From here on it is stopped whatever happens.
        let mut server = Server::telling("restage record", child);
        let mut lines = BufReader::new(stdout);
        let first = line(&mut lines)?;
        let address = first["listening"].as_str().and_then(|url| Url::parse(url).ok()?.port());
        server
            .listens_on(address.ok_or_else(|| format!("restage said {first} instead of where it listens"))?);
        Ok(Self { server, lines })
    }

    /// Interrupts it; what became of the exchanges.
    pub fn finish(mut self) -> Result<Tally, Trouble> {
        self.server.stop();
        let tally = line(&mut self.lines)?;
        let count = |name: &str| tally[name].as_u64().ok_or_else(|| format!("no `{name}` in {tally}"));
        Ok(Tally { seen: count("seen")?, stored: count("stored")? })
    }
}

fn line(lines: &mut BufReader<ChildStdout>) -> Result<Value, Trouble> {
    let mut line = String::new();
    lines.read_line(&mut line)?;
    serde_json::from_str(&line).map_err(|e| format!("restage said `{}`: {e}", line.trim()).into())
}
