//! How many steps were answered as recorded, and why others were not.

use std::path::Path;

use serde_json::{Value, json as value};

use crate::own_app::{Browser, start_script};
use crate::support::{Recording, json, project, restage, run, stderr, stdout};

const CLUB: &str = include_str!("../apps/club.py");
const CONFIG: &str = r#"
[app]
command = "exec python3 club.py {port}"
ready = "/health"
[state]
folders = ["data"]
"#;

/// A project of the club, recorded while its members do something.
fn recorded(config: &str, members: impl FnOnce(&dyn Fn(&str) -> String)) -> tempfile::TempDir {
    let folder = project(&[("club.py", CLUB), ("restage.toml", config), ("data/.keep", "")]);
    let (app, upstream) = start_script(folder.path(), "club.py");
    record(folder.path(), &upstream, members);
    drop(app);
    folder
}

fn record(folder: &Path, upstream: &str, members: impl FnOnce(&dyn Fn(&str) -> String)) -> Value {
    let command = restage(folder, &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", upstream]);
    let recording = Recording::start(command);
    members(&|path| recording.url(path));
    recording.stop()
}

/// A member who was there before: her password is not in the recording.
fn old_member(url: &dyn Fn(&str) -> String) {
    let mut browser = Browser::new(url);
    browser.go("/", None);
    browser.go("/login", Some(&[("user", "root"), ("password", "correct-horse-9")]));
    assert!(browser.page.contains("Welcome, root"), "{}", browser.page);
    browser.go("/posts", None);
    assert!(browser.page.contains("Opening hours"), "{}", browser.page);
    browser.go("/", None);
    let token = browser.between("name=csrf value='", '\'');
    browser.go("/posts", Some(&[("csrf", &token), ("text", "Who has seen my umbrella")]));
    assert!(browser.page.contains("umbrella"), "{}", browser.page);
}

/// A member who joins: the account is made by what is replayed.
fn new_member(url: &dyn Fn(&str) -> String) {
    let mut browser = Browser::new(url);
    browser.go("/join", None);
    browser.go("/join", Some(&[("user", "bob"), ("password", "my-own-secret-7")]));
    let token = browser.between("name=csrf value='", '\'');
    browser.go("/posts", Some(&[("csrf", &token), ("text", "Hello from the new member")]));
    assert!(browser.page.contains("Hello"), "{}", browser.page);
    browser.go("/posts", None);
}

/// Catches: "no differences" over a login page that was never got past, because the application answers 200 to a wrong password.
#[test]
fn a_login_that_answers_200_to_a_wrong_password_is_told_with_its_remedy() {
    let folder = recorded(CONFIG, |url| {
        new_member(url);
        old_member(url);
    });
    let folder = folder.path();
    let baseline = json(folder, &["baseline"]);
    let fidelity = &baseline["fidelity"];
    let (steps, as_recorded) =
        (fidelity["steps"].as_u64().unwrap(), fidelity["as_recorded"].as_u64().unwrap());
    assert!(as_recorded < steps, "{fidelity}");
    let sessions = fidelity["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{fidelity}");
    assert_eq!(
        (&sessions[1]["left_at"]["step"], &sessions[1]["left_at"]["path"], &sessions[1]["cause"]),
        (&2.into(), &"/login".into(), &"refused-login".into()),
        "{fidelity}"
    );
    assert!(sessions[1]["remedy"].as_str().unwrap().contains("[redact] secrets"), "{fidelity}");
    // Who joined during the recording is let in with the stand-in that the account was made with.
    assert_eq!(sessions[0]["steps"], sessions[0]["as_recorded"], "{fidelity}");
    assert_eq!(sessions[0]["left_at"], Value::Null);
    assert_eq!(baseline["refused"][0]["path"], "/login");

    let text = stdout(&run(folder, &["replay"]));
    for expected in
        ["left at step 2, POST /login", "a stand-in was sent for the password", "[redact] secrets"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let test = run(folder, &["test", "--html", "report.html"]);
    let text = stdout(&test);
    assert_eq!(
        text.lines().filter(|line| line.contains("as recorded")).count(),
        1,
        "{text}{}",
        stderr(&test)
    );
    let report = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(report.contains("POST /login") && report.contains("[redact] secrets"));
    let shown = stdout(&run(folder, &["sessions", "show", sessions[1]["name"].as_str().unwrap()]));
    let marked: Vec<&str> = shown.lines().filter(|line| line.contains("left its path")).collect();
    assert!(marked.len() == 1 && marked[0].contains("/login"), "{shown}");
}

/// Catches: alarms on a faithful replay, whose dates, tokens, random tips and new ids are others.
#[test]
fn a_faithful_replay_has_all_steps_as_recorded() {
    let folder = recorded(CONFIG, |url| {
        new_member(url);
        new_member(url);
    });
    let baseline = json(folder.path(), &["baseline"]);
    let fidelity = &baseline["fidelity"];
    assert_eq!(fidelity["steps"], fidelity["as_recorded"], "{fidelity}");
    assert_eq!(fidelity["steps"], 10);
    let text = stdout(&run(folder.path(), &["test"]));
    assert!(!text.contains("as recorded"), "{text}");
    let replay = json(folder.path(), &["replay"]);
    assert_eq!(replay["fidelity"]["as_recorded"], 10, "{}", replay["fidelity"]);
}

/// Catches: a refused login that is answered by the same redirect as an accepted one, told at the page after it, or not at all.
#[test]
fn a_login_that_redirects_either_way_is_named_by_the_page_after_it() {
    let redirecting = CLUB
        .replace(
            "return self.login(\"Wrong name or password.\")",
            "return self.answer('', 303, headers=[('location', '/')])",
        )
        .replace(
            "return self.home(user, [(\"set-cookie\", f\"club={sid}; Path=/\")])",
            "return self.answer('', 303, headers=[('location', '/'), ('set-cookie', f'club={sid}; Path=/')])",
        );
    assert_eq!(redirecting.matches("303").count(), 3);
    let folder = project(&[("club.py", &redirecting), ("restage.toml", CONFIG), ("data/.keep", "")]);
    let (app, upstream) = start_script(folder.path(), "club.py");
    record(folder.path(), &upstream, old_member);
    drop(app);
    let fidelity = json(folder.path(), &["baseline"])["fidelity"].clone();
    let session = &fidelity["sessions"][0];
    assert_eq!(
        (&session["left_at"]["step"], &session["cause"]),
        (&3.into(), &"refused-login".into()),
        "{fidelity}"
    );
    assert_eq!(
        (&session["began_at"]["step"], &session["began_at"]["path"]),
        (&2.into(), &"/login".into()),
        "{fidelity}"
    );
}

const DIARY: &str = include_str!("../apps/diary.py");

/// One exchange of a recording: who, the second of 5 October 2026 after ten, the request, the answer.
struct Entry<'a> {
    who: &'a str,
    second: u32,
    request: (&'a str, &'a str, &'a str),
    status: u16,
    location: &'a str,
    page: &'a str,
}

fn seen<'a>(who: &'a str, second: u32, path: &'a str, page: &'a str) -> Entry<'a> {
    Entry { who, second, request: ("GET", path, ""), status: 200, location: "", page }
}

