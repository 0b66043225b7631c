//! Secrets that are planted wherever an exchange can hold them, on an application that insists on them.

use std::path::Path;

use restage_model::ExchangeId;
use restage_store::Store;

use crate::own_app::start_script;
use crate::support::{Recording, agent, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/vault.py");
const CONFIG: &str = "[app]\ncommand = \"exec python3 vault.py {port}\"\n[state]\nfolders = [\"data\"]\n\
    [redact]\nsecrets = { file = \"secrets.env\" }\nnames = [\"answer\"]\npatterns = ['VAT-\\d{6}']\n";
const SECRETS: &str = "ROOT_PASSWORD=correct-horse-9\nROOT_MAIL=root@vault.example.net\n";

const PASSWORD: &str = "Op&n sesame-7";
/// What must be nowhere, in any spelling that it was sent in.
const PLANTED: &[&str] = &[
    "Op&n sesame-7",
    "Op%26n+sesame-7",
    "Op%26n%20sesame-7",
    "Op&amp;n sesame-7",
    "anna.smith@corp.example.org",
    "anna.smith%40corp.example.org",
    "4111 1111 1111 1111",
    "4111+1111+1111+1111",
    "4111111111111111",
    "correct-horse-9",
    "cm9vdDpjb3JyZWN0LWhvcnNlLTk=",
    "root@vault.example.net",
    "5555 5555 5555 4444",
    "blue-whale-3",
    "VAT-123456",
];

struct Client<'a> {
    recording: &'a Recording,
    agent: ureq::Agent,
    sid: String,
}

impl Client<'_> {
    fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, String) {
        let mut request = ureq::http::Request::builder().method(method).uri(self.recording.url(path));
        if !self.sid.is_empty() {
            request =
                request.header("cookie", format!("sid={}; contact=anna.smith%40corp.example.org", self.sid));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = self.agent.run(request.body(body.to_vec()).unwrap()).unwrap();
        if let Some(cookie) = response.headers().get("set-cookie") {
            self.sid = between(cookie.to_str().unwrap(), "sid=", ';');
        }
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }
}

fn between(text: &str, before: &str, after: char) -> String {
    text.split(before).nth(1).unwrap().split(after).next().unwrap().to_owned()
}

