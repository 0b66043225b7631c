//! What a session did to the schema.

use crate::shop::all_come_back;

/// Catches: a table, column or name that stays, or that takes rows with it.
#[test]
fn tables_come_back() {
    all_come_back(
        "CREATE TABLE same (id int PRIMARY KEY, v text); INSERT INTO same VALUES (1, 'a');
         CREATE TABLE twin (id int PRIMARY KEY, v text); INSERT INTO twin VALUES (1, 'b')",
        &[
            "CREATE TABLE extra (id serial PRIMARY KEY, b int REFERENCES books); INSERT INTO extra (b) VALUES (1)",
            "DROP TABLE log",
            "DROP TABLE authors CASCADE",
            "ALTER TABLE books ADD COLUMN more text DEFAULT 'x'",
            "ALTER TABLE books DROP COLUMN cover CASCADE",
            "ALTER TABLE books RENAME TO tomes",
            "ALTER TABLE authors RENAME COLUMN id TO number; UPDATE authors SET name = name || '!' WHERE number = 4",
            "ALTER TABLE same RENAME TO x; ALTER TABLE twin RENAME TO same; ALTER TABLE x RENAME TO twin",
            "ALTER TABLE same DROP COLUMN v; ALTER TABLE same ADD COLUMN v text",
            "ALTER TABLE same ALTER COLUMN v TYPE text USING v || '!'",
            "DROP TABLE same; CREATE TABLE same (id int PRIMARY KEY, v text)",
            "ALTER TABLE same DROP CONSTRAINT same_pkey; INSERT INTO same VALUES (1, 'a')",
            "ALTER TABLE same SET UNLOGGED; ALTER TABLE twin SET (fillfactor = 50, toast.autovacuum_enabled = off)",
        ],
    );
}

/// Catches: something beside tables that is not put back.
#[test]
fn all_that_is_not_a_table_comes_back() {
    all_come_back(
        "CREATE TYPE mood AS ENUM ('low', 'high'); CREATE TABLE felt (id int PRIMARY KEY, m mood); INSERT INTO felt VALUES (1, 'low');
         CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2'; CREATE INDEX doubled ON felt (twice(id));
         CREATE FUNCTION on_log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
         CREATE TRIGGER t AFTER INSERT ON log EXECUTE FUNCTION on_log(); CREATE MATERIALIZED VIEW counted AS SELECT count(*) FROM felt;
         CREATE DOMAIN short AS varchar(5) DEFAULT 'x' CHECK (VALUE <> ''); CREATE VIEW v2 AS SELECT * FROM cheap; CREATE SEQUENCE free START 5;
         CREATE STATISTICS st (dependencies) ON title, price FROM books; CREATE POLICY mine ON log USING (n > 0) WITH CHECK (said <> '');",
        &[
            "ALTER TYPE mood ADD VALUE 'mid' BEFORE 'high'",
            "ALTER TYPE mood RENAME VALUE 'low' TO 'lowest'",
            "DROP TYPE mood CASCADE",
            "CREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n + n'",
            "DROP FUNCTION twice CASCADE; CREATE PROCEDURE p() LANGUAGE sql AS 'SELECT 1'",
            "ALTER TABLE log DISABLE TRIGGER t; CREATE TRIGGER u BEFORE DELETE ON books FOR EACH ROW EXECUTE FUNCTION on_log()",
            "DROP VIEW cheap CASCADE; CREATE VIEW cheap WITH (security_barrier) AS SELECT 1 AS one",
            "DROP MATERIALIZED VIEW counted; ALTER DOMAIN short DROP DEFAULT; ALTER DOMAIN short ADD CONSTRAINT no CHECK (VALUE <> 'no')",
            "DROP SEQUENCE free; CREATE SEQUENCE free2; ALTER SEQUENCE authors_id_seq INCREMENT 3",
            "DROP STATISTICS st; DROP POLICY mine ON log; ALTER TABLE log ENABLE ROW LEVEL SECURITY",
            "COMMENT ON TABLE books IS NULL; COMMENT ON COLUMN log.said IS 'c'; COMMENT ON CONSTRAINT books_pkey ON books IS 'k'; COMMENT ON INDEX doubled IS 'i'",
            "COMMENT ON FUNCTION twice(int) IS 'f'; COMMENT ON TRIGGER t ON log IS 't'; COMMENT ON TYPE mood IS 'm'; COMMENT ON SCHEMA public IS 'p'",
            "GRANT SELECT ON books TO pg_monitor; GRANT UPDATE (said) ON log TO PUBLIC; REVOKE EXECUTE ON FUNCTION twice FROM PUBLIC; REVOKE DELETE ON log FROM shop",
            "CREATE INDEX ON books USING gin (to_tsvector('english', title)); DROP INDEX books_title_idx; ALTER TABLE books CLUSTER ON books_pkey",
            "ALTER TABLE books DROP CONSTRAINT books_author_fkey; ALTER TABLE books ADD CHECK (price > -1) NOT VALID; ALTER TABLE log REPLICA IDENTITY FULL",
            "ALTER TABLE books ALTER title DROP DEFAULT, ALTER shown SET DEFAULT false, ALTER id DROP IDENTITY, ALTER price SET NOT NULL",
            "ALTER TABLE authors ALTER name SET STATISTICS 50, ALTER name SET STORAGE MAIN, ALTER name TYPE text COLLATE \"C\"",
        ],
    );
}

/// Catches: partitions and children that are not put back, or are filled twice.
#[test]
fn partitions_come_back() {
    all_come_back(
        "CREATE TABLE sales (id int, at date, v text, author int REFERENCES authors ON DELETE CASCADE, PRIMARY KEY (id, at, v)) PARTITION BY RANGE (at);
         CREATE TABLE sales_1 PARTITION OF sales FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
         CREATE TABLE sales_2 PARTITION OF sales FOR VALUES FROM ('2021-01-01') TO ('2022-01-01') PARTITION BY LIST (v);
         CREATE TABLE sales_2a PARTITION OF sales_2 FOR VALUES IN ('a'); CREATE TABLE sales_rest PARTITION OF sales DEFAULT;
         CREATE INDEX ON sales (v); CREATE TABLE parent (id int PRIMARY KEY, a text); CREATE TABLE child (b text, PRIMARY KEY (id)) INHERITS (parent);
         CREATE TABLE refers (id int PRIMARY KEY, sale int, at date, v text, FOREIGN KEY (sale, at, v) REFERENCES sales);
         INSERT INTO sales SELECT n, '2020-06-01'::date + n * 40, 'a', n FROM generate_series(1, 20) n; INSERT INTO parent VALUES (1, 'p');
         INSERT INTO child VALUES (2, 'c', 'd'); INSERT INTO refers VALUES (1, 1, '2020-07-11', 'a');",
        &[
            "UPDATE sales SET at = at + 200 WHERE id > 1; DELETE FROM sales WHERE id = 20; UPDATE parent SET a = 'x'",
            "DELETE FROM authors WHERE id = 12; INSERT INTO sales VALUES (77, '2030-01-01', 'q', 1)",
            "ALTER TABLE sales DETACH PARTITION sales_rest; DROP TABLE sales_2 CASCADE",
            "CREATE TABLE sales_2b PARTITION OF sales_2 FOR VALUES IN ('b'); INSERT INTO sales VALUES (50, '2021-03-03', 'b', 1)",
            "DROP TABLE sales CASCADE",
            "DROP INDEX sales_v_idx; ALTER TABLE parent ALTER COLUMN a SET DEFAULT 'q'",
            "TRUNCATE sales CASCADE; ALTER TABLE child NO INHERIT parent",
        ],
    );
}
