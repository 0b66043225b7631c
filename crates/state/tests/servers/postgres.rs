//! A private PostgreSQL server for tests: in a folder of its own, gone when the test's process is.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use postgres::{Client, NoTls};
use restage_state::{DatabaseSpec, ServerKind, SnapshotStore, State, StateCopy, StateSpec};

/// Who connects: the superuser, whom nothing binds, or the plain owner of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    /// May write as a replica does.
    Super,
    /// Has rights on its own database only.
    Owner,
}

impl Account {
    fn name(self) -> &'static str {
        match self {
            Account::Super => "postgres",
            Account::Owner => "shop",
        }
    }
}

/// A running server.
pub(crate) struct Server {
    port: u16,
    folder: PathBuf,
    /// The shell that stops the server when this process ends, however it does.
    keeper: Child,
}

impl Server {
    /// The server that the tests of this program share.
    pub(crate) fn shared() -> &'static Server {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(Server::start)
    }

    /// A server of its own.
    pub(crate) fn start() -> Server {
        Self::start_with("")
    }

    /// A server of its own with further options.
    pub(crate) fn start_with(options: &str) -> Server {
        let folder = tempfile::Builder::new().prefix("restage-postgres-").tempdir().unwrap().keep();
        let bin = binaries();
        let root = rustix::process::geteuid().is_root();
        if root {
            // PostgreSQL does not run as root.
            let owned = Command::new("chown").arg("postgres").arg(&folder).status().unwrap();
            assert!(owned.success(), "the user postgres is missing: install the package postgresql");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let script = format!(
            "cd '{folder}'; '{bin}/initdb' -D '{folder}/data' -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync \
             >'{folder}/initdb.log' 2>&1 || exit 1
             run() {{ '{bin}/postgres' -D '{folder}/data' -p {port} -k '{folder}' -c listen_addresses=127.0.0.1 \
             -c fsync=off -c max_connections=60 -c shared_buffers=32MB -c deadlock_timeout=200ms {options} \
             >>'{folder}/server.log' 2>&1 & server=$!; echo $server >'{folder}/pid'; }}
             run; while read -r _; do wait $server; run; done
             kill -QUIT $server; wait $server; rm -rf '{folder}'",
            folder = folder.display(),
            bin = bin.display(),
        );
        let mut command = Command::new(if root { "setpriv" } else { "sh" });
        if root {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh"]);
        }
        // Its end of the pipe closes when this process ends.
        let keeper = command.arg("-c").arg(script).stdin(Stdio::piped()).spawn().unwrap();
        let server = Server { port, folder, keeper };
        server.wait().batch_execute("CREATE ROLE shop LOGIN CREATEDB").unwrap();
        server
    }

    /// Where a database of this server is.
    pub(crate) fn url(&self, account: Account, database: &str) -> String {
        format!("postgres://{}@127.0.0.1:{}/{database}", account.name(), self.port)
    }

    /// A new database, owned by the plain account.
    pub(crate) fn database(&self, account: Account) -> Database<'_> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("shop_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut boss = Client::connect(&self.url(Account::Super, "postgres"), NoTls).unwrap();
        boss.batch_execute(&format!("CREATE DATABASE {name} OWNER shop")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        Database { server: self, name, account, folder }
    }

    /// Ends the server as a crash does.
    pub(crate) fn crash(&self) {
        let pid = fs::read_to_string(self.folder.join("pid")).unwrap();
        let killed = Command::new("kill").args(["-QUIT", pid.trim()]).status().unwrap();
        assert!(killed.success());
    }

    /// Starts it again after a crash.
    pub(crate) fn run_again(&self) {
        // The keeper starts it again on a line.
        self.keeper.stdin.as_ref().unwrap().write_all(b"again\n").unwrap();
        self.wait();
    }

    fn wait(&self) -> Client {
        let started = Instant::now();
        loop {
            match Client::connect(&self.url(Account::Super, "postgres"), NoTls) {
                Ok(client) => return client,
                Err(_) if started.elapsed() < Duration::from_secs(60) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => {
                    let log = |name: &str| fs::read_to_string(self.folder.join(name)).unwrap_or_default();
                    panic!("the server does not start: {error}: {}{}", log("initdb.log"), log("server.log"));
                }
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// A database, with a snapshot store for its snapshots.
pub(crate) struct Database<'a> {
    server: &'a Server,
    pub(crate) name: String,
    account: Account,
    folder: tempfile::TempDir,
}

impl Database<'_> {
    /// A connection of the application.
    pub(crate) fn app(&self) -> Client {
        Client::connect(&self.server.url(Account::Owner, &self.name), NoTls).unwrap()
    }

    /// A connection of the superuser.
    pub(crate) fn boss(&self) -> Client {
        Client::connect(&self.server.url(Account::Super, &self.name), NoTls).unwrap()
    }

    /// The database as restage is told of it.
    pub(crate) fn spec(&self) -> DatabaseSpec {
        DatabaseSpec::new(ServerKind::Postgres, &self.server.url(self.account, &self.name)).unwrap()
    }

    /// The state of which it is the only part.
    pub(crate) fn state(&self) -> State {
        self.state_of(self.spec())
    }

    /// The state of which a database of this server is the only part; the snapshot store is the same.
    pub(crate) fn state_of(&self, spec: DatabaseSpec) -> State {
        let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
        State::open(&spec, SnapshotStore::open(&self.folder.path().join("store.db")).unwrap()).unwrap()
    }

    /// Another database on the server, empty, that snapshots know by the same label.
    pub(crate) fn copy(&self) -> DatabaseSpec {
        let copy = self.server.database(self.account);
        self.spec().named(&copy.name)
    }

    /// The state of a numbered copy, which restage makes and removes itself.
    pub(crate) fn numbered_copy(&self, number: u16) -> State {
        let spec = StateSpec { databases: vec![self.spec()], ..StateSpec::default() };
        let copy = StateCopy { number, ..StateCopy::default() };
        State::open_copy(&spec, &copy, SnapshotStore::open(&self.folder.path().join("store.db")).unwrap())
            .unwrap()
    }

    /// All that pg_dump says of it, but restage's own; rows sorted within their table.
    pub(crate) fn dump(&self) -> String {
        self.dump_of(&self.name)
    }

    /// The same with all that is restage's own.
    pub(crate) fn dump_all(&self) -> String {
        let all = Command::new(binaries().join("pg_dump"))
            .args(["--dbname", &self.server.url(Account::Super, &self.name)])
            .output()
            .unwrap();
        let all = String::from_utf8(all.stdout).unwrap();
        let mut lines: Vec<&str> = all.lines().filter(|line| !line.contains("restrict ")).collect();
        lines.sort();
        lines.join("\n")
    }

    /// The same of another database.
    pub(crate) fn dump_of(&self, name: &str) -> String {
        let output = Command::new(binaries().join("pg_dump"))
            .args(["--exclude-schema=restage_watch", "--dbname", &self.server.url(Account::Super, name)])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let dump = String::from_utf8(output.stdout).unwrap();
        let mut lines: Vec<String> = Vec::new();
        let mut rows: Option<(Columns, Vec<String>)> = None;
        for line in dump.lines() {
            match &mut rows {
                Some((_, these)) if line == "\\." => {
                    these.sort();
                    lines.append(these);
                    rows = None;
                }
                Some((columns, these)) => these.push(columns.row(line)),
                None if line.starts_with("--") || line.is_empty() => {}
                None if line.starts_with("\\restrict") || line.starts_with("\\unrestrict") => {}
                None if line.contains("TRIGGER restage_") => {}
                None => match Columns::of(line) {
                    Some((columns, head)) => {
                        lines.push(head);
                        rows = Some((columns, Vec::new()));
                    }
                    None => lines.push(line.to_owned()),
                },
            }
        }
        lines.join("\n")
    }
}

/// In which order the columns of a table's rows are told: by name. A table that inherits has them in another order once it is made anew
/// after its parent got one more, as it has with `pg_dump`; of all others, the order is in the definition of the table.
struct Columns(Vec<usize>);

impl Columns {
    /// Of `COPY t (b, a) FROM stdin;`, and the line with them in that order.
    fn of(line: &str) -> Option<(Self, String)> {
        let (table, names) = line.strip_prefix("COPY ")?.strip_suffix(") FROM stdin;")?.split_once(" (")?;
        let names: Vec<&str> = names.split(", ").collect();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|at| names[*at]);
        let columns = Self(order);
        let head = format!("COPY {table} ({}) FROM stdin;", columns.in_order(&names).join(", "));
        Some((columns, head))
    }

    fn row(&self, line: &str) -> String {
        self.in_order(&line.split('\t').collect::<Vec<_>>()).join("\t")
    }

    fn in_order<'t>(&self, parts: &[&'t str]) -> Vec<&'t str> {
        self.0.iter().filter_map(|at| parts.get(*at).copied()).collect()
    }
}

/// Fails with the lines that differ.
pub(crate) fn similar(found: &str, expected: &str, what: &str) {
    if found != expected {
        let lines = |one: &str, other: &str| {
            let other: std::collections::HashSet<&str> = other.lines().collect();
            one.lines().filter(|line| !other.contains(line)).collect::<Vec<_>>().join("\n")
        };
        panic!("{what}\n--- too much:\n{}\n--- missing:\n{}", lines(found, expected), lines(expected, found));
    }
}

fn binaries() -> PathBuf {
    let mut found: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort();
    let elsewhere = ["/usr/local/bin", "/usr/bin"].map(Path::new);
    let elsewhere = elsewhere.iter().find(|bin| bin.join("initdb").exists()).map(|bin| bin.to_path_buf());
    found.pop().or(elsewhere).expect("PostgreSQL's initdb is missing: install the package postgresql")
}
