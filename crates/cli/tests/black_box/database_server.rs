//! A private PostgreSQL or MariaDB, with a database that the application's account owns.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::free_port;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Postgres,
    MariaDb,
}

/// A server. Killed when dropped.
pub(crate) struct DatabaseServer {
    engine: Engine,
    port: u16,
    child: Child,
    folder: tempfile::TempDir,
}

impl DatabaseServer {
    /// A server with an empty database `guests` of the user `app`.
    pub(crate) fn start(engine: Engine) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        match engine {
            Engine::Postgres => {
                if let Some(user) = server_user() {
                    std::os::unix::fs::chown(folder.path(), Some(user), None).unwrap();
                    std::os::unix::fs::chown(&data, Some(user), None).unwrap();
                }
                let mut init = own("initdb");
                run(init.arg("-D").arg(&data).args(["-U", "root", "-A", "trust", "-E", "UTF8", "--no-sync"]));
            }
            Engine::MariaDb => {
                let mut init = Command::new("mariadb-install-db");
                init.env("TMPDIR", folder.path());
                init.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db"]);
                run(init.arg(format!("--datadir={}", data.display())).args(as_root()));
            }
        }
        let port = free_port();
        let mut server = Self { engine, port, child: launch(engine, folder.path(), port), folder };
        server.wait();
        match engine {
            Engine::Postgres => {
                server.administer("CREATE ROLE app LOGIN CREATEDB");
                server.administer("CREATE DATABASE guests OWNER app");
            }
            Engine::MariaDb => server.administer(
                "CREATE DATABASE guests; CREATE USER app@'%' IDENTIFIED BY 'secret'; GRANT ALL ON guests.* TO app@'%'; \
                 GRANT ALL ON `guests\\_restage\\_%`.* TO app@'%';",
            ),
        }
        server
    }

    /// Ends it as a crash would.
    pub(crate) fn kill(&mut self) {
        if self.engine == Engine::Postgres {
            // Its children would go on for a moment, and it would start others: as after a crash of the machine, nothing is left.
            let _ = Command::new("kill").args(["-STOP", &self.child.id().to_string()]).status();
            let _ = Command::new("pkill").args(["-9", "-P", &self.child.id().to_string()]).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Starts it again after that.
    pub(crate) fn revive(&mut self) {
        let _ = std::fs::remove_file(self.folder.path().join("data/postmaster.pid"));
        self.child = launch(self.engine, self.folder.path(), self.port);
        self.wait();
    }

    pub(crate) fn url(&self) -> String {
        match self.engine {
            Engine::Postgres => format!("postgres://app@127.0.0.1:{}/guests", self.port),
            Engine::MariaDb => format!("mysql://app:secret@127.0.0.1:{}/guests", self.port),
        }
    }

    /// For PHP.
    pub(crate) fn dsn(&self, database: &str) -> String {
        match self.engine {
            Engine::Postgres => format!("pgsql:host=127.0.0.1;port={};dbname={database}", self.port),
            Engine::MariaDb => format!("mysql:host=127.0.0.1;port={};dbname={database}", self.port),
        }
    }

    /// Runs SQL as the application's account.
    pub(crate) fn sql(&self, sql: &str) {
        run(self
            .client("app", "guests")
            .arg(if self.engine == Engine::Postgres { "-c" } else { "-e" })
            .arg(sql));
    }

    /// What the engine's own tool writes of the database, rows in order.
    pub(crate) fn dump(&self) -> String {
        self.try_dump().unwrap()
    }

    /// The same while restage works on it, which may get in the way; then what is said of that.
    pub(crate) fn try_dump(&self) -> Result<String, String> {
        let mut command = match self.engine {
            Engine::Postgres => {
                let mut command = Command::new(programs().join("pg_dump"));
                command.args([
                    "-h",
                    "127.0.0.1",
                    "-U",
                    "app",
                    "--inserts",
                    "-p",
                    &self.port.to_string(),
                    "guests",
                ]);
                command
            }
            Engine::MariaDb => {
                let mut command = Command::new("mariadb-dump");
                command.args([
                    "--no-defaults",
                    "-h",
                    "127.0.0.1",
                    "-u",
                    "app",
                    "-psecret",
                    "--skip-dump-date",
                ]);
                command.args(["--skip-extended-insert", "--triggers", "--routines"]);
                command.arg(format!("--port={}", self.port)).arg("guests");
                command
            }
        };
        let output = command.output().unwrap();
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines: Vec<&str> = text.lines().filter(|line| !line.contains("restrict")).collect();
        lines.sort_unstable();
        Ok(lines.join("\n"))
    }

    /// The databases that are not the server's own.
    pub(crate) fn databases(&self) -> Vec<String> {
        let mut command = match self.engine {
            Engine::Postgres => {
                let mut command = self.client("root", "postgres");
                command.args([
                    "-At",
                    "-c",
                    "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres'",
                ]);
                command
            }
            Engine::MariaDb => {
                let mut command = self.client("root", "mysql");
                let own =
                    "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'guests%'";
                command.args(["-N", "-e", own]);
                command
            }
        };
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// Runs SQL as the server's own account.
    pub(crate) fn administer(&self, sql: &str) {
        let database = if self.engine == Engine::Postgres { "postgres" } else { "mysql" };
        run(self
            .client("root", database)
            .arg(if self.engine == Engine::Postgres { "-c" } else { "-e" })
            .arg(sql));
    }

    fn client(&self, user: &str, database: &str) -> Command {
        let mut command;
        match self.engine {
            Engine::Postgres => {
                command = Command::new(programs().join("psql"));
                command.args(["-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", user, "-d", database]);
                command.args(["-p", &self.port.to_string()]);
            }
            Engine::MariaDb => {
                command = Command::new("mariadb");
                command.args(["--no-defaults", "-h", "127.0.0.1", "-u", user, "-D", database]);
                command.arg(format!("--port={}", self.port));
                if user != "root" {
                    command.arg("-psecret");
                }
            }
        }
        command
    }

    fn wait(&mut self) {
        let begun = Instant::now();
        let database = if self.engine == Engine::Postgres { "postgres" } else { "mysql" };
        let ask = if self.engine == Engine::Postgres { "-c" } else { "-e" };
        loop {
            let mut client = self.client("root", database);
            let answered =
                client.args([ask, "SELECT 1"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
            if answered.unwrap().success() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the database server does not answer");
            if self.child.try_wait().unwrap().is_some() {
                // The kernel had not yet let go of what the killed one held.
                let _ = std::fs::remove_file(self.folder.path().join("data/postmaster.pid"));
                self.child = launch(self.engine, self.folder.path(), self.port);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for DatabaseServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn launch(engine: Engine, folder: &Path, port: u16) -> Child {
    let data = folder.join("data");
    let mut command = match engine {
        Engine::Postgres => {
            let mut command = own("postgres");
            command.arg("-D").arg(data).args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]);
            command.arg("-k").arg(folder).args(["-p", &port.to_string()]);
            command
        }
        Engine::MariaDb => {
            let mut command = Command::new("mariadbd");
            command.arg("--no-defaults").arg(format!("--datadir={}", data.display())).args(as_root());
            command.arg(format!("--socket={}", folder.join("socket").display()));
            // Another server that starts in the same folder would remove this one's temporary tables.
            command.arg(format!("--tmpdir={}", folder.display()));
            command.args([&format!("--port={port}"), "--bind-address=127.0.0.1"]);
            command
        }
    };
    let hint = "Debian's packages are `postgresql` and `mariadb-server`";
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect(hint)
}

fn run(command: &mut Command) {
    let hint = "Debian's packages are `postgresql` and `mariadb-server`, `mariadb-client`";
    let output = command.stdin(Stdio::null()).output().expect(hint);
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A program of PostgreSQL's own, as the user that it may run as.
fn own(name: &str) -> Command {
    let mut command = Command::new(programs().join(name));
    command.current_dir("/");
    if let Some(user) = server_user() {
        command.uid(user);
    }
    command
}

fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("Debian's package is `postgresql`");
    let found =
        versions.flatten().map(|v| v.path().join("bin")).filter(|path| path.join("postgres").is_file());
    found.max().expect("Debian's package is `postgresql`")
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.starts_with(b"0\n")
}

fn as_root() -> Vec<&'static str> {
    if is_root() { vec!["--user=root"] } else { Vec::new() }
}

/// PostgreSQL refuses to run as root.
fn server_user() -> Option<u32> {
    let users = std::fs::read_to_string("/etc/passwd").unwrap();
    let user = users.lines().find_map(|line| line.strip_prefix("postgres:")?.split(':').nth(1)?.parse().ok());
    is_root().then(|| user.expect("there is a user `postgres`"))
}
