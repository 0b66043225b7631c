//! Facts: each step has what the server did for it and nothing else, whatever the order of sessions; and what is missing is told.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::database_server::Engine;
use crate::servers::Guestbook;
use crate::support::{Recording, agent, free_port, json, project, restage, run, stderr, stdout};

/// It runs apart from the variables of Python (`-I`), so that the probe for Python does not come in beside what it writes itself.
const APP: &str = include_str!("../apps/facts.py");
const CONFIG: &str = r#"
[app]
command = "exec python3 -I shop.py {port}"
[app.meeting]
env = { MEET = "1" }
[app.silent]
env = { FAULT = "silent" }
[app.partly]
env = { FAULT = "partly" }
[app.bad]
env = { FAULT = "bad" }
[app.unknown]
env = { FAULT = "unknown" }
[app.gone]
env = { FAULT = "gone" }
[app.without]
command = "exec env -u RESTAGE_FACTS python3 -I shop.py {port}"
[state]
folders = ["data"]
[sessions]
by = ["header:user"]
"#;

/// Ann and Bob add at the same time; then all look.
fn recorded() -> tempfile::TempDir {
    let folder = project(&[("shop.py", APP), ("restage.toml", CONFIG), ("data/count", "")]);
    let port = free_port();
    let mut app = Command::new("python3");
    app.arg("shop.py").arg(port.to_string()).current_dir(folder.path()).env("MEET", "1").stdin(Stdio::null());
    let mut app = app.env_remove("RESTAGE_FACTS").spawn().unwrap();
    let upstream = format!("127.0.0.1:{port}");
    while std::net::TcpStream::connect(&upstream).is_err() {
        std::thread::yield_now();
    }
    let recording = Recording::start(restage(
        folder.path(),
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &format!("http://{upstream}")],
    ));
    let ask = |user: &str, path: &str| {
        agent().get(recording.url(path)).header("user", user).call().unwrap();
    };
    for user in ["ann", "bob", "cid"] {
        ask(user, "/");
    }
    std::thread::scope(|scope| {
        for user in ["ann", "bob"] {
            scope.spawn(move || ask(user, "/add"));
        }
    });
    for user in ["ann", "bob", "cid"] {
        ask(user, "/count");
    }
    recording.stop();
    app.kill().unwrap();
    app.wait().unwrap();
    std::fs::write(folder.path().join("data/count"), "").unwrap();
    folder
}

