//! Any PostgreSQL database comes back, whatever the application did to it.

use postgres::Client;
use proptest::prelude::*;

use crate::servers::{Account, Server, similar};

const START: &str = "
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO told VALUES (TG_TABLE_NAME || ' ' || TG_OP); RETURN NULL; END $$;
CREATE TABLE told (said text);
CREATE TABLE t0 (id serial PRIMARY KEY, a text UNIQUE, b int DEFAULT 7);
CREATE TABLE t1 (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a text, b int REFERENCES t0 ON DELETE CASCADE, m mood);
CREATE TABLE t2 (id text PRIMARY KEY, a text, b int REFERENCES t1 ON DELETE SET NULL, up text REFERENCES t2 ON DELETE CASCADE);
CREATE TABLE t3 (id int, a text, b float8);
CREATE TRIGGER telling AFTER INSERT OR DELETE ON t1 FOR EACH ROW EXECUTE FUNCTION told();
CREATE TABLE p (id int PRIMARY KEY, a text, b int) PARTITION BY RANGE (id);
CREATE TABLE p_low PARTITION OF p FOR VALUES FROM (MINVALUE) TO (50);
CREATE TABLE p_high PARTITION OF p FOR VALUES FROM (50) TO (MAXVALUE);
INSERT INTO t0 (a, b) SELECT 'a' || n, n FROM generate_series(1, 12) n;
INSERT INTO t1 (a, b, m) SELECT 'b' || n, n, 'low' FROM generate_series(1, 12) n;
INSERT INTO t2 SELECT 'k' || n, 'x', n, CASE WHEN n > 1 THEN 'k' || n - 1 END FROM generate_series(1, 12) n;
INSERT INTO t3 SELECT n / 2, 'y', n / 3.0 FROM generate_series(1, 12) n;
INSERT INTO p SELECT n * 8, 'z', n FROM generate_series(1, 12) n;
";

