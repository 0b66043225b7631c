//! The watching: not noticed by the application, not fooled, and gone afterwards.

use crate::servers::{Account, similar};
use crate::shop::{BOTH, shop};

/// Catches: something of restage's own that stays in the database, also after a run that was killed.
#[test]
fn nothing_stays_behind() {
    for account in BOTH {
        let database = shop(account, "");
        let whole = || database.dump_all();
        let before = whole();
        let mut state = database.state();
        state.save("it").unwrap();
        assert_ne!(whole(), before);
        // A run that is killed leaves everything; the next one removes it.
        std::mem::forget(state);
        let mut state = database.state();
        database.app().batch_execute("UPDATE books SET price = 5 WHERE id = 7").unwrap();
        state.restore("it").unwrap();
        drop(state);
        similar(&whole(), &before, "unwatched");
    }
}

/// Catches: statements that answer otherwise while they are watched, or that fail.
#[test]
fn the_application_notices_nothing() {
    let database = shop(Account::Owner, "");
    let mut state = database.state();
    state.save("it").unwrap();
    // Someone who may write and nothing else.
    let mut boss = database.boss();
    boss.batch_execute(
        "DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk;
         GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO clerk; SET ROLE clerk",
    )
    .unwrap();
    for app in [&mut database.app(), &mut boss] {
        app.batch_execute("SET search_path = ''; SET datestyle = 'SQL, DMY'; SET default_transaction_isolation = 'serializable'").unwrap();
        let id: i32 = app
            .query_one("INSERT INTO public.authors (name) VALUES ('one') RETURNING id", &[])
            .unwrap()
            .get(0);
        let last: i64 = app.query_one("SELECT lastval()", &[]).unwrap().get(0);
        assert_eq!(i64::from(id), last);
        assert_eq!(app.execute("UPDATE public.books SET price = 0 WHERE id <= 10", &[]).unwrap(), 10);
        assert_eq!(app.execute("DELETE FROM public.authors WHERE name = 'one'", &[]).unwrap(), 1);
        assert_eq!(app.execute("TRUNCATE public.log", &[]).unwrap(), 0);
    }
    boss.batch_execute("RESET ROLE; DROP OWNED BY clerk").unwrap();
    let before = state.restore("it").unwrap();
    assert!(before.written_rows >= 20, "{before:?}");
    assert!(state.equals("it").unwrap());
    boss.batch_execute("DROP ROLE clerk").unwrap();
}

/// Catches: lists without an order of their own that come in another one as soon as the server has looked at the tables by itself.
#[test]
fn how_queries_are_run_does_not_depend_on_when() {
    for account in BOTH {
        let database = shop(account, "");
        let mut app = database.app();
        app.batch_execute("ALTER TABLE books SET (autovacuum_enabled = off)").unwrap();
        let mut is_known = || -> bool {
            app.query_one("SELECT EXISTS (SELECT FROM pg_stats WHERE tablename = 'books')", &[])
                .unwrap()
                .get(0)
        };
        assert!(!is_known());
        let mut state = database.state();
        state.save("it").unwrap();
        assert!(is_known(), "a run's first look");
        database.app().batch_execute("DROP TABLE books CASCADE").unwrap();
        state.restore("it").unwrap();
        assert!(is_known(), "a table made anew");
    }
}

/// Catches: changes made behind the triggers' back that are not put back.
#[test]
fn what_the_triggers_do_not_see_is_seen() {
    for account in BOTH {
        let database = shop(account, "");
        let mut state = database.state();
        state.save("it").unwrap();
        let before = database.dump();
        for behind in [
            "ALTER TABLE books DISABLE TRIGGER USER; UPDATE books SET price = 1; ALTER TABLE books ENABLE TRIGGER USER",
            "ALTER TABLE log DISABLE TRIGGER restage_note; DELETE FROM log; ALTER TABLE log ENABLE ALWAYS TRIGGER restage_note",
            "DROP TRIGGER restage_note ON reviews; DELETE FROM reviews WHERE book < 5",
            "DROP TRIGGER restage_emptied ON log; TRUNCATE log",
            "DROP SCHEMA restage_watch CASCADE; UPDATE books SET price = 2",
            "DROP TABLE restage_watch.notes CASCADE",
            "SET session_replication_role = replica; DELETE FROM authors WHERE id = 3; RESET session_replication_role",
        ] {
            let mut boss = database.boss();
            boss.batch_execute(behind).unwrap();
            state.restore("it").unwrap_or_else(|error| panic!("{behind}: {error}"));
            similar(&database.dump(), &before, behind);
            // And it is watched again.
            database
                .app()
                .batch_execute("UPDATE reviews SET said = 'new' WHERE book = 1; DELETE FROM log WHERE n > 1")
                .unwrap();
            state.restore("it").unwrap();
            similar(&database.dump(), &before, behind);
        }
    }
}

/// Catches: a vacuum or temporary tables taken for a change of the schema, and everything read again.
#[test]
fn housekeeping_is_no_change() {
    let database = shop(Account::Owner, "");
    let mut app = database.app();
    let mut state = database.state();
    state.save("it").unwrap();
    app.batch_execute(
        "ANALYZE; CREATE TEMPORARY TABLE mine (id serial PRIMARY KEY, t text); INSERT INTO mine VALUES (1)",
    )
    .unwrap();
    app.batch_execute("VACUUM books").unwrap();
    assert_eq!(state.save("same").unwrap().examined_rows, 0);
    assert_eq!(state.restore("it").unwrap().written_objects, 0);
}