/// Records a user who registers and shows all there is, and one who was there before. Returns the secrets that the application drew.
fn record(folder: &Path) -> Vec<String> {
    let (app, upstream) = start_script(folder, "vault.py");
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    let mut anna = Client { recording: &recording, agent: agent(), sid: String::new() };
    let form = ("content-type", "application/x-www-form-urlencoded");
    let (_, page) = anna.send("GET", "/", &[], b"");
    let csrf = between(&page, "value='", '\'');
    let typed = format!(
        "csrf={csrf}&user=anna&email=anna.smith%40corp.example.org&pw=Op%26n+sesame-7&card=4111+1111+1111+1111&answer=blue-whale-3&note=VAT-123456"
    );
    assert_eq!(anna.send("POST", "/register", &[form], typed.as_bytes()).0, 303);
    let (status, page) = anna.send("GET", "/me", &[], b"");
    assert!(
        status == 200 && page.contains("Op&amp;n sesame-7") && page.contains("4111 1111 1111 1111"),
        "{page}"
    );
    let key = between(&page, "start('", '\'');
    let multipart = format!(
        "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n{PASSWORD}\r\n--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n\
         write to anna.smith@corp.example.org about 4111111111111111\r\n--XX--\r\n"
    );
    assert_eq!(
        anna.send(
            "POST",
            "/upload",
            &[("content-type", "multipart/form-data; boundary=XX")],
            multipart.as_bytes()
        )
        .0,
        200
    );
    // The key of the page gets its name only here.
    assert_eq!(
        anna.send("GET", &format!("/api?api_key={key}"), &[("authorization", &format!("Bearer {key}"))], b"")
            .0,
        200
    );
    let sid = anna.sid.clone();
    anna.sid.clear();
    let login = format!(r#"{{"user": "anna", "password": "{PASSWORD}"}}"#);
    assert_eq!(anna.send("POST", "/login", &[("content-type", "application/json")], login.as_bytes()).0, 200);
    let mut root = Client { recording: &recording, agent: agent(), sid: String::new() };
    let login = br#"{"user": "root", "password": "correct-horse-9"}"#;
    let (_, page) = root.send("POST", "/login", &[("content-type", "application/json")], login);
    let token = between(&page, "access_token\": \"", '"');
    let api = format!("/api?api_key={token}&password=correct-horse-9");
    assert_eq!(root.send("GET", &api, &[("authorization", &format!("Bearer {token}"))], b"").0, 200);
    assert_eq!(
        root.send("GET", "/basic", &[("authorization", "Basic cm9vdDpjb3JyZWN0LWhvcnNlLTk=")], b"").0,
        200
    );
    let tally = recording.stop();
    assert_eq!((&tally["seen"], &tally["stored"]), (&9.into(), &9.into()));
    drop(app);
    vec![csrf, key, token, sid]
}

/// All that the store holds, and the bytes of its files.
pub(crate) fn stored(folder: &Path) -> String {
    let store = Store::open(&folder.join(".restage/restage.db")).unwrap();
    let mut all = String::new();
    for id in store.exchanges_after(ExchangeId(0)).unwrap() {
        let captured = store.captured(id).unwrap();
        all += &format!("{captured:?}\n{}\n", String::from_utf8_lossy(&captured.body.bytes));
        all += &captured
            .response
            .map_or_else(String::new, |(_, _, body)| String::from_utf8_lossy(&body.bytes).into_owned());
    }
    for run in store.runs().unwrap() {
        for step in (store.step_counts(run.id).unwrap().into_iter())
            .flat_map(|(ordinal, _)| store.replayed_steps(run.id, ordinal).unwrap())
        {
            all += &format!("{step:?}\n{}\n", String::from_utf8_lossy(&step.body));
            all += &step
                .answer
                .map_or_else(|why| why, |(_, _, body)| String::from_utf8_lossy(&body).into_owned());
        }
    }
    drop(store);
    for file in std::fs::read_dir(folder.join(".restage")).unwrap() {
        let path = file.unwrap().path();
        // Snapshots are the application's own data.
        if path.is_file() && !path.file_name().unwrap().to_string_lossy().starts_with("snapshots") {
            all += &String::from_utf8_lossy(&std::fs::read(path).unwrap());
        }
    }
    all
}

#[track_caller]
fn has_none(text: &str, planted: &[&str], what: &str) {
    for secret in planted {
        let at = text.find(secret);
        assert!(
            at.is_none(),
            "{what} has {secret}: …{}…",
            at.map_or("", |at| &text[at.saturating_sub(60)..(at + 60).min(text.len())])
        );
    }
}

/// Catches: a secret that is left anywhere after recording, replaying, exporting or reporting; a stand-in that the application refuses.
#[test]
fn nothing_planted_is_stored_exported_or_reported_and_all_replays() {
    let folder =
        project(&[("vault.py", APP), ("restage.toml", CONFIG), ("secrets.env", SECRETS), ("data/.keep", "")]);
    let folder = folder.path();
    let drawn = record(folder);
    let recorded: Vec<&str> = PLANTED.iter().copied().chain(drawn.iter().map(String::as_str)).collect();
    has_none(&stored(folder), &recorded, "the store");

    // What was accepted when it was recorded is accepted with stand-ins, and with the secrets of those who were there before.
    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    let shown = json(folder, &["runs", "show", "baseline-1"]);
    let statuses: Vec<u64> = shown["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["answer"]["received"]["status"].as_u64().unwrap())
        .collect();
    assert!(statuses.len() == 9 && statuses.iter().all(|s| *s < 400), "{statuses:?}");
    let test = run(folder, &["test", "--html", "r.html", "--junit", "r.xml"]);
    assert_eq!(test.status.code(), Some(0), "{}{}", stdout(&test), stderr(&test));
    has_none(&stored(folder), &recorded, "the store after replays");
    for file in ["r.html", "r.xml"] {
        has_none(&std::fs::read_to_string(folder.join(file)).unwrap(), &recorded, file);
    }
    for format in ["har", "hurl", "curl", "k6", "playwright"] {
        let out = format!("out-{format}/");
        let written = run(folder, &["export", "recorded", "--to", format, "-o", &out]);
        assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
        for file in std::fs::read_dir(folder.join(&out)).unwrap() {
            has_none(&std::fs::read_to_string(file.unwrap().path()).unwrap(), &recorded, format);
        }
    }
    assert_eq!(run(folder, &["sanitize", "--check"]).status.code(), Some(0));
}

/// Catches: secrets that are written for others from a store that has them, or that are left in it by `sanitize`.
#[test]
fn a_store_made_without_redaction_is_not_handed_on_before_it_is_sanitized() {
    let off = CONFIG.replace("[redact]\n", "[redact]\noff = true\n");
    let folder =
        project(&[("vault.py", APP), ("restage.toml", &off), ("secrets.env", SECRETS), ("data/.keep", "")]);
    let folder = folder.path();
    let drawn = record(folder);
    assert!(stored(folder).contains("correct-horse-9"));
    json(folder, &["baseline"]);
    let refused = run(folder, &["export", "recorded", "--to", "har", "-o", "out.har"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = stderr(&refused);
    for expected in ["POST /register", "`pw`", "restage sanitize", "nothing was written"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    has_none(&said, PLANTED, "the refusal");
    let test = run(folder, &["test", "--html", "r.html"]);
    assert_eq!(test.status.code(), Some(2), "{}", stderr(&test));
    assert!(
        stdout(&test).contains("no differences")
            && stderr(&test).contains("the report would contain secrets")
    );
    assert!(!folder.join("out.har").exists() && !folder.join("r.html").exists());
    assert_eq!(run(folder, &["sanitize", "--check"]).status.code(), Some(1));

    let sanitized = json(folder, &["sanitize"]);
    assert!(
        sanitized["exchanges"].as_u64().unwrap() > 5
            && sanitized["redacted"]["password"].as_u64().unwrap() > 3,
        "{sanitized}"
    );
    std::fs::write(folder.join("restage.toml"), CONFIG).unwrap();
    let _ = std::fs::remove_file(folder.join(".restage/report.html"));
    let recorded: Vec<&str> = PLANTED.iter().copied().chain(drawn.iter().map(String::as_str)).collect();
    has_none(&stored(folder), &recorded, "the store");
    assert_eq!(json(folder, &["sanitize"])["exchanges"], 0);
    assert_eq!(run(folder, &["export", "recorded", "--to", "har", "-o", "out.har"]).status.code(), Some(0));
    json(folder, &["baseline"]);
    let test = run(folder, &["test"]);
    assert_eq!(test.status.code(), Some(0), "{}{}", stdout(&test), stderr(&test));
}

/// Catches: a rule or a file of secrets that is wrong, told without its place or its remedy.
#[test]
fn mistakes_are_told() {
    for (rules, said) in [
        ("patterns = ['(']", "is no regular expression"),
        ("patterns = ['x*']", "matches the empty text"),
        ("secret = 1", "unknown field"),
    ] {
        let folder = project(&[("restage.toml", &format!("[redact]\n{rules}\n"))]);
        let output = run(folder.path(), &["sessions"]);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// Catches: a suite that only ever sees the login page, and says nothing of it.
#[test]
fn a_login_that_is_refused_with_a_stand_in_is_told() {
    let without = CONFIG.replace("secrets = { file = \"secrets.env\" }\n", "");
    let folder = project(&[("vault.py", APP), ("restage.toml", &without), ("data/.keep", "")]);
    record(folder.path());
    let output = run(folder.path(), &["baseline"]);
    let said = format!("{}{}", stdout(&output), stderr(&output));
    for expected in ["left at step 2, POST /login", "a stand-in was sent", "[redact] secrets"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    // What users of the recording registered themselves is opened by its stand-in.
    assert!(!said.contains("/upload"), "{said}");
}

/// Catches: a machine without a home folder on which nothing can be recorded; a key that others can read, or that changes.
#[test]
fn the_key_is_kept_in_the_home_folder_or_beside_the_store() {
    let log =
        "127.0.0.1 - - [15/Nov/2026:10:00:00 +0000] \"GET /?password=hunter2 HTTP/1.1\" 200 5 \"-\" \"x\"\n";
    let folder = project(&[("a.log", log), ("home/x", "")]);
    let folder = folder.path();
    let import = |store: &str, home: &Path| {
        let mut command = restage(folder, &["--store", store, "import", "a.log", "--json"]);
        command.env_remove("RESTAGE_REDACT_KEY").env_remove("XDG_CONFIG_HOME").env("HOME", home);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let stored = Store::open(&folder.join(store)).unwrap();
        stored.captured(ExchangeId(1)).unwrap().uri
    };
    let home = folder.join("home");
    let first = import("one/s.db", &home);
    assert!(first.starts_with("/?password=") && first != "/?password=hunter2", "{first}");
    assert_eq!(import("two/s.db", &home), first);
    let key = home.join(".config/restage/redact.key");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&key).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(key.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    // A file is no home.
    let none = folder.join("home/x");
    assert_ne!(import("three/s.db", &none), first);
    assert!(folder.join("three/redact.key").exists());
}
