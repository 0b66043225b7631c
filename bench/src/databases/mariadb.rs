//! MariaDB.

use std::process::{Command, Stdio};

use mysql::prelude::Queryable;
use mysql::{Conn, Opts};
use restage_state::{DatabaseSpec, ServerKind};
use tempfile::TempDir;

use super::{DatabaseSubject, Way, run};
use crate::Trouble;
use crate::process::{Server, free_port};

const DATABASE: &str = "shop";

/// A private MariaDB with a large database.
pub struct MariaDbSubject {
    name: String,
    // Dropped before the server ends.
    client: Option<Conn>,
    port: u16,
    _server: Server,
    folder: TempDir,
}

impl MariaDbSubject {
    /// Starts the MariaDB that is installed.
    pub fn start() -> Result<Self, Trouble> {
        let folder = tempfile::tempdir()?;
        let data = format!("--datadir={}", folder.path().join("data").display());
        let mut install = Command::new("mariadb-install-db");
        install.env("TMPDIR", folder.path());
        install.args(["--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db", &data]);
        install.stderr(Stdio::null());
        if rustix::process::getuid().is_root() {
            install.arg("--user=root");
        }
        run(&mut install, None, None)
            .map_err(|e| format!("{e}\n  hint: Debian's package is `mariadb-server`"))?;
        let port = free_port()?;
        let mut command = Command::new("mariadbd");
        command.args(["--no-defaults", &data, "--bind-address=127.0.0.1", "--innodb-buffer-pool-size=1G"]);
        command.arg(format!("--port={port}")).arg(format!("--socket={}", folder.path().join("s").display()));
        // Another server that starts in the same folder would remove this one's temporary tables.
        command.arg(format!("--tmpdir={}", folder.path().display()));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if rustix::process::getuid().is_root() {
            command.arg("--user=root");
        }
        let server = Server::start("mariadbd", port, &mut command)?;
        let mut root = Conn::new(Opts::from_url(&format!("mysql://root@127.0.0.1:{port}"))?)?;
        let version: Option<String> = root.query_first("SELECT version()")?;
        root.query_drop(format!("CREATE DATABASE {DATABASE}"))?;
        // The application's account has rights on its database and nothing else.
        root.query_drop("CREATE USER app@'%' IDENTIFIED BY 'secret'")?;
        root.query_drop(format!("GRANT ALL ON {DATABASE}.* TO app@'%'"))?;
        let version = version.unwrap_or_default();
        let name = format!("MariaDB {}", version.split('-').next().unwrap_or_default());
        Ok(Self { name, client: None, port, _server: server, folder })
    }

    fn url(&self) -> String {
        format!("mysql://app:secret@127.0.0.1:{}/{DATABASE}", self.port)
    }

    fn app(&mut self) -> Result<&mut Conn, Trouble> {
        if self.client.is_none() {
            self.client = Some(Conn::new(Opts::from_url(&self.url())?)?);
        }
        self.client.as_mut().ok_or_else(|| "no connection".into())
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.args(["--no-defaults", "-h", "127.0.0.1", "-u", "app", "-psecret"]);
        command.arg(format!("--port={}", self.port));
        command
    }
}

impl DatabaseSubject for MariaDbSubject {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> Result<DatabaseSpec, Trouble> {
        Ok(DatabaseSpec::new(ServerKind::Mariadb, &self.url())?)
    }

    fn fill(&mut self, megabytes: u64) -> Result<(), Trouble> {
        // About 1 KB a row, that compresses as text does.
        let rows = megabytes * 1000;
        let customers = rows / 20;
        let app = self.app()?;
        app.query_drop("CREATE TABLE customers(id int AUTO_INCREMENT PRIMARY KEY, email varchar(100) NOT NULL UNIQUE, name varchar(100))")?;
        app.query_drop(
            "CREATE TABLE orders(id int AUTO_INCREMENT PRIMARY KEY, customer int NOT NULL, state varchar(10) NOT NULL,
                 placed datetime NOT NULL DEFAULT now(), note text, KEY (customer),
                 FOREIGN KEY (customer) REFERENCES customers(id) ON DELETE CASCADE)",
        )?;
        app.query_drop(format!("INSERT INTO customers(email, name) SELECT concat('c', seq, '@example.org'), concat('Customer ', seq) FROM seq_1_to_{customers}"))?;
        app.query_drop(format!(
            "INSERT INTO orders(customer, state, note) SELECT 1 + seq % {customers}, 'paid',
                 repeat(concat(md5(seq), ' was ordered and sent by post; '), 14) FROM seq_1_to_{rows}"
        ))?;
        Ok(())
    }

    fn size(&mut self) -> Result<u64, Trouble> {
        let app = self.app()?;
        app.query_drop("ANALYZE TABLE customers, orders")?;
        let size: Option<u64> = app.query_first(
            "SELECT CAST(sum(data_length + index_length) AS UNSIGNED) FROM information_schema.tables WHERE table_schema = database()",
        )?;
        Ok(size.unwrap_or_default())
    }

    fn session(&mut self, number: u64) -> Result<(), Trouble> {
        let first = 1 + number * 17;
        let app = self.app()?;
        for sql in [
            format!("UPDATE orders SET state = 'sent' WHERE id IN ({first}, {}, {})", first + 1, first + 2),
            format!("UPDATE customers SET name = 'Renamed {number}' WHERE id = {first}"),
            format!("INSERT INTO customers(email, name) VALUES ('new{number}@example.org', 'New')"),
            format!(
                "INSERT INTO orders(customer, state, note) VALUES ({first}, 'open', 'a'), ({first}, 'open', 'b')"
            ),
            format!("DELETE FROM orders WHERE id IN ({}, {}, {})", first + 3, first + 4, first + 5),
        ] {
            app.query_drop(sql)?;
        }
        Ok(())
    }

    fn ways(&self) -> Vec<Way> {
        vec![Way { name: "mariadb-dump, mariadb", aim: 100.0 }]
    }

    fn save(&mut self, _way: usize) -> Result<(), Trouble> {
        let file = self.folder.path().join("dump.sql");
        run(self.program("mariadb-dump").args(["--single-transaction", DATABASE]), None, Some(&file))
    }

    fn restore(&mut self, _way: usize) -> Result<(), Trouble> {
        let file = self.folder.path().join("dump.sql");
        run(self.program("mariadb").arg(DATABASE), Some(&file), None)
    }
}
