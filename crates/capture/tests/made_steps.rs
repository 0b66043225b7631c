//! Suites with requests that nobody recorded: they come back from a HAR as they were, and no secret is stored with them.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;
use restage_capture::{FileTally, ImportSettings, Input, Redacting, StoredExchanges, import};
use restage_model::{
    Captured, CapturedBody, ExchangeId, Headers, Moment, NewRequest, NewSession, NewStep, NewSuite, Origin,
    Session, Suite,
};
use restage_redact::{Redactor, Rules, StandIns};
use restage_store::Store;
use restage_suite::export::har;

fn store(folder: &Path, name: &str) -> Store {
    Store::open_or_create(&folder.join(name)).unwrap()
}

fn captured(number: i64) -> Captured {
    let page = format!("<p>page {number}</p>").into_bytes();
    let html: Headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
    Captured {
        at: Moment(number * 1_000_000),
        took: 7,
        client: "10.0.0.1".to_owned(),
        method: "GET".to_owned(),
        uri: format!("/page/{number}"),
        headers: [("host".to_owned(), "app".to_owned())].into_iter().collect(),
        body: CapturedBody::default(),
        response: Some((200, html, CapturedBody { size: page.len() as u64, bytes: page })),
        error: None,
    }
}

fn session(name: &str, exchanges: Vec<ExchangeId>) -> Session {
    Session {
        name: name.to_owned(),
        by: "ip+agent".to_owned(),
        client: "10.0.0.1".to_owned(),
        from: Moment(1_000_000),
        to: Moment(9_000_000),
        exchanges,
        left_out: Vec::new(),
        joined: Vec::new(),
        fresh: false,
    }
}

/// What becomes of a step of a recorded session.
#[derive(Clone, Debug)]
enum Change {
    Nothing,
    Left,
    Edited(String),
    /// A request is added before it, made of that many of those before.
    Generated(Vec<u8>, usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => Just(Change::Nothing),
        1 => Just(Change::Left),
        2 => select(vec!["/other", "/page/2?x=ü", "/page/1"]).prop_map(|uri| Change::Edited(uri.to_owned())),
        2 => (proptest::collection::vec(any::<u8>(), 0..9), 0usize..3)
            .prop_map(|(body, from)| Change::Generated(body, from)),
    ]
}

/// A session of recorded, edited and generated steps, beside one that is joined from two.
fn mixed(store: &mut Store, ids: &[ExchangeId], changes: &[Change]) -> Suite {
    let mut mixed = NewSession { steps: Vec::new(), ..session("s1", Vec::new()).into() };
    for (at, id) in ids.iter().enumerate() {
        let steps = &mut mixed.steps;
        match changes.get(at).unwrap_or(&Change::Nothing) {
            Change::Nothing => steps.push(NewStep::Stored(*id)),
            Change::Left => mixed.left_out.push(*id),
            Change::Edited(uri) => {
                let mut edited =
                    NewRequest::edited(&store.exchange(*id).unwrap(), Vec::new(), "repair", "it moved");
                edited.uri.clone_from(uri);
                steps.push(NewStep::New(Box::new(edited)));
            }
            Change::Generated(body, from) => {
                let from = &ids[at.saturating_sub(*from)..at];
                let moment = Moment(at as i64);
                let mut made = NewRequest::generated(moment, "POST", "/made", "generate", "", from);
                made.body.clone_from(body);
                steps.extend([NewStep::New(Box::new(made)), NewStep::Stored(*id)]);
            }
        }
    }
    let half = ids.len() / 2;
    let (one, two) = (session("a", ids[..half].to_vec()), session("b", ids[half..].to_vec()));
    let joined = NewSession::join("a+b", &one.exchanges, &one, &two.exchanges, &two);
    let suite = NewSuite {
        name: "mixed".to_owned(),
        origin: "generate recorded".to_owned(),
        sessions: vec![mixed, joined],
    };
    store.save_suite(suite).unwrap()
}

fn read(store: &mut Store, folder: &Path, text: &str, settings: &ImportSettings) -> FileTally {
    let file = folder.join("mixed.har");
    std::fs::write(&file, text).unwrap();
    import(store, &Input::File(file), settings).unwrap()
}

