//! Locks, lost connections, crashes and missing rights.

use std::time::Duration;

use restage_state::{DatabaseSpec, Error, ServerKind};

use crate::servers::{Account, Server, similar};
use crate::shop::{BOTH, shop};

/// Catches: waiting for ever, or not saying for whom.
#[test]
fn a_lock_is_waited_for_and_its_holder_named() {
    for account in BOTH {
        let database = shop(account, "");
        let mut state = database.state();
        state.save("it").unwrap();
        let before = database.dump();
        let mut app = database.app();
        app.batch_execute("SET application_name = 'the shop'; DELETE FROM log; BEGIN; UPDATE books SET price = 3 WHERE id = 3").unwrap();
        database.app().batch_execute("DELETE FROM reviews").unwrap();
        database.app().batch_execute("ALTER TABLE authors ADD COLUMN x int").unwrap();
        state.set_patience(Duration::from_millis(300));
        app.batch_execute("LOCK TABLE books, log, reviews").unwrap();
        let said = state.restore("it").unwrap_err().to_string();
        assert!(said.contains("the shop") && said.contains("hint:"), "{said}");
        app.batch_execute("COMMIT").unwrap();
        state.restore("it").unwrap();
        similar(&database.dump(), &before, "after the lock");
    }
}

/// Catches: a connection that is lost in the middle of a restore, and leaves half of it.
#[test]
fn a_lost_connection_is_made_again() {
    for account in BOTH {
        let database = shop(account, "");
        let mut state = database.state();
        state.save("it").unwrap();
        let before = database.dump();
        let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'restage' AND datname = current_database()";
        database.app().batch_execute("DELETE FROM authors").unwrap();
        database.boss().batch_execute(kill).unwrap();
        state.restore("it").unwrap();
        similar(&database.dump(), &before, "after the connection was lost");
    }
}

/// Catches: a restore that a crash of the server cuts in two.
#[test]
fn a_crash_of_the_server_leaves_all_or_nothing() {
    let server = Server::start();
    let database = server.database(Account::Owner);
    let mut app = database.app();
    app.batch_execute("CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT n, repeat('x', 100) FROM generate_series(1, 20000) n").unwrap();
    let mut state = database.state();
    state.save("it").unwrap();
    let before = database.dump();
    app.batch_execute("UPDATE t SET v = 'y'; ALTER TABLE t ADD COLUMN more int").unwrap();
    let during = database.dump();
    drop(app);
    let mut boss = database.boss();
    let restoring = std::thread::spawn(move || (state.restore("it"), state));
    // In the middle: it has begun to write.
    let writing =
        "SELECT FROM pg_stat_activity WHERE application_name = 'restage' AND backend_xid IS NOT NULL";
    while boss.query(writing, &[]).unwrap().is_empty() {
        assert!(!restoring.is_finished(), "it has ended already");
    }
    server.crash();
    let (first, mut state) = restoring.join().unwrap();
    server.run_again();
    let now = database.dump();
    assert!(now == during || now == before, "half of it, after {first:?}");
    state.restore("it").unwrap();
    similar(&database.dump(), &before, "after the crash");
    assert!(state.equals("it").unwrap());
}

/// Catches: an error that does not say what to do, or that tells the password.
#[test]
fn missing_rights_and_wrong_addresses_are_said() {
    let database = shop(Account::Owner, "");
    let spec = |url: String| database.state_of(DatabaseSpec::new(ServerKind::Postgres, &url).unwrap());
    database
        .boss()
        .batch_execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 's3cret'")
        .unwrap();
    let guest = database.spec().url.replace("shop@", "guest:s3cret@");
    let said = spec(guest.clone()).save("it").unwrap_err().to_string();
    assert!(said.contains("GRANT CREATE ON DATABASE") && !said.contains("s3cret"), "{said}");
    let gone = format!("postgres://guest:s3cret@127.0.0.1:1/{}", database.name);
    let absent = format!("{}_absent", guest);
    for url in [gone, absent] {
        let error = spec(url).save("it").unwrap_err();
        assert!(matches!(error, Error::ServerAway { .. }), "{error}");
        assert!(error.to_string().contains("hint:") && !error.to_string().contains("s3cret"), "{error}");
    }
    database.boss().batch_execute("DROP ROLE guest").unwrap();
}

/// Catches: something that restage cannot make, lost without a word.
#[test]
fn what_cannot_be_made_is_named() {
    let database =
        shop(Account::Owner, "CREATE AGGREGATE product (int) (SFUNC = int4mul, STYPE = int, INITCOND = '1')");
    let mut state = database.state();
    state.save("it").unwrap();
    database.app().batch_execute("DROP AGGREGATE product (int)").unwrap();
    let said = state.restore("it").unwrap_err().to_string();
    assert!(said.contains("aggregate public.product(integer)") && said.contains("hint:"), "{said}");
    database
        .app()
        .batch_execute("CREATE AGGREGATE product (int) (SFUNC = int4mul, STYPE = int, INITCOND = '1')")
        .unwrap();
}
