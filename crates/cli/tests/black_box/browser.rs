//! A real browser behind the recorder, and before the report.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{self, Recording, agent, demo_project, restage};

/// Chromium, driven over the WebDriver protocol.
struct Browser {
    driver: Child,
    session: String,
    agent: ureq::Agent,
    _profile: tempfile::TempDir,
}

impl Browser {
    fn start() -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver: scripts/test installs it");
        // It says its port, then goes on talking: the pipe stays open with it.
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let said = lines.by_ref().map(Result::unwrap).find(|l| l.contains("successfully on port"));
        let port = said.unwrap().trim_end_matches('.').rsplit(' ').next().unwrap().to_owned();
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let agent = agent();
        let args = [
            "--headless".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-quic".to_owned(),
            format!("--user-data-dir={}", profile.path().display()),
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": args }, "goog:loggingPrefs": { "browser": "ALL" } } } });
        let base = format!("http://127.0.0.1:{port}/session");
        let made: Value = agent.post(&base).send_json(wanted).unwrap().body_mut().read_json().unwrap();
        let id = made["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        Self { driver, session: format!("{base}/{id}"), agent, _profile: profile }
    }

    fn call(&self, command: &str, body: Value) -> Value {
        let url = format!("{}/{command}", self.session);
        let mut answer = self.agent.post(&url).send_json(body).unwrap();
        let value: Value = answer.body_mut().read_json().unwrap();
        assert!(answer.status().is_success(), "{command}: {value}");
        value["value"].clone()
    }

    fn open(&self, url: &str) {
        self.call("url", json!({ "url": url }));
    }

    fn script(&self, script: &str) -> Value {
        self.call("execute/sync", json!({ "script": script, "args": [] }))
    }

    /// Clicks what a CSS selector finds; the navigation it starts may still be under way.
    fn click(&self, selector: &str) {
        self.call(&format!("element/{}/click", self.find(selector)), json!({}));
    }

    fn fill(&self, selector: &str, text: &str) {
        self.call(&format!("element/{}/value", self.find(selector)), json!({ "text": text }));
    }

    fn find(&self, selector: &str) -> String {
        let found = self.call("element", json!({ "using": "css selector", "value": selector }));
        found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned()
    }

    fn text(&self) -> String {
        self.script("return document.body ? document.body.innerText : ''").as_str().unwrap().to_owned()
    }

    /// Waits until the page shows a text: a click may return before the page it leads to is there.
    fn wait_for(&self, text: &str) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !self.text().contains(text) {
            assert!(Instant::now() < deadline, "no '{text}' in:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

#[test]
fn a_browser_behind_the_recorder_and_its_session_replayed() {
    let folder = support::project(&[]);
    let binary = env!("CARGO_BIN_EXE_restage");
    let config = format!(
        "[app]\ncommand = \"exec '{binary}' bookstore --port {{port}} --data data\"\n[state]\nfolders = [\"data\"]\n\
         [redact]\nsecrets = {{ file = \"secrets.env\" }}\n"
    );
    std::fs::write(folder.path().join("restage.toml"), config).unwrap();
    std::fs::write(folder.path().join("secrets.env"), "ADA=lovelace\n").unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let shop = bookstore::start(bookstore::Settings::new(folder.path().join("data"))).unwrap();
    let recording = Recording::start(restage(
        folder.path(),
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &shop.url()],
    ));
    {
        let browser = Browser::start();
        browser.open(&recording.url("/login"));
        browser.fill(
            "input[name=username], input[name=login], input[name=member], main input[type=text]",
            "ada",
        );
        browser.fill("input[type=password]", "lovelace");
        browser.click("main form button, form[action='/login'] button");
        browser.wait_for("Log out");
        let here = browser.script("return location.host");
        assert_eq!(here, recording.address.to_string(), "redirects stay behind the recorder");
        browser.open(&recording.url("/book/3"));
        browser.click("form[action='/cart/add'] button");
        browser.wait_for("Cart (1)");
    }
    let tally = recording.stop();
    shop.stop();
    assert_eq!(tally["seen"], tally["stored"]);
    let sessions = support::json(folder.path(), &["sessions"]);
    assert_eq!(sessions.as_array().unwrap().len(), 1, "one browser, one session: {sessions}");
    assert!(!sessions[0]["left_out"].as_array().unwrap().is_empty(), "the style sheet is left out");
    let baseline = support::json(folder.path(), &["baseline"]);
    assert_eq!(baseline["stale"], 0);
    let tested = support::run(folder.path(), &["test"]);
    assert_eq!(tested.status.code(), Some(0), "{}", support::stdout(&tested));
}

#[test]
fn the_report_opens_and_shows_pages_that_can_do_nothing() {
    let demo = demo_project();
    let report = demo.path().join("shop/report.html");
    let browser = Browser::start();
    browser.open(&format!("file://{}", report.display()));
    browser.wait_for("a link on / leads to /books/");
    let opened = browser.script(
        "document.querySelectorAll('details').forEach(d => d.open = true); \
         return [document.querySelectorAll('iframe').length, \
                 [...document.querySelectorAll('iframe')].every(f => f.getAttribute('sandbox') === '')]",
    );
    assert!(opened[0].as_u64().unwrap() > 10, "{opened}");
    assert_eq!(opened[1], true, "every frame is sandboxed");
    let log = browser.call("se/log", json!({ "type": "browser" }));
    let severe: Vec<&Value> = log.as_array().unwrap().iter().filter(|l| l["level"] == "SEVERE").collect();
    assert!(severe.is_empty(), "{severe:?}");
}
