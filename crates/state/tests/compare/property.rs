//! Whatever an application wrote, the rows told are those that differ: a naive reader of both databases agrees,
//! though the comparison looks only at the pages that differ.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use restage_model::Place;
use restage_state::StateMasks;
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::shop::Shop;

const TABLES: &str = "
CREATE TABLE numbered (k INTEGER PRIMARY KEY, a, b);
CREATE TABLE named (k TEXT PRIMARY KEY, a, b);
CREATE TABLE packed (k TEXT PRIMARY KEY, a, b) WITHOUT ROWID;
CREATE INDEX by_a ON numbered (a);
";
const NAMES: [&str; 3] = ["numbered", "named", "packed"];

/// What an application may do; texts of up to three pages are not on one page with their row.
#[derive(Debug, Clone)]
enum Action {
    Insert(u8, u8, u16),
    Update(u8, u8, u16),
    /// The last letters of a long text: the row's own page stays as it is.
    EditEnd(u8, u8),
    Delete(u8, u8),
    Clear(u8),
    Vacuum,
}

fn action() -> impl Strategy<Value = Action> {
    let place = || (any::<u8>(), any::<u8>());
    prop_oneof![
        4 => (place(), 0..12_000u16).prop_map(|((t, k), size)| Action::Insert(t, k, size)),
        3 => (place(), 0..12_000u16).prop_map(|((t, k), size)| Action::Update(t, k, size)),
        3 => place().prop_map(|(t, k)| Action::EditEnd(t, k)),
        3 => place().prop_map(|(t, k)| Action::Delete(t, k)),
        1 => any::<u8>().prop_map(Action::Clear),
        1 => Just(Action::Vacuum),
    ]
}

fn sql(action: &Action) -> String {
    let table = |n: &u8| NAMES[usize::from(*n) % NAMES.len()];
    let text = |size: &u16| format!("'{}'", "x".repeat(usize::from(*size)));
    match action {
        Action::Insert(t, k, size) => format!(
            "INSERT INTO {} SELECT coalesce(max(CAST(k AS INTEGER)), 0) + 1 + {k} % 3, {k}, {} FROM {0};",
            table(t),
            text(size)
        ),
        Action::Update(t, k, size) => {
            format!("UPDATE {} SET a = a + 1, b = {} WHERE CAST(k AS INTEGER) = {k};", table(t), text(size))
        }
        Action::EditEnd(t, k) => format!(
            "UPDATE {} SET b = substr(b, 1, length(b) - 1) || 'y' WHERE CAST(k AS INTEGER) % 7 = {k} % 7 AND length(b) > 0;",
            table(t)
        ),
        Action::Delete(t, k) => format!("DELETE FROM {} WHERE CAST(k AS INTEGER) % 11 = {k} % 11;", table(t)),
        Action::Clear(t) => format!("DELETE FROM {} WHERE CAST(k AS INTEGER) > 40;", table(t)),
        Action::Vacuum => "VACUUM;".to_owned(),
    }
}

fn all_sql(actions: &[Action]) -> String {
    std::iter::once("PRAGMA synchronous = OFF;".to_owned()).chain(actions.iter().map(sql)).collect()
}

/// Every row by table and key.
fn rows(shop: &Shop) -> BTreeMap<(String, String), Vec<Value>> {
    let connection = Connection::open(shop.path("shop.db")).unwrap();
    let mut all = BTreeMap::new();
    for table in NAMES {
        let mut select = connection.prepare(&format!("SELECT k, a, b FROM {table}")).unwrap();
        let mut rows = select.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<Value> = (0..3).map(|at| row.get(at).unwrap()).collect();
            let key = match &values[0] {
                Value::Integer(key) => key.to_string(),
                Value::Text(key) => format!("`{key}`"),
                other => panic!("{other:?}"),
            };
            all.insert((table.to_owned(), key), values);
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_rows_told_are_those_that_differ(
        vacuum in 0..3u8,
        before in prop::collection::vec(action(), 0..40),
        right in prop::collection::vec(action(), 0..12),
        wrong in prop::collection::vec(action(), 0..12),
        shared in any::<bool>(),
    ) {
        let filled = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO";
        let fill: String =
            NAMES.iter().map(|t| format!("{filled} {t} SELECT i, i, printf('%.*c', (i % 9) * 800, 'z') FROM n;")).collect();
        let mut shop =
            Shop::new(&format!("PRAGMA auto_vacuum = {vacuum}; PRAGMA page_size = 1024; {TABLES} {fill} {}", all_sql(&before)));
        let begin = if shared { all_sql(&right) } else { String::new() };
        shop.session("right", &all_sql(&right));
        let was = rows(&shop);
        shop.session("wrong", &(begin + &all_sql(&wrong)));
        let is = rows(&shop);
        let differing: BTreeSet<&(String, String)> =
            was.keys().chain(is.keys()).filter(|key| was.get(*key) != is.get(*key)).collect();
        let compared = shop.compare("right", "wrong", &StateMasks::default());
        let mut told = BTreeSet::new();
        let mut more = BTreeMap::new();
        for difference in &compared.differences {
            match &difference.place {
                Place::Row { table, row, .. } => {
                    told.insert((table.clone(), row[0].1.clone()));
                }
                Place::More { count, of: Some(rows) } => {
                    let table = rows.split(' ').nth(2).unwrap_or_default();
                    more.insert(table.to_owned(), *count);
                }
                _ => prop_assert!(false, "{difference}"),
            }
        }
        for table in NAMES {
            let of = |(name, _): &&(String, String)| name == table;
            let (wanted, found) = (differing.iter().filter(|k| of(k)).count(), told.iter().filter(of).count());
            prop_assert_eq!(found + more.get(table).copied().unwrap_or(0), wanted, "{}", table);
        }
        prop_assert!(told.iter().all(|key| differing.contains(key)));
    }
}
