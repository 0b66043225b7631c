//! Rows that differ, and how that is said.

use restage_state::{ColumnMask, StateMasks};

use crate::shop::{Shop, summaries};

const TABLES: &str = "
CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, status TEXT, total INTEGER);
CREATE TABLE cart_item (session INTEGER, book INTEGER, quantity INTEGER, PRIMARY KEY (session, book)) WITHOUT ROWID;
CREATE TABLE note (text TEXT, picture BLOB);
INSERT INTO orders (status, total) VALUES ('paid', 10), ('paid', 20);
INSERT INTO cart_item VALUES (1, 7, 2), (1, 8, 1);
INSERT INTO note VALUES ('a', x'0102'), ('b', NULL), ('b', NULL);
";

#[test]
fn an_order_that_was_not_committed_is_a_missing_row() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "INSERT INTO orders (status, total) VALUES ('open', 42)");
    shop.session("wrong", "BEGIN; INSERT INTO orders (status, total) VALUES ('open', 42); ROLLBACK");
    let told = shop.compare("right", "wrong", &StateMasks::default());
    assert_eq!(summaries(&told), ["row 3 of orders (data/shop.db) is gone: status `open`, total 42"]);
    assert_eq!(told.differences[0].expected(), "id = 3\nstatus = open\ntotal = 42");
    assert_eq!(
        shop.told("wrong", "right"),
        ["row 3 of orders (data/shop.db) appeared: status `open`, total 42"]
    );
    assert!(shop.told("right", "right").is_empty());
}

#[test]
fn changed_values_are_told_column_by_column() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "UPDATE orders SET status = 'open', total = 21 WHERE id = 2");
    shop.session("wrong", "UPDATE orders SET status = 'sent', total = NULL WHERE id = 2");
    assert_eq!(
        shop.told("right", "wrong"),
        ["row 2 of orders (data/shop.db): status was `open`, is `sent`; total was 21, is NULL"]
    );
}

#[test]
fn a_row_that_came_and_went_is_told_by_the_ids_given() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "");
    shop.session("wrong", "INSERT INTO orders (total) VALUES (1); DELETE FROM orders WHERE id = 3");
    assert_eq!(shop.told("right", "wrong"), ["the highest id given in orders (data/shop.db) was 2, is 3"]);
}

#[test]
fn keys_of_several_columns_and_tables_without_rowid() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "DELETE FROM cart_item WHERE book = 7");
    shop.session("wrong", "UPDATE cart_item SET quantity = 3 WHERE book = 8");
    assert_eq!(
        shop.told("right", "wrong"),
        [
            "row (session 1, book 8) of cart_item (data/shop.db): quantity was 1, is 3",
            "row (session 1, book 7) of cart_item (data/shop.db) appeared: quantity 2",
        ]
    );
}

#[test]
fn rows_of_a_table_without_a_key_are_known_by_what_is_in_them() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "INSERT INTO note VALUES ('c', x'ff')");
    // Written anew in another order: the hidden numbers of the rows are others.
    shop.session(
        "same",
        "DELETE FROM note; INSERT INTO note VALUES ('c', x'ff'), ('b', NULL), ('a', x'0102'), ('b', NULL)",
    );
    assert!(shop.told("right", "same").is_empty());
    shop.session("once", "DELETE FROM note WHERE rowid = 3; INSERT INTO note VALUES ('c', x'ff')");
    assert_eq!(shop.told("right", "once"), ["a row of note (data/shop.db) is gone: text `b`, picture NULL"]);
    shop.session("blob", "INSERT INTO note VALUES ('c', zeroblob(300))");
    assert_eq!(
        shop.told("right", "blob"),
        [
            "a row of note (data/shop.db) with text `c`: picture was x'ff', is x'0000000000000000…' (300 bytes)"
        ]
    );
}

#[test]
fn a_masked_column_beside_a_real_difference_hides_nothing_of_it() {
    let mut shop = Shop::new(TABLES);
    let column = |column: &str| ColumnMask {
        database: "data/*.db".into(),
        table: "orders".into(),
        column: column.to_owned(),
        ..ColumnMask::default()
    };
    shop.session("right", "UPDATE orders SET status = 'open', total = 5 WHERE id = 1");
    shop.session("wrong", "UPDATE orders SET status = 'sent', total = 6 WHERE id = 1");
    let masks = StateMasks { columns: vec![column("total")], ..StateMasks::default() };
    let told = shop.compare("right", "wrong", &masks);
    assert_eq!(summaries(&told), ["row 1 of orders (data/shop.db): status was `open`, is `sent`"]);
    assert_eq!(told.masked.len(), 1);
    assert_eq!(
        (told.masked[0].place.as_str(), told.masked[0].actual.as_str()),
        ("total of orders (data/shop.db)", "6")
    );
    // A value that varies is still there, or not there.
    shop.session("lost", "UPDATE orders SET status = 'open', total = NULL WHERE id = 1");
    let told = shop.compare("right", "lost", &masks);
    assert_eq!(summaries(&told), ["row 1 of orders (data/shop.db): total was 5, is NULL"]);
    let masks = StateMasks { columns: vec![ColumnMask { or_null: true, ..column("total") }], ..masks };
    assert!(shop.compare("right", "lost", &masks).differences.is_empty());
}

