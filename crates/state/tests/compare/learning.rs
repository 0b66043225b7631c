//! What varies from run to run is learnt, the smallest part first, and real differences beside it are found.

use restage_state::{FileVaries, StateMasks};

use crate::shop::{Shop, masked, summaries};

const SESSIONS: &str =
    "CREATE TABLE sessions (token TEXT PRIMARY KEY, member INTEGER, csrf TEXT, flash TEXT);
    INSERT INTO sessions VALUES ('old', 1, 'x', NULL);";

fn login(token: &str, member: u32) -> String {
    format!("INSERT INTO sessions VALUES ('{token}', {member}, 'csrf-{token}', NULL);")
}

#[test]
fn a_random_key_is_masked_and_its_rows_are_still_told_apart() {
    let mut shop = Shop::new(SESSIONS);
    shop.session("one", &(login("a8f1", 3) + &login("77ee", 4)));
    shop.session("two", &(login("05c2", 3) + &login("b1b1", 4)));
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), ["sessions.token", "sessions.csrf"]);
    shop.session("same", &(login("ffff", 4) + &login("0000", 3)));
    let same = shop.compare("one", "same", &masks);
    assert_eq!(summaries(&same), [""; 0]);
    assert_eq!(same.masked.len(), 2);
    // Nobody's session is missing unseen, and none is another's.
    shop.session("missing", &login("abcd", 3));
    let told = summaries(&shop.compare("one", "missing", &masks));
    assert_eq!(told, ["a row of sessions (data/shop.db) is gone: member 4, flash NULL"]);
    shop.session("flash", &(login("1111", 3) + "INSERT INTO sessions VALUES ('2222', 4, 'c', 'Sorry!')"));
    let told = summaries(&shop.compare("one", "flash", &masks));
    assert_eq!(told, ["a row of sessions (data/shop.db) with member 4: flash was NULL, is `Sorry!`"]);
    shop.session("no token", &(login("1111", 3) + "INSERT INTO sessions VALUES ('2222', 4, NULL, NULL)"));
    let told = summaries(&shop.compare("one", "no token", &masks));
    assert_eq!(told.len(), 1, "a masked value that is not there: {told:?}");
}

#[test]
fn a_varying_column_alone_is_masked_where_keys_hold() {
    let mut shop = Shop::new("CREATE TABLE member (id INTEGER PRIMARY KEY, name TEXT, salt BLOB)");
    shop.session("one", "INSERT INTO member VALUES (1, 'ann', x'0a0b'), (2, 'bob', x'01')");
    shop.session("two", "INSERT INTO member VALUES (1, 'ann', x'ffee'), (2, 'bob', x'02')");
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), ["member.salt"]);
    assert_eq!(masks.columns[0].seen.as_deref(), Some("x'0a0b' and x'ffee'"));
    shop.session("wrong", "INSERT INTO member VALUES (1, 'ann', x'1111'), (2, 'eve', x'3333')");
    let told = summaries(&shop.compare("one", "wrong", &masks));
    assert_eq!(told, ["row 2 of member (data/shop.db): name was `bob`, is `eve`"]);
}

#[test]
fn drifting_ids_mask_the_key_and_what_refers_to_it() {
    let mut shop = Shop::new(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, member INTEGER, total INTEGER);
         CREATE TABLE line (id INTEGER PRIMARY KEY, orders INTEGER, book TEXT);",
    );
    let order = |id: u32, total: u32| {
        format!(
            "INSERT INTO orders VALUES ({id}, 7, {total}), ({}, 8, 55); INSERT INTO line VALUES (1, {id}, 'Emma'), (2, {id}, 'Ulysses');",
            id + 1
        )
    };
    shop.session("one", &order(17, 40));
    shop.session("two", &order(18, 40));
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), ["line.orders", "orders.id"]);
    shop.session("same", &order(30, 40));
    assert_eq!(summaries(&shop.compare("one", "same", &masks)), [""; 0]);
    shop.session("wrong", &order(30, 41));
    let told = summaries(&shop.compare("one", "wrong", &masks));
    assert_eq!(told, ["a row of orders (data/shop.db) with member 7: total was 40, is 41"]);
    shop.session("lost", &(order(30, 40) + "DELETE FROM line WHERE id = 2"));
    let told = summaries(&shop.compare("one", "lost", &masks));
    assert_eq!(told, ["row 2 of line (data/shop.db) is gone: book `Ulysses`"]);
}

#[test]
fn ids_that_are_used_up_unseen_are_masked_alone() {
    let mut shop = Shop::new("CREATE TABLE job (id INTEGER PRIMARY KEY AUTOINCREMENT, x)");
    let jobs = |n: u32| "INSERT INTO job (x) VALUES (1); DELETE FROM job;".repeat(n as usize);
    shop.session("one", &jobs(3));
    shop.session("two", &jobs(5));
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), ["sqlite_sequence.job"]);
    shop.session("wrong", &(jobs(4) + "INSERT INTO job VALUES (99, 1)"));
    assert_eq!(
        summaries(&shop.compare("one", "wrong", &masks)),
        ["row 99 of job (data/shop.db) appeared: x 1"]
    );
}

