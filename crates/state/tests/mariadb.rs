//! A MariaDB database is put back exactly, whatever a session did to it.

#[path = "servers/mariadb.rs"]
mod servers;

use mysql::prelude::Queryable;
use restage_state::{DatabaseSpec, Depot, ServerKind, State, StateSpec};
use servers::{Database, Server};

/// A database, the state of which it is, and the depot's folder.
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
        let depot = Depot::open(&self.folder.path().join("depot.db")).unwrap();
        self.state = Some(State::open(&spec, depot).unwrap());
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