/// What an application may do between two snapshots: a statement with `{t}`, `{u}` (tables), `{n}` and `{m}` (numbers).
const ACTIONS: [&str; 56] = [
    "INSERT INTO {t} (a, b) VALUES ('i{n}', {m})",
    "INSERT INTO {t} (id, a, b) VALUES ('{n}', 'v{n}', {m})",
    "INSERT INTO t2 VALUES ('k{n}x', E'tab\\t\\\\', NULL, 'k{m}')",
    "INSERT INTO p VALUES ({n}, 'p', {m}), ({n} + 50, NULL, {m})",
    "UPDATE {t} SET a = a || '{n}' WHERE b % 3 = {m} % 3",
    "UPDATE {t} SET b = {m} WHERE b = {n} % 12",
    "UPDATE t0 SET a = CASE id WHEN 3 THEN '~' ELSE a END; UPDATE t0 SET a = 'a3' WHERE id = 4; UPDATE t0 SET a = 'a4' WHERE id = 3",
    "DELETE FROM t0 WHERE id = 5; INSERT INTO t0 (a, b) VALUES ('a5', {n})",
    "UPDATE t1 SET b = {n} % 12 + 1 WHERE id % 4 = {m} % 4; DELETE FROM t0 WHERE id = {m} % 12 + 1",
    "UPDATE p SET id = id + 17 WHERE id % 3 = {m} % 3",
    "UPDATE t2 SET id = id || 'y' WHERE id = 'k12'",
    "UPDATE t2 SET up = NULL WHERE id = 'k{m}'",
    "DELETE FROM {t} WHERE b % 4 = {m} % 4",
    "DELETE FROM {t}",
    "TRUNCATE {t} CASCADE",
    "SELECT nextval('t0_id_seq'), setval('t1_id_seq', {n} + 1, false)",
    "CREATE TABLE {t} (id serial PRIMARY KEY, a text, b int)",
    "CREATE TABLE {t} (id int, a varchar(9) COLLATE \"C\" NOT NULL, b int, PRIMARY KEY (id, a)) WITH (fillfactor = 70)",
    "CREATE UNLOGGED TABLE {t} AS SELECT id, a, b FROM {u}",
    "CREATE TABLE IF NOT EXISTS child (c int) INHERITS (t3); INSERT INTO child VALUES ({n}, 'c', 1, {m})",
    "DROP TABLE {t} CASCADE",
    "DROP TABLE IF EXISTS p_high; CREATE TABLE p_high PARTITION OF p FOR VALUES FROM (50) TO (90)",
    "ALTER TABLE p DETACH PARTITION p_low",
    "ALTER TABLE {t} ADD COLUMN c{n} text DEFAULT 'd'",
    "ALTER TABLE {t} DROP COLUMN b CASCADE; ALTER TABLE {t} ADD COLUMN b int",
    "ALTER TABLE {t} RENAME COLUMN id TO a_id; UPDATE {t} SET a = 'renamed'",
    "ALTER TABLE {t} ALTER COLUMN b TYPE int USING b + 1",
    "ALTER TABLE {t} ALTER COLUMN b TYPE numeric(20, 3)",
    "ALTER TABLE {t} ALTER COLUMN a SET NOT NULL",
    "ALTER TABLE {t} ALTER COLUMN a SET DEFAULT 'o''k', ALTER COLUMN a SET STORAGE EXTERNAL",
    "ALTER TABLE {t} RENAME TO {u}",
    "ALTER TABLE t0 RENAME TO swap; ALTER TABLE {t} RENAME TO t0; ALTER TABLE swap RENAME TO {t}",
    "ALTER TABLE {t} DROP CONSTRAINT {t}_pkey CASCADE",
    "ALTER TABLE {t} ADD PRIMARY KEY (id)",
    "ALTER TABLE {t} ADD CONSTRAINT to_{u} FOREIGN KEY (b) REFERENCES {u} ON DELETE CASCADE ON UPDATE CASCADE NOT VALID",
    "ALTER TABLE {t} ADD CHECK (b < 1000)",
    "ALTER TABLE {t} ADD CONSTRAINT one_{t} UNIQUE (a) DEFERRABLE",
    "CREATE INDEX i{n} ON {t} (lower(a)) WHERE b > {m}",
    "CREATE VIEW v{n} AS SELECT a, count(*) FROM {t} GROUP BY a",
    "CREATE MATERIALIZED VIEW m{n} AS SELECT 1 AS one",
    "CREATE OR REPLACE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO told VALUES ('{n}'); RETURN NULL; END $$",
    "CREATE TRIGGER t{n} AFTER UPDATE ON {t} FOR EACH ROW WHEN (OLD.a IS DISTINCT FROM NEW.a) EXECUTE FUNCTION told()",
    "CREATE RULE quiet AS ON DELETE TO {t} DO ALSO INSERT INTO told VALUES ('rule')",
    "DROP FUNCTION told CASCADE",
    "ALTER TYPE mood ADD VALUE IF NOT EXISTS 'mid{n}' BEFORE 'high'",
    "ALTER TYPE mood RENAME VALUE 'low' TO 'lower'",
    "COMMENT ON COLUMN {t}.a IS 'said {n}'; COMMENT ON TABLE {t} IS 'table'",
    "GRANT SELECT, INSERT ON {t} TO PUBLIC; GRANT UPDATE (a) ON {t} TO pg_monitor",
    "ALTER TABLE {t} ENABLE ROW LEVEL SECURITY; CREATE POLICY seen ON {t} USING (b > {n})",
    "CREATE SCHEMA s{n}; CREATE TABLE s{n}.\"odd Name\" (\"x\"\"y\" int PRIMARY KEY, z bytea); INSERT INTO s{n}.\"odd Name\" VALUES (1, 'ab\\000')",
    "CREATE SEQUENCE own{n} INCREMENT 5 CYCLE MAXVALUE 900; SELECT nextval('own{n}')",
    // Behind restage's back.
    "ALTER TABLE {t} DISABLE TRIGGER USER; UPDATE {t} SET a = 'unseen{n}'; ALTER TABLE {t} ENABLE TRIGGER USER",
    "DROP TRIGGER restage_note ON {t}; UPDATE {t} SET a = 'unseen{n}'",
    "DROP SCHEMA restage_watch CASCADE; UPDATE {t} SET a = 'unseen{n}'",
    "VACUUM FULL {t}",
    "ANALYZE",
];