/// Holds each step's facts against its own request.
fn each_step_has_its_own(folder: &Path, name: &str) {
    let shown = json(folder, &["runs", "show", name]);
    let steps = shown["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 8, "{shown}");
    assert_eq!(
        (&shown["facts"]["steps"], &shown["facts"]["with_facts"]),
        (&8.into(), &8.into()),
        "{}",
        shown["facts"]
    );
    assert_eq!(shown["facts"]["problems"], serde_json::json!([]));
    for step in steps {
        let at = &step["at"];
        let session = shown["sessions"].as_array().unwrap().iter().find(|s| s["ordinal"] == at["session"]);
        let place =
            format!("{}/{}", session.unwrap()["session"].as_str().unwrap(), at["step"].as_u64().unwrap() + 1);
        let step = json(folder, &["runs", "show", name, "--step", &place]);
        let sent = step["sent"]["headers"].as_array().unwrap();
        let field = |name: &str| sent.iter().find(|field| field[0] == name).map(|field| field[1].clone());
        assert_eq!(field("restage-step"), None, "{sent:?}");
        let (user, path) = (field("user").unwrap(), step["sent"]["uri"].as_str().unwrap());
        let facts = &step["facts"];
        assert_eq!(facts["session"]["after"]["user"], user.to_string(), "{place} {facts}");
        assert_eq!(facts["sql"][0]["bound"][0], user, "{place} {facts}");
        assert!(facts["sql"][0]["text"].as_str().unwrap().contains(&format!("'{path}'")), "{place} {facts}");
    }
}

/// Catches: facts of one session that end up at another, where several share an app, or run on copies of it.
#[test]
fn each_step_has_its_own_facts_in_any_order() {
    let folder = recorded();
    let folder = folder.path();
    let baseline = run(folder, &["baseline", "--facts", "--jobs", "2"]);
    assert!(baseline.status.success(), "{}", stderr(&baseline));
    each_step_has_its_own(folder, "baseline-1");
    each_step_has_its_own(folder, "baseline-1.check");
    for args in [
        &["replay", "--facts", "--into", "alone"][..],
        &["replay", "--facts", "--jobs", "2", "--into", "jobs"],
        &["replay", "--facts", "--app", "meeting", "--overlap", "--into", "overlap"],
        &["test", "--facts", "--into", "tested"],
        &["test", "--facts", "--restart", "each-session", "--into", "restarted"],
    ] {
        let output = run(folder, args);
        assert!(output.status.success(), "{args:?}: {}{}", stdout(&output), stderr(&output));
        each_step_has_its_own(folder, args.last().unwrap());
    }
    assert!(!folder.join(".restage/facts").exists());
}

/// Catches: an app that is marked or equipped where nobody asked for it.
#[test]
fn without_being_asked_for_there_are_none() {
    let folder = recorded();
    let folder = folder.path();
    assert!(run(folder, &["baseline"]).status.success());
    let shown = json(folder, &["runs", "show", "baseline-1"]);
    assert_eq!(shown["facts"], Value::Null);
    assert_eq!(json(folder, &["runs", "show", "baseline-1", "--step", "s1/1"])["facts"], Value::Null);
    let bad = run(folder, &["replay", "--facts=lines,clouds"]);
    assert_eq!(bad.status.code(), Some(2), "{}", stderr(&bad));
    assert!(stderr(&bad).contains("clouds"), "{}", stderr(&bad));
}

#[test]
fn a_run_and_a_step_are_shown_with_what_the_server_did() {
    let folder = recorded();
    let folder = folder.path();
    assert!(
        run(folder, &["replay", "--facts=lines,branches,sql,errors,session", "--into", "r"]).status.success()
    );
    let run_shown = stdout(&run(folder, &["runs", "show", "r"]));
    for expected in [
        "facts: 8 of 8 steps; 5 of 12 lines, 1 of 2 functions, 1 of 2 branches in 1 file; 8 statements; 1 error",
        "Warning at shop.py:7: no stock for",
        "(2 steps, first s1/2)",
    ] {
        assert!(run_shown.contains(expected), "{expected}\n{run_shown}");
    }
    let step = stdout(&run(folder, &["runs", "show", "r", "--step", "s1/2"]));
    for expected in [
        "what the server did (by hand 1):",
        "  shop.py: 4 of 12 lines: 1–3, 7",
        "      functions: show",
        "      branches: 1 of 2",
        "  session at: not set → \"/add\"",
        "  session user: \"ann\"",
        "  SQL at shop.py:2: SELECT * FROM t WHERE path = '/add' AND user = ?  [\"ann\"]  1 row",
        "  Warning at shop.py:7: no stock for ann",
    ] {
        assert!(step.contains(expected), "{expected}\n{step}");
    }
}

/// Catches: shares of another set of sessions, formats that name files that are not there, a page without the lines, a reduction that
/// does not look at what ran.
#[test]
fn coverage_is_shown_for_people_and_for_tools() {
    let folder = recorded();
    let folder = folder.path();
    assert!(run(folder, &["baseline", "--facts=lines,branches"]).status.success());
    let shown = run(folder, &["coverage", "--html", "c.html", "--lcov", "c.info", "--cobertura", "c.xml"]);
    assert_eq!(
        stdout(&shown),
        "file         lines  functions  branches\nshop.py  5/12 42 %   1/2 50 %  1/2 50 %\nall      5/12 42 %   1/2 50 %  1/2 50 %\n",
        "{}",
        stderr(&shown)
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let page = read("c.files/source-1.html");
    // The application says itself what ran, and of a file of no digest: its text is shown.
    assert!(page.contains("<td class=\"ran\" id=\"L7\">") && page.contains("id=\"L12\""), "{page}");
    assert!(read("c.html").contains("href=\"c.files/source-1.html\""));
    assert!(read("c.info").contains("SF:shop.py\n") && read("c.xml").contains("filename=\"shop.py\""));

    // Of cid alone, who adds nothing; and what others run besides.
    let cid = json(folder, &["coverage", "--session", "s3"]);
    assert_eq!(
        (&cid["lines"]["ran"], &cid["lost"]["shop.py"]["lines"]),
        (&3.into(), &serde_json::json!([3, 7]))
    );
    let reduced =
        json(folder, &["reduce", "recorded", "--by", "greedy", "--require", "lines", "--into", "small"]);
    assert!(reduced.is_object());
    let small = json(folder, &["coverage", "--suite", "small"]);
    assert_eq!(small["lines"]["ran"], 5, "{small}");
    assert_eq!(small["lost"], serde_json::json!({}));
}

/// Catches: a failure of a probe that ends the run, or that nobody is told of.
#[test]
fn what_is_missing_is_told_with_place_and_remedy_and_the_run_goes_on() {
    let folder = recorded();
    let folder = folder.path();
    for (app, with_facts, kind, told) in [
        ("silent", 0, "steps-without", "8 steps without facts (first: s1/1, GET /)"),
        ("without", 0, "no-probe", "no facts of 8 steps: no probe was loaded into the app"),
        ("partly", 5, "steps-without", "3 steps without facts (first: s1/3, GET /count)"),
        ("bad", 8, "bad-lines", "lines of the facts file that are of no probe"),
        ("unknown", 6, "unknown-steps", "facts of steps that this run did not send"),
        ("gone", 0, "file", "the facts file was removed or replaced"),
    ] {
        let output = run(folder, &["replay", "--facts", "--app", app, "--into", app]);
        let noted = stderr(&output);
        assert!(output.status.success(), "{app}: {noted}");
        assert!(noted.contains(told) && noted.contains("hint:"), "{app}: {told}\n{noted}");
        let facts = &json(folder, &["runs", "show", app])["facts"];
        let problems = facts["problems"].as_array().unwrap();
        assert!(problems.iter().any(|problem| problem["kind"] == kind), "{app}: {facts}");
        if app != "gone" {
            assert_eq!(facts["with_facts"], with_facts, "{app}: {facts}");
        }
        let shown = stdout(&run(folder, &["runs", "show", app]));
        assert!(shown.contains(told), "{app}: {shown}");
    }
}

/// Catches: an app that was started elsewhere, of which a user waits for facts in vain.
#[test]
fn of_an_app_that_runs_already_there_are_no_facts_and_that_is_told() {
    let folder = recorded();
    let port = free_port();
    let mut app = Command::new("python3");
    app.arg("shop.py").arg(port.to_string()).current_dir(folder.path()).stdin(Stdio::null());
    let mut app = app.spawn().unwrap();
    let settings = format!("{CONFIG}\n[app.there]\naddress = \"http://127.0.0.1:{port}\"\n");
    std::fs::write(folder.path().join("restage.toml"), settings).unwrap();
    let output = run(folder.path(), &["replay", "--facts", "--app", "there", "--state", "keep"]);
    app.kill().unwrap();
    app.wait().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("restage does not start this app"), "{}", stderr(&output));
}

/// Catches: facts that outlive their run, and secrets in them.
#[test]
fn facts_are_covered_and_go_with_their_run() {
    let folder = recorded();
    let folder = folder.path();
    let recorded = r#"{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[{"startedDateTime":"2026-01-01T10:00:00Z","time":1,"request":{"method":"GET","url":"http://127.0.0.1/add?password=tr0ub4dor9","httpVersion":"HTTP/1.1","headers":[{"name":"user","value":"dan"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":-1},"response":{"status":200,"statusText":"","httpVersion":"HTTP/1.1","headers":[],"cookies":[],"content":{"size":3,"mimeType":"text/html","text":"<p>"},"redirectURL":"","headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}]}}"#;
    std::fs::write(folder.join("more.har"), recorded).unwrap();
    let imported = run(folder, &["import", "more.har"]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    // The account existed before: its password is told for replays, and is sent.
    let settings = CONFIG.to_owned() + "[redact]\nsecrets = { env = [\"SHOP_PASSWORD\"] }\n";
    std::fs::write(folder.join("restage.toml"), settings).unwrap();
    let mut replay = restage(folder, &["replay", "--facts", "--into", "r"]);
    let output = replay.env("SHOP_PASSWORD", "tr0ub4dor9").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = json(folder, &["runs", "show", "r"]);
    let session = shown["sessions"].as_array().unwrap().iter().map(|s| s["session"].as_str().unwrap());
    let statements: Vec<Value> = session
        .map(|session| {
            json(folder, &["runs", "show", "r", "--step", &format!("{session}/1")])["facts"]["sql"].clone()
        })
        .collect();
    let text = serde_json::to_string(&statements).unwrap();
    assert!(text.contains("UPDATE users SET password = ?") && !text.contains("tr0ub4dor9"), "{text}");
    assert!(run(folder, &["runs", "remove", "r"]).status.success());
    let mut again = restage(folder, &["replay", "--into", "r"]);
    assert!(again.env("SHOP_PASSWORD", "tr0ub4dor9").status().unwrap().success());
    assert_eq!(json(folder, &["runs", "show", "r"])["facts"], Value::Null);
    assert_eq!(json(folder, &["runs", "show", "r", "--step", "s1/1"])["facts"], Value::Null);
}

/// The statements of each step of a run, with the step's method and path.
fn statements(folder: &Path, name: &str) -> Vec<(String, Vec<Value>)> {
    let shown = json(folder, &["runs", "show", name]);
    let sessions = shown["sessions"].as_array().unwrap();
    let of_step = |step: &Value| {
        let session = sessions.iter().find(|session| session["ordinal"] == step["at"]["session"]).unwrap();
        let number = step["at"]["step"].as_u64().unwrap() + 1;
        let place = format!("{}/{number}", session["session"].as_str().unwrap());
        let facts = &json(folder, &["runs", "show", name, "--step", &place])["facts"];
        let sent = &step["sent"];
        let request = format!("{} {}", sent["method"].as_str().unwrap(), sent["uri"].as_str().unwrap());
        (request, facts["sql"].as_array().cloned().unwrap_or_default())
    };
    shown["steps"].as_array().unwrap().iter().map(of_step).collect()
}

/// Each entry is written by the step that sends it, and by no other; the entry's own text is in it.
fn each_step_has_its_statements(folder: &Path, name: &str, by_probe: bool) {
    let steps = statements(folder, name);
    assert!(steps.len() > 12, "{steps:?}");
    for (request, statements) in &steps {
        let texts: Vec<&str> = statements.iter().filter_map(|statement| statement["text"].as_str()).collect();
        let writes = texts.iter().filter(|text| text.contains("INSERT INTO entry")).count();
        assert_eq!(writes, usize::from(request == "POST /write"), "{request} {texts:?}");
        assert!(!texts.iter().any(|text| text.contains("restage")), "{request} {texts:?}");
        if by_probe {
            assert!(
                statements.iter().all(|statement| !statement["file"].is_null()),
                "{request} {statements:?}"
            );
        }
    }
}

/// Catches: statements of one step or copy at another, a probe's word that is put aside for the log's, and a log that is left on.
#[test]
fn statements_come_from_the_probe_or_else_from_the_servers_log() {
    let guestbook = Guestbook::recorded(Engine::MariaDb);
    let folder = guestbook.path();
    let settings = std::fs::read_to_string(folder.join("restage.toml")).unwrap();
    let blind = "\n[app.blind]\ncommand = \"exec env -u PHP_INI_SCAN_DIR -u RESTAGE_FACTS php -S 127.0.0.1:{port} guestbook.php\"\n";
    std::fs::write(
        folder.join("restage.toml"),
        settings.replace("[app.faulty]", &format!("{blind}[app.faulty]")),
    )
    .unwrap();
    let refused = run(folder, &["baseline", "--facts"]);
    assert!(refused.status.success(), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("hint: GRANT SUPER"), "{}", stderr(&refused));
    each_step_has_its_statements(folder, "baseline-1", true);
    guestbook
        .server
        .administer("GRANT SUPER ON *.* TO app@'%'; GRANT SELECT, DROP ON mysql.general_log TO app@'%'");
    for args in [
        &["replay", "--facts", "--app", "blind", "--into", "blind"][..],
        &["replay", "--facts", "--app", "blind", "--jobs", "2", "--into", "jobs"],
    ] {
        let output = run(folder, args);
        assert!(output.status.success(), "{args:?} {}", stderr(&output));
        each_step_has_its_statements(folder, args.last().unwrap(), false);
        let facts = &json(folder, &["runs", "show", args.last().unwrap()])["facts"];
        assert!(facts["logged_statements"].as_u64().unwrap() > 10, "{facts}");
    }
    let both = run(folder, &["replay", "--facts", "--into", "both"]);
    assert!(both.status.success(), "{}", stderr(&both));
    each_step_has_its_statements(folder, "both", true);
    // Two rows where one is asked for are an error.
    guestbook.server.sql("SELECT IF(@@GLOBAL.general_log, (SELECT 1 UNION SELECT 2), 0)");
    guestbook.server.sql("SELECT IF((SELECT COUNT(*) FROM mysql.general_log), (SELECT 1 UNION SELECT 2), 0)");
    let together = run(folder, &["replay", "--facts", "--overlap"]);
    assert!(stderr(&together).contains("with --overlap they cannot be told apart"), "{}", stderr(&together));
}
