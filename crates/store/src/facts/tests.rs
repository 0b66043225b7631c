//! Facts read back, are shared where they are the same, and go with their runs.

use restage_facts::{Coverage, FactsReport, FileOutline, StepFacts, Want};
use restage_model::{RunId, RunKind, StatePolicy, StepAt};

use super::FactsOf;
use crate::{NewRun, Store, StoreError};

fn facts(json: &str) -> StepFacts {
    serde_json::from_str(json).unwrap()
}

fn at(session: u32, step: u32) -> StepAt {
    StepAt { session, step }
}

fn begin(store: &mut Store, name: &str) -> RunId {
    let suite = store.save_suite(restage_model::NewSuite::of("recorded", "recorded", [])).unwrap().id;
    let new = NewRun {
        name: name.to_owned(),
        kind: RunKind::Replay,
        suite,
        app: "default".to_owned(),
        policy: StatePolicy::Keep,
        as_recorded: false,
    };
    store.begin_run(&new).unwrap()
}

fn count(store: &Store, table: &str) -> i64 {
    store.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn opened() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
    (folder, store)
}

const FIRST: &str = r#"{"step":"","runtime":"php 8.2","lines":{"a.php":[[1,9]],"b.php":[4]},"functions":{"b.php":[4]},
    "branches":{"a.php":[1,70]},"session":{"before":{"user":"1"},"after":null},"sql":[{"text":"SELECT 1","bound":[1],"rows":3}],
    "errors":[{"type":"Warning","message":"m","file":"a.php","line":3}],"notes":["n"]}"#;

#[test]
fn facts_of_a_step_read_back() {
    let (_folder, mut store) = opened();
    let run = begin(&mut store, "r");
    let (first, empty) = (facts(FIRST), facts(r#"{"step":""}"#));
    store.add_step_facts(run, &[(at(0, 0), first.clone()), (at(0, 1), empty.clone())]).unwrap();
    assert_eq!(store.step_facts(run, at(0, 0)).unwrap(), Some(first));
    assert_eq!(store.step_facts(run, at(0, 1)).unwrap(), Some(empty));
    assert_eq!(store.step_facts(run, at(0, 2)).unwrap(), None);
    assert_eq!(store.steps_with_facts(run).unwrap(), [at(0, 0), at(0, 1)]);
    assert_eq!(store.facts_report(run).unwrap(), None);
    let report = FactsReport { steps: 2, ..FactsReport::new(vec![Want::Lines]) };
    store.save_facts_report(run, &report).unwrap();
    assert_eq!(store.facts_report(run).unwrap(), Some(report));
}

/// Catches: a request that was sent twice, and whose second line replaces the first.
#[test]
fn facts_that_come_later_are_joined() {
    let (_folder, mut store) = opened();
    let run = begin(&mut store, "r");
    for lines in ["[1]", "[7]"] {
        let facts = facts(&format!(r#"{{"step":"","lines":{{"a":{lines}}}}}"#));
        store.add_step_facts(run, &[(at(0, 0), facts)]).unwrap();
    }
    assert_eq!(store.step_facts(run, at(0, 0)).unwrap().unwrap().lines["a"].len(), 2);
}

#[test]
fn coverage_is_joined_over_a_run_a_session_and_steps() {
    let (_folder, mut store) = opened();
    let run = begin(&mut store, "r");
    let of = |line: u32| facts(&format!(r#"{{"step":"","lines":{{"a":[1,{line}],"b":[{line}]}}}}"#));
    let steps = [(at(0, 0), of(2)), (at(0, 1), of(3)), (at(4, 0), of(9)), (at(4, 1), of(2))];
    store.add_step_facts(run, &steps).unwrap();
    let lines = |coverage: Coverage| coverage.files["a"].lines.iter().collect::<Vec<_>>();
    assert_eq!(lines(store.coverage(run, FactsOf::Run).unwrap()), [1, 2, 3, 9]);
    assert_eq!(lines(store.coverage(run, FactsOf::Sessions(&[4])).unwrap()), [1, 2, 9]);
    assert_eq!(lines(store.coverage(run, FactsOf::Steps(&[at(0, 1), at(4, 0)])).unwrap()), [1, 3, 9]);
    let by_line = store.steps_by_line(run, "b").unwrap();
    assert_eq!((by_line[&2].as_slice(), by_line[&9].len()), (&[at(0, 0), at(4, 1)][..], 1));
    // The same lines in another step cost a row, no more.
    assert_eq!(count(&store, "coverage"), 3);
    let mut seen = Vec::new();
    store
        .each_step_facts::<StoreError>(run, |at, facts| {
            seen.push((at, facts.lines["b"].len()));
            Ok(())
        })
        .unwrap();
    assert_eq!(seen.len(), 4);
}

#[test]
fn a_file_that_changed_meanwhile_has_its_newest_outline() {
    let (_folder, mut store) = opened();
    let run = begin(&mut store, "r");
    for digest in ["old", "new"] {
        let outline =
            FileOutline { file: "a".to_owned(), digest: Some(digest.to_owned()), ..FileOutline::default() };
        store.add_outlines(run, &[outline]).unwrap();
    }
    assert_eq!(store.outlines(run).unwrap()["a"].digest.as_deref(), Some("new"));
    assert_eq!(store.outline(run, "a").unwrap().unwrap().digest.as_deref(), Some("new"));
    assert_eq!(store.outline(run, "b").unwrap(), None);
}

/// Catches: facts that outlive their run, and those of another run that go with it.
#[test]
fn facts_go_with_their_run_and_no_other() {
    let (_folder, mut store) = opened();
    let (one, two) = (begin(&mut store, "one"), begin(&mut store, "two"));
    let outline = FileOutline { file: "a.php".to_owned(), ..FileOutline::default() };
    for run in [one, two] {
        store.add_step_facts(run, &[(at(0, 0), facts(FIRST))]).unwrap();
        store.add_outlines(run, std::slice::from_ref(&outline)).unwrap();
        store.save_facts_report(run, &FactsReport::default()).unwrap();
    }
    store.remove_run(one).unwrap();
    assert_eq!(store.step_facts(two, at(0, 0)).unwrap(), Some(facts(FIRST)));
    assert_eq!(store.outlines(two).unwrap().len(), 1);
    store.remove_run(two).unwrap();
    let tables =
        ["step_facts", "coverage", "coverage_part", "fact_content", "fact_file", "run_outline", "run_facts"];
    assert_eq!(tables.map(|table| count(&store, table)), [0; 7]);
}
