//! Rows and counters.

use crate::servers::similar;
use crate::shop::{BOTH, all_come_back, shop};

/// Catches: rows that are not put back, also such that a foreign key removed; sequences that go on where a session left them.
#[test]
fn rows_and_counters_come_back() {
    all_come_back(
        "",
        &[
            "INSERT INTO books (author, title, price) VALUES (3, E'new\\t\\\\book\\n', 3.5)",
            "UPDATE books SET title = 'other', price = NULL, shown = NULL WHERE id % 7 = 0",
            "DELETE FROM authors WHERE id IN (2, 3)",
            "INSERT INTO log VALUES (NULL, 'NaN'), ('', 1e-310), (E'\\\\N', 0.1)",
            "SELECT nextval('authors_id_seq')",
            "INSERT INTO books (author) VALUES (1); DELETE FROM books WHERE title = 'none'",
            "TRUNCATE authors CASCADE",
            "TRUNCATE authors, books, reviews RESTART IDENTITY",
        ],
    );
}

/// Catches: many changed rows of which some are forgotten.
#[test]
fn many_rows_come_back() {
    all_come_back(
        "CREATE TABLE many (id int PRIMARY KEY, v int); INSERT INTO many SELECT n, n FROM generate_series(1, 7000) n",
        &[
            "UPDATE many SET v = 0",
            "DELETE FROM many WHERE id > 3000",
            "UPDATE many SET id = id + 10000 WHERE id % 2 = 0",
        ],
    );
}

/// Catches: values that another type's text does not carry.
#[test]
fn values_of_every_type_come_back() {
    all_come_back(
        "CREATE EXTENSION IF NOT EXISTS plpgsql;
         CREATE TYPE pair AS (a int, b text); CREATE TYPE mood AS ENUM ('low', 'it''s high');
         CREATE DOMAIN positive AS int CHECK (VALUE > 0);
         CREATE TABLE kinds (id date PRIMARY KEY, c char(5), i interval, m money, ts timestamp, tz timestamptz, f4 real, f8 float8,
           n numeric, b bytea, j json, jb jsonb, u uuid, x xml, t text[], p pair, ps pair[], e mood, es mood[], d positive, r int4range,
           bits bit(3), vb varbit, ip inet, pt point, tsv tsvector, mr int4multirange, y \"char\");
         INSERT INTO kinds (id) VALUES ('2020-02-29');
         CREATE TABLE by_time (at timestamptz, f float8, c char(4), b bytea, v bool, PRIMARY KEY (at, f, c, b, v));",
        &[
            "INSERT INTO kinds VALUES ('2021-03-04', 'ab', '1 year 2 days -3.5 sec', 12.5, 'infinity', '2021-01-01 12:00:00.123456+05',
               '0.1', 'NaN', 1e50, '\\x00ff5c', '{\"a\" : 1}', '{\"a\": [null]}', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '<a>b</a>',
               ARRAY['x', NULL, E'q\"\\\\,'], ROW(1, 'a,b'), ARRAY[ROW(1, NULL)::pair], 'it''s high', '{low,NULL}', 3, '[1,5)', '101', '11',
               '10.0.0.1/8', '(1,2)', 'a:1 b', '{[1,2),[5,6)}', 'z')",
            "SET timezone = 'Asia/Tokyo'; SET datestyle = 'German'; SET extra_float_digits = -5; SET bytea_output = 'escape';
             INSERT INTO by_time VALUES ('2020-01-01 00:00:00.5+00', 1::float8 / 3, 'a', '\\x005c', true), ('-infinity', '-0', 'b ', '', false);
             UPDATE kinds SET n = 1 WHERE id = '29.02.2020'; RESET ALL",
            "UPDATE kinds SET b = decode(repeat('00ff', 600000), 'hex'), c = repeat('x', 5), j = '[]' WHERE id = '2020-02-29'",
        ],
    );
}

