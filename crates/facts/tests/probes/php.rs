//! PHP's own server, with and without the probe.

use restage_facts::Want;

use crate::application::{Answer, Application, Plan, app_folder, errors, is_there, lines, statements};

const SERVER: &str = "php -d display_errors=1 -d session.save_path={sessions} -S 127.0.0.1:{port}";

fn php() -> bool {
    is_there("php -r 'exit(extension_loaded(\"pdo_sqlite\") && extension_loaded(\"sqlite3\") ? 0 : 1);'")
}

fn start(probe: Option<&str>, want: &[Want], command: &str) -> Application {
    Application::start(&Plan { app: "php", command, probe, want, variables: &[] })
}

/// The answer is that of the application without the probe.
fn same(command: &str, path: &str) -> Answer {
    let plain = start(None, &[], command);
    let watched = start(Some("php"), &Want::USUAL, command);
    // The header field is there in neither, so that nothing but the probe makes a difference.
    let (expected, found) = (plain.get(path, None, None), watched.get(path, Some("s1/1"), None));
    assert_eq!(
        (expected.status, &expected.headers, &expected.body),
        (found.status, &found.headers, &found.body),
        "{path}"
    );
    found
}

#[test]
fn everything_of_a_page_is_seen() {
    if !php() || !is_there("php -d zend_extension=pcov -r 1; ls /usr/lib/php/*/pcov.so") {
        return;
    }
    let mut app = start(Some("php"), &Want::USUAL, SERVER);
    let first = app.get("/shop.php", Some("s1/1"), None);
    app.get("/shop.php", Some("s1/2"), first.cookie.as_deref());
    let (steps, files) = app.facts(2);
    let step = &steps[0];
    assert_eq!(step.step, "s1/1");
    assert_eq!(lines(step, "lib.php"), [(5, 5), (8, 8)]);
    assert_eq!(
        statements(step),
        [
            "CREATE TABLE cart (id INTEGER, n TEXT) | 0 | shop.php:5",
            "INSERT INTO cart VALUES (?, ?) | 1 | shop.php:7",
            "INSERT INTO cart VALUES (?, ?) | 1 | shop.php:8",
            "SELECT * FROM cart | 2 | shop.php:9",
            "SELECT * FROM nothing | error | shop.php:16",
            "SELECT * FROM none | error | shop.php:25",
        ]
    );
    assert_eq!(step.sql[2].bound, [serde_json::json!(2), serde_json::json!("b")]);
    assert_eq!(
        errors(step),
        [
            "Warning shop.php:20",
            "Warning shop.php:21",
            "Warning shop.php:25",
            "Warning shop.php:26",
            "Warning shop.php:28",
            "RuntimeException shop.php:29"
        ]
    );
    let session = step.session.as_ref().expect("a session");
    assert_eq!(session.before, None);
    let after = session.after.as_ref().expect("values");
    assert_eq!(after["cart.a.count"], "1");
    assert!(after["long"].starts_with('#'), "{after:?}");
    let second = steps[1].session.as_ref().expect("a session");
    assert_eq!(second.before.as_ref().expect("values"), after, "what the first left");
    assert_eq!(second.after.as_ref().expect("values")["cart.a.count"], "2");
    let lib = files.iter().find(|file| file.file == "lib.php").expect("described");
    assert_eq!(lib.lines.runs(), [(5, 6), (8, 8)]);
    let function = &lib.functions[0];
    assert_eq!((function.name.as_str(), function.first, function.last), ("total", 3, 9));
    assert_eq!(files.iter().filter(|file| file.file == "lib.php").count(), 1, "once");
}

