//! Node's own server, with and without the probe.

use restage_facts::Want;

use crate::application::{Application, Plan, errors, is_there, lines};

fn start(probe: Option<&str>) -> Application {
    let plan =
        Plan { app: "node", command: "node shop.js {port}", probe, want: &Want::USUAL, variables: &[] };
    Application::start(&plan)
}

#[test]
fn a_page_is_seen() {
    if !is_there("node --version") {
        return;
    }
    let (plain, mut app) = (start(None), start(Some("node")));
    let (expected, found) = (plain.get("/", None, None), app.get("/", Some("s1/1"), None));
    assert_eq!((expected.status, expected.headers, expected.body), (found.status, found.headers, found.body));
    app.get("/", None, None);
    app.facts(1);
    app.get("/fail", Some("s1/2"), None);
    let (steps, files) = app.facts(2);
    let ran = lines(&steps[0], "shop.js");
    assert!(ran.contains(&(3, 4)) && ran.contains(&(7, 7)), "{ran:?}");
    assert!(!steps[0].lines["shop.js"].contains(5) && !steps[0].lines["shop.js"].contains(11));
    assert_eq!(errors(&steps[1]), ["TypeError shop.js:19"]);
    assert!(files[0].functions.iter().any(|function| function.name == "never"), "{:?}", files[0].functions);
}

#[test]
fn of_requests_at_once_no_lines_are_told() {
    if !is_there("node --version") {
        return;
    }
    let mut app = start(Some("node"));
    let slow = app.send("/slow", Some("s1/1"), None);
    app.get("/", Some("s2/1"), None);
    Application::receive(slow);
    for step in app.facts(2).0 {
        assert!(step.lines.is_empty(), "{}", step.step);
        assert!(step.notes.iter().any(|note| note.starts_with("no lines")), "{:?}", step.notes);
    }
}