/// Catches: a restore that foreign keys, unique values or the order of tables make fail, or that cascades.
#[test]
fn foreign_keys_and_unique_values_are_no_obstacle() {
    all_come_back(
        "CREATE TABLE one (id int PRIMARY KEY, other int, name text UNIQUE);
         CREATE TABLE other (id int PRIMARY KEY, one int REFERENCES one ON DELETE CASCADE);
         ALTER TABLE one ADD FOREIGN KEY (other) REFERENCES other ON DELETE CASCADE DEFERRABLE;
         CREATE TABLE tree (id int PRIMARY KEY, up int REFERENCES tree ON DELETE CASCADE, name text UNIQUE);
         CREATE TABLE leaf (id int PRIMARY KEY, tree int NOT NULL REFERENCES tree ON DELETE RESTRICT);
         INSERT INTO one SELECT n, NULL, 'n' || n FROM generate_series(1, 9) n; INSERT INTO other SELECT n, n FROM generate_series(1, 9) n;
         UPDATE one SET other = id; INSERT INTO tree SELECT n, nullif(n / 2, 0), 't' || n FROM generate_series(1, 15) n;
         INSERT INTO leaf SELECT n, n FROM generate_series(1, 15) n;",
        &[
            // A unique value that moves to a row with another key.
            "DELETE FROM reviews WHERE book = 1; DELETE FROM authors WHERE id = 7; INSERT INTO authors (name) VALUES ('author 7')",
            // Two rows that swap one.
            "UPDATE tree SET name = '' WHERE id = 4; UPDATE tree SET name = 't4' WHERE id = 5; UPDATE tree SET name = 't5' WHERE id = 4",
            // A row whose parent goes, and that has children itself.
            "INSERT INTO tree VALUES (99, NULL, 'new'); UPDATE tree SET up = 99 WHERE id = 3; UPDATE leaf SET tree = 99 WHERE id < 4",
            "DELETE FROM leaf; DELETE FROM tree WHERE id = 2",
            "DELETE FROM one WHERE id IN (3, 5)",
            "INSERT INTO other VALUES (50, NULL); INSERT INTO one VALUES (51, 50, 'x'); UPDATE other SET one = 51; DELETE FROM one WHERE id < 51",
            "UPDATE books SET author = 2 WHERE author = 5; DELETE FROM authors WHERE id = 5; INSERT INTO reviews VALUES (60, 1, 'new')",
        ],
    );
}

/// Catches: keys that are equal by a collation, or as numbers, and are written otherwise.
#[test]
fn keys_equal_in_all_but_bytes_are_told_apart() {
    all_come_back(
        "CREATE COLLATION loose (PROVIDER = icu, LOCALE = 'und-u-ks-level2', DETERMINISTIC = false);
         CREATE TABLE names (name text COLLATE loose PRIMARY KEY, n int); INSERT INTO names VALUES ('Anna', 1), ('bob', 2);
         CREATE TABLE amounts (n numeric PRIMARY KEY, a text); INSERT INTO amounts VALUES (1.0, 'a'), (2.50, 'b')",
        &[
            "UPDATE names SET name = 'ANNA', n = 7 WHERE name = 'anna'",
            "DELETE FROM names WHERE name = 'BOB'; INSERT INTO names VALUES ('BOB', 2)",
            "UPDATE amounts SET n = 1.000 WHERE n = 1; UPDATE amounts SET a = 'c' WHERE n = 2.5",
        ],
    );
}

/// Catches: triggers and rules of the application that fire when rows are put back, and such that stay switched off.
#[test]
fn the_applications_triggers_do_not_fire() {
    all_come_back(
        "CREATE TABLE told (id serial PRIMARY KEY, what text);
         CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           INSERT INTO told (what) VALUES (TG_NAME || ' ' || TG_OP); RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END $$;
         CREATE TRIGGER before_books BEFORE INSERT OR UPDATE OR DELETE ON books FOR EACH ROW EXECUTE FUNCTION tell();
         CREATE TRIGGER after_authors AFTER INSERT OR UPDATE OR DELETE ON authors FOR EACH STATEMENT EXECUTE FUNCTION tell();
         CREATE TRIGGER always_log AFTER INSERT OR DELETE ON log FOR EACH ROW EXECUTE FUNCTION tell();
         ALTER TABLE log ENABLE ALWAYS TRIGGER always_log;
         CREATE TRIGGER never AFTER INSERT ON authors FOR EACH ROW EXECUTE FUNCTION tell(); ALTER TABLE authors DISABLE TRIGGER never;
         CREATE RULE seen AS ON INSERT TO reviews DO ALSO INSERT INTO told (what) VALUES ('rule');",
        &[
            "UPDATE books SET price = 1 WHERE id < 5; DELETE FROM books WHERE id = 50",
            "INSERT INTO authors (name) VALUES ('new'); DELETE FROM authors WHERE id = 5; INSERT INTO log VALUES ('x', 1)",
            "INSERT INTO reviews VALUES (60, 1, 'a'), (61, 1, 'b')",
            "DELETE FROM log",
        ],
    );
}

