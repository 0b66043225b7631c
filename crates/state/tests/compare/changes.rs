//! What was written between two snapshots, as data.

use restage_state::{Done, StateChange};

use crate::shop::Shop;

/// Catches: a row that is told without its key, or with what did not change.
#[test]
fn what_was_written_is_told_as_data() {
    let mut shop = Shop::new(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, note TEXT);
         CREATE TABLE line (orders INTEGER, book INTEGER, PRIMARY KEY (orders, book)) WITHOUT ROWID;
         INSERT INTO orders VALUES (1, 'paid', NULL), (2, 'paid', 'x'); INSERT INTO line VALUES (1, 7);",
    );
    shop.session_with(
        "after",
        "INSERT INTO orders VALUES (3, 'open', NULL); UPDATE orders SET status = 'sent' WHERE id = 2;
         DELETE FROM line; INSERT INTO line VALUES (3, 8)",
        &[("up/cat.png", "meow")],
    );
    let found = shop.changes("before", "after");
    let change = |table: Option<&str>, done, key: &str, values: &[(&str, &str)]| StateChange {
        file: if table.is_some() { "data/shop.db".to_owned() } else { "data/up/cat.png".to_owned() },
        table: table.map(str::to_owned),
        done,
        key: key.to_owned(),
        values: values.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
    };
    for expected in [
        change(Some("orders"), Done::Added, "3", &[("id", "3"), ("status", "open")]),
        change(Some("orders"), Done::Changed, "2", &[("status", "sent")]),
        change(Some("line"), Done::Removed, "1, 7", &[("orders", "1"), ("book", "7")]),
        change(Some("line"), Done::Added, "3, 8", &[("orders", "3"), ("book", "8")]),
        change(None, Done::Added, "", &[]),
    ] {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    assert!(shop.changes("after", "after").is_empty());
}