fn added<'a>(who: &'a str, second: u32, form: &'a str, location: &'a str) -> Entry<'a> {
    Entry { who, second, request: ("POST", "/add", form), status: 303, location, page: "" }
}

fn har(entries: &[Entry<'_>]) -> String {
    let field = |name: &str, text: &str| value!({ "name": name, "value": text });
    let entry = |e: &Entry<'_>| {
        let (method, path, sent) = e.request;
        let is_json = |text: &str| text.starts_with('{');
        let form = if is_json(sent) { "application/json" } else { "application/x-www-form-urlencoded" };
        let kind = if is_json(e.page) { "application/json" } else { "text/html; charset=utf-8" };
        let mut request = value!({
            "method": method,
            "url": format!("http://diary.example{path}"),
            "httpVersion": "HTTP/1.1",
            "headers": [field("host", "diary.example"), field("x-user", e.who), field("content-type", form)],
        });
        if !sent.is_empty() {
            request["postData"] = value!({ "mimeType": form, "text": sent });
        }
        let mut headers = vec![field("content-type", kind)];
        if !e.location.is_empty() {
            headers.push(field("location", e.location));
        }
        value!({
            "startedDateTime": format!("2026-10-05T10:00:{:02}.000Z", e.second),
            "time": 5,
            "request": request,
            "response": {
                "status": e.status,
                "httpVersion": "HTTP/1.1",
                "headers": headers,
                "content": { "size": e.page.len(), "mimeType": kind, "text": e.page },
            },
        })
    };
    value!({ "log": { "version": "1.2", "entries": entries.iter().map(entry).collect::<Vec<_>>() } })
        .to_string()
}