/// Catches: a restore that writes what is right already, or a whole table for a few rows.
#[test]
fn a_restore_writes_what_changed_and_no_more() {
    for account in BOTH {
        let database = shop(account, "");
        let mut app = database.app();
        let mut state = database.state();
        assert!(state.save("before").unwrap().examined_rows > 200);
        assert_eq!(state.save("idle").unwrap().examined_rows, 0);
        app.batch_execute(
            "UPDATE books SET price = 77 WHERE id IN (3, 4); DELETE FROM reviews WHERE book = 9",
        )
        .unwrap();
        assert_eq!(state.save("after").unwrap().examined_rows, 4);
        let report = state.restore("before").unwrap();
        assert_eq!((report.written_rows, report.written_objects), (4, 0), "{account:?}");
        assert_eq!(state.restore("before").unwrap().written_rows, 0);
    }
}

/// Catches: a copy that lacks something when it is made from nothing.
#[test]
fn a_copy_is_made_from_nothing() {
    for account in BOTH {
        let database = shop(
            account,
            "CREATE SCHEMA \"Odd one\"; CREATE TABLE \"Odd one\".\"t.t\" (\"a b\" serial PRIMARY KEY)",
        );
        let mut state = database.state();
        state.save("it").unwrap();
        let copy = database.copy();
        let mut filled = database.state_of(copy.clone());
        filled.restore("it").unwrap();
        similar(&database.dump_of(copy.name()), &database.dump(), "copied");
        // It lives on its own.
        database.app().batch_execute("DELETE FROM books").unwrap();
        assert!(filled.equals("it").unwrap() && !state.equals("it").unwrap());
    }
}

/// Catches: a copy that is not made, that is set up otherwise than the original, or that stays behind.
#[test]
fn a_numbered_copy_is_made_like_the_original_and_removed() {
    for account in BOTH {
        let database = shop(account, "");
        let name = &database.name;
        let set = format!(
            "ALTER DATABASE {name} SET search_path = \"$user\", public, x; ALTER DATABASE {name} SET timezone = 'Asia/Tokyo'"
        );
        database.boss().batch_execute(&set).unwrap();
        database.state().save("it").unwrap();
        let mut copy = database.numbered_copy(2);
        copy.restore("it").unwrap();
        similar(&database.dump_of(&format!("{name}_restage_2")), &database.dump(), "copied");
        let settings = "SELECT array_agg(setconfig::text) FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase WHERE datname LIKE $1 || '%'";
        let settings: Vec<String> = database.boss().query_one(settings, &[name]).unwrap().get(0);
        assert!(settings.len() == 2 && settings[0] == settings[1], "{settings:?}");
        drop(copy);
        let left = database
            .boss()
            .query("SELECT FROM pg_database WHERE datname = $1 || '_restage_2'", &[name])
            .unwrap();
        assert!(left.is_empty());
    }
}

/// Catches: a materialized view that shows what a session refreshed it with.
#[test]
fn a_refreshed_view_is_refreshed_again() {
    for account in BOTH {
        let database = shop(account, "CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM log");
        let mut app = database.app();
        let mut counted = || app.query_one("SELECT n FROM counted", &[]).unwrap().get::<_, i64>(0);
        let mut state = database.state();
        state.save("it").unwrap();
        database
            .app()
            .batch_execute("DELETE FROM log WHERE n > 1; REFRESH MATERIALIZED VIEW counted")
            .unwrap();
        assert_eq!(counted(), 7);
        state.save("after").unwrap();
        state.restore("it").unwrap();
        assert_eq!(counted(), 10);
        state.restore("after").unwrap();
        assert_eq!(counted(), 7);
    }
}
