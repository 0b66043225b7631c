//! A private MariaDB server for tests: its own data folder, a free port, gone with the test process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses what it needs")]

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use mysql::prelude::Queryable;
use mysql::{Conn, OptsBuilder};

static SERVER: OnceLock<Server> = OnceLock::new();
static NEXT: AtomicU32 = AtomicU32::new(0);

/// What runs the server until its standard input ends, as it does whenever the test process does; a server that was
/// killed is started again.
const KEEPER: &str = r#"
while [ ! -e "$2/stop" ]; do
    "$1" --no-defaults --datadir="$2/data" --socket="$2/socket" --port="$3" --bind-address=127.0.0.1 $4 \
        --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=0 --innodb-flush-method=nosync --sync-frm=0 \
        --skip-log-bin --pid-file="$2/pid" >>"$2/log" 2>&1
    sleep 0.1
done &
cat >/dev/null
touch "$2/stop"
while kill -0 $! 2>/dev/null; do
    kill -9 "$(cat "$2/pid")"
    sleep 0.1
done
rm -rf "$2"
"#;

/// The server of this test binary.
pub struct Server {
    folder: PathBuf,
    pub port: u16,
    keeper: Mutex<Child>,
}

impl Server {
    /// The server, started where it is not.
    pub fn get() -> &'static Server {
        SERVER.get_or_init(Server::start)
    }

    /// A server of one's own, for a test that stops it.
    pub fn start() -> Server {
        let folder = tempfile::Builder::new().prefix("restage-mariadb-").tempdir().unwrap().keep();
        // A server that starts removes what it takes for leftovers of its own: another's tables in a common folder.
        std::fs::create_dir(folder.join("tmp")).unwrap();
        let made = Command::new(found("mariadb-install-db"))
            .env("TMPDIR", folder.join("tmp"))
            .args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"])
            .arg(format!("--datadir={}", folder.join("data").display()))
            .args(is_root().then_some("--user=root"))
            .output()
            .unwrap();
        assert!(made.status.success(), "mariadb-install-db: {}", String::from_utf8_lossy(&made.stderr));
        let server = Server::run(folder);
        let mut root = server.root("mysql");
        root.query_drop("CREATE USER shop@'127.0.0.1' IDENTIFIED BY 'pass word/%'").unwrap();
        root.query_drop("GRANT ALL PRIVILEGES ON `t\\_%`.* TO shop@'127.0.0.1'").unwrap();
        server
    }

    fn run(folder: PathBuf) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let keeper = Command::new("/bin/sh")
            .args(["-c", KEEPER, "sh"])
            .env("TMPDIR", folder.join("tmp"))
            .arg(found("mariadbd"))
            .arg(&folder)
            .arg(port.to_string())
            .arg(if is_root() { "--user=root" } else { "--skip-symbolic-links" })
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Server { folder, port, keeper: Mutex::new(keeper) };
        server.wait();
        server
    }

    /// Waits until the server answers.
    fn wait(&self) {
        let begun = Instant::now();
        while self.connect("root", None, "mysql").is_err() {
            let log = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "the server does not start: {}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A connection that may do everything.
    pub fn root(&self, database: &str) -> Conn {
        self.connect("root", None, database).unwrap()
    }

    fn connect(&self, user: &str, password: Option<&str>, database: &str) -> mysql::Result<Conn> {
        let socket = self.folder.join("socket");
        Conn::new(
            OptsBuilder::new()
                .user(Some(user))
                .pass(password)
                .socket(Some(socket.to_str().unwrap()))
                .db_name(Some(database)),
        )
    }

    /// A new, empty database.
    pub fn database(&'static self) -> Database {
        let name = format!("t_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.root("mysql").query_drop(format!("CREATE DATABASE {name} CHARACTER SET utf8mb4")).unwrap();
        Database { server: self, name }
    }

    /// Kills the server without a word; its keeper starts it again.
    pub fn crash(&self) {
        let pid = std::fs::read_to_string(self.folder.join("pid")).unwrap();
        let killed = Command::new("kill").args(["-9", pid.trim()]).status().unwrap();
        assert!(killed.success());
        self.wait();
    }

    fn stop(&self) {
        let mut keeper = self.keeper.lock().unwrap_or_else(|broken| broken.into_inner());
        drop(keeper.stdin.take());
        let _ = keeper.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A database for one test.
pub struct Database {
    pub server: &'static Server,
    pub name: String,
}

impl Database {
    /// Its address, for an account that owns the database and nothing else.
    pub fn url(&self) -> String {
        format!("mysql://shop:pass%20word%2F%25@127.0.0.1:{}/{}", self.server.port, self.name)
    }

    /// A connection as an application has it.
    pub fn app(&self) -> Conn {
        Conn::new(mysql::Opts::from_url(&self.url()).unwrap()).unwrap()
    }

    /// Everything that the server's own tool tells, restage's things included.
    pub fn dump(&self) -> String {
        self.dump_with(&["--triggers"])
    }

    /// The same without triggers and without restage's tables: while restage is watching.
    pub fn dump_watched(&self) -> String {
        let own = ["restage_notes", "restage_notes_lasting"];
        let own = own.map(|table| format!("--ignore-table={}.{table}", self.name));
        self.dump_with(&["--skip-triggers", &own[0], &own[1]])
    }

    fn dump_with(&self, more: &[&str]) -> String {
        let out = Command::new(found("mariadb-dump"))
            .args(["--no-defaults", "--user=root", "--skip-comments", "--routines", "--events", "--hex-blob"])
            .args(["--order-by-primary", "--skip-extended-insert", "--complete-insert", "--force"])
            .arg(format!("--socket={}", self.server.folder.join("socket").display()))
            .args(more)
            .args(["--databases", &self.name])
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let _ = self.server.root("mysql").query_drop(format!("DROP DATABASE IF EXISTS {}", self.name));
    }
}

fn is_root() -> bool {
    let out = Command::new("id").arg("-u").output().unwrap();
    out.stdout.trim_ascii() == b"0"
}

fn found(program: &str) -> PathBuf {
    let folders = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/usr/local/sbin:/usr/libexec";
    folders
        .split(':')
        .map(|folder| PathBuf::from(folder).join(program))
        .find(|path| path.exists())
        .unwrap_or_else(|| {
            panic!("{program} is not installed\n  hint: apt-get install mariadb-server mariadb-client")
        })
}
