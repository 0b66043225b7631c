//! A PostgreSQL database is put back, whatever a session did to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "servers/postgres.rs"]
mod servers;

use servers::{Account, Server, similar};

const BOTH: [Account; 2] = [Account::Super, Account::Owner];

const SHOP: &str = "
CREATE TABLE authors (id serial PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE books (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, author int REFERENCES authors ON DELETE CASCADE,
  title varchar(80) DEFAULT 'none' CHECK (title <> ''), price numeric(8,2), shown bool DEFAULT true, at timestamptz,
  cover bytea, cents int GENERATED ALWAYS AS ((price * 100)::int) STORED);
CREATE TABLE log (said text, n float8);
CREATE VIEW cheap AS SELECT * FROM books WHERE price < 10;
COMMENT ON TABLE books IS 'what''s sold';
CREATE INDEX ON books (title);
INSERT INTO authors (name) SELECT 'author ' || n FROM generate_series(1, 20) n;
INSERT INTO books (author, title, price, at, cover) SELECT n % 20 + 1, 'book ' || n, n / 3.0, '2020-01-01'::timestamptz + n * interval '1 h',
  decode(md5(n::text), 'hex') FROM generate_series(1, 100) n;
INSERT INTO log SELECT E'line\\t' || n, n / 7.0 FROM generate_series(1, 10) n;
";

/// Does something, and expects everything to be as before after a restore.
fn comes_back(work: &str) {
    for account in BOTH {
        let database = Server::shared().database(account);
        let mut app = database.app();
        app.batch_execute(SHOP).unwrap();
        let mut state = database.state();
        state.save("before").unwrap();
        let before = database.dump();
        app.batch_execute(work).unwrap_or_else(|error| panic!("{work}: {error:?}"));
        let changed = database.dump();
        assert_ne!(changed, before, "{work} changes nothing");
        assert!(!state.equals("before").unwrap(), "{work}");
        state.save("after").unwrap();
        state.restore("before").unwrap_or_else(|error| panic!("{account:?}: {work}: {error}"));
        similar(&database.dump(), &before, work);
        state.restore("after").unwrap_or_else(|error| panic!("{account:?}: {work}: {error}"));
        similar(&database.dump(), &changed, work);
        state.restore("before").unwrap();
        similar(&database.dump(), &before, work);
        assert!(state.equals("before").unwrap(), "{work}");
        // Without having saved what was done.
        app.batch_execute(work).unwrap();
        state.restore("before").unwrap_or_else(|error| panic!("{account:?}: {work}: {error}"));
        similar(&database.dump(), &before, work);
    }
}

/// Catches: rows that are not put back, also such that a foreign key removed.
#[test]
fn rows_come_back() {
    comes_back("INSERT INTO books (author, title, price) VALUES (3, E'new\\t\\\\book\\n', 3.5)");
    comes_back("UPDATE books SET title = 'other', price = NULL, shown = NULL WHERE id % 7 = 0");
    comes_back("DELETE FROM authors WHERE id IN (2, 3)");
    comes_back("INSERT INTO log VALUES (NULL, 'NaN'), ('', 1e-310), (E'\\\\N', 0.1)");
}

/// Catches: sequences that go on where the session left them.
#[test]
fn counters_come_back() {
    comes_back("SELECT nextval('authors_id_seq')");
    comes_back("INSERT INTO books (author) VALUES (1); DELETE FROM books WHERE title = 'none'");
}

/// Catches: a schema change that stays, or that takes rows with it.
#[test]
fn the_schema_comes_back() {
    comes_back(
        "CREATE TABLE extra (id serial PRIMARY KEY, b int REFERENCES books); INSERT INTO extra (b) VALUES (1)",
    );
    comes_back("DROP TABLE log");
    comes_back("DROP TABLE authors CASCADE");
    comes_back("ALTER TABLE books ADD COLUMN more text DEFAULT 'x'");
    comes_back("ALTER TABLE books DROP COLUMN cover CASCADE");
    comes_back("ALTER TABLE books RENAME TO tomes");
    comes_back(
        "ALTER TABLE authors RENAME COLUMN id TO number; UPDATE authors SET name = name || '!' WHERE number = 4",
    );
    comes_back("TRUNCATE authors CASCADE");
}
