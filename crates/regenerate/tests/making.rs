//! Sessions that are made of planned sequences: whose requests they are, and which pages come before them.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use restage_model::{Captured, CapturedBody, ExchangeId, Headers, Moment, NewStep, Origin, Session};
use restage_regenerate::{
    Aim, PlannedSequence, PlannedUse, RequestPart, SourceSession, StepPlace, make_session, needed_pages,
};
use restage_store::Store;

fn headers(fields: &[(&str, &str)]) -> Headers {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn body(text: &str) -> CapturedBody {
    CapturedBody { size: text.len() as u64, bytes: text.as_bytes().to_vec() }
}

/// A request of a browser: its form, or nothing; a page, or where it is sent to.
fn captured(browser: &str, uri: &str, form: &str, answer: Result<&str, &str>) -> Captured {
    let mut fields = headers(&[("host", "shed"), ("user-agent", browser), ("cookie", "sid=1")]);
    if !form.is_empty() {
        fields.push("content-type", "application/x-www-form-urlencoded");
        fields.push("content-length", form.len().to_string());
    }
    let response = match answer {
        Ok(page) => (200, headers(&[("content-type", "text/html")]), body(page)),
        Err(to) => (303, headers(&[("location", to)]), body("")),
    };
    Captured {
        at: Moment(1_000_000),
        took: 7,
        client: format!("10.0.0.{}", browser.len()),
        method: if form.is_empty() { "GET" } else { "POST" }.to_owned(),
        uri: uri.to_owned(),
        headers: fields,
        body: body(form),
        response: Some(response),
        error: None,
    }
}

fn source(store: &mut Store, name: &str, captured: &[Captured]) -> SourceSession {
    let exchanges: Vec<ExchangeId> = store.append(captured).unwrap();
    let session = Session {
        name: name.to_owned(),
        by: "cookie:sid".to_owned(),
        client: captured[0].client.clone(),
        from: Moment(1_000_000),
        to: Moment(9_000_000),
        exchanges,
        left_out: Vec::new(),
        joined: Vec::new(),
        fresh: false,
    };
    let pages = needed_pages(store, &session).unwrap();
    SourceSession { session, pages }
}

const TOKEN: &str = "0123456789abcdef01234567";

fn form(step: &str, field: &str) -> String {
    format!(
        "<form method=post action=/borrow><input type=hidden name=token value={TOKEN}>\
         <input type=hidden name=step value={step}>{field}<button>Next</button></form>"
    )
}

/// Somebody borrows in two steps, from a page that has the form, too.
fn borrows(store: &mut Store) -> SourceSession {
    let days = form("days", "<input name=days>");
    let confirm = form("confirm", "");
    let sent = |rest: &str| format!("token={TOKEN}&step={rest}");
    source(
        store,
        "s1",
        &[
            captured("Fox", "/tool?id=3", "", Ok("<a href=/borrow>Borrow</a>")),
            captured("Fox", "/borrow", "", Ok(&days)),
            captured("Fox", "/borrow", &sent("days&days=3"), Err("/borrow")),
            captured("Fox", "/borrow", "", Ok(&confirm)),
            captured("Fox", "/borrow", &sent("confirm"), Err("/loans")),
            captured("Fox", "/loans", "", Ok("<p>asked for</p>")),
            captured("Fox", &format!("/leave?token={TOKEN}"), "", Ok("")),
        ],
    )
}

/// Catches: a form that is sent without its page, the second of two steps without the first, pages that nobody needs.
#[test]
fn a_request_gets_the_pages_whose_form_it_sends() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
    let source = borrows(&mut store);
    let none: &[usize] = &[];
    assert_eq!(source.pages, [none, none, &[1], none, &[1, 2, 3], none, none]);
}

