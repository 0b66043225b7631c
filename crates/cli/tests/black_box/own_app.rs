//! Somebody else's application, from `init` to a found fault: tokens that change with every page, ids from the
//! database, sessions in files, another language.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{Recording, agent, free_port, json, project, restage, run, stderr, stdout};

pub(crate) const APP: &str = include_str!("../apps/notes.py");
pub(crate) const CONFIG: &str = r#"
[app]
command = "exec python3 notes.py {port}"
[app.faulty]
env = { FAULT = "1" }
[state]
folders = ["sessions"]
sqlite = ["notes.db"]
"#;

/// Ends the application when the test does.
pub(crate) struct Running(Child);

impl Running {
    /// One that was started.
    pub(crate) fn of(child: Child) -> Self {
        Self(child)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn start(folder: &Path) -> (Running, String) {
    start_script(folder, "notes.py")
}

/// Starts an application of one file in a folder, and waits until it listens; its address.
pub(crate) fn start_script(folder: &Path, script: &str) -> (Running, String) {
    let port = free_port();
    let mut command = Command::new("python3");
    command.arg(script).arg(port.to_string()).current_dir(folder).stdin(Stdio::null());
    let running = Running(command.spawn().unwrap());
    let address = format!("127.0.0.1:{port}");
    // It listens when a connection succeeds.
    while std::net::TcpStream::connect(&address).is_err() {
        std::thread::yield_now();
    }
    (running, format!("http://{address}"))
}

/// A browser, as far as small applications need one.
pub(crate) struct Browser<'a> {
    url: &'a dyn Fn(&str) -> String,
    agent: ureq::Agent,
    cookie: String,
    pub(crate) page: String,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(url: &'a dyn Fn(&str) -> String) -> Self {
        Self { url, agent: agent(), cookie: String::new(), page: String::new() }
    }

    /// Asks for an address and follows redirects; the address it ends at.
    pub(crate) fn go(&mut self, path: &str, form: Option<&[(&str, &str)]>) -> String {
        let url = (self.url)(path);
        let answer = match form {
            Some(form) => {
                self.agent.post(&url).header("cookie", &self.cookie).send_form(form.iter().copied())
            }
            None => self.agent.get(&url).header("cookie", &self.cookie).call(),
        };
        let mut answer = answer.unwrap();
        let field = |name: &str| answer.headers().get(name).map(|v| v.to_str().unwrap().to_owned());
        let location = field("location");
        if let Some(cookie) = field("set-cookie") {
            self.cookie = cookie.split(';').next().unwrap().to_owned();
        }
        self.page = answer.body_mut().read_to_string().unwrap();
        match location {
            Some(location) => self.go(&location, None),
            None => path.to_owned(),
        }
    }

    pub(crate) fn between(&self, before: &str, after: char) -> String {
        self.page.split(before).nth(1).unwrap().split(after).next().unwrap().to_owned()
    }
}

pub(crate) fn record(folder: &Path) {
    let (app, upstream) = start(folder);
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    use_notes(&|path| recording.url(path));
    let tally = recording.stop();
    assert_eq!(tally["seen"], tally["stored"]);
    drop(app);
}

/// Three users; `url` makes the address of a path.
pub(crate) fn use_notes(url: &dyn Fn(&str) -> String) {
    for user in ["ann", "bob", "cid"] {
        let mut browser = Browser::new(url);
        browser.go("/", None);
        let token = browser.between("value=", '>');
        browser.go("/login", Some(&[("token", &token), ("user", user)]));
        for text in ["buy five apples", "call the old bank"] {
            let token = browser.between("value=", '>');
            let note = browser.go("/add", Some(&[("token", &token), ("text", text)]));
            assert!(note.starts_with("/note/"), "{note}: {}", browser.page);
            browser.go("/notes", None);
        }
        let link = browser.between("<a href='/delete", '\'').replace("&amp;", "&");
        browser.go(&format!("/delete{link}"), None);
        assert!(!browser.page.contains("apples") && browser.page.contains("bank"), "{}", browser.page);
    }
}

#[test]
fn from_record_to_a_found_fault() {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG)]);
    let folder = folder.path();
    // The application has run before: the first recorded note is not the first in the database.
    drop(start(folder));
    record(folder);
    let sessions = json(folder, &["sessions"]);
    assert_eq!(
        sessions.as_array().unwrap().len(),
        3,
        "a session a user, though each got a new cookie at login"
    );

    let baseline = json(folder, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    let steps = json(folder, &["runs", "show", "baseline-1"]);
    let statuses: Vec<u64> = steps["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["answer"]["received"]["status"].as_u64().unwrap())
        .collect();
    assert!(statuses.iter().all(|s| matches!(s, 200 | 302)), "no token was refused: {statuses:?}");

    let same = run(folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
    let faulty = run(folder, &["test", "--app", "faulty"]);
    assert_eq!(faulty.status.code(), Some(1));
    let text = stdout(&faulty);
    assert!(text.contains("buy five apples") && text.contains("GET /note/{n}"), "{text}");

    // A report that nobody reads to its end is written all the same, and its verdict stands.
    let piped = Command::new("sh")
        .args([
            "-c",
            &format!("'{}' test --app faulty --json --junit r.xml | true", env!("CARGO_BIN_EXE_restage")),
        ])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        piped.status.success() && std::fs::read_to_string(folder.join("r.xml")).unwrap().contains("<failure")
    );
}
