//! Whatever sessions do to a MariaDB database, each snapshot comes back exactly: as the server's own dump tells.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "servers/mariadb.rs"]
mod servers;

use mysql::prelude::Queryable;
use proptest::prelude::*;
use restage_state::{DatabaseSpec, ServerKind, SnapshotStore, State, StateSpec};
use servers::{Database, Server};

const SCHEMA: &[&str] = &[
    "CREATE TABLE person (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(30) COLLATE utf8mb4_unicode_ci, \
     email VARCHAR(30) UNIQUE, seen TIMESTAMP(3) NULL, KEY (name)) ENGINE=InnoDB",
    "CREATE TABLE word (w VARCHAR(20) COLLATE utf8mb4_general_ci PRIMARY KEY, n FLOAT, b BLOB) ENGINE=InnoDB",
    "CREATE TABLE log (line TEXT, at DATETIME) ENGINE=InnoDB",
    "CREATE TABLE flat (id INT AUTO_INCREMENT PRIMARY KEY, v ENUM('a','b') NOT NULL) ENGINE=MyISAM",
    "CREATE TABLE post (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, person_id INT, body TEXT, \
     size INT AS (LENGTH(body)) STORED, FOREIGN KEY (person_id) REFERENCES person (id) ON DELETE CASCADE \
     ON UPDATE CASCADE) ENGINE=InnoDB",
    "CREATE TABLE tag (post_id BIGINT UNSIGNED, tag VARCHAR(10), PRIMARY KEY (post_id, tag), FOREIGN KEY (post_id) \
     REFERENCES post (id) ON DELETE CASCADE) ENGINE=InnoDB",
    "CREATE TRIGGER counted AFTER INSERT ON post FOR EACH ROW INSERT INTO log VALUES (CONCAT('post ', NEW.id), NULL)",
    "CREATE TRIGGER lower BEFORE UPDATE ON person FOR EACH ROW SET NEW.name = LOWER(NEW.name)",
    "CREATE VIEW names AS SELECT id, name FROM person",
    "INSERT INTO person (name, email) VALUES ('Ada', 'a@x'), ('Bob', 'b@x'), ('Cy', NULL), ('Dee', 'd@x')",
    "INSERT INTO word VALUES ('one', 0.1, x'00FF'), ('Two', 1e-20, NULL), ('drei', -0.0, '')",
    "INSERT INTO post (person_id, body) VALUES (1, 'hi'), (1, 'ho'), (2, 'x'), (3, NULL)",
    "INSERT INTO tag VALUES (1, 'a'), (1, 'b'), (3, 'a')",
    "INSERT INTO flat (v) VALUES ('a'), ('b')",
    "DELETE FROM log WHERE line LIKE 'post%' LIMIT 1",
];

/// What a session does; what the server refuses is no matter, it refuses it always.
fn statement(which: u8, n: u32) -> String {
    let n = n % 9;
    match which {
        0 => format!("INSERT INTO person (name, email) VALUES ('P{n}', 'p{n}@x')"),
        1 => format!("UPDATE person SET name = 'Q{n}', seen = '2024-10-27 00:30:0{n}.5' WHERE id = {n}"),
        2 => format!("DELETE FROM person WHERE id = {n}"),
        3 => format!("UPDATE person SET id = id + 50 WHERE id = {n}"),
        4 => format!("INSERT INTO word VALUES ('w{n}', {n} / 7, REPEAT('x', {n} * 1000))"),
        5 => "UPDATE word SET w = UPPER(w)".to_owned(),
        6 => format!("UPDATE word SET w = CONCAT(w, ' ') WHERE w LIKE 'w%' LIMIT {n}"),
        7 => format!("REPLACE INTO word VALUES ('ONE', {n}, NULL)"),
        8 => format!("INSERT INTO log VALUES ('line {n}', '0000-00-00 00:00:00')"),
        9 => format!("DELETE FROM log ORDER BY line LIMIT {n}"),
        10 => format!("INSERT INTO flat (v) VALUES ('{}')", if n > 4 { "a" } else { "zzz" }),
        11 => format!("DELETE FROM flat WHERE id = {n}"),
        12 => format!("INSERT INTO post (person_id, body) VALUES ({n}, REPEAT('é', {n}))"),
        13 => format!("UPDATE post SET body = CONCAT(body, '{n}') WHERE id <= {n}"),
        14 => format!("INSERT INTO tag VALUES ({n}, 'c'), ({n}, 'C ')"),
        15 => format!(
            "INSERT INTO person (name, email) VALUES ('x', 'b@x') ON DUPLICATE KEY UPDATE name = 'dup{n}'"
        ),
        16 => "TRUNCATE flat".to_owned(),
        17 => "TRUNCATE log".to_owned(),
        18 => "TRUNCATE word".to_owned(),
        19 => format!("ALTER TABLE word ADD COLUMN extra{n} INT DEFAULT {n}"),
        20 => "ALTER TABLE word DROP COLUMN b".to_owned(),
        21 => "ALTER TABLE person ADD INDEX by_seen (seen)".to_owned(),
        22 => format!("CREATE TABLE made{n} (a INT PRIMARY KEY, b TEXT)"),
        23 => format!("INSERT INTO made{n} VALUES (1, 'x'), (2, NULL)"),
        24 => format!("DROP TABLE made{n}"),
        25 => "RENAME TABLE flat TO round".to_owned(),
        26 => "RENAME TABLE round TO flat".to_owned(),
        27 => "DROP TABLE tag".to_owned(),
        28 => format!("CREATE OR REPLACE VIEW names AS SELECT {n} AS x"),
        29 => "DROP VIEW names".to_owned(),
        30 => "DROP TRIGGER counted".to_owned(),
        31 => {
            "CREATE TRIGGER second AFTER INSERT ON post FOR EACH ROW FOLLOWS counted DELETE FROM log LIMIT 1"
                .to_owned()
        }
        32 => format!("ALTER TABLE person AUTO_INCREMENT = {}", 100 + n),
        33 => "ALTER TABLE flat ENGINE=InnoDB".to_owned(),
        34 => "ALTER TABLE post MODIFY body VARCHAR(50) CHARACTER SET latin1 COMMENT 'it''s'".to_owned(),
        35 => "ALTER TABLE log ADD COLUMN id INT AUTO_INCREMENT PRIMARY KEY".to_owned(),
        36 => "ALTER TABLE word DROP PRIMARY KEY".to_owned(),
        37 => "ALTER TABLE post DROP FOREIGN KEY post_ibfk_1".to_owned(),
        38 => "DELETE FROM person".to_owned(),
        39 => "CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1".to_owned(),
        // Behind restage's back.
        40 => "DROP TRIGGER restage_0_au".to_owned(),
        41 => "DROP TRIGGER restage_2_bd".to_owned(),
        42 => "TRUNCATE restage_notes".to_owned(),
        _ => "DROP TABLE restage_notes_lasting".to_owned(),
    }
}

