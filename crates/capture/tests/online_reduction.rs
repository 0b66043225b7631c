//! Dropping sessions that bring nothing new from a real store.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use restage_capture::{OnlineReducer, SessionRules, StoredExchanges, sessionize};
use restage_model::{Captured, CapturedBody, Headers, KeyRules, Moment, NewSuite, PathTemplates};
use restage_store::Store;
use restage_suite::reduce::{
    Coverage, Requirement, RequirementNames, Technique, Ties, reduce, session_requirements,
};

const SECOND: i64 = 1_000_000;

/// One request of a user, at a second.
fn request(user: usize, path: usize, second: i64) -> Captured {
    let mut headers = Headers::new();
    headers.push("user-agent", format!("browser {user}"));
    let page = format!("<p>page {path} for {user}</p>");
    let body = CapturedBody { size: page.len() as u64, bytes: page.into_bytes() };
    let mut answered = Headers::new();
    answered.push("content-type", "text/html");
    Captured {
        at: Moment(second * SECOND),
        took: 1,
        client: "127.0.0.1".to_owned(),
        method: "GET".to_owned(),
        uri: format!("/page{}", ["a", "b", "c", "d", "e"][path]),
        headers,
        body: CapturedBody::default(),
        response: Some((200, answered, body)),
        error: None,
    }
}

fn rules() -> SessionRules {
    SessionRules { idle: std::time::Duration::from_secs(10), ..SessionRules::default() }
}

/// The addresses of the sessions there are.
fn sessions(path: &Path) -> Vec<Vec<String>> {
    let store = Store::open(path).unwrap();
    let exchanges = store.exchanges().unwrap();
    let uri = |id: &_| store.exchange(*id).unwrap().request.uri;
    sessionize(&exchanges, &rules()).iter().map(|s| s.exchanges.iter().map(uri).collect()).collect()
}

/// Catches a session that is dropped before it is over, one that stays though it brings nothing, and one that was there before.
#[test]
fn sessions_that_are_over_and_bring_nothing_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let mut store = Store::open_or_create(&path).unwrap();
    store.append(&[request(0, 0, 0), request(0, 4, 0), request(9, 4, 0)]).unwrap();
    let mut reducer = OnlineReducer::open(&path, rules(), Requirement::Key, KeyRules::default()).unwrap();
    store.append(&[request(1, 0, 20), request(1, 1, 21), request(2, 1, 22), request(3, 0, 29)]).unwrap();
    let tally = reducer.look(Some(Moment(33 * SECOND))).unwrap();
    // User 3 may still come back; users 0 and 9 were there before.
    assert_eq!((tally.over, tally.dropped, tally.exchanges), (2, 1, 1));
    let before = [vec!["/pagea", "/pagee"], vec!["/pagee"]];
    let left = |more: &[Vec<&'static str>]| [&before, more].concat();
    assert_eq!(sessions(&path), left(&[vec!["/pagea", "/pageb"], vec!["/pagea"]]));
    let tally = reducer.look(None).unwrap();
    assert_eq!((tally.over, tally.dropped), (3, 2));
    assert_eq!(sessions(&path), left(&[vec!["/pagea", "/pageb"]]));
    // One that does more takes the place of what it does.
    store.append(&[request(4, 0, 50), request(4, 1, 51), request(4, 2, 52), request(5, 3, 53)]).unwrap();
    reducer.look(Some(Moment(90 * SECOND))).unwrap();
    assert_eq!(sessions(&path), left(&[vec!["/pagea", "/pageb", "/pagec"], vec!["/paged"]]));
}

/// Catches a suite that loses its sessions to the recording that goes on.
#[test]
fn what_a_suite_has_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let mut store = Store::open_or_create(&path).unwrap();
    let mut reducer = OnlineReducer::open(&path, rules(), Requirement::Key, KeyRules::default()).unwrap();
    store.append(&[request(1, 0, 1), request(2, 0, 2)]).unwrap();
    let exchanges = store.exchanges().unwrap();
    store.save_suite(NewSuite::of("mine", "reduce", sessionize(&exchanges, &rules()))).unwrap();
    let tally = reducer.look(None).unwrap();
    assert_eq!((tally.over, tally.dropped), (2, 0));
    assert_eq!(sessions(&path).len(), 2);
}

/// Catches: `[keys] templates` that name one page, and sessions that stay for each of its addresses.
#[test]
fn pages_that_a_template_names_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.db");
    let mut store = Store::open_or_create(&path).unwrap();
    let templates = KeyRules::from(PathTemplates(vec!["/{page}".parse().unwrap()]));
    let mut reducer = OnlineReducer::open(&path, rules(), Requirement::Key, templates).unwrap();
    store.append(&[request(1, 0, 1), request(2, 1, 2), request(3, 2, 3)]).unwrap();
    let tally = reducer.look(None).unwrap();
    assert_eq!((tally.over, tally.dropped), (3, 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Catches looks from time to time that leave something else than one reduction of all at the end would.
    #[test]
    fn what_stays_is_what_a_reduction_of_all_keeps(
        visits in proptest::collection::vec((0_usize..6, 0_usize..5), 1..40),
        looks in proptest::collection::vec(0_usize..40, 0..5),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (all, kept) = (folder.path().join("all.db"), folder.path().join("kept.db"));
        let mut store = Store::open_or_create(&all).unwrap();
        let mut dwindling = Store::open_or_create(&kept).unwrap();
        let mut reducer = OnlineReducer::open(&kept, rules(), Requirement::Key, KeyRules::default()).unwrap();
        for (place, &(user, path)) in visits.iter().enumerate() {
            let second = place as i64 * 4;
            store.append(&[request(user, path, second)]).unwrap();
            dwindling.append(&[request(user, path, second)]).unwrap();
            if looks.contains(&place) {
                reducer.look(Some(Moment(second * SECOND))).unwrap();
            }
        }
        reducer.look(None).unwrap();
        let exchanges = store.exchanges().unwrap();
        let recorded = sessionize(&exchanges, &rules());
        let (mut names, mut coverage) = (RequirementNames::default(), Coverage::new());
        for session in &recorded {
            let met = session_requirements(&StoredExchanges(&store), &session.exchanges, Requirement::Key, &KeyRules::default()).unwrap();
            coverage.push(&names.set(met.iter().map(String::as_str)));
        }
        let expected: Vec<&str> = reduce(&coverage, Technique::Concept, Ties::First)
            .into_iter()
            .map(|session| recorded[session].name.as_str())
            .collect();
        let left = dwindling.exchanges().unwrap();
        let left: Vec<String> = sessionize(&left, &rules()).into_iter().map(|s| s.name).collect();
        prop_assert_eq!(left, expected);
    }
}
