//! A MariaDB database is put back exactly, whatever a session did to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "servers/mariadb.rs"]
mod servers;

use mysql::prelude::Queryable;
use restage_state::{DatabaseSpec, ServerKind, SnapshotStore, State, StateCopy, StateSpec};
use servers::{Database, Server};

/// A database, the state of which it is, and the snapshot store's folder.
struct Shop {
    database: Database,
    state: Option<State>,
    folder: tempfile::TempDir,
}

impl Shop {
    fn new(sql: &[&str]) -> Shop {
        let database = Server::get().database();
        let mut app = database.app();
        for statement in sql {
            app.query_drop(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        let folder = tempfile::tempdir().unwrap();
        let mut shop = Shop { database, state: None, folder };
        shop.open();
        shop
    }

    fn open(&mut self) {
        let spec = DatabaseSpec::new(ServerKind::Mariadb, &self.database.url()).unwrap();
        let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
        let store = SnapshotStore::open(&self.folder.path().join("store.db")).unwrap();
        self.state = Some(State::open(&spec, store).unwrap());
    }

    fn state(&mut self) -> &mut State {
        self.state.as_mut().unwrap()
    }

    /// Ends the watching.
    fn close(&mut self) {
        self.state = None;
    }

    fn run(&self, sql: &[&str]) {
        let mut app = self.database.app();
        for statement in sql {
            app.query_drop(statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
    }

    /// Saves, runs a session, restores: everything has to be as before, also for a look that knows nothing.
    fn comes_back(&mut self, session: &[&str]) {
        let before = self.database.dump();
        self.state().save("before").unwrap();
        self.run(session);
        self.state().save("after").unwrap();
        let after = self.database.dump_watched();
        assert_eq!(self.state().differences("after").unwrap(), []);
        self.state().restore("before").unwrap();
        assert_eq!(self.state().differences("before").unwrap(), []);
        self.state().restore("after").unwrap();
        same(&self.database.dump_watched(), &after);
        self.state().restore("before").unwrap();
        self.close();
        same(&self.database.dump(), &before);
        // A run that was killed while it watched.
        self.open();
        self.state().restore("after").unwrap();
        self.close();
        self.open();
        self.state().restore("before").unwrap();
        self.close();
        same(&self.database.dump(), &before);
    }
}

#[track_caller]
fn same(found: &str, expected: &str) {
    let differing = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
    assert!(
        found == expected,
        "first difference: {differing:?}\n--- expected\n{expected}\n--- found\n{found}"
    );
}

const ITEMS: &[&str] = &[
    "CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40), price DECIMAL(8,2)) ENGINE=InnoDB",
    "INSERT INTO item (name, price) VALUES ('book', 9.50), ('pen', 1.20), ('ink', 3.00)",
];

/// Catches: rows changed, added or removed that are not noted; an id that does not go on where it did.
#[test]
fn rows_and_ids_come_back() {
    let mut shop = Shop::new(ITEMS);
    shop.comes_back(&[
        "INSERT INTO item (name, price) VALUES ('cup', 4)",
        "UPDATE item SET price = price + 1 WHERE id = 2",
        "DELETE FROM item WHERE id = 1",
        "INSERT INTO item VALUES (77, 'far', 1)",
    ]);
}

/// Catches: a table, view, trigger or routine that a session made, changed or dropped and that stays so.
#[test]
fn the_schema_comes_back() {
    let mut shop = Shop::new(ITEMS);
    shop.run(&[
        "CREATE TABLE kind (code CHAR(3) PRIMARY KEY, label TEXT COMMENT 'a\\nb''c') ENGINE=InnoDB COMMENT='kinds AUTO_INCREMENT=9'",
        "INSERT INTO kind VALUES ('a', 'A'), ('b', NULL)",
        "CREATE VIEW zero AS SELECT id, name FROM item WHERE price > 1",
        "CREATE VIEW a_first AS SELECT name FROM zero",
        "CREATE FUNCTION doubled(x INT) RETURNS INT DETERMINISTIC RETURN x * 2",
        "CREATE PROCEDURE empty_it() BEGIN DELETE FROM kind; END",
        "CREATE TRIGGER b_one BEFORE INSERT ON item FOR EACH ROW SET NEW.name = CONCAT(NEW.name, '!')",
        "CREATE TRIGGER a_two BEFORE INSERT ON item FOR EACH ROW BEGIN SET NEW.price = NEW.price + 1; -- end\nEND",
        "CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01 00:00:00' DO DELETE FROM kind",
        "CREATE SEQUENCE tickets START WITH 100 NOCACHE",
    ]);
    shop.comes_back(&[
        "ALTER TABLE item ADD COLUMN stock INT NOT NULL DEFAULT 5, ADD INDEX by_name (name)",
        "INSERT INTO item (name, price) VALUES ('cup', 4)",
        "DROP TABLE kind",
        "CREATE TABLE extra (id INT PRIMARY KEY)",
        "INSERT INTO extra VALUES (1)",
        "DROP VIEW zero",
        "CREATE OR REPLACE VIEW a_first AS SELECT 1 AS x",
        "DROP FUNCTION doubled",
        "DROP PROCEDURE empty_it",
        "CREATE PROCEDURE other() SELECT 1",
        "DROP TRIGGER b_one",
        "DROP EVENT nightly",
        "DO NEXTVAL(tickets)",
    ]);
}

/// Catches: an emptied, renamed, exchanged or recreated table that looks as if nothing had been done to it.
#[test]
fn what_passes_by_the_triggers_comes_back() {
    for session in [
        &["TRUNCATE item"][..],
        &["TRUNCATE item", "INSERT INTO item VALUES (1, 'book', 9.50)"],
        &["RENAME TABLE item TO thing"],
        &["RENAME TABLE item TO old", "CREATE TABLE item LIKE old", "DROP TABLE old"],
        &["RENAME TABLE item TO x, other TO item, x TO other"],
        &[
            "DROP TABLE item",
            "CREATE TABLE item (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40), price DECIMAL(8,2)) ENGINE=InnoDB",
        ],
        &["ALTER TABLE item CHANGE id number INT AUTO_INCREMENT", "INSERT INTO item (name) VALUES ('new')"],
        &["ALTER TABLE item DROP PRIMARY KEY, DROP COLUMN id", "DELETE FROM item WHERE name = 'pen'"],
        &["ALTER DATABASE CHARACTER SET latin1"],
        &["DROP TABLE item, other"],
    ] {
        let mut shop = Shop::new(ITEMS);
        shop.run(&[
            "CREATE TABLE other LIKE item",
            "INSERT INTO other SELECT id + 10, name, price FROM item",
        ]);
        println!("{session:?}");
        shop.comes_back(session);
    }
}

/// Catches: rows that a foreign key removed or changed, which fire no trigger.
#[test]
fn what_foreign_keys_do_comes_back() {
    let mut shop = Shop::new(&[
        "CREATE TABLE a (id INT PRIMARY KEY, code VARCHAR(5) UNIQUE) ENGINE=InnoDB",
        "CREATE TABLE b (id INT PRIMARY KEY, a_id INT, FOREIGN KEY (a_id) REFERENCES a (id) ON DELETE CASCADE ON UPDATE CASCADE) ENGINE=InnoDB",
        "CREATE TABLE c (b_id INT, line INT, PRIMARY KEY (b_id, line), FOREIGN KEY (b_id) REFERENCES b (id) ON DELETE CASCADE ON UPDATE CASCADE) ENGINE=InnoDB",
        "CREATE TABLE d (id INT PRIMARY KEY, code VARCHAR(5), FOREIGN KEY (code) REFERENCES a (code) ON DELETE SET NULL ON UPDATE CASCADE) ENGINE=InnoDB",
        "CREATE TABLE tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES tree (id) ON DELETE CASCADE) ENGINE=InnoDB",
        "INSERT INTO a VALUES (1, 'x'), (2, 'y'), (3, 'z')",
        "INSERT INTO b VALUES (1, 1), (2, 1), (3, 2), (4, NULL)",
        "INSERT INTO c VALUES (1, 1), (1, 2), (3, 1), (4, 1)",
        "INSERT INTO d VALUES (1, 'x'), (2, 'y'), (3, NULL), (4, 'z')",
        "INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2), (4, 3), (5, NULL)",
    ]);
    shop.comes_back(&[
        "DELETE FROM a WHERE id = 1",
        "UPDATE a SET id = 20, code = 'yy' WHERE id = 2",
        "UPDATE b SET id = 30 WHERE id = 3",
        "DELETE FROM tree WHERE id = 1",
    ]);
}

/// Catches: a value that comes back rounded, converted or cut.
#[test]
fn every_kind_of_value_comes_back() {
    let mut shop = Shop::new(&[
        "SET sql_mode = 'ALLOW_INVALID_DATES'",
        "CREATE TABLE v (id INT PRIMARY KEY, ti TINYINT, bu BIGINT UNSIGNED, zf INT(8) ZEROFILL, de DECIMAL(30,10), \
         fl FLOAT, do DOUBLE, bi BIT(17), ye YEAR, da DATE, dt DATETIME(6), ts TIMESTAMP(6) NULL, tm TIME(3), \
         ch CHAR(10), l1 VARCHAR(20) CHARACTER SET latin1, u2 VARCHAR(20) CHARACTER SET ucs2, ut TEXT CHARACTER SET utf16, \
         sj VARCHAR(20) CHARACTER SET sjis, bn BINARY(4), vb VARBINARY(20), bl LONGBLOB, js JSON, \
         en ENUM('a','it''s','') CHARACTER SET utf16, ep ENUM('x','é') CHARACTER SET latin1, \
         se SET('p','q','ü') CHARACTER SET utf8mb4, ge GEOMETRY, uu UUID, ip INET6, \
         co INT AS (id * 2) VIRTUAL, st INT AS (id * 3) PERSISTENT, hi INT INVISIBLE DEFAULT 4) ENGINE=InnoDB",
        "INSERT INTO v (id) VALUES (1)",
        "INSERT INTO v (id, ti, bu, zf, de, fl, do, bi, ye, da, dt, ts, tm, ch, l1, u2, ut, sj, bn, vb, bl, js, en, ep, se, \
         ge, uu, ip, hi) VALUES \
         (2, -128, 18446744073709551615, 42, -12345678901234567890.0123456789, 0.1, 0.1, b'10000000000000001', 2001, \
         '2001-02-30', '2024-10-27 02:30:00.123456', '2024-10-27 00:30:00.000001', '-838:59:59.999', 'a  ', 'é', 'é', '日本', \
         '日本', 'ab', x'00FF5C27', REPEAT(x'00', 1500000), '{\"a\": [1, \"é\"]}', 'it''s', 'é', 'p,ü', \
         ST_GeomFromText('POINT(1 2)', 4326), '123e4567-e89b-12d3-a456-426655440000', '::1', 7), \
         (3, 0, 0, 0, 0, 3.4028234e38, 1.7976931348623157e308, 0, 0, '0000-00-00', '0000-00-00 00:00:00', \
         '0000-00-00 00:00:00', '00:00:00', '', '', '', '', '', '', '', '', '[]', '', 'x', '', NULL, NULL, NULL, NULL), \
         (4, 1, 1, 1, 1, 1.17549435e-38, -2.2250738585072014e-308, 1, 1970, '9999-12-31', '9999-12-31 23:59:59.999999', \
         '2038-01-19 03:14:07', '838:59:59', '\\\\''\"', '\\\\', '\\\\', '\\n', '\\\\', x'5C275C27', x'5C', 'x', 'null', 'a', 'x', 'q', \
         NULL, NULL, NULL, NULL)",
        "SET sql_mode = ''",
        "INSERT INTO v (id, en, ep, se, fl) VALUES (5, 'no such', 'none', 'none', -0.0), (6, '', 'x', 'p', 16777217)",
    ]);
    // The dump says a FLOAT in six digits.
    let floats = |shop: &Shop| {
        let sql = "SELECT GROUP_CONCAT(CAST(fl AS DOUBLE) ORDER BY id) FROM v";
        shop.database.app().query_first::<String, _>(sql).unwrap()
    };
    let before = floats(&shop);
    shop.comes_back(&[
        "UPDATE v SET ti = 5, bu = 6, zf = 7, de = 8, fl = 9, do = 10, bi = 1, ye = 2002, da = NULL, dt = NULL, ts = NULL, \
         tm = NULL, ch = 'z', l1 = 'z', u2 = 'z', ut = 'z', sj = 'z', bn = 'z', vb = 'z', bl = 'z', js = '1', en = 'a', \
         ep = 'x', se = 'p', ge = NULL, uu = NULL, ip = NULL, hi = 1",
        "DELETE FROM v WHERE id = 4",
    ]);
    assert_eq!(floats(&shop), before);
}

/// Catches: a key of some type that a note says otherwise than a read.
#[test]
fn keys_of_every_type_are_noted_as_they_are_read() {
    for (kind, first, second) in [
        ("INT(6) ZEROFILL", "5", "6"),
        ("BIGINT UNSIGNED", "18446744073709551615", "0"),
        ("DECIMAL(20,5)", "-1.5", "0"),
        ("FLOAT", "0.1", "1e30"),
        ("DOUBLE", "0.1", "-1e-300"),
        ("BIT(10)", "513", "0"),
        ("YEAR", "2001", "0"),
        ("DATE", "'2001-01-31'", "'0000-00-00'"),
        ("DATETIME(3)", "'2001-01-31 10:11:12.5'", "'0000-00-00'"),
        ("TIMESTAMP(3)", "'2001-01-31 10:11:12.5'", "'2024-07-01 00:00:00'"),
        ("TIME(2)", "'-10:00:00.5'", "'00:00:00'"),
        ("CHAR(5)", "'a '", "''"),
        ("VARCHAR(20) CHARACTER SET latin1", "'é,'", "'x'"),
        ("VARCHAR(20) CHARACTER SET utf16", "'日'", "'x'"),
        ("VARBINARY(20)", "x'00FF2C'", "''"),
        ("BINARY(3)", "'a'", "x'000000'"),
        ("ENUM('a','b') CHARACTER SET utf16", "'b'", "'a'"),
        ("ENUM('','b')", "'b'", "''"),
        ("SET('a','b')", "'a,b'", "''"),
        ("UUID", "'123e4567-e89b-12d3-a456-426655440000'", "'00000000-0000-0000-0000-000000000001'"),
        ("INET6", "'::1'", "'fe80::2'"),
    ] {
        let mut shop = Shop::new(&[
            "SET sql_mode = ''",
            &format!("CREATE TABLE k (a {kind} NOT NULL, b INT NOT NULL, v INT, PRIMARY KEY (a, b))"),
            &format!("CREATE TABLE one (a {kind} NOT NULL PRIMARY KEY, v INT)"),
            &format!("INSERT INTO k VALUES ({first}, 1, 1), ({second}, 1, 1)"),
            &format!("INSERT INTO one VALUES ({first}, 1), ({second}, 1)"),
        ]);
        shop.state().save("before").unwrap();
        shop.run(&[
            "SET time_zone = '+03:00'",
            "UPDATE k SET v = 2 WHERE b = 1 LIMIT 1",
            "UPDATE one SET v = 2",
        ]);
        let report = shop.state().save("after").unwrap();
        assert_eq!(report.examined_rows, 3, "{kind}: exactly the rows that changed are read");
        let found = shop.state().differences("before").unwrap().len();
        assert_eq!(found, 2, "{kind}");
        shop.state().restore("before").unwrap();
        let mut app = shop.database.app();
        let sum: Option<i64> =
            app.query_first("SELECT (SELECT SUM(v) FROM k) * 10 + (SELECT SUM(v) FROM one)").unwrap();
        assert_eq!(sum, Some(22), "{kind}");
    }
}

/// Catches: keys that are equal for the server and differ in their bytes, taken for the same row.
#[test]
fn keys_that_a_collation_takes_for_equal_are_told_apart() {
    let mut shop = Shop::new(&[
        "CREATE TABLE w (w VARCHAR(20) COLLATE utf8mb4_general_ci PRIMARY KEY, n INT)",
        "INSERT INTO w VALUES ('Straße', 1), ('one', 2), ('Two ', 3)",
    ]);
    shop.comes_back(&[
        "UPDATE w SET w = 'ONE' WHERE n = 2",
        "DELETE FROM w WHERE n = 3",
        "INSERT INTO w VALUES ('two', 3)",
        "REPLACE INTO w VALUES ('STRAßE', 9)",
    ]);
}

/// Catches: unique keys that stand in each other's way while rows are put back.
#[test]
fn exchanged_unique_values_come_back() {
    let mut shop = Shop::new(&[
        "CREATE TABLE u (id INT PRIMARY KEY, place INT UNIQUE)",
        "INSERT INTO u VALUES (1, 1), (2, 2), (3, 3)",
    ]);
    shop.comes_back(&[
        "UPDATE u SET place = 10 WHERE id = 1",
        "UPDATE u SET place = 1 WHERE id = 2",
        "UPDATE u SET place = 2 WHERE id = 1",
        "DELETE FROM u WHERE id = 3",
        "INSERT INTO u VALUES (4, 3)",
    ]);
}

/// Catches: the application's triggers firing for what restage writes, or not firing for the application.
#[test]
fn triggers_fire_for_the_application_alone() {
    let mut shop = Shop::new(&[
        "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE audit (n INT AUTO_INCREMENT PRIMARY KEY, what TEXT)",
        "CREATE TRIGGER t_i AFTER INSERT ON t FOR EACH ROW INSERT INTO audit (what) VALUES (CONCAT('in ', NEW.id))",
        "CREATE TRIGGER t_d AFTER DELETE ON t FOR EACH ROW INSERT INTO audit (what) VALUES (CONCAT('out ', OLD.id))",
        "CREATE TRIGGER t_b BEFORE INSERT ON t FOR EACH ROW SET NEW.v = NEW.v + 100",
        "INSERT INTO t VALUES (1, 1), (2, 2)",
    ]);
    shop.comes_back(&["DELETE FROM t WHERE id = 1", "INSERT INTO t VALUES (3, 3)"]);
    shop.open();
    shop.state().save("watched").unwrap();
    shop.run(&["INSERT INTO t VALUES (9, 9)"]);
    let mut app = shop.database.app();
    let v: Option<i32> = app.query_first("SELECT v FROM t WHERE id = 9").unwrap();
    let last: Option<String> = app.query_first("SELECT what FROM audit ORDER BY n DESC LIMIT 1").unwrap();
    assert_eq!((v, last.as_deref()), (Some(109), Some("in 9")));
}

/// Catches: watching that an application can notice in what its statements answer.
#[test]
fn statements_answer_as_without_restage() {
    let mut shop = Shop::new(ITEMS);
    shop.run(&["CREATE TABLE child (id INT PRIMARY KEY, item INT, FOREIGN KEY (item) REFERENCES item (id) ON DELETE CASCADE)"]);
    let answers = |database: &Database| {
        let mut app = database.app();
        let mut said = Vec::new();
        for sql in [
            "INSERT INTO item (name, price) VALUES ('a', 1), ('b', 2)",
            "UPDATE item SET price = 1 WHERE id < 3",
            "UPDATE item SET price = 1 WHERE id < 3",
            "INSERT INTO item (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE name = 'y'",
            "INSERT INTO item (name, price) VALUES ('a', 'one')",
            "REPLACE INTO item VALUES (1, 'r', 1)",
            "DELETE FROM item WHERE id > 4",
            "INSERT IGNORE INTO item VALUES (1, 'r', 1)",
            "LOCK TABLES item WRITE",
            "INSERT INTO item (name) VALUES ('locked')",
            "UNLOCK TABLES",
            "INSERT INTO item (name) VALUES ('told') RETURNING id, name",
        ] {
            let answer = app.query_iter(sql).map(|r| (r.affected_rows(), r.last_insert_id(), r.warnings()));
            said.push(format!("{sql}: {:?}", answer.map_err(|error| error.to_string())));
            let more: Option<(u64, i64)> = app.query_first("SELECT LAST_INSERT_ID(), ROW_COUNT()").unwrap();
            said.push(format!("{more:?}"));
        }
        said
    };
    shop.state().save("before").unwrap();
    let watched = answers(&shop.database);
    shop.state().restore("before").unwrap();
    shop.close();
    assert_eq!(answers(&shop.database), watched);
}

/// Catches: what a run that was killed left behind, noted or restored as if it were the application's.
#[test]
fn what_a_killed_run_left_is_cleared() {
    let mut shop = Shop::new(ITEMS);
    shop.run(&["CREATE TRIGGER up BEFORE INSERT ON item FOR EACH ROW SET NEW.name = UPPER(NEW.name)"]);
    let before = shop.database.dump();
    shop.state().save("before").unwrap();
    shop.run(&["INSERT INTO item (name) VALUES ('x')"]);
    std::mem::forget(shop.state.take());
    shop.open();
    shop.state().restore("before").unwrap();
    shop.close();
    same(&shop.database.dump(), &before);
}

/// Catches: a restore that hangs, or says nothing of use, while the application holds a lock.
#[test]
fn a_lock_that_is_held_is_told() {
    let mut shop = Shop::new(ITEMS);
    shop.state().set_patience(std::time::Duration::from_secs(1));
    shop.state().save("before").unwrap();
    let before = shop.database.dump_watched();
    shop.run(&["UPDATE item SET name = 'x' WHERE id = 1"]);
    let mut app = shop.database.app();
    app.query_drop("START TRANSACTION").unwrap();
    app.query_drop("UPDATE item SET name = 'y' WHERE id = 1").unwrap();
    let said = shop.state().restore("before").unwrap_err().to_string();
    assert!(said.contains("hint:") && said.contains("connection ") && !said.contains("pass word"), "{said}");
    app.query_drop("ROLLBACK").unwrap();
    shop.state().restore("before").unwrap();
    same(&shop.database.dump_watched(), &before);
}

/// Catches: a restore into an empty database that leaves something out.
#[test]
fn a_copy_is_filled_from_nothing() {
    let mut shop = Shop::new(ITEMS);
    shop.run(&[
        "CREATE VIEW v AS SELECT * FROM item",
        "CREATE TRIGGER up BEFORE INSERT ON item FOR EACH ROW SET NEW.name = UPPER(NEW.name)",
        "CREATE PROCEDURE p() SELECT 1",
        "CREATE SEQUENCE s START WITH 7 INCREMENT BY 3",
        "DO NEXTVAL(s)",
        "CREATE TABLE child (id INT PRIMARY KEY, item INT, FOREIGN KEY (item) REFERENCES item (id))",
        "INSERT INTO child VALUES (1, 1)",
    ]);
    let original = shop.database.dump();
    shop.state().save("before").unwrap();
    shop.close();
    let spec = DatabaseSpec::new(ServerKind::Mariadb, &shop.database.url()).unwrap();
    let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
    let copy = StateCopy { number: 2, moved: Vec::new() };
    let store = SnapshotStore::open(&shop.folder.path().join("store.db")).unwrap();
    let mut state = State::open_copy(&spec, &copy, store).unwrap();
    state.restore("before").unwrap();
    let name = copy.database(&shop.database.name);
    let filled = Database { server: shop.database.server, name: name.clone() };
    same(&filled.dump_watched().replace(&name, &shop.database.name), &shop.database.dump_watched());
    filled.app().query_drop("INSERT INTO item (name) VALUES ('new')").unwrap();
    state.restore("before").unwrap();
    same(&filled.dump_watched().replace(&name, &shop.database.name), &shop.database.dump_watched());
    drop(state);
    let left: Option<String> =
        shop.database.server.root("mysql").query_first(format!("SHOW DATABASES LIKE '{name}'")).unwrap();
    assert_eq!(left, None, "the copy is gone with the run");
    same(&shop.database.dump(), &original);
}

/// Catches: tables in parts, with their history, or without transactions that lose rows.
#[test]
fn unusual_tables_come_back() {
    let mut shop = Shop::new(&[
        "CREATE TABLE parted (id INT PRIMARY KEY, v TEXT) PARTITION BY RANGE (id) \
         (PARTITION low VALUES LESS THAN (10), PARTITION mid VALUES LESS THAN (20), PARTITION high VALUES LESS THAN MAXVALUE)",
        "INSERT INTO parted VALUES (1, 'a'), (2, 'b'), (11, 'c'), (30, 'd')",
        "CREATE TABLE aria (id INT AUTO_INCREMENT PRIMARY KEY, v TEXT) ENGINE=Aria",
        "INSERT INTO aria (v) VALUES ('a'), ('b')",
        "CREATE TABLE heap (id INT PRIMARY KEY) ENGINE=MEMORY",
        "INSERT INTO heap VALUES (1), (2)",
        "CREATE TABLE checked (id INT PRIMARY KEY, v INT CHECK (v > 0), w INT DEFAULT (id + 1), CONSTRAINT c2 CHECK (w < 100))",
        "INSERT INTO checked (id, v) VALUES (1, 1)",
        "CREATE TABLE `odd ``name` (`the ``key` INT PRIMARY KEY, `select` TEXT, FULLTEXT KEY (`select`))",
        "INSERT INTO `odd ``name` VALUES (1, 'words')",
        "CREATE TABLE bag (v INT)",
        "INSERT INTO bag VALUES (3), (1), (1), (NULL)",
    ]);
    shop.comes_back(&[
        "ALTER TABLE parted TRUNCATE PARTITION mid",
        "UPDATE parted SET id = 15 WHERE id = 1",
        "START TRANSACTION",
        "UPDATE aria SET v = 'z' WHERE id = 1",
        "INSERT INTO aria (v) VALUES ('n')",
        "ROLLBACK",
        "DELETE FROM heap WHERE id = 1",
        "UPDATE checked SET v = 2",
        "UPDATE `odd ``name` SET `select` = 'others'",
        "DELETE FROM bag WHERE v = 1 LIMIT 1",
    ]);
}

/// Catches: the past of a table that keeps it, lost or made anew.
#[test]
fn tables_with_their_history_come_back() {
    let mut shop = Shop::new(&[
        "CREATE TABLE past (id INT PRIMARY KEY, v TEXT) WITH SYSTEM VERSIONING",
        "INSERT INTO past VALUES (1, 'a'), (2, 'b')",
        "UPDATE past SET v = 'c' WHERE id = 1",
        "DELETE FROM past WHERE id = 2",
        "CREATE TABLE named (id INT PRIMARY KEY, a TIMESTAMP(6) NULL, b TIMESTAMP(6) NULL, \
         came TIMESTAMP(6) GENERATED ALWAYS AS ROW START, went TIMESTAMP(6) GENERATED ALWAYS AS ROW END, \
         PERIOD FOR SYSTEM_TIME (came, went)) WITH SYSTEM VERSIONING",
        "INSERT INTO named (id) VALUES (1)",
        "UPDATE named SET a = '2020-01-01'",
        "CREATE TABLE plain (id INT PRIMARY KEY, a TIMESTAMP(6) NULL, b TIMESTAMP(6) NULL) WITH SYSTEM VERSIONING",
        "INSERT INTO plain (id) VALUES (1)",
        "UPDATE plain SET a = '2020-01-01'",
    ]);
    let history = |shop: &Shop| {
        let rows: Vec<(i32, String, String, String)> = shop
            .database
            .app()
            .query(
                "SELECT id, v, CAST(row_start AS CHAR), CAST(row_end AS CHAR) FROM past FOR SYSTEM_TIME ALL UNION ALL \
                 SELECT id, COALESCE(a, ''), CAST(came AS CHAR), CAST(went AS CHAR) FROM named FOR SYSTEM_TIME ALL UNION ALL \
                 SELECT id, COALESCE(a, ''), CAST(row_start AS CHAR), CAST(row_end AS CHAR) FROM plain FOR SYSTEM_TIME ALL \
                 ORDER BY 1, 3, 2",
            )
            .unwrap();
        rows
    };
    let before = history(&shop);
    assert_eq!(before.len(), 7);
    shop.comes_back(&[
        "UPDATE past SET v = 'd'",
        "INSERT INTO past VALUES (3, 'x')",
        "UPDATE named SET a = NULL",
        "DELETE FROM plain",
    ]);
    assert_eq!(history(&shop), before);
}

/// Catches: a refusal that does not say which right is missing, or says the password.
#[test]
fn refusals_say_what_is_missing() {
    let shop = Shop::new(ITEMS);
    let mut root = shop.database.server.root(&shop.database.name);
    let reader = format!("reader_{}", shop.database.name);
    root.query_drop(format!("CREATE USER {reader}@'127.0.0.1' IDENTIFIED BY 's3cret'")).unwrap();
    root.query_drop(format!("GRANT SELECT ON {}.* TO {reader}@'127.0.0.1'", shop.database.name)).unwrap();
    let port = shop.database.server.port;
    let said = |url: &str| {
        let spec = DatabaseSpec::new(ServerKind::Mariadb, url).unwrap();
        let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
        let folder = tempfile::tempdir().unwrap();
        let mut state =
            State::open(&spec, SnapshotStore::open(&folder.path().join("store.db")).unwrap()).unwrap();
        let said = state.save("x").unwrap_err().to_string();
        assert!(said.contains("hint:") && !said.contains("s3cret"), "{said}");
        said
    };
    let name = &shop.database.name;
    assert!(
        said(&format!("mysql://{reader}:s3cret@127.0.0.1:{port}/{name}")).contains("GRANT ALL PRIVILEGES")
    );
    assert!(said(&format!("mysql://{reader}:s3cretx@127.0.0.1:{port}/{name}")).contains("cannot be reached"));
    assert!(said(&format!("mysql://{reader}:s3cret@127.0.0.1:1/{name}")).contains("cannot be reached"));
    let url = format!("mysql://{reader}:s3cret@127.0.0.1:{port}/{name}");
    let spec = DatabaseSpec::new(ServerKind::Mariadb, &url).unwrap();
    let spec = StateSpec { databases: vec![spec], ..StateSpec::default() };
    let store = SnapshotStore::open(&shop.folder.path().join("other.db")).unwrap();
    let mut copy = State::open_copy(&spec, &StateCopy { number: 2, moved: Vec::new() }, store).unwrap();
    let refused = copy.save("x").unwrap_err().to_string();
    assert!(refused.contains("GRANT ALL PRIVILEGES ON `t\\_"), "{refused}");
    root.query_drop("CREATE TRIGGER of_root BEFORE INSERT ON item FOR EACH ROW SET NEW.name = 'x'").unwrap();
    let wrapped = said(&shop.database.url());
    assert!(wrapped.contains("of_root") && wrapped.contains("GRANT SET USER"), "{wrapped}");
}

/// Catches: a restore that is broken off and leaves half of the rows.
#[test]
fn a_restore_that_is_broken_off_changes_no_row() {
    let mut shop = Shop::new(&[
        "CREATE TABLE many (id INT PRIMARY KEY, v VARCHAR(300))",
        "INSERT INTO many SELECT seq, REPEAT('x', 200) FROM seq_1_to_20000",
    ]);
    let before = shop.database.dump();
    let rows = |database: &Database| -> (u64, u64) {
        let sql = format!("SELECT COUNT(*), SUM(CRC32(CONCAT(id, v))) FROM {}.many", database.name);
        database.server.root("mysql").query_first(sql).unwrap().unwrap()
    };
    let rows_before = rows(&shop.database);
    shop.state().save("before").unwrap();
    shop.run(&["UPDATE many SET v = CONCAT(v, id)", "DELETE FROM many WHERE id % 7 = 0"]);
    let rows_after = rows(&shop.database);
    for delay in [20, 200] {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let outcome = std::thread::scope(|scope| {
            let database = &shop.database;
            let stop = &stop;
            scope.spawn(move || {
                let mut root = database.server.root("mysql");
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    std::thread::sleep(std::time::Duration::from_millis(delay));
                    let sql = format!(
                        "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = '{}'",
                        database.name
                    );
                    for id in root.query::<u64, _>(sql).unwrap() {
                        let _ = root.query_drop(format!("KILL {id}"));
                    }
                }
            });
            let outcome = shop.state.as_mut().unwrap().restore("before");
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            outcome
        });
        // The connection may be cut when all rows are back and nothing was said of it yet.
        let now = rows(&shop.database);
        assert!(
            now == rows_before || outcome.is_err() && now == rows_after,
            "{outcome:?}: neither as before nor as it was"
        );
    }
    shop.state().restore("before").unwrap();
    shop.close();
    same(&shop.database.dump(), &before);
}

/// Catches: a part of a table that was emptied alone, and is not missed.
#[test]
fn an_emptied_part_of_a_table_comes_back() {
    let mut shop = Shop::new(&[
        "CREATE TABLE parted (id INT PRIMARY KEY, v TEXT) PARTITION BY RANGE (id) \
         (PARTITION low VALUES LESS THAN (100), PARTITION mid VALUES LESS THAN (200), PARTITION high VALUES LESS THAN MAXVALUE)",
        "INSERT INTO parted SELECT seq, 'x' FROM seq_1_to_300",
    ]);
    shop.comes_back(&["ALTER TABLE parted TRUNCATE PARTITION mid", "UPDATE parted SET v = 'y' WHERE id = 1"]);
}

/// Catches: a sequence with a cache that goes on elsewhere after a restore than it did after the save.
#[test]
fn a_sequence_goes_on_where_it_did() {
    let mut shop = Shop::new(&["CREATE SEQUENCE s START WITH 5 CACHE 100", "DO NEXTVAL(s)"]);
    let next = |shop: &Shop| shop.database.app().query_first::<i64, _>("SELECT NEXTVAL(s)").unwrap().unwrap();
    shop.state().save("before").unwrap();
    let first = next(&shop);
    next(&shop);
    for _ in 0..2 {
        shop.state().save("other").or_else(|_| shop.state().replace("other")).unwrap();
        next(&shop);
        shop.state().restore("before").unwrap();
        assert_eq!(next(&shop), first);
    }
}

/// Catches: a value that is longer than the statement which would have to hold it.
#[test]
fn a_very_long_value_comes_back() {
    let mut shop = Shop::new(&[
        "CREATE TABLE long_one (id INT PRIMARY KEY, b LONGBLOB, t LONGTEXT CHARACTER SET latin1)",
        "INSERT INTO long_one VALUES (1, REPEAT(x'00FF5C27', 2500000), REPEAT('é', 1000)), (2, 'x', 'y')",
    ]);
    let sum = |shop: &Shop| {
        let sql =
            "SELECT GROUP_CONCAT(CONCAT_WS(':', id, MD5(b), LENGTH(b), MD5(t)) ORDER BY id) FROM long_one";
        shop.database.app().query_first::<String, _>(sql).unwrap()
    };
    let before = sum(&shop);
    shop.state().save("before").unwrap();
    shop.run(&["DELETE FROM long_one"]);
    shop.state().restore("before").unwrap();
    assert_eq!(sum(&shop), before);
}

/// Catches: notes that another restage took away unseen.
#[test]
fn two_at_once_do_not_deceive_each_other() {
    let mut shop = Shop::new(ITEMS);
    shop.state().save("before").unwrap();
    let before = shop.database.dump_watched();
    shop.run(&["DELETE FROM item WHERE id = 2"]);
    let mut first = shop.state.take();
    let folder = std::mem::replace(&mut shop.folder, tempfile::tempdir().unwrap());
    shop.open();
    shop.state().save("meanwhile").unwrap();
    first.as_mut().unwrap().restore("before").unwrap();
    same(&shop.database.dump_watched(), &before);
    drop(folder);
}