/// A suite without the names that a store gives: what each step is, and what it was made of.
fn told(store: &Store, suite: &Suite) -> Vec<String> {
    let step = |id: &ExchangeId| {
        let exchange = store.exchange(*id).unwrap();
        let answer = exchange.response.as_ref().map(|response| store.body(&response.body).unwrap());
        let sources: Vec<String> =
            exchange.origin.sources().iter().map(|id| store.exchange(*id).unwrap().request.uri).collect();
        let (request, body) = (&exchange.request, store.body(&exchange.request.body).unwrap());
        let (at, kind) = (exchange.at, exchange.origin.to_string());
        format!(
            "{at:?} {} {} {:?} {body:?} {answer:?} {kind} {sources:?}",
            request.method, request.uri, request.headers
        )
    };
    let session = |session: &Session| {
        let steps: Vec<String> = session.exchanges.iter().chain(&session.left_out).map(step).collect();
        format!("{} {:?} {:?} {steps:?}", session.name, session.joined, session.left_out.len())
    };
    suite.sessions.iter().map(session).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Catches a step that comes back as recorded, as another, or with the name of another store's exchange.
    #[test]
    fn a_mixed_suite_comes_back_as_it_was(changes in proptest::collection::vec(change(), 0..6)) {
        let folder = tempfile::tempdir().unwrap();
        let mut first = store(folder.path(), "first.db");
        let ids = first.append(&(1..=6).map(captured).collect::<Vec<_>>()).unwrap();
        let suite = mixed(&mut first, &ids, &changes);
        prop_assert_eq!(&mixed(&mut first, &ids, &changes), &suite, "made twice, it is the same suite");
        let text = har(&suite, &StoredExchanges(&first)).unwrap();
        let settings = ImportSettings::default();

        // Where it came from, there is nothing new.
        let tally = read(&mut first, folder.path(), &text, &settings);
        prop_assert_eq!((tally.added, tally.suite.as_deref()), (0, Some("mixed")));
        prop_assert_eq!(first.suite_named("mixed").unwrap(), Some(suite.id));

        // Elsewhere, names may be taken.
        for taken in [0, 9] {
            let mut other = store(folder.path(), &format!("other-{taken}.db"));
            other.append(&(0..taken).map(|n| captured(100 + n)).collect::<Vec<_>>()).unwrap();
            let tally = read(&mut other, folder.path(), &text, &settings);
            prop_assert_eq!(tally.suite.as_deref(), Some("mixed"), "{:?}", tally.notes);
            let back = other.suite(other.suite_named("mixed").unwrap().unwrap()).unwrap();
            prop_assert_eq!(told(&other, &back), told(&first, &suite));
            prop_assert_eq!(other.exchanges().unwrap().len(), 6 + taken as usize, "only recorded ones are traffic");
        }
    }
}

/// Catches a suite that loses requests, or names those of others, when somebody took entries out of the file.
#[test]
fn a_suite_of_which_the_file_lacks_requests_is_not_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = store(folder.path(), "first.db");
    let ids = first.append(&[captured(1), captured(2)]).unwrap();
    let suite = mixed(&mut first, &ids, &[Change::Edited("/other".to_owned())]);
    let mut file: serde_json::Value =
        serde_json::from_str(&har(&suite, &StoredExchanges(&first)).unwrap()).unwrap();
    let entries = file["log"]["entries"].as_array_mut().unwrap();
    entries.retain(|entry| entry["_restage"]["exchange"] != ids[0].0);
    let mut other = store(folder.path(), "other.db");
    let tally = read(&mut other, folder.path(), &file.to_string(), &ImportSettings::default());
    assert_eq!((tally.suite, tally.added, tally.passed_over), (None, 1, 1));
    assert!(tally.notes.iter().any(|note| note.contains("not brought back")), "{:?}", tally.notes);
    assert!(other.suites().unwrap().is_empty());
}

fn redacting(store: &Store) -> Redacting {
    let redactor = Redactor::recording(Rules::default(), StandIns::of_text("a key"));
    Redacting::new(redactor, store).unwrap()
}

/// A suite whose one request has secrets in its address, its body and the words about it.
fn with_secrets(of: &[ExchangeId]) -> NewSuite {
    let mut made = NewRequest::generated(
        Moment(3),
        "POST",
        "/login?password=hunter2hunter",
        "generate",
        "as ada.lovelace@mail.example does",
        of,
    );
    made.headers.push("content-type", "application/x-www-form-urlencoded");
    made.body = b"user=x&password=correcthorse1".to_vec();
    let steps = vec![NewStep::New(Box::new(made))];
    let session = NewSession { steps, ..session("s1", Vec::new()).into() };
    NewSuite { name: "mixed".to_owned(), origin: "generate".to_owned(), sessions: vec![session] }
}

fn holds_a_secret(folder: &Path, name: &str) -> bool {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let own = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(name));
    let secrets: [&[u8]; 3] = [b"hunter2hunter", b"correcthorse1", b"ada.lovelace"];
    own.map(|path| std::fs::read(path).unwrap())
        .any(|bytes| secrets.iter().any(|secret| bytes.windows(secret.len()).any(|w| w == *secret)))
}

/// Catches a secret that gets in through a suite or through a file, and one that stays when the store is sanitized.
#[test]
fn what_nobody_recorded_is_redacted_like_traffic() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut careful = store(folder, "careful.db");
    let ids = careful.append(&[captured(1)]).unwrap();
    let suite = redacting(&careful).save_suite(&mut careful, with_secrets(&ids)).unwrap();
    assert!(!holds_a_secret(folder, "careful.db"));
    let made = careful.exchange(suite.sessions[0].exchanges[0]).unwrap();
    assert!(matches!(made.origin, Origin::Generated { .. }));
    assert!(made.request.uri.starts_with("/login?password="), "{}", made.request.uri);

    let mut open = store(folder, "open.db");
    let ids = open.append(&[captured(1)]).unwrap();
    let suite = open.save_suite(with_secrets(&ids)).unwrap();
    assert!(holds_a_secret(folder, "open.db"));
    let text = har(&suite, &StoredExchanges(&open)).unwrap();
    let mut other = store(folder, "other.db");
    let settings = ImportSettings { redacting: Some(redacting(&other)), ..ImportSettings::default() };
    let tally = read(&mut other, folder, &text, &settings);
    assert_eq!(tally.suite.as_deref(), Some("mixed"));
    assert!(!holds_a_secret(folder, "other.db"));

    redacting(&open).sweep(&mut open, ExchangeId(0), || {}).unwrap();
    open.forget_unused().unwrap();
    assert!(!holds_a_secret(folder, "open.db"));
}