fn action() -> impl Strategy<Value = String> {
    // Rows change more often than the schema.
    let which = prop_oneof![3 => 0..16usize, 2 => 0..ACTIONS.len()];
    (which, 0..4u8, 0..4u8, 0..100u8, 0..100u8).prop_map(|(which, t, u, n, m)| {
        let fill = [
            ("{t}", format!("t{t}")),
            ("{u}", format!("t{u}")),
            ("{n}", n.to_string()),
            ("{m}", m.to_string()),
        ];
        fill.iter().fold(ACTIONS[which].to_owned(), |sql, (mark, value)| sql.replace(mark, value))
    })
}

fn act(app: &mut Client, actions: &[String]) {
    for action in actions {
        // Statements on tables that are not there, or not so, fail, and that is fine.
        let _ = app.batch_execute(action);
    }
}

/// Does what each round says, with a snapshot after each; restores these by their numbers, in this order, and goes on from each.
fn comes_back(bound: bool, rounds: &[Vec<String>], order: &[usize]) -> Result<(), TestCaseError> {
    let database = Server::shared().database(if bound { Account::Owner } else { Account::Super });
    let mut app = database.app();
    app.batch_execute(START).unwrap();
    let untouched = database.dump();
    let mut state = database.state();
    let mut dumps = Vec::new();
    state.save("start").unwrap();
    prop_assert_eq!(&database.dump(), &untouched, "watching shows");
    for (number, actions) in rounds.iter().enumerate() {
        act(&mut app, actions);
        state.save(&number.to_string()).unwrap();
        dumps.push(database.dump());
    }
    for (turn, number) in order.iter().enumerate() {
        let number = number % dumps.len();
        let name = number.to_string();
        state.restore(&name).unwrap();
        similar(&database.dump(), &dumps[number], &format!("restored {name} of {rounds:?}"));
        prop_assert!(state.equals(&name).unwrap(), "restored {} of {:?}", name, rounds);
        let again = state.restore(&name).unwrap();
        prop_assert_eq!((again.written_rows, again.written_objects), (0, 0));
        // Live on from there.
        act(&mut app, &rounds[turn % rounds.len()]);
        if turn % 2 == 0 {
            state.replace("after").unwrap();
        }
    }
    state.restore("start").unwrap();
    similar(&database.dump(), &untouched, &format!("restored the start of {rounds:?}"));
    // Into a database that is empty.
    let copy = database.copy();
    database.state_of(copy.clone()).restore("0").unwrap();
    similar(&database.dump_of(copy.name()), &dumps[0], &format!("copied 0 of {rounds:?}"));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(12),
        failure_persistence: None,
        max_shrink_iters: 16,
        ..ProptestConfig::default()
    })]

    /// Catches: anything that pg_dump shows and that is not as it was, into the past and the future, for an account that
    /// foreign keys bind and for one that they do not.
    #[test]
    fn any_database_comes_back_whatever_happened_since(
        bound in any::<bool>(),
        rounds in prop::collection::vec(prop::collection::vec(action(), 0..9), 1..4),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
    ) {
        comes_back(bound, &rounds, &order.iter().map(|index| index.index(rounds.len())).collect::<Vec<_>>())?;
    }
}

/// Catches: a statement that reads all sequences, one of which is gone, and takes the restoring transaction with it.
#[test]
fn a_sequence_that_went_since_it_was_read_breaks_no_restore() {
    let changes = [
        "DELETE FROM t0 WHERE id = 5; INSERT INTO t0 (a, b) VALUES ('a5', 63)",
        "DROP TABLE t1 CASCADE",
        "ALTER TABLE t1 ALTER COLUMN a SET DEFAULT 'o''k', ALTER COLUMN a SET STORAGE EXTERNAL",
        "ALTER TABLE t2 ALTER COLUMN a SET NOT NULL",
    ];
    let rounds = [Vec::new(), changes.map(str::to_owned).to_vec()];
    comes_back(false, &rounds, &[1, 0, 1]).unwrap();
}
