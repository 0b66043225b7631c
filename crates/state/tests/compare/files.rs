//! Files that differ, and how that is said.

use restage_state::{FileMask, FileVaries, StateMasks};

use crate::shop::{Shop, summaries};

fn mask(file: &str, varies: FileVaries) -> StateMasks {
    StateMasks {
        files: vec![FileMask { file: file.into(), varies, ..FileMask::default() }],
        ..StateMasks::default()
    }
}

#[test]
fn files_come_and_go_and_change() {
    let mut shop = Shop::new("CREATE TABLE t (x)");
    shop.session_with(
        "right",
        "",
        &[("up/a.txt", "one\ntwo\nthree"), ("up/b.bin", "\0\u{1}"), ("up/same", "x")],
    );
    shop.session_with(
        "wrong",
        "",
        &[("up/a.txt", "one\n2\nthree"), ("up/b.bin", "\0\u{1}\u{2}"), ("up/same", "x"), ("c", "")],
    );
    assert_eq!(
        shop.told("right", "wrong"),
        [
            "file data/up/a.txt changed: 13 bytes became 11; line 2 was `two`, is `2`",
            "file data/up/b.bin changed: 2 bytes became 3",
            "file data/c appeared",
        ]
    );
    assert_eq!(
        shop.told("wrong", "before"),
        [
            "file data/c is gone",
            "folder data/up is gone",
            "file data/up/a.txt is gone",
            "file data/up/b.bin is gone",
            "file data/up/same is gone"
        ]
    );
}

#[test]
fn what_sqlite_keeps_beside_a_database_is_no_file() {
    let mut shop = Shop::new("PRAGMA journal_mode = wal; CREATE TABLE t (x)");
    shop.session("right", "");
    let open = rusqlite::Connection::open(shop.path("shop.db")).unwrap();
    open.execute_batch("INSERT INTO t VALUES (1)").unwrap();
    assert!(shop.path("shop.db-wal").exists());
    shop.session("wrong", "INSERT INTO t VALUES (2)");
    assert_eq!(shop.told("right", "wrong"), ["a row of t (data/shop.db) appeared: x 2"]);
}

#[test]
fn times_in_files_move_with_the_clock() {
    let mut shop = Shop::new("CREATE TABLE t (x)");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let log = |at: u64, what: &str| format!("{{\"at\":{at},\"what\":\"{what}\"}}");
    shop.session_with("right", "", &[("a.json", &log(now, "order"))]);
    shop.session_with("later", "", &[("a.json", &log(now + 7, "order"))]);
    shop.session_with("wrong", "", &[("a.json", &log(now + 7, "refund"))]);
    let told = shop.compare("right", "later", &StateMasks::default());
    assert_eq!((summaries(&told), told.masked[0].place.as_str()), (vec![], "times in data/a.json"));
    assert_eq!(shop.told("right", "wrong").len(), 1);
}

#[test]
fn masks_hide_what_they_say_and_no_more() {
    let mut shop = Shop::new("CREATE TABLE t (x)");
    shop.session_with("right", "", &[("s/sess_1", "a"), ("s/sess_2", "b")]);
    shop.session_with("renamed", "", &[("s/sess_3", "b"), ("s/sess_4", "a")]);
    shop.session_with("other", "", &[("s/sess_3", "c"), ("s/sess_4", "a")]);
    shop.session_with("fewer", "", &[("s/sess_3", "b")]);
    shop.session_with("content", "", &[("s/sess_1", "x"), ("s/sess_2", "y")]);
    let mut told = |actual: &str, varies| {
        let compared = shop.compare("right", actual, &mask("data/s/sess_*", varies));
        assert!(actual == "fewer" || !compared.masked.is_empty(), "masked is told: {actual}");
        summaries(&compared)
    };
    assert_eq!(told("renamed", FileVaries::Name), [""; 0]);
    assert_eq!(
        told("other", FileVaries::Name),
        ["file data/s/sess_2 (now data/s/sess_3) changed: 1 bytes became 1; line 1 was `b`, is `c`"]
    );
    assert_eq!(told("other", FileVaries::NameAndContent), [""; 0]);
    assert_eq!(told("fewer", FileVaries::NameAndContent), ["file data/s/sess_1 is gone"]);
    assert_eq!(told("fewer", FileVaries::Number), [""; 0]);
    assert_eq!(told("content", FileVaries::Content), [""; 0]);
    assert_eq!(told("fewer", FileVaries::Content).len(), 3);
}