/// Catches: cookies and a browser's name of the wrong user, and steps that do not say where they come from.
#[test]
fn the_browser_that_defined_sends_what_another_one_sent() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
    let first = borrows(&mut store);
    let second = source(
        &mut store,
        "s8",
        &[captured("Chromium", "/", "", Ok("")), captured("Chromium", "/tool?id=5", "", Ok(""))],
    );
    let place = |session, step| StepPlace { session, step };
    let sequence = PlannedSequence {
        cut: place(1, 1),
        uses: vec![PlannedUse {
            place: place(0, 4),
            pages: first.pages[4].clone(),
            context: Vec::new(),
            aim: None,
            page_aims: BTreeMap::new(),
            leads: false,
        }],
        pairs: Vec::new(),
    };
    let made = make_session(&store, &[first.clone(), second.clone()], &sequence, "r1").unwrap();
    let session = &made.session;
    assert_eq!((made.prefix, session.steps.len(), session.fresh), (2, 6, true));
    assert_eq!(session.client, second.session.client);
    let parts: Vec<(&str, usize)> = session.joined.iter().map(|p| (p.session.as_str(), p.steps)).collect();
    assert_eq!(parts, [("s8", 2), ("s1", 4)]);
    let recorded: Vec<NewStep> = second.session.exchanges.iter().map(|id| NewStep::Stored(*id)).collect();
    assert_eq!(session.steps[..2], recorded);
    assert_eq!(made.pages[5], [2, 3, 4], "and its pages are those before it, should somebody go on from it");
    for (step, id) in session.steps[2..].iter().zip(&first.session.exchanges[1..]) {
        let NewStep::New(request) = step else { panic!("generated: {step:?}") };
        assert_eq!(request.headers.get("user-agent"), Some("Chromium"));
        assert_eq!(request.headers.get("cookie"), None);
        assert_eq!(request.client, second.session.client);
        assert!(matches!(request.origin(), Origin::Generated { from, .. } if from == &[*id]));
    }
    let NewStep::New(last) = &session.steps[5] else { panic!("generated") };
    assert_eq!(last.body, format!("token={TOKEN}&step=confirm").into_bytes());
    assert_eq!(last.headers.get("content-type"), Some("application/x-www-form-urlencoded"));
}

/// Catches a row that is changed nowhere, and one that is changed where the same number says something else.
#[test]
fn an_aimed_request_names_the_row_that_was_defined() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
    let source = source(
        &mut store,
        "s1",
        &[
            captured("Fox", "/tool?id=3&days=3", "", Ok("")),
            captured("Fox", "/loans", "loan=3&days=3", Err("/loans")),
        ],
    );
    let aimed = |step, parameter: &str| PlannedUse {
        place: StepPlace { session: 0, step },
        pages: Vec::new(),
        context: Vec::new(),
        aim: Some(Aim {
            from: "3".to_owned(),
            to: "7".to_owned(),
            part: Some(RequestPart::Parameter(parameter.to_owned())),
        }),
        page_aims: BTreeMap::new(),
        leads: parameter == "id",
    };
    let sequence = PlannedSequence {
        cut: StepPlace { session: 0, step: 0 },
        uses: vec![aimed(0, "id"), aimed(1, "loan")],
        pairs: Vec::new(),
    };
    let made = make_session(&store, &[source], &sequence, "r1").unwrap();
    let sent: Vec<(String, String)> = made.session.steps[1..]
        .iter()
        .map(|step| match step {
            NewStep::New(new) => (new.uri.clone(), String::from_utf8(new.body.clone()).unwrap()),
            NewStep::Stored(_) => panic!("generated: {step:?}"),
        })
        .collect();
    let why = |step: &NewStep| match step {
        NewStep::New(new) => format!("{:?}", new.origin()),
        NewStep::Stored(_) => String::new(),
    };
    assert!(why(&made.session.steps[1]).contains("knows of the user the row"));
    let pair = |uri: &str, form: &str| (uri.to_owned(), form.to_owned());
    assert_eq!(sent, [pair("/tool?id=7&days=3", ""), pair("/loans", "loan=7&days=3")]);
}

/// Catches a ticket that was taken and never answered, since its number is in the path; its page comes with the same number.
#[test]
fn an_aimed_request_names_the_row_in_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open_or_create(&folder.path().join("s.db")).unwrap();
    let source = source(
        &mut store,
        "s1",
        &[
            captured("Fox", "/tickets/3/?all=3", "", Ok("")),
            captured("Fox", "/tickets/3/update/3", "note=3", Err("/tickets/3/")),
        ],
    );
    let aim = |to: &str| Aim { from: "3".to_owned(), to: to.to_owned(), part: Some(RequestPart::Segment(1)) };
    let sent = |to: &str| -> Vec<String> {
        let usage = PlannedUse {
            place: StepPlace { session: 0, step: 1 },
            pages: vec![0],
            context: Vec::new(),
            aim: Some(aim(to)),
            page_aims: BTreeMap::from([(0, aim(to))]),
            leads: false,
        };
        let cut = StepPlace { session: 0, step: 0 };
        let sequence = PlannedSequence { cut, uses: vec![usage], pairs: Vec::new() };
        let made = make_session(&store, std::slice::from_ref(&source), &sequence, "r1").unwrap();
        let uri = |step: &NewStep| match step {
            NewStep::New(new) => new.uri.clone(),
            NewStep::Stored(_) => panic!("generated: {step:?}"),
        };
        made.session.steps[1..].iter().map(uri).collect()
    };
    assert_eq!(sent("7"), ["/tickets/7/?all=3", "/tickets/7/update/3"]);
    assert_eq!(sent("../7")[1], "/tickets/3/update/3", "what would lead elsewhere stays as it is");
}
