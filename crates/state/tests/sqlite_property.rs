//! Any SQLite file comes back, whatever the live application did to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod live;

use live::{Project, check, dump};
use proptest::prelude::*;
use rusqlite::{Connection, params};

/// What an application may do between two snapshots.
#[derive(Debug, Clone)]
enum Action {
    Insert(u8, u16),
    Update(u8),
    Delete(u8),
    CreateTable(u8),
    DropTable(u8),
    CreateIndex(u8),
    AddColumn(u8),
    Vacuum(u8),
    Checkpoint,
    IncrementalVacuum,
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        6 => (any::<u8>(), 0..3000u16).prop_map(|(table, size)| Action::Insert(table, size)),
        2 => any::<u8>().prop_map(Action::Update),
        2 => any::<u8>().prop_map(Action::Delete),
        2 => any::<u8>().prop_map(Action::CreateTable),
        1 => any::<u8>().prop_map(Action::DropTable),
        1 => any::<u8>().prop_map(Action::CreateIndex),
        1 => any::<u8>().prop_map(Action::AddColumn),
        1 => (0..3u8).prop_map(Action::Vacuum),
        1 => Just(Action::Checkpoint),
        1 => Just(Action::IncrementalVacuum),
    ]
}

fn act(app: &Connection, action: &Action) {
    let table = |number: &u8| format!("t{}", number % 4);
    // Statements on tables that are not there fail, and that is fine.
    let _ = match action {
        Action::Insert(to, size) => {
            let sql = format!("INSERT INTO {}(a, b) VALUES (?1, zeroblob(?2))", table(to));
            (0..20).try_fold(0, |_, value| app.execute(&sql, params![value, size]))
        }
        Action::Update(of) => {
            app.execute(&format!("UPDATE {} SET a = a + 1 WHERE id % 3 = 0", table(of)), [])
        }
        Action::Delete(from) => app.execute(&format!("DELETE FROM {} WHERE id % 2 = 0", table(from)), []),
        Action::CreateTable(new) => app
            .execute(&format!("CREATE TABLE {}(id INTEGER PRIMARY KEY AUTOINCREMENT, a, b)", table(new)), []),
        Action::DropTable(old) => app.execute(&format!("DROP TABLE {}", table(old)), []),
        Action::CreateIndex(on) => app.execute(&format!("CREATE INDEX i{} ON {}(a)", on % 4, table(on)), []),
        Action::AddColumn(to) => app.execute(&format!("ALTER TABLE {} ADD COLUMN c{to}", table(to)), []),
        Action::Vacuum(mode) => {
            app.execute_batch(&format!("PRAGMA auto_vacuum = {mode}; VACUUM")).map(|()| 0)
        }
        Action::Checkpoint => app.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").map(|()| 0),
        Action::IncrementalVacuum => app.execute_batch("PRAGMA incremental_vacuum(3)").map(|()| 0),
    };
}

fn act_all(app: &Connection, actions: &[Action]) {
    actions.iter().for_each(|action| act(app, action));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_state_comes_back_whatever_happened_since(
        wal in any::<bool>(),
        vacuum in 0..3u8,
        rounds in prop::collection::vec(prop::collection::vec(action(), 0..14), 1..5),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let project = Project::new();
        let app = Connection::open(project.database()).unwrap();
        app.pragma_update(None, "auto_vacuum", vacuum).unwrap();
        app.pragma_update(None, "synchronous", "OFF").unwrap();
        app.pragma_update(None, "journal_mode", if wal { "wal" } else { "delete" }).unwrap();
        let other = Connection::open(project.database()).unwrap();
        let mut state = project.state();
        app.execute_batch("CREATE TABLE t0(id INTEGER PRIMARY KEY AUTOINCREMENT, a, b)").unwrap();
        let mut dumps = Vec::new();
        for (number, actions) in rounds.iter().enumerate() {
            act_all(if number % 2 == 0 { &app } else { &other }, actions);
            state.save(&number.to_string()).unwrap();
            dumps.push(dump(&app));
        }
        for (turn, index) in order.iter().enumerate() {
            let number = index.index(dumps.len());
            let name = number.to_string();
            state.restore(&name).unwrap();
            prop_assert_eq!(&dump(&app), &dumps[number]);
            prop_assert_eq!(&dump(&other), &dumps[number]);
            check(&app);
            prop_assert!(state.equals(&name).unwrap());
            prop_assert_eq!(state.restore(&name).unwrap().written_pages, 0);
            // Live on from there.
            act_all(&other, &rounds[turn % rounds.len()]);
            check(&other);
            // A restore right after a save goes by what the save has read.
            if turn % 2 == 0 {
                state.replace("after").unwrap();
            }
        }
    }
}
