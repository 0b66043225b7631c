//! An application that refuses all that was recorded: tokens for one use, a cookie sent twice, drawn ids in JSON, and
//! two tabs of one session that take turns.

use std::path::Path;

use serde_json::{Value, json as value};

use crate::own_app::start_script;
use crate::support::{Recording, agent, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/board.py");
const CONFIG: &str = r#"
[app]
command = "exec python3 board.py {port}"
[app.faulty]
env = { FAULT = "1" }
[state]
sqlite = ["board.db"]
"#;

/// A browser with several tabs and one set of cookies.
struct Browser<'a> {
    recording: &'a Recording,
    agent: ureq::Agent,
    cookies: Vec<(String, String)>,
}

/// A page in a tab: where it is, and what it shows.
struct Tab {
    path: String,
    page: String,
}

impl Tab {
    fn between(&self, before: &str, after: char) -> String {
        self.page.split(before).nth(1).unwrap().split(after).next().unwrap().to_owned()
    }
}

impl Browser<'_> {
    fn cookie(&self) -> String {
        self.cookies.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join("; ")
    }

    /// Sends a request from a page and follows redirects.
    fn send(&mut self, method: &str, path: &str, from: Option<&Tab>, body: Option<(&str, String)>) -> Tab {
        let mut request = ureq::http::Request::builder().method(method).uri(self.recording.url(path));
        request = request.header("cookie", self.cookie());
        if let Some(from) = from {
            request = request.header("referer", self.recording.url(&from.path));
        }
        let (kind, text) = body.unwrap_or(("", String::new()));
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        if kind == "application/json" {
            let xsrf = &self.cookies.iter().find(|(n, _)| n == "XSRF-TOKEN").unwrap().1;
            request = request.header("x-xsrf-token", xsrf.replace("%3D", "="));
        }
        let mut answer = self.agent.run(request.body(text).unwrap()).unwrap();
        for set in answer.headers().get_all("set-cookie") {
            let (name, value) = set.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
        assert!(answer.status().as_u16() < 400, "{method} {path}: {}", answer.status());
        let location = answer.headers().get("location").map(|l| l.to_str().unwrap().to_owned());
        let page = answer.body_mut().read_to_string().unwrap();
        match location {
            Some(location) => self.send("GET", &location, from, None),
            None => Tab { path: path.to_owned(), page },
        }
    }

    fn submit(&mut self, tab: &Tab, text: &str) -> Tab {
        let action = tab.between("action=", '>');
        let body = format!("token={}&text={text}", tab.between("name=token value=", '>'));
        self.send("POST", &action, Some(tab), Some(("application/x-www-form-urlencoded", body)))
    }

    fn note(&mut self, tab: &Tab, text: &str) -> String {
        let card: u64 = tab.between("\"card\": ", ',').parse().unwrap();
        let note = value!({ "cardId": card, "text": text, "key": tab.between("\"key\": \"", '"') });
        let made = self.send("POST", "/api/notes", Some(tab), Some(("application/json", note.to_string())));
        made.between("\"id\": \"", '"')
    }
}

fn record(folder: &Path) {
    let (app, upstream) = start_script(folder, "board.py");
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    let mut browser = Browser { recording: &recording, agent: agent(), cookies: Vec::new() };
    // Two tabs with the same form, opened one after the other; the first is sent last.
    let first = browser.send("GET", "/", None, None);
    let second = browser.send("GET", "/new", None, None);
    let second = browser.submit(&second, "second");
    let first = browser.submit(&first, "first");
    // Each tab goes on with its own card, in turns.
    let note_of_first = browser.note(&first, "to the first");
    let note_of_second = browser.note(&second, "to the second");
    let first = browser.submit(&first, "first+renamed");
    let _ = browser.submit(&second, "second+renamed");
    for (note, text) in [(note_of_second, "changed"), (note_of_first, "changed+too")] {
        let body = value!({ "text": text }).to_string();
        browser.send("POST", &format!("/api/notes/{note}"), Some(&first), Some(("application/json", body)));
    }
    browser.send("GET", &first.path, None, None);
    let tally = recording.stop();
    assert_eq!(tally["seen"], tally["stored"]);
    drop(app);
}

fn statuses(run: &Value) -> Vec<u64> {
    let steps = run["steps"].as_array().unwrap();
    steps.iter().map(|s| s["answer"]["received"]["status"].as_u64().unwrap()).collect()
}

/// Catches: any of the values that this application insists on is sent as recorded, or taken from the wrong tab.
#[test]
fn nothing_is_refused_and_all_is_explained() {
    let folder = project(&[("board.py", APP), ("restage.toml", CONFIG)]);
    let folder = folder.path();
    // The database is there before the first session.
    std::fs::write(folder.join("board.db"), "").unwrap();
    record(folder);
    assert_eq!(json(folder, &["sessions"]).as_array().unwrap().len(), 1);

    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    let shown = json(folder, &["runs", "show", "baseline-1"]);
    let statuses_now = statuses(&shown);
    assert!(statuses_now.iter().all(|s| *s < 400), "nothing is refused: {statuses_now:?}");
    let live = &shown["live"];
    assert!(live["requests"].as_u64().unwrap() >= 10 && live["requests"] == live["accepted"], "{live}");
    let same = run(folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));

    // Every value is explained, for people and for machines.
    let told = stdout(&run(folder, &["replay", "--explain"]));
    for said in [
        "hidden field token of form 1",
        "form field token: ",
        "JSON $.key: ",
        "JSON $.cardId: ",
        "script board.key",
        "path after notes: ",
        "JSON $.data.id",
        "header x-xsrf-token: ",
        "cookie XSRF-TOKEN, percent-decoded (the same request carries it as a cookie)",
        "where it redirects to",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let explained = json(folder, &["replay", "--explain"]);
    let first = &explained["explained"][0]["substitutions"][0];
    assert!(first["why"].as_str().is_some_and(|w| !w.is_empty()), "{first}");
    assert!(
        stdout(&run(folder, &["runs", "show", "baseline-1", "--explain"])).contains("answered as recorded")
    );

    // Without live values, all but the first is refused: what the tokens are for.
    let untouched = json(folder, &["replay", "--as-recorded", "--into", "untouched"]);
    assert_eq!((&untouched["run"]["as_recorded"], &untouched["with_live_values"]), (&true.into(), &0.into()));
    let refused = statuses(&json(folder, &["runs", "show", "untouched"]));
    assert!(refused[1..].iter().all(|s| *s >= 400), "{refused:?}");

    // A version whose page lacks what a script sends: told, with the place, in every report.
    let faulty = run(folder, &["test", "--app", "faulty", "--html", "r.html"]);
    assert_eq!(faulty.status.code(), Some(1));
    let text = stdout(&faulty);
    let why = "no longer has script board.key, which was sent as JSON key";
    assert!(text.contains("stale") && text.contains(why), "{text}");
    assert!(std::fs::read_to_string(folder.join("r.html")).unwrap().contains(why));
}
