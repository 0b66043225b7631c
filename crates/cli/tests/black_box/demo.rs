//! The demo, and the project it leaves: the everyday commands on it.

use rusqlite::Connection;

use crate::support::{demo_project, json, run, stderr, stdout};

#[test]
fn it_finds_each_fault_and_nothing_on_the_clean_release() {
    let folder = tempfile::tempdir().unwrap();
    let told = json(folder.path(), &["demo", "--dir", "shop"]);
    assert_eq!(told["seen"], told["stored"]);
    assert_eq!(told["clean_failing"], 0);
    for fault in told["faults"].as_array().unwrap() {
        assert!(fault["page"].is_string(), "{fault}");
    }
    let kinds: std::collections::HashSet<&str> =
        told["faults"].as_array().unwrap().iter().map(|f| f["category"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 3, "three different kinds");
    assert!(folder.path().join("shop/report.html").metadata().unwrap().len() > 10_000);
    // A folder that no demo made is left alone.
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("mine/file"), "mine").unwrap();
    assert_eq!(run(folder.path(), &["demo", "--dir", "mine"]).status.code(), Some(2));
    assert!(folder.path().join("mine/file").exists());
}

#[test]
fn restore_repeats_the_baseline_and_the_other_policies_replay_too() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let before = rows(&shop.join("data/shop.db"));
    let restored = run(&shop, &["test", "--into", "again"]);
    assert_eq!(restored.status.code(), Some(0), "{}", stdout(&restored));
    for policy in ["initial", "fresh"] {
        let replayed = json(&shop, &["replay", "--state", policy, "--into", policy]);
        assert_eq!(replayed["steps"], 514);
        assert_eq!(replayed["unanswered"], 0);
    }
    // Without the sessions before it, a session that logs in with an account made earlier goes astray: the
    // policies differ in what they show.
    assert_eq!(run(&shop, &["compare", "baseline", "fresh"]).status.code(), Some(1));
    assert_eq!(rows(&shop.join("data/shop.db")), before, "a replay leaves the state as it found it");
}

#[test]
fn rules_choose_the_oracle_of_a_page() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let config = std::fs::read_to_string(shop.join("restage.toml")).unwrap();
    let rules = "[comparators.mine]\ntext = \"words-without-dates\"\n[oracle]\ndefault = \"Flist\"\n\
                 [[oracle.rules]]\nkey = \"GET /account*\"\noracle = \"mine\"\n";
    std::fs::write(shop.join("restage.toml"), format!("{config}\n{rules}")).unwrap();
    let output = run(&shop, &["compare", "baseline", "faulty"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("oracle: Flist (and 1 rule by key)"), "{text}");
    assert!(!text.contains("text \"$"), "{text}");
    let seen_by = |args: &[&str]| {
        let report = json(&shop, &[&["compare", "baseline", "faulty"], args].concat());
        let changes = report["changes"].as_array().unwrap().iter();
        changes.map(|change| change["seen_by"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let by = seen_by(&[]);
    assert!(by.contains(&"mine".to_owned()) && !by.contains(&"C-WD".to_owned()), "{by:?}");
    let overridden = stdout(&run(&shop, &["compare", "baseline", "faulty", "--oracle", "Flist"]));
    assert!(!overridden.contains("by key"), "{overridden}");
    assert!(!seen_by(&["--oracle", "Flist"]).contains(&"mine".to_owned()));
}

#[test]
fn after_a_restore_every_row_and_sequence_is_as_in_the_snapshot() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let database = shop.join("data/shop.db");
    let before = rows(&database);
    assert!(run(&shop, &["snapshots", "save", "mine"]).status.success());
    let live = Connection::open(&database).unwrap();
    live.execute_batch(
        "DELETE FROM books WHERE id % 3 = 0; UPDATE members SET email = 'x'; CREATE TABLE extra (a);
         INSERT INTO categories (name) VALUES ('New'); UPDATE sqlite_sequence SET seq = seq + 1000;",
    )
    .unwrap();
    assert_ne!(rows(&database), before);
    assert_eq!(run(&shop, &["snapshots", "diff", "mine"]).status.code(), Some(1));
    let restored = json(&shop, &["snapshots", "restore", "mine"]);
    assert!(restored["written_pages"].as_u64().unwrap() > 0);
    assert_eq!(rows(&database), before);
    let books: i64 = live.query_row("SELECT count(*) FROM books", [], |r| r.get(0)).unwrap();
    assert!(books > 30, "the connection that was open all along sees it too");
    assert_eq!(run(&shop, &["snapshots", "diff", "mine"]).status.code(), Some(0));
}

#[test]
fn steps_tell_where_their_live_values_came_from() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let shown = json(&shop, &["runs", "show", "clean"]);
    let steps = shown["steps"].as_array().unwrap();
    let posted = steps.iter().find(|s| s["sent"]["method"] == "POST").unwrap();
    let session = &shown["sessions"][posted["at"]["session"].as_u64().unwrap() as usize]["session"];
    let place = format!("{}/{}", session.as_str().unwrap(), posted["at"]["step"].as_u64().unwrap() + 1);
    let text = stdout(&run(&shop, &["runs", "show", "clean", "--step", &place]));
    assert!(text.contains("form field csrf:") && text.contains("hidden field csrf of form"), "{text}");
    assert!(text.contains("cookie bookstore_session:"), "{text}");
    let stale = steps.iter().filter(|s| s["stale"].is_string()).count();
    assert_eq!(stale, 0, "the clean release offers all that was recorded");
    let refused = run(&shop, &["runs", "show", "clean", "--step", "s1/999"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_comparison_in_every_format() {
    let project = demo_project();
    let shop = project.path().join("shop");
    let output = run(&shop, &["compare", "baseline", "faulty", "--html", "r.html", "--junit", "r.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(
        text.contains("GET /cart") && text.contains("GET /account") && text.contains("a link on /"),
        "{text}"
    );
    assert!(std::fs::read_to_string(shop.join("r.html")).unwrap().contains("sandbox"));
    assert!(std::fs::read_to_string(shop.join("r.xml")).unwrap().contains("<failure"));
    let value = json(&shop, &["compare", "baseline", "faulty"]);
    assert_eq!(value["passes"], false);
    let (changes, failing) =
        (value["counts"]["changes"].as_u64().unwrap(), value["counts"]["failing"].as_u64().unwrap());
    assert!(changes > 2 && changes < failing, "many steps, few changes: {changes} and {failing}");
    // The baseline against itself has no difference, by the strictest oracle.
    assert_eq!(run(&shop, &["compare", "baseline", "baseline", "--oracle", "D"]).status.code(), Some(0));
    let refused = run(&shop, &["compare", "baseline", "faulty", "--oracle", "C-WD | X"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("no comparator is called `X`"));
}

/// Every row of every table, sequences and schema included, as text.
fn rows(database: &std::path::Path) -> String {
    let connection = Connection::open(database).unwrap();
    let mut out = String::new();
    let mut tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .unwrap()
        .query_map([], |r| r.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    tables.push("sqlite_schema".to_owned());
    tables.sort();
    for table in tables {
        let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells: Vec<String> = (0..columns).map(|c| format!("{:?}", row.get_ref(c).unwrap())).collect();
            out.push_str(&format!("{table}: {}\n", cells.join(", ")));
        }
    }
    out
}
