//! What the black-box tests share: running the binary, a small upstream, and a demo made once.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// A command line of the binary under test, away from the developer's own settings.
pub(crate) fn restage(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_restage"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    for name in [
        "RESTAGE_PROJECT",
        "RESTAGE_STORE",
        "RESTAGE_UPSTREAM",
        "RESTAGE_LISTEN",
        "RESTAGE_ORACLE",
        "RESTAGE_SECRETS",
        "DATABASE_URL",
        "RAILS_ENV",
    ] {
        command.env_remove(name);
    }
    command.env("RESTAGE_REDACT_KEY", "a key for tests");
    command
}

/// Runs it to its end.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Output {
    restage(folder, args).output().unwrap()
}

/// Runs it with `--json` and reads what it prints.
pub(crate) fn json(folder: &Path, args: &[&str]) -> serde_json::Value {
    let output = run(folder, &[args, &["--json"]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}\n{text}\n{}", stderr(&output)))
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The demo, which runs once: its folder, and what it printed.
fn demo() -> &'static (tempfile::TempDir, String) {
    static MADE: OnceLock<(tempfile::TempDir, String)> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let output = run(folder.path(), &["demo", "--dir", "shop"]);
        assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
        (folder, stdout(&output))
    })
}

/// What `restage demo` printed.
pub(crate) fn demo_output() -> &'static str {
    &demo().1
}

/// A copy of a project that `restage demo` made.
pub(crate) fn demo_project() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let status =
        Command::new("cp").arg("-r").arg(demo().0.path().join("shop")).arg(copy.path()).status().unwrap();
    assert!(status.success());
    copy
}

/// `restage record`, running.
pub(crate) struct Recording {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Recording {
    /// Starts `command`, a `restage record --json --listen 127.0.0.1:0 …`, and waits until it listens.
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(1, child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let value: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"));
        let address = value["listening"].as_str().unwrap().split("://").nth(1).unwrap().parse().unwrap();
        Self { child, address }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Ends it as Ctrl-C does, and reads its tally.
    pub(crate) fn stop(self) -> serde_json::Value {
        self.stop_and_read().pop().unwrap()
    }

    /// Ends it as Ctrl-C does, and reads what it has printed since it listens; the last is its tally.
    pub(crate) fn stop_and_read(mut self) -> Vec<serde_json::Value> {
        signal(&self.child, "-INT");
        let mut rest = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success());
        rest.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {rest:?}"))).collect()
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").arg(name).arg(child.id().to_string()).status().unwrap();
    assert!(status.success());
}

/// An upstream that answers every GET with its own path, in a page of about 2 KB; a thread a connection.
pub(crate) fn echo_server() -> SocketAddr {
    page_server(|address| format!("<p>{address}</p>{}", "<p>the same on every page</p>".repeat(70)))
}

/// An upstream that answers every GET with the page of its address; a thread a connection.
pub(crate) fn page_server(page: fn(&str) -> String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, page));
        }
    });
    address
}

fn answer(stream: TcpStream, page: fn(&str) -> String) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut out = stream.try_clone().ok()?;
    let mut lines = BufReader::new(stream).lines();
    loop {
        let first = lines.next()?.ok()?;
        while !lines.next()?.ok()?.is_empty() {}
        let page = page(first.split(' ').nth(1)?);
        write!(
            out,
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{page}",
            page.len()
        )
        .ok()?;
    }
}

/// A client that keeps its connection and reports every status.
pub(crate) fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .timeout_global(Some(Duration::from_secs(60)))
        .build();
    config.new_agent()
}

/// A free port, for something that is told its port.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Writes files of a project.
pub(crate) fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path: PathBuf = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}