/// The first session that left its path in a baseline of a recording of the diary, and what `baseline` printed.
fn diary(env: &str, entries: &str, recording: &[Entry<'_>]) -> (Value, String) {
    let config = format!(
        "[app]\ncommand = \"exec python3 diary.py {{port}}\"\n{env}\n[state]\nfolders = [\"data\"]\n[sessions]\nby = [\"header:x-user\"]\n"
    );
    let folder = project(&[
        ("diary.py", DIARY),
        ("restage.toml", &config),
        ("data/entries.json", entries),
        ("traffic.har", &har(recording)),
    ]);
    let folder = folder.path();
    assert!(run(folder, &["snapshots", "save", "initial"]).status.success());
    json(folder, &["import", "traffic.har"]);
    let output = run(folder, &["baseline"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let shown = json(folder, &["runs", "show", "baseline-1"]);
    assert!(shown["fidelity"]["sessions"].is_array(), "{shown:#}{}", stdout(&output));
    let fidelity = shown["fidelity"].clone();
    let astray =
        fidelity["sessions"].as_array().unwrap().iter().find(|session| !session["left_at"].is_null());
    (astray.cloned().unwrap_or_else(|| fidelity.clone()), stdout(&output))
}

const FORM: &str = "<form action='/add' method=post><textarea name=text></textarea></form>";

fn list(title: &str, before: &str, entries: &[&str]) -> String {
    let rows: String = entries.iter().map(|entry| format!("<li>{entry}")).collect();
    let rows = if rows.is_empty() {
        "<p>Nothing here.</p>".to_owned()
    } else {
        format!("<ul class=entries>{rows}</ul>")
    };
    format!("<title>{title}</title><h1>{title}</h1>{before}{rows}{FORM}")
}

fn entry_page(text: &str) -> String {
    format!("<title>Entry</title><h1>Entry</h1><p>{text}</p>")
}

/// Catches: a cause that is not found, or taken for another one; a remedy that does not help with it.
#[test]
fn each_cause_is_told_with_its_remedy() {
    let empty = list("Diary", "", &[]);
    let (apples, bank) = (entry_page("five red apples"), entry_page("the old bank"));
    let both = list("Diary", "", &["five red apples", "the old bank"]);
    // Named after the second, 1791194400 is ten o'clock; the replay does both in one.
    let whole_seconds = [
        seen("ann", 0, "/", &empty),
        added("ann", 5, "text=five+red+apples", "/entry/1791194405"),
        seen("ann", 6, "/entry/1791194405", &apples),
        added("ann", 20, "text=the+old+bank", "/entry/1791194420"),
        seen("ann", 21, "/entry/1791194420", &bank),
        seen("ann", 30, "/", &both),
    ];
    let broken = [seen("ann", 0, "/", &empty), added("ann", 5, "text=five+red+apples", "/entry/1")];
    let dentist = list("Planned for the day", "<p>05 October 2026</p>", &["See the dentist"]);
    let clock = [seen("ann", 0, "/today", &dentist)];
    let old = entry_page("written long before");
    let data = [seen("ann", 0, "/entry/77", &old)];
    let zebras = list("Diary", "", &["zebras crossing"]);
    let met = [
        seen("ann", 0, "/", &empty),
        seen("bob", 2, "/", &empty),
        added("bob", 5, "text=zebras+crossing", "/entry/1"),
        seen("ann", 9, "/", &zebras),
    ];
    let inside = "<title>Private</title><h1>My private pages</h1><p>Nobody reads this</p>";
    let before = [seen("ann", 0, "/private", inside)];
    let login = r#"{"user": "ada", "password": "seldom-seen-4"}"#;
    let json_login = [Entry {
        who: "ada",
        second: 0,
        request: ("POST", "/api/login", login),
        status: 200,
        location: "",
        page: r#"{"ok": true, "user": {"name": "Ada", "since": "2020-01-01"}}"#,
    }];
    let json_rows =
        [seen("ann", 0, "/api/entries", r#"{"entries": [{"id": "1", "text": "five red apples"}]}"#)];
    let dated = r#"{"9": ["2026-10-05", "See the dentist"]}"#;
    for (env, entries, recording, cause, step, remedy) in [
        ("env = { DIARY_ID = \"1\" }", "{}", &whole_seconds[..], "whole-seconds", 6, "grain = \"1s\""),
        ("env = { DIARY_BROKEN = \"1\" }", "{}", &broken, "error-page", 2, "--step"),
        ("", dated, &clock, "clock", 1, "clock = \"recorded\""),
        ("", "{}", &data, "data", 1, "snapshots save initial"),
        ("[replay]\ngroups = \"off\"", "{}", &met, "met-sessions", 2, "groups in [replay]"),
        ("", "{}", &before, "logged-in-before", 1, "from the login on"),
        ("", "{}", &json_login, "refused-login", 1, "[redact] secrets"),
        ("", "{}", &json_rows, "data", 1, "snapshots save initial"),
    ] {
        let (session, said) = diary(env, entries, recording);
        assert_eq!(
            (&session["cause"], &session["left_at"]["step"]),
            (&cause.into(), &step.into()),
            "{cause}: {session:#}\n{said}"
        );
        assert!(session["remedy"].as_str().unwrap().contains(remedy), "{session:#}");
        assert!(said.contains("likely cause: ") && said.contains(remedy), "{said}");
    }
}

/// Catches: a page that shows what another user did meanwhile, replayed before that user did it.
#[test]
fn who_saw_what_another_one_did_is_replayed_with_that_one() {
    let empty = list("Diary", "", &[]);
    let zebras = list("Diary", "", &["zebras crossing"]);
    let met = [
        seen("ann", 0, "/", &empty),
        seen("bob", 2, "/", &empty),
        added("bob", 5, "text=zebras+crossing", "/entry/1"),
        seen("ann", 9, "/", &zebras),
    ];
    let (fidelity, said) = diary("", "{}", &met);
    assert_eq!((&fidelity["steps"], &fidelity["as_recorded"]), (&4.into(), &4.into()), "{fidelity}\n{said}");
    assert!(said.contains("met: replayed together"), "{said}");
}

/// Catches: alarms on faithful replays of JSON and of pages recorded long ago.
#[test]
fn what_was_recorded_long_ago_and_is_the_same_is_as_recorded() {
    let entries = r#"{"1": ["2026-10-05", "five red apples"]}"#;
    let apples = list("Diary", "", &["five red apples"]);
    let bank = entry_page("the old bank");
    let recording = [
        seen("ann", 0, "/", &apples),
        seen("ann", 3, "/api/entries", r#"{"entries": [{"id": "1", "text": "five red apples"}]}"#),
        added("ann", 5, "text=the+old+bank", "/entry/2"),
        seen("ann", 6, "/entry/2", &bank),
    ];
    let (fidelity, said) = diary("", entries, &recording);
    assert_eq!((&fidelity["steps"], &fidelity["as_recorded"]), (&4.into(), &4.into()), "{fidelity}\n{said}");
    assert!(said.contains("answered as recorded: all 4 steps"), "{said}");
}

/// Catches: hours of recording, or a log, that hold nothing but errors, and nobody says so.
#[test]
fn a_recording_of_errors_is_told_when_it_ends() {
    let folder = project(&[("club.py", &CLUB.replace("def do_GET(self):", "def do_GET(self):\n        self.data = load()\n        return self.answer('no', 502)\n\n    def unused(self):"))]);
    let (app, upstream) = start_script(folder.path(), "club.py");
    let tally = record(folder.path(), &upstream, |url| {
        let mut browser = Browser::new(url);
        browser.go("/", None);
        browser.go("/posts", None);
    });
    drop(app);
    let errors = &tally["errors"];
    assert_eq!(
        (&errors["requests"], &errors["errors"], &errors["sessions_of_errors"]),
        (&2.into(), &2.into(), &1.into())
    );

    let log = |status: u16| {
        (0..6).map(|i| format!("127.0.0.1 - - [15/Nov/2026:10:00:0{i} +0000] \"GET /p{i} HTTP/1.1\" {status} 5 \"-\" \"x\"\n")).collect::<String>()
    };
    for (status, told) in [(500, true), (200, false)] {
        let folder = project(&[("a.log", &log(status))]);
        let said = stdout(&run(folder.path(), &["import", "a.log"]));
        assert_eq!(said.contains("answered by an error (6 by 500)"), told, "{said}");
    }
}

/// Catches: a login that is not found where the password's field has a name that tells nobody, or nothing is redacted.
#[test]
fn a_login_is_known_by_its_page_where_its_names_tell_nothing() {
    let odd = CLUB.replace("name=password", "name=word").replace("form[\"password\"]", "form[\"word\"]");
    for (settings, why) in
        [("", "a stand-in was sent"), ("[redact]\noff = true\n", "no such account, or another password")]
    {
        let config = format!("{CONFIG}{settings}");
        let folder = project(&[("club.py", &odd), ("restage.toml", &config), ("data/.keep", "")]);
        let (app, upstream) = start_script(folder.path(), "club.py");
        record(folder.path(), &upstream, |url| {
            let mut browser = Browser::new(url);
            browser.go("/", None);
            browser.go("/login", Some(&[("user", "root"), ("word", "correct-horse-9")]));
            assert!(browser.page.contains("Welcome, root"), "{}", browser.page);
        });
        drop(app);
        // The next version of the data has another password.
        let other = odd.replace("correct-horse-9", "battery-staple-3");
        std::fs::write(folder.path().join("club.py"), other).unwrap();
        let fidelity = json(folder.path(), &["baseline"])["fidelity"].clone();
        let session = &fidelity["sessions"][0];
        assert_eq!(session["cause"], "refused-login", "{fidelity}");
        assert!(session["explanation"].as_str().unwrap().contains(why), "{fidelity}");
    }
}

/// Catches: sessions that lack what a refused one did, each with a cause of its own.
#[test]
fn what_a_session_that_left_its_path_did_not_do_is_told_as_that() {
    let folder = recorded(CONFIG, |url| {
        old_member(url);
        let mut browser = Browser::new(url);
        browser.go("/join", None);
        browser.go("/join", Some(&[("user", "bob"), ("password", "my-own-secret-7")]));
        browser.go("/posts", None);
        let post =
            browser.page.rsplit_once("href='/posts/").unwrap().1.split('\'').next().unwrap().to_owned();
        browser.go(&format!("/posts/{post}"), None);
        assert!(browser.page.contains("umbrella"), "{}", browser.page);
    });
    let fidelity = json(folder.path(), &["baseline"])["fidelity"].clone();
    let (first, second) = (&fidelity["sessions"][0], &fidelity["sessions"][1]);
    assert_eq!((&first["cause"], &second["cause"]), (&"refused-login".into(), &"data".into()), "{fidelity}");
    let name = first["name"].as_str().unwrap();
    assert!(
        second["explanation"].as_str().unwrap().contains(&format!("session {name} left its path")),
        "{fidelity}"
    );
    assert_eq!(second["remedy"], format!("the remedy for {name}"));
}
