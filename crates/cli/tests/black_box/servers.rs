//! An application on a database server: PHP on PostgreSQL and on MariaDB, from recording to a found fault; and what
//! is left when the server goes away in the middle.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::database_server::{DatabaseServer, Engine};
use crate::own_app::{Browser, Running};
use crate::support::{Recording, free_port, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/guestbook.php");

pub(crate) struct Guestbook {
    folder: tempfile::TempDir,
    pub(crate) server: DatabaseServer,
}

impl Guestbook {
    /// The application with something in its database already, and three guests' sessions recorded.
    pub(crate) fn recorded(engine: Engine) -> Self {
        let server = DatabaseServer::start(engine);
        let (id, text) = match engine {
            Engine::Postgres => ("serial", "text"),
            Engine::MariaDb => ("int AUTO_INCREMENT", "varchar(200)"),
        };
        server.sql(&format!("CREATE TABLE guest (id {id} PRIMARY KEY, name {text} NOT NULL UNIQUE)"));
        server.sql(&format!(
            "CREATE TABLE entry (id {id} PRIMARY KEY, guest int NOT NULL, text {text}, \
             FOREIGN KEY (guest) REFERENCES guest (id) ON DELETE CASCADE)"
        ));
        server.sql("INSERT INTO guest (name) VALUES ('host')");
        server.sql("INSERT INTO entry (guest, text) VALUES (1, 'be welcome')");
        let (kind, url) = match engine {
            Engine::Postgres => ("postgres", server.url()),
            Engine::MariaDb => ("mariadb", server.url()),
        };
        let config = format!(
            "[app]\ncommand = \"exec php -S 127.0.0.1:{{port}} guestbook.php\"\n\
             env = {{ DSN = \"{}\", DB_USER = \"app\", DB_PASSWORD = \"secret\" }}\n\
             [app.faulty]\nenv = {{ FAULT = \"1\" }}\n[app.slow]\nenv = {{ SLOW = \"100\" }}\n\
             [state]\nfolders = [\"sessions\"]\n{kind} = \"{url}\"\n",
            server.dsn("{database}")
        );
        let folder = project(&[("guestbook.php", APP), ("restage.toml", &config), ("sessions/.keep", "")]);
        let guestbook = Self { folder, server };
        guestbook.record();
        guestbook
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn record(&self) {
        let port = free_port();
        let mut command = Command::new("php");
        command.args(["-S", &format!("127.0.0.1:{port}"), "guestbook.php"]).current_dir(self.path());
        command.env("DSN", self.server.dsn("guests")).env("DB_USER", "app").env("DB_PASSWORD", "secret");
        let app = Running::of(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
        let upstream = format!("http://127.0.0.1:{port}");
        let arguments = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
        let recording = Recording::start(restage(self.path(), &arguments));
        for (name, leaves) in [("ann", false), ("bob", true), ("cid", false)] {
            let url = |path: &str| recording.url(path);
            let mut guest = Browser::new(&url);
            guest.go("/", None);
            send(&mut guest, "/login", &[("name", name)]);
            send(&mut guest, "/write", &[("text", "what a lovely place")]);
            guest.go("/", None);
            send(&mut guest, "/write", &[("text", "back again tomorrow")]);
            guest.go("/", None);
            if leaves {
                send(&mut guest, "/leave", &[]);
            }
        }
        recording.stop();
        drop(app);
    }
}

/// Sends a form of the guestbook, with its token.
fn send(guest: &mut Browser<'_>, path: &str, fields: &[(&str, &str)]) {
    let token = guest.between("name=token value=", '>');
    guest.go(path, Some(&[fields, &[("token", token.as_str())]].concat()));
    assert!(!guest.page.contains("Wrong token"));
}

/// Catches: ids that go on counting, rows that a cascade took and nobody brought back, a database that is left as
/// the last session left it, restage's own triggers left behind.
fn from_record_to_a_found_fault(engine: Engine) {
    let guestbook = Guestbook::recorded(engine);
    let folder = guestbook.path();
    let before = guestbook.server.dump();
    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    assert_eq!(guestbook.server.dump(), before, "the database is as it was");
    let same = run(folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
    let faulty = run(folder, &["test", "--app", "faulty"]);
    assert_eq!(faulty.status.code(), Some(1), "{}{}", stdout(&faulty), stderr(&faulty));
    let text = stdout(&faulty);
    assert!(text.contains("lovely place") && text.contains("row"), "pages and rows tell: {text}");
    assert_eq!(guestbook.server.dump(), before, "the database is as it was");
    // Side by side, each on a database of its own: the same verdicts, and nothing is left of the copies.
    let failing = |arguments: &[&str]| {
        let told = json(folder, arguments);
        (
            told["counts"]["failing"].clone(),
            told["counts"]["changes"].clone(),
            told["counts"]["steps"].clone(),
        )
    };
    assert_eq!(failing(&["test", "--app", "faulty", "--jobs", "2"]), failing(&["test", "--app", "faulty"]));
    assert_eq!(guestbook.server.databases(), ["guests"]);
    assert_eq!(guestbook.server.dump(), before, "the database is as it was");
    // Changed behind restage's back, also in its form: put back in full from the snapshots, and left as it was found.
    guestbook.server.sql("ALTER TABLE entry ADD extra int");
    guestbook.server.sql("DELETE FROM guest WHERE name = 'host'");
    let changed = guestbook.server.dump();
    let same = run(folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
    assert_eq!(guestbook.server.dump(), changed, "what the user did to the database is still there");
}

#[test]
fn php_on_postgresql() {
    from_record_to_a_found_fault(Engine::Postgres);
}

#[test]
fn php_on_mariadb() {
    from_record_to_a_found_fault(Engine::MariaDb);
}

/// Catches: a database that is left half restored without a word, snapshots lost with the server.
fn the_server_goes_away_in_the_middle(engine: Engine) {
    let mut guestbook = Guestbook::recorded(engine);
    let before = guestbook.server.dump();
    let folder = guestbook.path().to_owned();
    json(&folder, &["baseline"]);
    let mut test = restage(&folder, &["test", "--app", "slow", "--into", "cut", "--events", "events"]);
    let mut child = test.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // In the middle: each request takes 100 ms, the first guest is gone, and the last has not come yet.
    let is_middle = |events: String| events.contains("session-ended");
    while !std::fs::read_to_string(folder.join("events")).is_ok_and(is_middle) {
        assert!(child.try_wait().unwrap().is_none(), "it has ended already");
        std::thread::yield_now();
    }
    guestbook.server.kill();
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{}{said}", stdout(&output));
    assert!(
        said.contains("cannot be reached") && said.contains("restage snapshots restore \"before cut\""),
        "{said}"
    );
    assert!(!said.contains("secret"), "no password is told: {said}");
    guestbook.server.revive();
    let restored = run(&folder, &["snapshots", "restore", "before cut"]);
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    assert_eq!(guestbook.server.dump(), before, "nothing is lost, nothing of restage's is left");
    let same = run(&folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
}

#[test]
fn postgresql_goes_away_in_the_middle() {
    the_server_goes_away_in_the_middle(Engine::Postgres);
}

#[test]
fn mariadb_goes_away_in_the_middle() {
    the_server_goes_away_in_the_middle(Engine::MariaDb);
}
