//! PostgreSQL.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use postgres::{Client, NoTls};
use restage_state::{DatabaseSpec, ServerKind};
use tempfile::TempDir;

use super::{DatabaseSubject, Way, run};
use crate::Trouble;
use crate::process::{Server, free_port};

const DATABASE: &str = "shop";

/// A private PostgreSQL with a large database.
pub struct PostgresSubject {
    name: String,
    // Dropped before the server ends.
    client: Option<Client>,
    port: u16,
    programs: PathBuf,
    _server: Server,
    folder: TempDir,
}

impl PostgresSubject {
    /// Starts the newest PostgreSQL that is installed.
    pub fn start() -> Result<Self, Trouble> {
        let programs = std::fs::read_dir("/usr/lib/postgresql")
            .map_err(|_| "PostgreSQL is not installed\n  hint: Debian's package is `postgresql`")?
            .flatten()
            .map(|entry| entry.path().join("bin"))
            .filter(|path| path.join("postgres").is_file())
            .max()
            .ok_or("no PostgreSQL under /usr/lib/postgresql")?;
        let folder = tempfile::tempdir()?;
        let data = folder.path().join("data");
        std::fs::create_dir(&data)?;
        let user = server_user()?;
        if let Some(user) = user {
            std::os::unix::fs::chown(folder.path(), Some(user), None)?;
            std::os::unix::fs::chown(&data, Some(user), None)?;
        }
        let own = |program: &str| {
            let mut command = Command::new(programs.join(program));
            if let Some(user) = user {
                command.uid(user);
            }
            command.stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
            command
        };
        run(
            own("initdb").arg("-D").arg(&data).args(["-U", "owner", "-A", "trust", "-E", "UTF8"]),
            None,
            None,
        )?;
        let port = free_port()?;
        let mut command = own("postgres");
        command.arg("-D").arg(&data).args(["-c", "listen_addresses=127.0.0.1", "-c", "max_wal_size=4GB"]);
        command.arg("-p").arg(port.to_string()).arg("-k").arg(folder.path());
        let server = Server::start("postgres", port, &mut command)?;
        let version = programs.parent().and_then(Path::file_name).map(|v| v.to_string_lossy().into_owned());
        let name = format!("PostgreSQL {}", version.unwrap_or_default());
        let mut subject = Self { name, client: None, port, programs, _server: server, folder };
        for _ in 0..100 {
            if subject.to("postgres").is_ok() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        // The application's account owns its database and nothing else.
        subject.to("postgres")?.batch_execute("CREATE ROLE app LOGIN CREATEDB")?;
        subject.to("postgres")?.batch_execute(&format!("CREATE DATABASE {DATABASE} OWNER app"))?;
        Ok(subject)
    }

    fn to(&self, database: &str) -> Result<Client, Trouble> {
        let user = if database == DATABASE { "app" } else { "owner" };
        Ok(Client::connect(&format!("postgres://{user}@127.0.0.1:{}/{database}", self.port), NoTls)?)
    }

    fn app(&mut self) -> Result<&mut Client, Trouble> {
        if self.client.is_none() {
            self.client = Some(self.to(DATABASE)?);
        }
        self.client.as_mut().ok_or_else(|| "no connection".into())
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.args(["-h", "127.0.0.1", "-U", "app", "-p", &self.port.to_string()]);
        command
    }
}

/// PostgreSQL refuses to run as root: who runs it then.
fn server_user() -> Result<Option<u32>, Trouble> {
    if !rustix::process::getuid().is_root() {
        return Ok(None);
    }
    let users = std::fs::read_to_string("/etc/passwd")?;
    let user = users.lines().find_map(|line| line.strip_prefix("postgres:")?.split(':').nth(1)?.parse().ok());
    user.map(Some).ok_or_else(|| "there is no user `postgres` to run the server as".into())
}

impl DatabaseSubject for PostgresSubject {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> Result<DatabaseSpec, Trouble> {
        let url = format!("postgres://app@127.0.0.1:{}/{DATABASE}", self.port);
        Ok(DatabaseSpec::new(ServerKind::Postgres, &url)?)
    }

    fn fill(&mut self, megabytes: u64) -> Result<(), Trouble> {
        // About 1 KB a row, that compresses as text does.
        let rows = megabytes * 1000;
        self.app()?.batch_execute(&format!(
            "CREATE TABLE customers(id serial PRIMARY KEY, email text NOT NULL UNIQUE, name text);
             CREATE TABLE orders(id serial PRIMARY KEY, customer int NOT NULL REFERENCES customers ON DELETE CASCADE,
                 state text NOT NULL, placed timestamptz NOT NULL DEFAULT now(), note text);
             INSERT INTO customers(email, name) SELECT 'c' || n || '@example.org', 'Customer ' || n FROM generate_series(1, {customers}) n;
             INSERT INTO orders(customer, state, note) SELECT 1 + n % {customers}, 'paid',
                 repeat(md5(n::text) || ' was ordered and sent by post; ', 14) FROM generate_series(1, {rows}) n;
             CREATE INDEX ON orders(customer); ANALYZE;",
            customers = rows / 20
        ))?;
        Ok(())
    }

    fn size(&mut self) -> Result<u64, Trouble> {
        let row = self.app()?.query_one("SELECT pg_database_size(current_database())", &[])?;
        Ok(row.get::<_, i64>(0) as u64)
    }

    fn session(&mut self, number: u64) -> Result<(), Trouble> {
        let first = 1 + number * 17;
        self.app()?.batch_execute(&format!(
            "UPDATE orders SET state = 'sent' WHERE id IN ({first}, {}, {});
             UPDATE customers SET name = 'Renamed {number}' WHERE id = {first};
             INSERT INTO customers(email, name) VALUES ('new{number}@example.org', 'New');
             INSERT INTO orders(customer, state, note) VALUES ({first}, 'open', 'a'), ({first}, 'open', 'b');
             DELETE FROM orders WHERE id IN ({}, {}, {});",
            first + 1,
            first + 2,
            first + 3,
            first + 4,
            first + 5
        ))?;
        Ok(())
    }

    fn ways(&self) -> Vec<Way> {
        vec![Way { name: "CREATE DATABASE … TEMPLATE", aim: 20.0 }, Way { name: "pg_dump, psql", aim: 100.0 }]
    }

    fn save(&mut self, way: usize) -> Result<(), Trouble> {
        self.client = None;
        if way == 0 {
            let mut client =
                Client::connect(&format!("postgres://app@127.0.0.1:{}/postgres", self.port), NoTls)?;
            client.batch_execute("DROP DATABASE IF EXISTS kept")?;
            client.batch_execute(&format!("CREATE DATABASE kept TEMPLATE {DATABASE}"))?;
            return Ok(());
        }
        let file = self.folder.path().join("dump.sql");
        run(self.program("pg_dump").arg(DATABASE), None, Some(&file))
    }

    fn restore(&mut self, way: usize) -> Result<(), Trouble> {
        self.client = None;
        let mut client = Client::connect(&format!("postgres://app@127.0.0.1:{}/postgres", self.port), NoTls)?;
        client.batch_execute(&format!("DROP DATABASE {DATABASE}"))?;
        if way == 0 {
            client.batch_execute(&format!("CREATE DATABASE {DATABASE} TEMPLATE kept"))?;
            return Ok(());
        }
        client.batch_execute(&format!("CREATE DATABASE {DATABASE}"))?;
        let file = self.folder.path().join("dump.sql");
        run(self.program("psql").args(["-q", DATABASE]), Some(&file), None)
    }
}
