//! Traffic that was logged already, from its file to sessions and their replay.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::own_app::{APP, CONFIG, record, start, use_notes};
use crate::support::{demo_project, free_port, json, project, restage, run, signal, stderr, stdout};

/// Lines of a combined log, `n` of them, by three users.
fn combined(n: usize) -> String {
    (0..n)
        .map(|i| {
            format!(
                "10.0.0.{} - - [10/Oct/2026:13:{:02}:{:02} +0000] \"GET /book/{} HTTP/1.1\" 200 512 \"-\" \"Mozilla/5.0\"\n",
                i % 3,
                i / 60 % 60,
                i % 60,
                i
            )
        })
        .collect()
}

/// Catches: one bad line that ends an import or takes good ones with it; places that are off.
#[test]
fn a_log_with_garbage_is_imported_but_for_the_garbage() {
    let mut lines: Vec<String> = combined(990).lines().map(str::to_owned).collect();
    for i in 0..10 {
        lines.insert(i * 90, "\u{0}\u{1}garbage \"[".to_owned());
    }
    let folder = project(&[("access.log", &lines.join("\n"))]);
    let folder = folder.path();
    let output = run(folder, &["import", "access.log"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("combined, 990 exchanges added, 10 could not be read"), "{text}");
    assert!(text.contains("access.log:1: ") && text.contains("access.log:91: "), "{text}");
    assert!(text.contains("and 5 more"), "{text}");
    assert_eq!(stderr(&output).matches("has no cookies").count(), 1, "what a format lacks is said once");
    assert_eq!(json(folder, &["sessions"]).as_array().unwrap().len(), 3);
}

/// Catches: one kind of garbage or another that takes its neighbours with it, when there is much of both.
#[test]
fn of_a_long_log_all_but_the_garbage_is_imported() {
    let garbage: [&[u8]; 6] = [
        b"\x16\x03\x01 \xff\xfe\n",
        br#"10.0.0.9 - - [10/Oct/2026:13:55:36 +0000] "\x16\x03\x01" 400 157 "-" "-""#,
        br#"10.0.0.9 - - [10/Oct/2026:13:55:36 +0000] "GET /book/1"#,
        br#"10.0.0.9 - - [40/Foo/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "-""#,
        br#"PHP Warning: Undefined array key "id" in /srv/shop/book.php on line 17"#,
        &[b'x'; 70_000],
    ];
    let mut log = Vec::new();
    for (number, line) in combined(19_800).lines().enumerate() {
        if number % 99 == 0 {
            log.extend_from_slice(garbage[number / 99 % garbage.len()]);
            log.push(b'\n');
        }
        log.extend_from_slice(line.as_bytes());
        log.push(b'\n');
    }
    let folder = project(&[]);
    let folder = folder.path();
    std::fs::write(folder.join("access.log"), log).unwrap();
    let imported = json(folder, &["import", "access.log"]);
    assert_eq!((&imported["added"], &imported["unread"]), (&19_800.into(), &200.into()), "{imported}");
    let sessions = json(folder, &["sessions", "--all"]);
    let length = |list: &serde_json::Value| list.as_array().unwrap().len();
    let in_sessions: usize =
        sessions.as_array().unwrap().iter().map(|s| length(&s["exchanges"]) + length(&s["left_out"])).sum();
    assert_eq!(in_sessions, 19_800, "each is in exactly one session");
}

/// Catches: exchanges that are stored twice, two that are alike taken for one, new lines that are missed.
#[test]
fn the_same_again_adds_nothing_and_a_grown_file_adds_what_is_new() {
    let alike = "10.0.0.9 - - [10/Oct/2026:13:55:36 +0000] \"GET /x HTTP/1.1\" 200 1 \"-\" \"M\"\n";
    let log = format!("{}{alike}", combined(100));
    let folder = project(&[("a.log", &log)]);
    let folder = folder.path();
    assert_eq!(json(folder, &["import", "a.log"])["added"], 101);
    let again = json(folder, &["import", "a.log"]);
    assert_eq!((&again["added"], &again["files"][0]["unchanged"]), (&0.into(), &true.into()));
    // The same request once more in the same second is another request.
    std::fs::write(folder.join("a.log"), format!("{log}{alike}")).unwrap();
    let grown = json(folder, &["import", "a.log"]);
    assert_eq!((&grown["added"], &grown["known"]), (&1.into(), &101.into()));
    // Packed, under another name, by way of standard input: the same lines all the same.
    let zipped =
        std::process::Command::new("gzip").args(["-k", "a.log"]).current_dir(folder).status().unwrap();
    assert!(zipped.success());
    assert_eq!(json(folder, &["import", "a.log.gz"])["known"], 102);
    let mut child = restage(folder, &["import", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{log}{alike}").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&value["added"], &value["known"]), (&0.into(), &102.into()));
}

/// Catches: a file that is something else imported as nothing without a word.
#[test]
fn a_file_that_is_none_of_the_formats_is_a_mistake_and_others_are_imported() {
    let folder = project(&[
        ("notes.txt", "dear diary\n"),
        ("a.log", &combined(3)),
        ("cut.har", "{\"log\":{\"entries\":["),
    ]);
    let folder = folder.path();
    let output = run(folder, &["import", "notes.txt", "a.log"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no format that restage knows") && stderr(&output).contains("hint:"));
    assert!(stdout(&output).contains("3 exchanges added"));
    for (file, format) in
        [("notes.txt", "har"), ("notes.txt", "combined"), ("notes.txt", "gor"), ("cut.har", "har")]
    {
        let output = run(folder, &["import", file, "--format", format]);
        assert_eq!(output.status.code(), Some(2), "{file} as {format}: {}", stdout(&output));
        assert!(stderr(&output).contains(&format!("{file} is not {format}")), "{}", stderr(&output));
    }
    assert_eq!(run(folder, &["import", "missing.log"]).status.code(), Some(2));
}

/// The exchanges of a store as a GoReplay file and as a HAR file.
fn exported(folder: &Path) -> (String, String) {
    let mut gor = String::new();
    let mut entries = Vec::new();
    let store = restage_store::Store::open(&folder.join(".restage/restage.db")).unwrap();
    let sessions = json(folder, &["sessions"]);
    for session in sessions.as_array().unwrap() {
        let shown = json(folder, &["sessions", "show", session["name"].as_str().unwrap()]);
        for exchange in shown["exchanges"].as_array().unwrap() {
            let e = &exchange["exchange"];
            let id = format!("{:024x}", e["id"].as_i64().unwrap());
            let at = e["at"].as_i64().unwrap();
            let body = |reference: &serde_json::Value| -> String {
                let reference = serde_json::from_value(reference.clone()).unwrap();
                String::from_utf8(store.body(&reference).unwrap()).unwrap()
            };
            let (request, response) = (&e["request"], &e["response"]);
            let lines = |headers: &serde_json::Value| -> String {
                let pairs = headers.as_array().unwrap().iter();
                pairs.map(|p| format!("{}: {}\r\n", p[0].as_str().unwrap(), p[1].as_str().unwrap())).collect()
            };
            let list = |headers: &serde_json::Value| -> serde_json::Value {
                let pairs = headers.as_array().unwrap().iter();
                pairs.map(|p| serde_json::json!({ "name": p[0], "value": p[1] })).collect()
            };
            let (method, uri) = (request["method"].as_str().unwrap(), request["uri"].as_str().unwrap());
            let (asked, answered) = (body(&request["body"]), body(&response["body"]));
            gor.push_str(&format!(
                "1 {id} {}\n{method} {uri} HTTP/1.1\r\n{}\r\n{asked}\n🐵🙈🙉\n2 {id} {} 1000\nHTTP/1.1 {} X\r\n{}\r\n{answered}\n🐵🙈🙉\n",
                at * 1000,
                lines(&request["headers"]),
                at * 1000 + 1000,
                response["status"],
                lines(&response["headers"]),
            ));
            let second = restage_model::Moment(at).to_string().replace(' ', "T");
            entries.push(serde_json::json!({
                "startedDateTime": format!("{second}.{:06}Z", at % 1_000_000),
                "time": 1.0,
                "request": {
                    "method": method, "url": format!("http://shop.example{uri}"), "headers": list(&request["headers"]),
                    "postData": { "mimeType": "", "text": asked },
                },
                "response": {
                    "status": response["status"], "headers": list(&response["headers"]),
                    "content": { "size": answered.len(), "text": answered },
                },
            }));
        }
    }
    entries.push(serde_json::json!({
        "startedDateTime": "2026-11-16T00:00:00Z", "time": 1,
        "request": { "method": "GET", "url": "https://cdn.example/lib.js", "headers": [] },
        "response": { "status": 200, "headers": [], "content": {} },
    }));
    (gor, serde_json::json!({ "log": { "version": "1.2", "entries": entries } }).to_string())
}

/// Method, address, status and cookie of all that is replayed.
fn requests(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for session in json(folder, &["sessions"]).as_array().unwrap() {
        let shown = json(folder, &["sessions", "show", session["name"].as_str().unwrap()]);
        for exchange in shown["exchanges"].as_array().unwrap() {
            let e = &exchange["exchange"];
            let headers = e["request"]["headers"].as_array().unwrap();
            let cookie = headers.iter().find(|p| p[0] == "cookie").map(|p| p[1].clone());
            all.push(format!(
                "{} {} {} {cookie:?} {} {}",
                e["request"]["method"],
                e["request"]["uri"],
                e["response"]["status"],
                e["request"]["body"]["size"],
                e["response"]["body"]["size"]
            ));
        }
    }
    all
}

/// Catches: requests, bodies, cookies or sessions that do not survive the way through a file; imported sessions that do
/// not replay, with live tokens, to a found fault.
#[test]
fn har_and_gor_hold_the_same_sessions_and_replay() {
    // Others redact nothing, and what is compared here is what they hold.
    let config = format!("{CONFIG}[redact]\noff = true\n");
    let recorded = project(&[("notes.py", APP), ("restage.toml", &config)]);
    drop(start(recorded.path()));
    record(recorded.path());
    let (gor, har) = exported(recorded.path());
    for (name, text) in [("traffic.gor", &gor), ("traffic.har", &har)] {
        let folder = project(&[("notes.py", APP), ("restage.toml", &config), (name, text)]);
        let folder = folder.path();
        drop(start(folder));
        let imported = json(folder, &["import", name]);
        assert_eq!(imported["unread"], 0, "{imported}");
        assert_eq!(requests(folder), requests(recorded.path()), "{name}");
        let baseline = json(folder, &["baseline"]);
        assert_eq!(baseline["stale"], 0, "{name}: {baseline}");
        assert_eq!(run(folder, &["test"]).status.code(), Some(0), "{name}");
        let faulty = run(folder, &["test", "--app", "faulty"]);
        assert_eq!(faulty.status.code(), Some(1), "{name}");
        assert!(stdout(&faulty).contains("buy five apples"), "{name}: {}", stdout(&faulty));
    }
}

/// Catches: a shop's traffic that GoReplay recorded and that does not replay as it was: other sessions, stale tokens, or
/// differences where nothing was changed.
#[test]
fn a_shops_gor_file_replays_with_nothing_failing() {
    let demo = demo_project();
    let shop = demo.path().join("shop");
    let (gor, _) = exported(&shop);
    let sessions = json(&shop, &["sessions"]).as_array().unwrap().len();
    let before = requests(&shop);
    let restored = run(&shop, &["snapshots", "restore", "initial"]);
    assert!(restored.status.success(), "{}", stderr(&restored));
    std::fs::remove_dir_all(shop.join(".restage")).unwrap();
    std::fs::write(shop.join("shop.gor"), gor).unwrap();
    // Some shoppers try pages that are not there, on purpose.
    let mut settings = std::fs::read_to_string(shop.join("restage.toml")).unwrap();
    settings.push_str("\n[sessions.leave-out]\ninvalid = false\n");
    // The shop's secrets are stand-ins in this file already.
    settings = settings.replace("[redact]\n", "[redact]\noff = true\n");
    std::fs::write(shop.join("restage.toml"), settings).unwrap();
    let imported = json(&shop, &["import", "shop.gor"]);
    assert_eq!((&imported["added"], &imported["unread"]), (&before.len().into(), &0.into()), "{imported}");
    assert_eq!(json(&shop, &["sessions"]).as_array().unwrap().len(), sessions);
    assert!(requests(&shop) == before, "each session asks for what it asked for");
    let baseline = json(&shop, &["baseline"]);
    assert_eq!(baseline["stale"], 0, "{baseline}");
    let tested = run(&shop, &["test"]);
    assert_eq!(tested.status.code(), Some(0), "{}", stdout(&tested));
    assert_eq!(run(&shop, &["test", "--app", "faulty"]).status.code(), Some(1));
}

/// nginx before an application, logging as `restage init --nginx` says.
struct Nginx {
    child: std::process::Child,
    address: String,
    folder: tempfile::TempDir,
}

impl Nginx {
    fn before(upstream: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let printed = stdout(&run(folder.path(), &["init", "--nginx"]));
        let (http, server) = printed.split_once("# In the server block").unwrap();
        let own = folder.path().display();
        let server = server.replace("/var/log/nginx", &own.to_string());
        let port = free_port();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|kind| format!("{kind}_temp_path {own}/{kind};\n"))
            .collect();
        let config = format!(
            "daemon off; pid {own}/pid; error_log {own}/error.log; events {{}}\nhttp {{\n{temporary}{http}\n\
             server {{\nlisten 127.0.0.1:{port};\n#{server}\nlocation / {{ proxy_pass {upstream}; }}\n}}\n}}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, config).unwrap();
        let program = if Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" };
        let child = std::process::Command::new(program)
            .args(["-e", "stderr", "-c"])
            .arg(&file)
            .spawn()
            .expect("nginx: scripts/test installs it");
        let address = format!("127.0.0.1:{port}");
        while std::net::TcpStream::connect(&address).is_err() {
            std::thread::yield_now();
        }
        Self { child, address, folder }
    }

    /// Ends it when it has answered, and so logged, everything; what it logged.
    fn stop(mut self) -> String {
        signal(&self.child, "-QUIT");
        self.child.wait().unwrap();
        std::fs::read_to_string(self.folder.path().join("restage.json")).unwrap()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Catches: a log format that nginx refuses or that lacks what a replay needs; logged sessions that lose their login,
/// because the pages their tokens stood on are not in the log.
#[test]
fn what_nginx_logs_replays_to_a_found_fault() {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG)]);
    let folder = folder.path();
    let log = {
        drop(start(folder));
        let (app, upstream) = start(folder);
        let nginx = Nginx::before(&upstream);
        let address = nginx.address.clone();
        use_notes(&|path| format!("http://{address}{path}"));
        let text = nginx.stop();
        drop(app);
        text
    };
    std::fs::remove_dir_all(folder.join("sessions")).unwrap();
    std::fs::remove_file(folder.join("notes.db")).unwrap();
    drop(start(folder));
    std::fs::write(folder.join("restage.json"), log).unwrap();
    let imported = json(folder, &["import", "restage.json"]);
    assert_eq!((&imported["added"], &imported["unread"]), (&33.into(), &0.into()), "{imported}");
    assert_eq!(json(folder, &["sessions"]).as_array().unwrap().len(), 3);
    let output = run(folder, &["baseline"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let steps = json(folder, &["runs", "show", "baseline-1"]);
    let steps = steps["steps"].as_array().unwrap();
    let statuses: Vec<&serde_json::Value> =
        steps.iter().map(|s| &s["answer"]["received"]["status"]).collect();
    assert!(statuses.iter().all(|s| **s == 200 || **s == 302), "no token was refused: {statuses:?}");
    let faulty = run(folder, &["test", "--app", "faulty"]);
    assert_eq!(faulty.status.code(), Some(1));
    assert!(stdout(&faulty).contains("buy five apples"), "{}", stdout(&faulty));
}

/// Catches: slugs that stay pages of their own, a template that more traffic takes back, and a bad one that is taken.
#[test]
fn templates_are_learnt_kept_and_listed() {
    let word =
        |i: usize| format!("{}{}", char::from(b'a' + (i / 26) as u8), char::from(b'a' + (i % 26) as u8));
    let lines = |from: usize, to: usize| -> String {
        let line = |i| {
            let at = format!("10/Oct/2026:13:{:02}:{:02} +0000", i / 20, i % 20 * 3);
            format!("10.0.0.1 - - [{at}] \"GET /book/{} HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0\"\n", word(i))
        };
        (from..to).map(line).collect()
    };
    let folder =
        project(&[("few.log", &lines(0, 5)), ("many.log", &lines(5, 60)), ("more.log", &lines(60, 70))]);
    let folder = folder.path();
    assert_eq!(json(folder, &["import", "few.log"])["files"][0]["learnt"], serde_json::json!([]));
    assert_eq!(json(folder, &["sessions", "keys"]).as_object().unwrap().len(), 5);
    let learnt = &json(folder, &["import", "many.log"])["files"][0]["learnt"];
    assert_eq!(*learnt, serde_json::json!(["/book/{slug}"]));
    json(folder, &["import", "more.log"]);
    assert_eq!(json(folder, &["sessions", "keys"]), serde_json::json!({ "GET /book/{slug}": 70 }));
    std::fs::write(folder.join("restage.toml"), "[keys]\ntemplates = [\"book/slug\"]\n").unwrap();
    let refused = run(folder, &["sessions"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("no path template"), "{}", stderr(&refused));
}

/// Catches: an export that cannot be brought back in as it was: other sessions, other names, exchanges that are filtered because they
/// seem to be somebody's log; and the same brought back to where it came from stored twice.
#[test]
fn an_export_comes_back_as_it_was() {
    let recorded = demo_project();
    let recorded = recorded.path().join("shop");
    assert!(run(&recorded, &["export", "recorded", "--to", "har", "-o", "all.har"]).status.success());
    let text = std::fs::read_to_string(recorded.join("all.har")).unwrap();
    let settings = std::fs::read_to_string(recorded.join("restage.toml")).unwrap();
    let fresh = project(&[("restage.toml", &settings), ("all.har", &text)]);
    let imported = json(fresh.path(), &["import", "all.har"]);
    let entries = text.matches("\"startedDateTime\"").count();
    assert_eq!((&imported["added"], &imported["unread"]), (&entries.into(), &0.into()), "{imported}");
    assert_eq!(json(fresh.path(), &["sessions"]), json(&recorded, &["sessions"]));
    let again = stdout(&run(fresh.path(), &["export", "recorded", "--to", "har"]));
    assert!(again.trim_end() == text.trim_end(), "not the same bytes");
    assert_eq!(json(&recorded, &["import", "all.har"])["added"], 0);
}
