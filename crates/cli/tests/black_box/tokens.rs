//! An application that gives a fresh JSON Web Token at every login: reports are written, and hold none of them.

use std::path::Path;

use crate::own_app::start_script;
use crate::support::{Recording, agent, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/tokens.py");
const CONFIG: &str = "[app]\ncommand = \"exec python3 tokens.py {port}\"\n[app.faulty]\nenv = { FAULT = \"1\" }\n\
    [state]\nfolders = [\"data\"]\n";

/// Two users log in, write a note and look at it.
fn record(folder: &Path) {
    let (app, upstream) = start_script(folder, "tokens.py");
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    for user in ["ann", "bob"] {
        let agent = agent();
        let send = |method: &str, path: &str, token: &str, body: &str| {
            let request = ureq::http::Request::builder()
                .method(method)
                .uri(recording.url(path))
                .header("user-agent", format!("Mozilla/5.0 {user}"))
                .header("content-type", "application/json")
                .header("authorization", format!("Bearer {token}"));
            let mut answer = agent.run(request.body(body.to_owned()).unwrap()).unwrap();
            assert!(answer.status().is_success(), "{method} {path}: {}", answer.status());
            answer.body_mut().read_to_string().unwrap()
        };
        let answer = send(
            "POST",
            "/api/login",
            "none",
            &format!(r#"{{"user": "{user}", "password": "s3same-{user}"}}"#),
        );
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let token = answer["data"]["access_token"].as_str().unwrap();
        send("POST", "/api/notes", token, r#"{"text": "buy five apples"}"#);
        send("GET", "/api/notes", token, "");
        send("GET", "/account", token, "");
    }
    recording.stop();
    drop(app);
}

/// No token that the application ever gave is in these files, nor the part of one that nobody else could make.
#[track_caller]
fn has_no_token(folder: &Path, files: &[&str]) {
    let issued = std::fs::read_to_string(folder.join("issued.log")).unwrap();
    assert!(issued.lines().count() > 4);
    for file in files {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        for token in issued.lines() {
            let parts: Vec<&str> = token.split('.').collect();
            for secret in [token, parts[1], parts[2], &parts[1][..parts[1].len() - 8], &parts[2][..20]] {
                assert!(!text.contains(secret), "{file} has {secret}");
            }
        }
    }
}

/// Catches: the everyday command of CI writes nothing and exits 2, since every run has other tokens; a report that has them.
#[test]
fn reports_are_written_without_live_tokens() {
    let folder = project(&[("tokens.py", APP), ("restage.toml", CONFIG), ("data/.keep", "")]);
    let folder = folder.path();
    record(folder);
    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");

    let test = run(folder, &["test", "--html", "same.html", "--junit", "same.xml"]);
    assert_eq!(test.status.code(), Some(0), "{}{}", stdout(&test), stderr(&test));
    assert!(stdout(&test).contains("no differences"), "{}", stdout(&test));
    has_no_token(folder, &["same.html", "same.xml"]);

    let test = run(folder, &["test", "--app", "faulty", "--html", "new.html", "--junit", "new.xml"]);
    assert_eq!(test.status.code(), Some(1), "{}{}", stdout(&test), stderr(&test));
    has_no_token(folder, &["new.html", "new.xml"]);
    // What differs is still told, and the pages are there.
    for file in ["new.html", "new.xml"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains("notes for the holder of") && text.contains("/api/notes"), "{file}: {text}");
    }

    let report = run(folder, &["report", "--html", "again.html", "--junit", "again.xml"]);
    assert_eq!(report.status.code(), Some(0), "{}{}", stdout(&report), stderr(&report));
    has_no_token(folder, &["again.html", "again.xml"]);
}
