//! What varies from run to run is learnt, the smallest part first, and real differences beside it are found.

use restage_state::{FileVaries, StateMasks, TableVaries};

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
fn a_varying_number_of_rows_masks_their_number_and_what_varies_in_them() {
    let mut shop = Shop::new(
        "CREATE TABLE trace (id INTEGER PRIMARY KEY, x); CREATE TABLE t (id INTEGER PRIMARY KEY, x)",
    );
    shop.session("one", "INSERT INTO trace (x) VALUES (1), (2); INSERT INTO t VALUES (1, 1)");
    shop.session("two", "INSERT INTO trace (x) VALUES (2), (3), (4); INSERT INTO t VALUES (1, 1)");
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), ["trace.x", "trace"]);
    assert_eq!(masks.tables[0].varies, TableVaries::Number);
    shop.session("wrong", "INSERT INTO t VALUES (1, 2)");
    let told = shop.compare("one", "wrong", &masks);
    assert_eq!(summaries(&told), ["row 1 of t (data/shop.db): x was 1, is 2"]);
    assert_eq!(told.masked[0].place, "number of rows of trace (data/shop.db)");
}

/// Catches: a table of which one run has a row more is not looked at, and a wrong cell in it passes.
#[test]
fn rows_that_come_and_go_do_not_mask_their_cells() {
    let mut shop = Shop::new("CREATE TABLE log (id INTEGER PRIMARY KEY, who TEXT, total INTEGER)");
    let first = "INSERT INTO log VALUES (1, 'ann', 10), (2, 'bob', 20)";
    shop.session("one", first);
    shop.session("two", &format!("{first}, (3, 'eve', 30)"));
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), ["log"]);
    shop.session("more", &format!("{first}, (3, 'eve', 30), (4, 'kim', 1)"));
    assert_eq!(summaries(&shop.compare("one", "more", &masks)), [""; 0]);
    shop.session("wrong", "INSERT INTO log VALUES (1, 'ann', 10), (2, 'bob', 21), (3, 'eve', 30)");
    let told = summaries(&shop.compare("one", "wrong", &masks));
    assert_eq!(told, ["row 2 of log (data/shop.db): total was 20, is 21"]);
    shop.session("another", "INSERT INTO log VALUES (1, 'ann', 10), (7, 'bob', 21)");
    assert_eq!(summaries(&shop.compare("one", "another", &masks)).len(), 1, "another row in its place");
}

/// Catches: a time in the primary key makes every row another, and the table is masked.
#[test]
fn a_time_in_the_key_is_known_and_its_rows_are_compared() {
    let mut shop = Shop::new("CREATE TABLE visit (at TEXT, who TEXT, pages INTEGER, PRIMARY KEY (at, who))");
    let visits = |shift: &str, pages: u32| {
        format!(
            "INSERT INTO visit VALUES (datetime('now', '{shift}'), 'ann', 3), (datetime('now', '{shift}', '+2 seconds'), 'ann', {pages}), (datetime('now', '{shift}'), 'bob', 9)"
        )
    };
    shop.session("one", &visits("-20 seconds", 5));
    shop.session("two", &visits("+40 seconds", 5));
    let masks = shop.learn(&["one", "two"]);
    assert_eq!(masked(&masks), [""; 0], "known, not learnt");
    assert_eq!(summaries(&shop.compare("one", "two", &masks)), [""; 0]);
    shop.session("wrong", &visits("+40 seconds", 6));
    let told = summaries(&shop.compare("one", "wrong", &masks));
    assert!(told.len() == 1 && told[0].contains("pages was 5, is 6"), "{told:?}");
}

/// Catches: a table in which one session makes noise is masked after all of them.
#[test]
fn what_varies_after_one_session_is_masked_after_that_one() {
    let mut shop = Shop::new(
        "CREATE TABLE log (id INTEGER PRIMARY KEY, x); CREATE TABLE s (id INTEGER PRIMARY KEY, token)",
    );
    let rows = |n: usize, token: u32| {
        let rows: Vec<String> = (0..n).map(|i| format!("({i}, 1)")).collect();
        format!("INSERT INTO log VALUES {}; INSERT INTO s VALUES (1, {token})", rows.join(", "))
    };
    let mut sessions = Vec::new();
    for session in 0..9 {
        let names = [format!("{session} once"), format!("{session} again")];
        for (run, name) in names.iter().enumerate() {
            let more = usize::from(session == 4) * run;
            shop.session(name, &rows(2 + more, (session % 2 * run) as u32));
        }
        sessions.push((format!("s{session}"), names.to_vec()));
    }
    // Of one that was seen once nothing is known: all that varies anywhere may vary there.
    sessions.push(("s9".to_owned(), vec!["8 once".to_owned()]));
    let masks = shop.learn_by_session(&sessions);
    let log = &masks.tables[0];
    assert_eq!(log.sessions.iter().collect::<Vec<_>>(), ["s4", "s9"]);
    assert!(masks.columns[0].sessions.is_empty(), "a token that varies after several varies after any");
    shop.session("lost", &rows(1, 0));
    assert_eq!(summaries(&shop.compare("4 once", "lost", &masks.of_session("s4"))), [""; 0]);
    assert_eq!(summaries(&shop.compare("3 once", "lost", &masks.of_session("s3"))).len(), 1);
}

/// Catches: under a clock that is days ahead, each time that the app writes is a difference.
#[test]
fn the_clock_of_the_app_is_known() {
    let mut shop = Shop::new("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed TEXT, at INTEGER)");
    let order = |shift: &str| {
        format!("INSERT INTO orders VALUES (1, datetime('now', '{shift}'), unixepoch('now', '{shift}'))")
    };
    shop.session("one", &order("+0 days"));
    shop.session("ahead", &order("+35 days"));
    assert_eq!(summaries(&shop.compare("one", "ahead", &StateMasks::default())).len(), 1);
    shop.set_clock_ahead("ahead", 35 * 86_400);
    assert_eq!(summaries(&shop.compare("one", "ahead", &StateMasks::default())), [""; 0]);
    assert!(shop.learn(&["one", "ahead"]).is_empty());
    shop.session("wrong", &order("+30 days"));
    shop.set_clock_ahead("wrong", 35 * 86_400);
    assert_eq!(summaries(&shop.compare("one", "wrong", &StateMasks::default())).len(), 1);
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
                [[tables]]\ndatabase = \"data/shop.db\"\ntable = \"log\"\nvaries = \"number\"\nsessions = [\"s4\"]\n\n\
                [[files]]\nfile = \"data/sessions/sess_*\"\nvaries = \"name-and-content\"\n";
    let masks: StateMasks = toml::from_str(text).unwrap();
    assert!(masks.columns[0].or_null);
    assert_eq!(masks.files[0].varies, FileVaries::NameAndContent);
    assert_eq!(toml::to_string(&masks).unwrap(), text);
    let error = toml::from_str::<StateMasks>("[[columns]]\ndatabase = \"a\"\ntable = \"b\"\n").unwrap_err();
    assert!(error.to_string().contains("missing field `column`"), "{error}");
    assert!(toml::from_str::<StateMasks>("[[files]]\nfiel = \"a\"\n").is_err());
}