#[derive(Debug, Clone)]
enum Step {
    /// Statements in one session.
    Run(Vec<(u8, u32)>),
    /// The same, rolled back.
    RolledBack(Vec<(u8, u32)>),
    Save,
    /// To one of the snapshots.
    Restore(usize),
    /// restage is closed and opened again.
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    // Most sessions write rows, some change the schema, few do what nobody should.
    let statement = prop_oneof![12 => 0u8..16, 5 => 16u8..40, 1 => 40u8..44];
    let statements = prop::collection::vec((statement, any::<u32>()), 1..6);
    prop_oneof![
        6 => statements.clone().prop_map(Step::Run),
        1 => statements.prop_map(Step::RolledBack),
        3 => Just(Step::Save),
        3 => any::<usize>().prop_map(Step::Restore),
        1 => Just(Step::Reopen),
    ]
}

fn open(database: &Database, folder: &std::path::Path) -> State {
    let spec = DatabaseSpec::new(ServerKind::Mariadb, &database.url()).unwrap();
    let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
    State::open(&spec, SnapshotStore::open(&folder.join("store.db")).unwrap()).unwrap()
}

fn run(database: &Database, statements: &[(u8, u32)]) {
    let mut app = database.app();
    for (which, n) in statements {
        let _ = app.query_drop(statement(*which, *n));
    }
}

fn lines(dump: &str) -> Vec<String> {
    dump.lines().map(str::to_owned).collect()
}

fn same(found: &[String], expected: &[String]) -> Result<(), TestCaseError> {
    let lacking: Vec<&String> = expected.iter().filter(|line| !found.contains(line)).collect();
    let extra: Vec<&String> = found.iter().filter(|line| !expected.contains(line)).collect();
    prop_assert!(found == expected, "lacking: {lacking:#?}\nextra: {extra:#?}");
    Ok(())
}

/// Rows of a table without a key lie in no order that the dump would tell.
fn sorted(dump: &str) -> Vec<String> {
    let mut lines = lines(dump);
    lines.sort();
    lines
}

fn check(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let database = Server::get().database();
    let mut app = database.app();
    app.query_drop("SET time_zone = '+02:00', sql_mode = ''").unwrap();
    for sql in SCHEMA {
        app.query_drop(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut saved: Vec<(String, String)> = Vec::new();
    let first = database.dump();
    let mut state = Some(open(&database, folder.path()));
    let save = |state: &mut Option<State>, saved: &mut Vec<(String, String)>| {
        let name = format!("s{}", saved.len());
        state.as_mut().unwrap().save(&name).unwrap_or_else(|error| panic!("save: {error}"));
        saved.push((name, database.dump_watched()));
    };
    save(&mut state, &mut saved);
    for step in steps {
        match step {
            Step::Run(statements) => run(&database, &statements),
            Step::RolledBack(statements) => {
                let mut app = database.app();
                app.query_drop("START TRANSACTION").unwrap();
                for (which, n) in statements {
                    let _ = app.query_drop(statement(which, n));
                }
                let _ = app.query_drop("ROLLBACK");
            }
            Step::Save => save(&mut state, &mut saved),
            Step::Restore(which) => {
                let (name, dump) = &saved[which % saved.len()];
                state.as_mut().unwrap().restore(name).unwrap_or_else(|error| panic!("restore: {error}"));
                same(&sorted(&database.dump_watched()), &sorted(dump))?;
            }
            Step::Reopen => {
                drop(state.take());
                prop_assert!(!database.dump().contains("restage"), "something is left behind");
                state = Some(open(&database, folder.path()));
            }
        }
    }
    state.as_mut().unwrap().restore("s0").unwrap_or_else(|error| panic!("restore: {error}"));
    drop(state);
    same(&lines(&database.dump()), &lines(&first))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("RESTAGE_PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(12),
        max_shrink_iters: 25,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Catches: anything that a session changes and a restore leaves changed.
    #[test]
    fn every_snapshot_comes_back(steps in prop::collection::vec(step(), 3..14)) {
        check(steps)?;
    }
}
