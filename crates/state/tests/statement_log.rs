//! The logs of database servers: statements are attributed to the step that sent them, and the server is left as it was.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "servers/mariadb.rs"]
mod mariadb;
#[path = "servers/postgres.rs"]
mod postgres_server;

use ::postgres::{Client, NoTls};
use mysql::prelude::Queryable;
use postgres_server::Account;
use restage_state::{DatabaseSpec, ServerKind, StatementLog};

/// What was found: the marker's name and the statement, without those of drivers that set up a connection.
fn found(log: &mut StatementLog) -> Vec<String> {
    let mut found = Vec::new();
    log.read(&mut |name, text| {
        if text.contains("item") {
            found.push(format!("{name}: {text}"));
        }
    })
    .unwrap();
    found
}

/// Catches: statements of a copy, of another database or of restage itself at a step; a log that stays on, or keeps what users typed.
#[test]
fn the_general_log_of_mariadb_says_what_each_step_sent() {
    let server = mariadb::Server::get();
    let (shop, copy, other) = (server.database(), server.database(), server.database());
    let mut root = server.root("mysql");
    let spec = |name: &str| {
        let url = format!("mysql://boss:secret@127.0.0.1:{}/{name}", server.port);
        DatabaseSpec::new(ServerKind::Mariadb, &url).unwrap()
    };
    let settings = |root: &mut mysql::Conn| -> (u8, String, u64) {
        let rows = root.query_first("SELECT COUNT(*) FROM mysql.general_log").unwrap().unwrap();
        let (on, to) = root.query_first("SELECT @@GLOBAL.general_log, @@GLOBAL.log_output").unwrap().unwrap();
        (on, to, rows)
    };
    // An account with rights on its database alone is told what it lacks.
    let poor = DatabaseSpec::new(ServerKind::Mariadb, &shop.url()).unwrap();
    let refused = StatementLog::open(&poor).err().unwrap().to_string();
    assert!(refused.contains("hint: GRANT SUPER"), "{refused}");
    root.query_drop("CREATE USER boss@'127.0.0.1' IDENTIFIED BY 'secret'").unwrap();
    root.query_drop("GRANT ALL PRIVILEGES ON *.* TO boss@'127.0.0.1'").unwrap();
    for database in [&shop, &copy, &other] {
        database.app().query_drop("CREATE TABLE item (id INT PRIMARY KEY)").unwrap();
    }
    let before = settings(&mut root);
    let mut early = shop.app();
    let mut log = StatementLog::open(&spec(&shop.name)).unwrap();
    let (mut first, mut second) =
        (StatementLog::marker(&spec(&shop.name)).unwrap(), StatementLog::marker(&spec(&copy.name)).unwrap());
    early.query_drop("SELECT 'nobody', COUNT(*) FROM item").unwrap();
    first.mark(Some("x/1")).unwrap();
    early.query_drop("INSERT INTO item VALUES (1)").unwrap();
    second.mark(Some("x/2")).unwrap();
    copy.app().exec_drop("INSERT INTO item VALUES (?)", (2,)).unwrap();
    other.app().query_drop("INSERT INTO item VALUES (3)").unwrap();
    shop.app().query_drop("DELETE FROM item").unwrap();
    let mut turned = other.app();
    turned.query_drop(format!("USE {}", shop.name)).unwrap();
    turned.query_drop("SELECT 'turned' FROM item").unwrap();
    first.mark(None).unwrap();
    shop.app().query_drop("SELECT 'between' FROM item").unwrap();
    assert_eq!(
        found(&mut log),
        [
            "x/1: INSERT INTO item VALUES (1)",
            "x/2: INSERT INTO item VALUES (2)",
            "x/1: DELETE FROM item",
            "x/1: SELECT 'turned' FROM item"
        ]
    );
    // Emptied by somebody else meanwhile.
    root.query_drop("TRUNCATE TABLE mysql.general_log").unwrap();
    let gone = log.read(&mut |_, _| {}).unwrap_err().to_string();
    assert!(gone.contains("emptied or rotated") && gone.contains("hint:"), "{gone}");
    log.close().unwrap();
    assert_eq!(settings(&mut root), before);
    // One that was on stays on, and what is in it stays.
    root.query_drop("SET GLOBAL log_output = 'FILE,TABLE'").unwrap();
    root.query_drop("SET GLOBAL general_log = ON").unwrap();
    root.query_drop("SELECT 'kept'").unwrap();
    drop(StatementLog::open(&spec(&shop.name)).unwrap());
    let (on, to, rows) = settings(&mut root);
    assert!(on == 1 && to == "FILE,TABLE" && rows > 0, "{on} {to} {rows}");
    root.query_drop("SET GLOBAL general_log = OFF").unwrap();
}

/// Catches: the same of PostgreSQL.
#[test]
fn the_log_of_postgresql_says_what_each_step_sent() {
    let quiet = postgres_server::Server::shared();
    let refused = StatementLog::open(&quiet.database(Account::Super).spec()).err().unwrap().to_string();
    assert!(refused.contains("hint: set logging_collector = on"), "{refused}");
    let server = postgres_server::Server::start_with("-c logging_collector=on");
    let poor = StatementLog::open(&server.database(Account::Owner).spec()).err().unwrap().to_string();
    assert!(poor.contains("hint: only a superuser"), "{poor}");
    let (shop, copy) = (server.database(Account::Super), server.database(Account::Super));
    let mut boss = shop.boss();
    for database in [&shop, &copy] {
        database.app().batch_execute("CREATE TABLE item (id INT PRIMARY KEY, name TEXT)").unwrap();
    }
    let mut settings = || -> (String, i64) {
        let to: String = boss
            .query_one("SELECT setting FROM pg_settings WHERE name = 'log_destination'", &[])
            .unwrap()
            .get(0);
        let sql = "SELECT count(*) FROM pg_db_role_setting r JOIN pg_database d ON d.oid = r.setdatabase WHERE d.datname = current_database()";
        (to, boss.query_one(sql, &[]).unwrap().get(0))
    };
    let before = settings();
    let mut log = StatementLog::open(&shop.spec()).unwrap();
    let (mut first, mut second) =
        (StatementLog::marker(&shop.spec()).unwrap(), StatementLog::marker(&copy.spec()).unwrap());
    let (mut app, mut of_copy): (Client, Client) = (shop.app(), copy.app());
    app.batch_execute("SELECT 'nobody' FROM item").unwrap();
    first.mark(Some("x/1")).unwrap();
    app.batch_execute("INSERT INTO item VALUES (1, 'a\n\"b\"')").unwrap();
    second.mark(Some("x/2")).unwrap();
    of_copy.execute("INSERT INTO item VALUES ($1, $2)", &[&2, &"it's"]).unwrap();
    app.batch_execute("DELETE FROM item").unwrap();
    first.mark(None).unwrap();
    app.batch_execute("SELECT 'between' FROM item").unwrap();
    assert_eq!(
        found(&mut log),
        [
            "x/1: INSERT INTO item VALUES (1, 'a\n\"b\"')",
            "x/2: INSERT INTO item VALUES ('2', 'it''s')",
            "x/1: DELETE FROM item"
        ]
    );
    log.close().unwrap();
    // What is reloaded is looked at by each server process when it comes to it.
    let mut after = settings();
    for _ in 0..200 {
        if after == before {
            break;
        }
        let mut fresh = Client::connect(&server.url(Account::Super, "postgres"), NoTls).unwrap();
        fresh.batch_execute("SELECT pg_sleep(0.01)").unwrap();
        after = settings();
    }
    assert_eq!(after, before);
}