#[test]
fn branches_are_seen_where_xdebug_is_installed() {
    if !php() || !is_there("ls /usr/lib/php/*/xdebug.so") {
        return;
    }
    let mut app = start(Some("php"), &Want::ALL, SERVER);
    app.get("/shop.php", Some("s1/1"), None);
    let (steps, files) = app.facts(1);
    let lib = files.iter().find(|file| file.file == "lib.php").expect("described");
    let ways: Vec<(u32, Option<u32>)> = lib.branches.iter().map(|branch| (branch.from, branch.to)).collect();
    assert_eq!(ways, [(5, Some(6)), (5, Some(8))]);
    assert_eq!(steps[0].branches["lib.php"].iter().collect::<Vec<_>>(), [lib.branches[1].id]);
    assert_eq!(lines(&steps[0], "lib.php"), [(5, 5), (8, 8)]);
}

#[test]
fn no_answer_changes() {
    if !php() {
        return;
    }
    let shop = same(SERVER, "/shop.php");
    assert!(shop.body.contains("shop.php16") && !shop.body.contains("Restage"), "{}", shop.body);
    same(SERVER, "/spaced.php");
    for case in [
        "exit",
        "fatal",
        "closed",
        "destroyed",
        "renewed",
        "fiber",
        "handler",
        "buffers",
        "eval",
        "shutdown",
        "halt",
        "handles",
    ] {
        same(SERVER, &format!("/cases.php?case={case}"));
    }
}

#[test]
fn however_a_script_ends_its_facts_are_written() {
    if !php() {
        return;
    }
    let mut app = start(Some("php"), &[Want::Session, Want::Sql, Want::Errors], SERVER);
    let mut cookie = None;
    let cases = ["exit", "fatal", "memory", "closed", "destroyed", "fiber", "handler", "shutdown", "halt"];
    for case in cases {
        let answer = app.get(&format!("/cases.php?case={case}"), Some(case), cookie.as_deref());
        cookie = answer.cookie.or(cookie);
    }
    let (steps, _) = app.facts(cases.len());
    let of = |case: &str| steps.iter().find(|step| step.step == case).expect("written");
    let after = |case: &str| of(case).session.as_ref().and_then(|session| session.after.clone());
    assert_eq!(after("exit").expect("values")["left"], "\"early\"");
    assert_eq!(statements(of("exit")), ["CREATE TABLE a (b) | 0 | cases.php:8"]);
    assert_eq!(errors(of("fatal")), ["Error cases.php:12"]);
    assert_eq!(errors(of("memory")), ["Fatal error cases.php:17"]);
    let closed = after("closed").expect("values");
    assert!(closed.contains_key("kept") && !closed.contains_key("lost"), "{closed:?}");
    assert_eq!(
        (of("destroyed").session.as_ref().expect("one").before.as_ref(), after("destroyed")),
        (Some(&closed), None)
    );
    assert_eq!(statements(of("fiber")), ["SELECT 1 | 1 | cases.php:34", "SELECT 2 | 1 | cases.php:35"]);
    assert_eq!(errors(of("handler")), ["Warning cases.php:45", "DivisionByZeroError cases.php:47"]);
    assert_eq!(statements(of("shutdown")), ["SELECT 3 | 1 | cases.php:58", "SELECT 4 | 1 | cases.php:59"]);
    assert!(of("halt").notes.iter().any(|note| note.contains("__halt_compiler")), "{:?}", of("halt").notes);
}

/// Catches: a statement of a wrapper, of which nobody knows who sent it.
#[test]
fn what_led_to_a_statement_is_there_where_it_is_asked_for() {
    if !php() {
        return;
    }
    let callers = |want: &[Want]| {
        let mut app = start(Some("php"), want, SERVER);
        app.get("/cases.php?case=callers", Some("s1/1"), None);
        let (steps, _) = app.facts(1);
        let lines = |at: usize| steps[0].sql[at].callers.iter().map(|(file, line)| format!("{file}:{line}"));
        [lines(0).collect::<Vec<_>>(), lines(1).collect()]
    };
    let line = |number: u32| format!("cases.php:{number}");
    assert_eq!(
        callers(&[Want::Sql, Want::Callers]),
        [vec![line(80), line(81)], vec![line(82), line(82)]],
        "the second is prepared there, and executed later"
    );
    assert_eq!(callers(&[Want::Sql]), [Vec::<String>::new(), Vec::new()]);
}

