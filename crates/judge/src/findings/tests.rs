use restage_model::{Aftermath, CellChange, Difference, Key, Outcome, Place, StepAt, Verdict};
use restage_oracle::group_changes;

use super::*;
use crate::JudgedSession;

fn text(after: &str, was: &str, is: &str) -> Difference {
    Difference::changed("C-WD", Place::Text { after: Some(after.to_owned()) }, was, is)
}

fn cell(table: &str, column: &str, was: &str, is: &str) -> Difference {
    let cells =
        vec![CellChange { column: column.to_owned(), was: Some(was.to_owned()), is: Some(is.to_owned()) }];
    let place = Place::Row {
        database: "a.db".to_owned(),
        table: table.to_owned(),
        row: Vec::new(),
        with: Vec::new(),
        cells,
        more: false,
    };
    Difference::changed("State", place, was, is)
}

/// A session: its pages with their differences, and what it left behind.
fn session(ordinal: u32, steps: &[(&str, Vec<Difference>)], after: Vec<Difference>) -> JudgedSession {
    let outcome = |differences: &[Difference]| {
        if differences.is_empty() { Outcome::Pass } else { Outcome::Fail }
    };
    let verdicts = (0..).zip(steps).map(|(step, (key, differences))| Verdict {
        at: StepAt { session: ordinal, step },
        session: format!("s{ordinal}"),
        key: key
            .split_once(' ')
            .map(|(method, path)| Key::of(method, path, ""))
            .unwrap_or_else(|| panic!("{key}")),
        outcome: outcome(differences),
        oracle: "D".to_owned(),
        weakened: false,
        differences: differences.clone(),
        accepted: Vec::new(),
        ignored: Vec::new(),
        masked: Vec::new(),
        stale: None,
        old_wording: Vec::new(),
        masked_share: restage_model::MaskedShare::default(),
    });
    let aftermath = Aftermath {
        ordinal,
        session: format!("s{ordinal}"),
        outcome: outcome(&after),
        differences: after,
        accepted: Vec::new(),
        ignored: Vec::new(),
        masked: Vec::new(),
        masked_rows: restage_model::MaskedRows::default(),
    };
    JudgedSession { ordinal, verdicts: verdicts.collect(), aftermath: Some(aftermath) }
}

/// The findings of sessions, each as the summaries of its changes.
fn found(sessions: &[JudgedSession]) -> Vec<(DifferenceKind, Vec<String>)> {
    let mut evidence = Evidence::default();
    sessions.iter().for_each(|session| evidence.add(session));
    let verdicts: Vec<Verdict> = sessions.iter().flat_map(|session| session.verdicts.clone()).collect();
    let aftermaths: Vec<Aftermath> =
        sessions.iter().filter_map(|session| session.aftermath.clone()).collect();
    let changes = group_changes(&verdicts, &aftermaths);
    let all = findings(&changes, &evidence);
    assert_eq!(
        all.iter().map(|finding| finding.changes.len()).sum::<usize>(),
        changes.len(),
        "each is in one"
    );
    let summary = |id: &restage_model::ChangeId| {
        changes.iter().find(|change| change.id == *id).map(Change::summary).unwrap_or_default()
    };
    all.iter().map(|finding| (finding.kind, finding.changes.iter().map(summary).collect())).collect()
}

/// Catches: a wrong value that is a finding for each page and table that shows it, and lost data behind texts.
#[test]
fn one_wrong_value_is_one_finding_and_data_comes_first() {
    let wrong = |ordinal: u32, was: &str, is: &str| {
        let (was_cents, is_cents) = (was.replace(['$', '.'], ""), is.replace(['$', '.'], ""));
        session(
            ordinal,
            &[
                ("GET /", vec![text("News", "Welcome", "Hello")]),
                ("GET /cart", vec![text("Total", was, is)]),
                ("GET /orders", vec![text("Paid", was, is)]),
            ],
            vec![cell("orders", "total", &was_cents, &is_cents)],
        )
    };
    let found = found(&[
        wrong(0, "$23.95", "$13.95"),
        wrong(1, "$71.00", "$35.50"),
        session(2, &[("GET /", vec![text("News", "Welcome", "Hello")])], Vec::new()),
    ]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].0, found[0].1.len()), (DifferenceKind::Data, 3), "{found:?}");
    assert_eq!((found[1].0, found[1].1.len()), (DifferenceKind::Text, 1), "{found:?}");
}

