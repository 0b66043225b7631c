//! A replay sends to the app, and to nobody else.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{Recording, agent, free_port, json, project, restage, run, stderr, stdout};

const CONFIG: &str = r#"
[app]
command = "exec python3 hosts.py {port}"
[app.leaving]
env = { ELSEWHERE = "http://localhost:ELSEWHERE" }
[app.running]
address = "http://127.0.0.1:RUNNING"
[app.far]
address = "http://192.0.2.7:8080"
"#;

struct Server(Child);

impl Server {
    fn start(folder: &Path, port: u16) -> Self {
        let mut command = Command::new("python3");
        command.arg("hosts.py").arg(port.to_string()).current_dir(folder).stdin(Stdio::null());
        let server = Self(command.spawn().unwrap());
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Catches: a live link, form or redirect that leads away is followed, and what users did is done there; a request that was
/// recorded for another name goes to that host.
#[test]
fn nothing_is_sent_to_another_host() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let away = elsewhere.local_addr().unwrap().port();
    let running = free_port();
    let config = CONFIG.replace(":ELSEWHERE", &format!(":{away}")).replace("RUNNING", &running.to_string());
    let folder = project(&[("hosts.py", include_str!("../apps/hosts.py")), ("restage.toml", &config)]);
    let folder = folder.path();
    let contacts = Arc::new(AtomicUsize::new(0));
    let seen = contacts.clone();
    std::thread::spawn(move || {
        for _ in elsewhere.incoming() {
            seen.fetch_add(1, Ordering::SeqCst);
        }
    });
    let server = Server::start(folder, running);
    let upstream = format!("http://127.0.0.1:{running}");
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    let agent = agent();
    for (path, host) in
        [("/", "a.example"), ("/next", "a.example"), ("/go", "b.example"), ("/landed", "b.example")]
    {
        agent.get(&recording.url(path)).header("host", host).call().unwrap();
    }
    agent.post(&recording.url("/form")).header("host", "b.example").send_form([("a", "1")]).unwrap();
    recording.stop();

    for app in ["default", "leaving"] {
        let output = run(folder, &["replay", "--app", app, "--state", "keep", "--into", app]);
        assert!(output.status.success(), "{}", stderr(&output));
        let shown = json(folder, &["runs", "show", app]);
        let steps = shown["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 5);
        assert!(steps.iter().all(|s| s["answer"]["received"]["status"].is_number()), "{shown}");
        let hosts = steps.iter().map(|s| s["sent"]["headers"].to_string());
        let hosts: Vec<bool> = hosts.map(|headers| headers.contains("b.example")).collect();
        assert_eq!(hosts, [false, false, true, true, true], "{shown}");
    }
    let first = json(folder, &["sessions"])[0]["name"].as_str().unwrap().to_owned();
    let page = stdout(&run(folder, &["runs", "show", "leaving", "--step", &format!("{first}/1"), "--body"]));
    assert!(page.contains("host=a.example;"), "the app is sent the recorded name: {page}");
    assert!(page.contains(&format!("http://localhost:{away}/next")), "{page}");
    assert_eq!(contacts.load(Ordering::SeqCst), 0);

    // One that runs already is replayed on, and goes on running; one elsewhere only when it is listed.
    let joined = run(folder, &["replay", "--app", "running", "--into", "joined"]);
    assert!(joined.status.success(), "{}", stderr(&joined));
    assert!(std::net::TcpStream::connect(("127.0.0.1", running)).is_ok());
    let far = run(folder, &["replay", "--app", "far"]);
    assert_eq!(far.status.code(), Some(2));
    let told = stderr(&far);
    assert!(told.contains("192.0.2.7:8080") && told.contains("hosts = [\"192.0.2.7:8080\"]"), "{told}");
    drop(server);
    std::fs::write(
        folder.join("restage.toml"),
        config.replace("[app.running]\n", "[app.running]\nready-timeout = \"300ms\"\n"),
    )
    .unwrap();
    let gone = run(folder, &["replay", "--app", "running"]);
    assert_eq!(gone.status.code(), Some(3), "{}", stdout(&gone));
    assert!(stderr(&gone).contains("hint:"), "{}", stderr(&gone));
}
