//! Python's own servers, with and without the probe.

use restage_facts::Want;

use crate::application::{Application, Plan, errors, is_there, lines, statements};

fn python() -> bool {
    is_there("python3 -c 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))'")
}

fn start(probe: Option<&str>, script: &str) -> Application {
    let command = format!("python3 {script} {{port}}");
    Application::start(&Plan { app: "python", command: &command, probe, want: &Want::ALL, variables: &[] })
}

#[test]
fn a_page_of_the_plain_server_is_seen() {
    if !python() {
        return;
    }
    let (plain, mut app) = (start(None, "plain.py"), start(Some("python"), "plain.py"));
    let (expected, found) = (plain.get("/", None, None), app.get("/", Some("s1/1"), None));
    assert_eq!((expected.status, expected.headers, expected.body), (found.status, found.headers, found.body));
    app.get("/fail", Some("s1/2"), None);
    app.get("/", None, None);
    let (steps, files) = app.facts(2);
    assert_eq!(lines(&steps[0], "plain.py"), [(7, 7), (9, 9), (14, 18), (20, 24)]);
    assert_eq!(
        statements(&steps[0]),
        [
            "CREATE TABLE cart (id INTEGER, n TEXT) | ? | plain.py:15",
            "INSERT INTO cart VALUES (?, ?) | 1 | plain.py:16",
            "SELECT * FROM cart | 1 | plain.py:17",
        ]
    );
    assert_eq!(errors(&steps[1]), ["RuntimeError plain.py:19"]);
    let outline = &files[0];
    let ways: Vec<_> = outline.branches.iter().map(|branch| (branch.from, branch.to)).collect();
    assert_eq!(ways, [(7, Some(8)), (7, Some(9)), (18, Some(19)), (18, Some(20))]);
    assert_eq!(steps[0].branches["plain.py"].iter().collect::<Vec<_>>(), [2, 4]);
    let names: Vec<_> = outline.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["price", "Shop.do_GET"]);
}

#[test]
fn a_wsgi_application_is_seen() {
    if !python() {
        return;
    }
    let (plain, mut app) = (start(None, "pages.py"), start(Some("python"), "pages.py"));
    for path in ["/", "/fail"] {
        let (expected, found) = (plain.get(path, None, None), app.get(path, Some(path), None));
        assert_eq!(
            (expected.status, expected.headers, expected.body),
            (found.status, found.headers, found.body)
        );
    }
    let (steps, _) = app.facts(2);
    assert_eq!(
        statements(&steps[0]),
        ["SELECT 1 UNION SELECT 2 | 2 | pages.py:17", "SELECT * FROM nothing | error | pages.py:20"]
    );
    let ran = &steps[0].lines["pages.py"];
    assert!(ran.contains(9) && !ran.contains(8) && !ran.contains(14));
}

#[test]
fn threads_at_once_have_facts_of_their_own() {
    if !python() {
        return;
    }
    let mut app = start(Some("python"), "plain.py");
    let open: Vec<_> = (0..8)
        .map(|n| app.send(if n % 2 == 0 { "/" } else { "/fail" }, Some(&format!("s{n}/1")), None))
        .collect();
    open.into_iter().for_each(|stream| drop(Application::receive(stream)));
    for step in app.facts(8).0 {
        let fails = !step.step[1..2].parse::<u32>().expect("a number").is_multiple_of(2);
        assert_eq!(step.lines["plain.py"].contains(24), !fails, "{}", step.step);
        assert_eq!(step.errors.len(), usize::from(fails), "{}", step.step);
    }
}

#[test]
fn the_application_runs_where_facts_cannot_be_written() {
    if !python() {
        return;
    }
    let variables = &[("RESTAGE_FACTS", "/nonexistent/facts")];
    let app = Application::start(&Plan {
        app: "python",
        command: "python3 plain.py {port}",
        probe: Some("python"),
        want: &Want::USUAL,
        variables,
    });
    assert_eq!(app.get("/", Some("s1/1"), None).body, "10 None\n");
}

/// Catches the first read of a request, which has Django load the session, left out: `user` is the first to be read.
#[test]
fn sessions_of_django_are_seen() {
    // Debian's package is one of Debian's Python.
    if !is_there("/usr/bin/python3 -c 'import django'") {
        return;
    }
    let mut app = Application::start(&Plan {
        app: "python",
        command: "/usr/bin/python3 django_pages.py {port}",
        probe: Some("python"),
        want: &Want::ALL,
        variables: &[],
    });
    let cookie = app.get("/", Some("s1/1"), None).cookie.expect("a session");
    let shown = app.get("/show", Some("s1/2"), Some(&cookie));
    assert_eq!(shown.body, "('chess', '%')\n");
    app.get("/show", Some("s1/3"), None);
    let (steps, _) = app.facts(3);
    let sessions: Vec<_> = steps.iter().map(|step| step.session.clone().expect("a session")).collect();
    assert_eq!(sessions[0].writes, ["game"]);
    assert_eq!(sessions[0].after.as_ref().map(|after| after["game"].as_str()), Some("\"chess\""));
    assert_eq!(sessions[1].reads, ["game"]);
    assert_eq!(sessions[1].before, sessions[0].after);
    assert_eq!(sessions[2].reads, ["game"], "also where it was not there");
    let asked = steps[1].sql.last().expect("a statement");
    assert_eq!((asked.text.as_str(), asked.bound.as_slice()), ("SELECT %s, '%%'", &["chess".into()][..]));
}
