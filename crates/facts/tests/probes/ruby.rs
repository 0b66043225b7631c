//! WEBrick, with and without the probe.

use restage_facts::Want;

use crate::application::{Application, Plan, errors, is_there, lines};

#[test]
fn a_page_is_seen() {
    if !is_there("ruby -e 'require \"webrick\"'") {
        return;
    }
    let start = |probe| {
        let plan =
            Plan { app: "ruby", command: "ruby shop.rb {port}", probe, want: &Want::USUAL, variables: &[] };
        Application::start(&plan)
    };
    let (plain, mut app) = (start(None), start(Some("ruby")));
    let (expected, found) = (plain.get("/", None, None), app.get("/", Some("s1/1"), None));
    assert_eq!((expected.status, expected.headers, expected.body), (found.status, found.headers, found.body));
    app.get("/", None, None);
    app.facts(1);
    app.get("/fail", Some("s1/2"), None);
    let (steps, files) = app.facts(2);
    assert_eq!(lines(&steps[0], "lib.rb"), [(2, 2), (5, 5)]);
    assert_eq!(errors(&steps[1]), ["RuntimeError lib.rb:9"]);
    assert_eq!(files[0].functions[0].name, "price");
    assert!(
        steps[0].notes.iter().any(|note| note.starts_with("no lines of shop.rb")),
        "{:?}",
        steps[0].notes
    );
}
