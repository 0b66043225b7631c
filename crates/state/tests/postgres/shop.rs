//! A small shop, and what becomes of it.

use crate::servers::{Account, Database, Server, similar};

/// A superuser, whom nothing binds, and the plain owner of the database.
pub(crate) const BOTH: [Account; 2] = [Account::Super, Account::Owner];

const SHOP: &str = "
CREATE TABLE authors (id serial PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE books (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, author int REFERENCES authors ON DELETE CASCADE,
  title varchar(80) DEFAULT 'none' CHECK (title <> ''), price numeric(8,2), shown bool DEFAULT true, at timestamptz,
  cover bytea, cents int GENERATED ALWAYS AS ((price * 100)::int) STORED);
CREATE TABLE reviews (book int REFERENCES books ON DELETE CASCADE, number int, said text, PRIMARY KEY (book, number));
CREATE TABLE log (said text, n float8);
CREATE VIEW cheap AS SELECT * FROM books WHERE price < 10;
COMMENT ON TABLE books IS 'what''s sold';
CREATE INDEX ON books (title);
INSERT INTO authors (name) SELECT 'author ' || n FROM generate_series(1, 20) n;
INSERT INTO books (author, title, price, at, cover) SELECT n % 20 + 1, 'book ' || n, n / 3.0, '2020-01-01'::timestamptz + n * interval '1 h',
  decode(md5(n::text), 'hex') FROM generate_series(1, 100) n;
INSERT INTO reviews SELECT n, m, 'fine' FROM generate_series(1, 50) n, generate_series(1, 2) m;
INSERT INTO log SELECT E'line\\t' || n, n / 7.0 FROM generate_series(1, 10) n;
";

/// A database with a shop in it, and more.
pub(crate) fn shop(account: Account, more: &str) -> Database<'static> {
    let database = Server::shared().database(account);
    let mut app = database.app();
    app.batch_execute(SHOP).unwrap();
    app.batch_execute(more).unwrap_or_else(|error| panic!("{more}: {error:?}"));
    database
}

/// Does each thing, and expects everything to be as before after a restore, and as after it when restored into the future.
pub(crate) fn all_come_back(more: &str, works: &[&str]) {
    for account in BOTH {
        let database = shop(account, more);
        let mut app = database.app();
        let mut state = database.state();
        state.save("before").unwrap();
        let before = database.dump();
        for work in works {
            let what = format!("{account:?}: {work}");
            app.batch_execute(work).unwrap_or_else(|error| panic!("{what}: {error:?}"));
            let changed = database.dump();
            assert_ne!(changed, before, "{what} changes nothing");
            assert!(!state.equals("before").unwrap(), "{what}: not seen");
            state.replace("after").unwrap();
            state.restore("before").unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(state.equals("before").unwrap(), "{what}");
            state.restore("after").unwrap_or_else(|error| panic!("{what}: {error}"));
            similar(&database.dump(), &changed, &format!("{what}, into the future"));
            state.restore("before").unwrap();
            // Without having saved what was done.
            app.batch_execute(work).unwrap_or_else(|error| panic!("{what}, again: {error:?}"));
            state.restore("before").unwrap_or_else(|error| panic!("{what}: {error}"));
            similar(&database.dump(), &before, &what);
            assert!(state.equals("before").unwrap(), "{what}");
        }
    }
}