#[test]
fn tables_columns_and_indexes_that_came_and_went() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "");
    shop.session(
        "wrong",
        "DROP TABLE note; CREATE TABLE coupon (code TEXT); INSERT INTO coupon VALUES ('x');
         ALTER TABLE orders ADD COLUMN paid INTEGER; UPDATE orders SET total = 11 WHERE id = 1;
         CREATE INDEX by_status ON orders (status); PRAGMA user_version = 2",
    );
    assert_eq!(
        shop.told("right", "wrong"),
        [
            "user_version of data/shop.db was 0, is 2",
            "index by_status (data/shop.db) appeared",
            "table note (data/shop.db) is gone",
            "column paid of orders (data/shop.db) appeared",
            "table coupon (data/shop.db) appeared",
            "row 1 of orders (data/shop.db): total was 10, is 11",
        ]
    );
}

#[test]
fn full_text_and_other_virtual_tables_are_compared_by_their_rows() {
    let mut shop = Shop::new(
        "CREATE VIRTUAL TABLE docs USING fts5(title, body); INSERT INTO docs VALUES ('a', 'one'), ('b', 'two');
         CREATE VIRTUAL TABLE old USING fts4(body); INSERT INTO old VALUES ('x');
         CREATE VIRTUAL TABLE place USING rtree(id, west, east); INSERT INTO place VALUES (1, 0, 1);
         CREATE VIRTUAL TABLE empty USING fts5(body, content='')",
    );
    shop.session("right", "INSERT INTO docs VALUES ('c', 'three')");
    // The same in another order, and with the index rebuilt: its own tables are others.
    shop.session(
        "same",
        "DELETE FROM docs; INSERT INTO docs VALUES ('c', 'three'), ('b', 'two'), ('a', 'one'); INSERT INTO docs(docs) VALUES ('optimize')",
    );
    assert!(shop.told("right", "same").is_empty());
    shop.session("wrong", "INSERT INTO docs VALUES ('c', 'thre'); INSERT INTO place VALUES (2, 0, 1)");
    let told = shop.told("right", "wrong");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("docs") && told[0].contains("body was `three`, is `thre`"), "{told:?}");
    assert!(told[1].starts_with("a row of place (data/shop.db) appeared: id 2"), "{told:?}");
}

#[test]
fn a_virtual_table_of_an_unknown_kind_is_told_as_not_compared() {
    let mut shop = Shop::new(TABLES);
    let alien = "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'vec', 'vec', 0, 'CREATE VIRTUAL TABLE vec USING alien(x)');";
    shop.session("right", alien);
    shop.session("wrong", &format!("{alien} UPDATE orders SET total = 1 WHERE id = 1"));
    let told = shop.compare("right", "wrong", &StateMasks::default());
    assert_eq!(summaries(&told), ["row 1 of orders (data/shop.db): total was 10, is 1"]);
}

#[test]
fn sqlites_own_statistics_do_not_count_and_odd_names_do_not_hurt() {
    let mut shop = Shop::new(
        "CREATE TABLE \"a \"\"b\"\" [c]\" (\"rowid\" TEXT, \"x y\" INTEGER); CREATE INDEX i ON \"a \"\"b\"\" [c]\" (\"x y\");
         CREATE TABLE caseless (name TEXT PRIMARY KEY COLLATE NOCASE, n INTEGER, double AS (n * 2)); INSERT INTO caseless VALUES ('Bob', 1), (NULL, 2), (NULL, 3);",
    );
    shop.session("right", "INSERT INTO \"a \"\"b\"\" [c]\" VALUES ('q', 1)");
    shop.session("wrong", "INSERT INTO \"a \"\"b\"\" [c]\" VALUES ('q', 1); ANALYZE; UPDATE caseless SET name = 'bob' WHERE n = 1; DELETE FROM caseless WHERE n = 3");
    assert_eq!(
        shop.told("right", "wrong"),
        [
            "row `Bob` of caseless (data/shop.db): name was `Bob`, is `bob`",
            "row NULL of caseless (data/shop.db) is gone: n 3",
        ]
    );
}

#[test]
fn much_is_counted_rather_than_told() {
    let mut shop = Shop::new("CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER)");
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) INSERT INTO t SELECT i, i FROM n;";
    shop.session("right", numbers);
    shop.session("wrong", &format!("{numbers} UPDATE t SET x = -x"));
    let told = shop.told("right", "wrong");
    assert_eq!(told.len(), 51);
    assert_eq!(told[50], "and 29950 more rows of t (data/shop.db) differ");
    assert_eq!(shop.told("right", "before").len(), 51);
}

#[test]
fn a_database_that_cannot_be_read_is_a_difference() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "");
    shop.session(
        "broken",
        "UPDATE sqlite_dbpage SET data = zeroblob(4096) WHERE pgno = (SELECT rootpage FROM sqlite_schema WHERE name = 'note')",
    );
    let told = shop.told("right", "broken");
    assert!(told.len() == 1 && told[0].starts_with("data/shop.db cannot be compared: "), "{told:?}");
}

#[test]
fn databases_that_came_and_went_and_copies_of_another_page_size() {
    let mut shop = Shop::new(TABLES);
    shop.session("right", "");
    shop.session("vacuumed", "PRAGMA page_size = 8192; VACUUM");
    assert!(shop.told("right", "vacuumed").is_empty(), "the same rows in other pages");
    std::fs::write(shop.path("new.db"), "").unwrap();
    shop.session_with("empty", "", &[("new.db", "")]);
    assert_eq!(shop.told("right", "empty"), ["file data/new.db appeared"]);
    let path = shop.path("new.db");
    shop.session("more", &format!("ATTACH '{}' AS new; CREATE TABLE new.t (x)", path.display()));
    assert_eq!(shop.told("right", "more"), ["database data/new.db appeared"]);
    assert_eq!(shop.told("empty", "more"), ["table t (data/new.db) appeared"]);
}