/// Catches: a name that differs on each user's page as a finding for each user.
#[test]
fn the_same_part_in_other_words_is_one_finding() {
    let named =
        |ordinal, was: &str| session(ordinal, &[("GET /me", vec![text("Name", was, "Nobody")])], Vec::new());
    assert_eq!(found(&[named(0, "Ada"), named(1, "Ben"), named(2, "Cid")]).len(), 1);
}

/// Catches: two faults that became one because everybody meets the first.
#[test]
fn what_all_sessions_show_takes_nothing_along() {
    let home = || ("GET /", vec![text("News", "Welcome", "Hello")]);
    let plain = |ordinal| session(ordinal, &[home(), ("GET /help", Vec::new())], Vec::new());
    let lost =
        |ordinal| session(ordinal, &[home(), ("GET /help", vec![text("Call", "us", "them")])], Vec::new());
    assert_eq!(found(&[lost(0), plain(1), lost(2), plain(3), plain(4), plain(5)]).len(), 2);
}

/// Catches: an intended change of a button that takes along a total that is wrong on most of the same pages.
#[test]
fn what_shows_on_every_visit_takes_nothing_along() {
    let visit = |ordinal, total: Option<(&str, &str)>| {
        let mut differences = vec![text("Tasks", "Add", "Add task")];
        differences.extend(total.map(|(was, is)| text("Left", was, is)));
        session(ordinal, &[("GET /", differences)], Vec::new())
    };
    let wrong = |ordinal| visit(ordinal, Some(("3 hours", "1 hour")));
    assert_eq!(found(&[wrong(0), wrong(1), visit(2, None), wrong(3), wrong(4), wrong(5)]).len(), 2);
}

/// Catches: with very many sessions, a fault of long sessions that is taken for what follows from a link that nearly everybody meets.
#[test]
fn what_nearly_everybody_meets_takes_nothing_along() {
    let visit = |ordinal: u32| {
        let home = if ordinal.is_multiple_of(10) { Vec::new() } else { vec![text("News", "Emma", "Nemo")] };
        let me = if ordinal % 10 == 3 { vec![text("E-mail", "a", "b")] } else { Vec::new() };
        session(ordinal, &[("GET /", home), ("GET /me", me)], Vec::new())
    };
    let sessions: Vec<JudgedSession> = (0..400).map(visit).collect();
    assert_eq!(found(&sessions).len(), 2);
}

/// Catches: a page that is missing something since a step before it failed, as a finding of its own.
#[test]
fn what_follows_from_a_failure_belongs_to_it() {
    let status = || Difference::changed("Flist", Place::Status, "302", "500");
    let failed = |ordinal, name: &str| {
        session(
            ordinal,
            &[("POST /order", vec![status()]), ("GET /orders", vec![text("Your orders", name, "none yet")])],
            Vec::new(),
        )
    };
    let well =
        |ordinal| session(ordinal, &[("POST /order", Vec::new()), ("GET /orders", Vec::new())], Vec::new());
    let names = ["Emma", "Nemo", "Ulysses", "Persuasion", "Middlemarch"];
    let sessions: Vec<JudgedSession> =
        (0..).step_by(2).zip(names).flat_map(|(at, name)| [failed(at, name), well(at + 1)]).collect();
    let found = found(&sessions);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, DifferenceKind::Error);
    assert_eq!(found[0].1[0], "status 302 became 500");
}