#[test]
fn names_are_what_they_stand_for() {
    if !php() {
        return;
    }
    let mut app = start(Some("php"), &[Want::Sql], SERVER);
    app.get("/spaced.php", Some("s1/1"), None);
    assert_eq!(
        statements(&app.facts(1).0[0]),
        ["SELECT 5 | 1 | spaced.php:17", "SELECT 6 | 1 | spaced.php:19"]
    );
}

#[test]
fn a_router_script_is_watched() {
    if !php() {
        return;
    }
    let command = format!("{SERVER} router.php");
    let answer = same(&command, "/some/page");
    assert_eq!(answer.body, "7 /some/page\n");
    let mut app = start(Some("php"), &Want::USUAL, &command);
    app.get("/some/page", Some("s1/1"), None);
    assert_eq!(lines(&app.facts(1).0[0], "router.php"), [(2, 3)]);
}

#[test]
fn requests_of_no_step_write_nothing() {
    if !php() {
        return;
    }
    let mut app = start(Some("php"), &Want::USUAL, SERVER);
    app.get("/spaced.php", None, None);
    app.get("/spaced.php", Some("s1/1"), None);
    assert_eq!(app.facts(1).0[0].step, "s1/1");
}

#[test]
fn requests_at_once_have_facts_of_their_own() {
    if !php() {
        return;
    }
    let plan = Plan {
        app: "php",
        command: SERVER,
        probe: Some("php"),
        want: &Want::USUAL,
        variables: &[("PHP_CLI_SERVER_WORKERS", "3")],
    };
    let mut app = Application::start(&plan);
    let open: Vec<_> = (0..12)
        .map(|n| {
            app.send(if n % 2 == 0 { "/spaced.php" } else { "/shop.php" }, Some(&format!("s{n}/1")), None)
        })
        .collect();
    open.into_iter().for_each(|stream| drop(Application::receive(stream)));
    for step in app.facts(12).0 {
        let number: usize = step.step[1..].trim_end_matches("/1").parse().expect("a number");
        assert_eq!(step.sql.len(), if number.is_multiple_of(2) { 2 } else { 6 }, "{}", step.step);
    }
}

#[test]
fn the_application_runs_where_the_probe_cannot() {
    if !php() {
        return;
    }
    let plain = start(None, &[], SERVER).get("/spaced.php", None, None);
    // Facts that cannot be written.
    let variables = &[("RESTAGE_FACTS", "/nonexistent/facts")];
    let app = Application::start(&Plan {
        app: "php",
        command: SERVER,
        probe: Some("php"),
        want: &Want::USUAL,
        variables,
    });
    assert_eq!(app.get("/spaced.php", Some("s1/1"), None).body, plain.body);
    // Settings that cannot be read.
    let variables = &[("PHP_INI_SCAN_DIR", ":/nonexistent/probe")];
    let app = Application::start(&Plan {
        app: "php",
        command: SERVER,
        probe: Some("php"),
        want: &Want::USUAL,
        variables,
    });
    assert_eq!(app.get("/spaced.php", Some("s1/1"), None).body, plain.body);
    // No driver of coverage: the default folder is not scanned, so that no extension is there at all.
    assert!(app_folder("php").is_dir());
}

#[test]
fn without_a_driver_of_coverage_the_rest_goes_on() {
    if !php() {
        return;
    }
    let variables = &[("RESTAGE_FACTS_PCOV", "0")];
    let plan = Plan { app: "php", command: SERVER, probe: Some("php"), want: &Want::USUAL, variables };
    let mut app = Application::start(&plan);
    app.get("/spaced.php", Some("s1/1"), None);
    let step = app.facts(1).0.remove(0);
    assert_eq!(step.sql.len(), 2);
    if step.lines.is_empty() {
        assert!(step.notes.iter().any(|note| note.starts_with("no lines")), "{:?}", step.notes);
    }
}