#[test]
fn a_varying_number_of_rows_masks_the_table_and_no_other() {
    let mut shop = Shop::new(
        "CREATE TABLE trace (id INTEGER PRIMARY KEY, x); CREATE TABLE t (id INTEGER PRIMARY KEY, x)",
    );
    shop.session("one", "INSERT INTO trace (x) VALUES (1), (2); INSERT INTO t VALUES (1, 1)");
    shop.session("two", "INSERT INTO trace (x) VALUES (2), (3), (4); INSERT INTO t VALUES (1, 1)");
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), ["trace"]);
    shop.session("wrong", "INSERT INTO t VALUES (1, 2)");
    let told = shop.compare("one", "wrong", &masks);
    assert_eq!(summaries(&told), ["row 1 of t (data/shop.db): x was 1, is 2"]);
    assert_eq!(told.masked[0].place, "rows of trace (data/shop.db)");
}

#[test]
fn times_need_not_be_learnt_and_must_move() {
    let mut shop = Shop::new(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, placed TEXT, due TEXT, at INTEGER, julian REAL, status TEXT)",
    );
    let order = |shift: &str, status: &str| {
        format!(
            "INSERT INTO orders VALUES (1, datetime('now', '{shift}'), date('now', '+14 days'), unixepoch('now', '{shift}'), julianday('now', '{shift}'), '{status}')"
        )
    };
    shop.session("one", &order("-2 seconds", "open"));
    // Two runs in the same second: luck.
    shop.session("luck", &order("-2 seconds", "open"));
    let masks = shop.learn(&["one", "luck"]);
    shop.session("later", &order("+90 seconds", "open"));
    assert_eq!(summaries(&shop.compare("one", "later", &masks)), [""; 0]);
    shop.session("wrong", &order("+90 seconds", "paid"));
    let told = summaries(&shop.compare("one", "wrong", &masks));
    assert_eq!(told, ["row 1 of orders (data/shop.db): status was `open`, is `paid`"]);
    shop.session("stale", "INSERT INTO orders SELECT 1, '2020-01-01 00:00:00', date('now', '+14 days'), unixepoch(), NULL, 'open'");
    let told = summaries(&shop.compare("one", "stale", &masks));
    assert!(told.len() == 1 && told[0].contains("placed was") && told[0].contains("julian was"), "{told:?}");
}

#[test]
fn files_with_random_names_are_counted_and_contents_masked() {
    let mut shop = Shop::new("CREATE TABLE t (x)");
    shop.session_with(
        "one",
        "",
        &[("s/sess_4f3a9c21b0d7", "ann|11"), ("s/sess_aa00bb11cc22", "bob|12"), ("conf.ini", "a")],
    );
    shop.session_with(
        "two",
        "",
        &[("s/sess_0102030405af", "ann|21"), ("s/sess_deadbeef0001", "bob|22"), ("conf.ini", "a")],
    );
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masks.files.len(), 1);
    assert_eq!(
        (masks.files[0].file.as_str(), masks.files[0].varies),
        ("data/s/sess_*", FileVaries::NameAndContent)
    );
    shop.session_with("wrong", "", &[("s/sess_9999888877aa", "ann|31"), ("conf.ini", "b")]);
    let told = summaries(&shop.compare("one", "wrong", &masks));
    assert_eq!(told.len(), 2, "one session less, another setting: {told:?}");
    // Known by what is in them where only names vary.
    shop.session_with("three", "", &[("up/1794738605-a.txt", "hello"), ("cache/x", "1")]);
    shop.session_with("four", "", &[("up/1794738699-a.txt", "hello"), ("cache/x", "2")]);
    let masks = shop.learn(&["three", "four"]);
    let said: Vec<_> = masks.files.iter().map(|m| (m.file.as_str(), m.varies)).collect();
    assert_eq!(said, [("data/cache/x", FileVaries::Content), ("data/up/*-a.txt", FileVaries::Name)]);
    // One that is there or not.
    shop.session_with("five", "", &[("lock", "1")]);
    let masks = shop.learn(&["before", "five", "before"]);
    assert_eq!((masks.files[0].file.as_str(), masks.files[0].varies), ("data/lock", FileVaries::Number));
}

#[test]
fn several_runs_and_several_sessions_add_up() {
    let mut shop = Shop::new("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)");
    for (name, a, b) in [("one", 1, 1), ("two", 1, 1), ("three", 1, 2), ("four", 2, 2)] {
        shop.session(name, &format!("INSERT INTO t VALUES (1, {a}, {b}, 1)"));
    }
    assert_eq!(masked(&shop.learn(&["one", "two"])), [""; 0]);
    assert_eq!(masked(&shop.learn(&["one", "two", "three", "four"])), ["t.b", "t.a"]);
}

#[test]
fn masks_are_read_and_written_as_toml() {
    let text = "[[columns]]\ndatabase = \"data/shop.db\"\ntable = \"sessions\"\ncolumn = \"token\"\nor-null = true\nseen = \"`a8f1` and `05c2`\"\n\n\
                [[tables]]\ndatabase = \"data/shop.db\"\ntable = \"trace\"\n\n\
                [[files]]\nfile = \"data/sessions/sess_*\"\nvaries = \"name-and-content\"\n";
    let masks: StateMasks = toml::from_str(text).unwrap();
    assert!(masks.columns[0].or_null);
    assert_eq!(masks.files[0].varies, FileVaries::NameAndContent);
    assert_eq!(toml::to_string(&masks).unwrap(), text);
    let error = toml::from_str::<StateMasks>("[[columns]]\ndatabase = \"a\"\ntable = \"b\"\n").unwrap_err();
    assert!(error.to_string().contains("missing field `column`"), "{error}");
    assert!(toml::from_str::<StateMasks>("[[files]]\nfiel = \"a\"\n").is_err());
}
