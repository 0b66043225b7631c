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
        assert!(self.state().equals("after").unwrap());
        self.state().restore("before").unwrap();
        assert!(self.state().equals("before").unwrap());
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
    assert!(found == expected, "first difference: {differing:?}\n--- expected\n{expected}\n--- found\n{found}");
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
