//! `restage map` on a site that is out to get a spider, and what the command prints, draws and refuses.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::own_app::start_script;
use crate::prints::assert_prints;
use crate::support::{Recording, agent, demo_project, json, project, restage, run, signal, stderr, stdout};

const APP: &str = include_str!("../apps/hostile.py");
const DUMP: &str = include_str!("../apps/state_dump.py");
const STATE: &str = "[state]\nfolders = [\"data/files\"]\nsqlite = [\"data/hostile.db\"]\n";

/// A listener that nobody is to connect to.
struct OtherSite {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl OtherSite {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let seen = connections.clone();
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                seen.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { address, connections }
    }
}

/// The hostile site, with data in it.
struct Hostile {
    folder: tempfile::TempDir,
    other: OtherSite,
}

impl Hostile {
    fn new(state: &str) -> Self {
        let other = OtherSite::new();
        let config = format!(
            "[app]\ncommand = \"exec python3 hostile.py {{port}}\"\ntimeout = \"700ms\"\nenv = {{ OTHER = \"{}\" }}\n{state}",
            other.address
        );
        let files = [("hostile.py", APP), ("state_dump.py", DUMP), ("restage.toml", &config)];
        let this = Self { folder: project(&files), other };
        // Once, so that there is data.
        drop(start_script(this.path(), "hostile.py"));
        this
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn dump(&self) -> String {
        let output = Command::new("python3")
            .args(["state_dump.py", "data"])
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    }

    /// What the app was asked for, or what it wrote.
    fn log(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Maps it; nothing may have changed, and nobody else been asked for anything.
    fn map(&self, arguments: &[&str]) -> Value {
        let before = self.dump();
        let map = json(self.path(), &[&["map", "--from", "spider"], arguments].concat());
        assert_eq!(self.other.connections.load(Ordering::SeqCst), 0);
        if self.path().join("restage.toml").exists() && !arguments.contains(&"--press") {
            assert_eq!(self.dump(), before);
        }
        map
    }
}

fn ids(map: &Value) -> BTreeSet<&str> {
    map["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap()).collect()
}

/// What was passed over for a reason that has this in it.
fn passed_over<'a>(map: &'a Value, why: &str) -> &'a Value {
    let skipped = map["spider"]["skipped"].as_array().unwrap();
    let found = skipped.iter().find(|one| one["why"].as_str().unwrap().contains(why));
    found.unwrap_or_else(|| panic!("nothing was passed over for {why}: {skipped:?}"))
}

/// Catches: a spider that never ends, that leaves the site, that leaves something changed, or that believes what a header field or a
/// page says of itself.
#[test]
fn a_hostile_site_is_mapped_and_left_as_it_was() {
    let site = Hostile::new(STATE);
    let map = site.map(&[]);
    assert_eq!(map["spider"]["stopped"], "complete", "{}", map["spider"]);
    let requests = map["spider"]["requests"].as_u64().unwrap();
    let log = site.log("requests.log");
    // The supervisor asks whether the app is there, too.
    assert!(requests < 1500 && log.len() as u64 >= requests, "{requests}, {}", log.len());
    let ids = ids(&map);
    assert!(ids.len() < 900, "{}", ids.len());
    for found in [
        "GET /calendar?month",
        "GET /calendar/{n}/{n}",
        "GET /items",
        "GET /delete?id",
        "POST /wipe",
        "POST /login?pw&user",
        "GET /inside",
        "GET /inside/secret",
        "GET /binary",
        "GET /in-binary",
        "GET /in-nested",
        "GET /huge?part",
    ] {
        assert!(ids.contains(found), "{found}: {ids:#?}");
    }
    for wrong in ["in-picture", "from-script", "from-data", "in-slow", "in-cut", "evil", "relative", "button"]
    {
        assert!(!ids.iter().any(|id| id.contains(wrong)), "{wrong}");
        assert!(!log.iter().any(|line| line.contains(wrong)), "{wrong}");
    }
    let writes = site.log("writes.log");
    for pressed in ["POST /wipe", "POST /login", "POST /logout", "GET /logout", "GET /delete?id="] {
        assert!(writes.iter().any(|line| line.starts_with(pressed)), "{pressed}: {writes:?}");
    }
    for why in [
        "parameters without an end",
        "very many pages",
        "paths without an end",
        "redirects without",
        "another site",
    ] {
        assert!(passed_over(&map, why)["count"].as_u64().unwrap() > 0);
    }
    let unanswered = passed_over(&map, "not answered")["examples"].to_string();
    assert!(unanswered.contains("GET /slow") && unanswered.contains("GET /cut"), "{unanswered}");
    assert_eq!(map["spider"]["users"], serde_json::json!(["anonymous", "logged in"]));
    assert!(json(site.path(), &["snapshots"]).as_array().unwrap().is_empty(), "its own snapshots are gone");
}

/// Catches: a terminal that a page's names take over, or a name that fills it.
#[test]
fn what_people_read_has_no_control_characters_of_the_site() {
    let site = Hostile::new(STATE);
    let output = run(site.path(), &["map", "--from", "spider", "--max-requests", "150"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for shown in [&["map", "--map", "map-1"][..], &["map", "--map", "map-1", "--paths"], &["map", "--list"]] {
        let shown = run(site.path(), shown);
        assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
        let text = stdout(&shown) + &stderr(&shown) + &stdout(&output) + &stderr(&output);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    }
    assert!(stdout(&output).lines().all(|line| line.chars().count() < 1500), "{}", stdout(&output));
    let drawn = run(site.path(), &["map", "--map", "map-1", "--dot", "-"]);
    assert!(!stdout(&drawn).chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
}

/// Catches: a limit that is not kept, or not named where it ended the work.
#[test]
fn each_limit_ends_it_and_is_named() {
    let site = Hostile::new(STATE);
    let counted = site.map(&["--max-requests", "50"]);
    assert_eq!(counted["spider"]["stopped"], "max-requests");
    assert_eq!(counted["spider"]["requests"], 50);
    assert!(!counted["spider"]["unseen"].as_array().unwrap().is_empty());
    let timed = site.map(&["--max-time", "200ms"]);
    assert_eq!(timed["spider"]["stopped"], "max-time");
    let near = site.map(&["--max-depth", "1"]);
    assert_eq!(near["spider"]["stopped"], "complete");
    assert!(passed_over(&near, "deeper than --max-depth")["count"].as_u64().unwrap() > 0);
    let shown = stdout(&run(site.path(), &["map", "--from", "spider", "--max-requests", "50"]));
    assert!(shown.contains("as many requests were sent as --max-requests allows"), "{shown}");
    assert!(shown.contains("  not looked at: ") && shown.contains("  passed over, "), "{shown}");
}

/// Catches: data that changes though nothing can restore it; a spider that says nothing of what it did not press.
#[test]
fn without_a_state_nothing_that_writes_is_pressed() {
    let site = Hostile::new("");
    let map = site.map(&["--max-depth", "1"]);
    assert_eq!(site.log("writes.log"), [""; 0]);
    assert!(!site.log("requests.log").iter().any(|line| line.starts_with("POST ")));
    let why = passed_over(&map, "there is no [state] to restore");
    assert!(why["count"].as_u64().unwrap() > 5, "{why}");
    let output = run(site.path(), &["map", "--from", "spider", "--max-requests", "60"]);
    assert!(stdout(&output).contains("there is no [state] to restore"), "{}", stdout(&output));
    site.map(&["--max-depth", "1", "--press"]);
    assert!(site.log("writes.log").iter().any(|line| line.starts_with("POST ")));
}

/// Catches: data that stays as the spider left it where it is interrupted or killed.
#[test]
fn a_spider_that_is_killed_or_interrupted_leaves_the_data_to_the_next_command() {
    let site = Hostile::new(STATE);
    let before = site.dump();
    for how in ["-INT", "-KILL", "-TERM"] {
        let writes = site.log("writes.log").len();
        let mut child = restage(site.path(), &["map", "--from", "spider"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while site.log("writes.log").len() <= writes + 2 {
            assert!(child.try_wait().unwrap().is_none(), "it has ended already");
            std::thread::yield_now();
        }
        signal(&child, how);
        let ended = child.wait_with_output().unwrap();
        let aside = json(site.path(), &["snapshots"]);
        if how == "-KILL" {
            assert!(aside.to_string().contains("\"before map-1\""), "{aside}");
            let next = run(site.path(), &["snapshots", "save", "next"]);
            assert!(stderr(&next).contains("restored the application's data"), "{}", stderr(&next));
            assert!(run(site.path(), &["snapshots", "remove", "next"]).status.success());
        } else {
            assert_eq!(ended.status.code(), Some(3), "{how}: {}", stderr(&ended));
            assert!(stderr(&ended).contains("interrupted"), "{}", stderr(&ended));
        }
        assert_eq!(site.dump(), before, "{how}");
    }
    assert_eq!(json(site.path(), &["map", "--list"]), serde_json::json!([]), "half a map is none");
    assert_eq!(site.other.connections.load(Ordering::SeqCst), 0);
}

/// Catches: a site whose pages name it by an address of its own is left for another one on the same machine.
#[test]
fn a_recorded_host_is_kept_and_no_other_is_asked() {
    let site = Hostile::new(STATE);
    let (app, upstream) = start_script(site.path(), "hostile.py");
    let recording = Recording::start(restage(
        site.path(),
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    for path in ["/", "/items", "/calendar/2026/11"] {
        assert_eq!(agent().get(recording.url(path)).call().unwrap().status(), 200);
    }
    recording.stop();
    drop(app);
    let map = site.map(&["--max-requests", "300"]);
    assert_eq!(map["sessions"]["reached"], 3);
    assert_eq!(map["sessions"]["missed"], serde_json::json!([]));
}

/// Catches: ids that nothing is called by, a path that leaves an edge out or goes over it twice, a file that is not written.
#[test]
fn a_map_is_shown_in_every_way() {
    let shop = demo_project();
    let shop = &shop.path().join("shop");
    // No app is needed.
    let of_sessions = json(shop, &["map", "--from", "sessions", "--app", "nowhere"]);
    assert!(of_sessions.get("spider").is_none(), "{of_sessions}");
    let ids = ids(&of_sessions);
    assert_eq!(ids.len(), of_sessions["nodes"].as_array().unwrap().len(), "each id once");
    assert!(ids.contains(of_sessions["home"].as_str().unwrap()));
    let edges = of_sessions["edges"].as_array().unwrap();
    assert!(
        edges
            .iter()
            .all(|e| ids.contains(e["from"].as_str().unwrap()) && ids.contains(e["to"].as_str().unwrap()))
    );

    let paths = json(shop, &["map", "--map", "map-1", "--paths"]);
    let paths: Vec<Vec<&str>> = paths["paths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| path.as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect())
        .collect();
    let mut walked: Vec<(&str, &str)> =
        paths.iter().flat_map(|path| path.windows(2).map(|pair| (pair[0], pair[1]))).collect();
    let mut known: Vec<(&str, &str)> =
        edges.iter().map(|e| (e["from"].as_str().unwrap(), e["to"].as_str().unwrap())).collect();
    walked.sort_unstable();
    known.sort_unstable();
    assert_eq!(walked, known);

    let whole = json(shop, &["map", "--map", "map-1"]);
    std::fs::write(shop.join("own.json"), whole.to_string()).unwrap();
    let own = run(shop, &["map", "--map", "own.json", "--svg", "own.svg", "--dot", "-"]);
    assert_eq!(own.status.code(), Some(0), "{}", stderr(&own));
    assert!(stdout(&own).contains("digraph") && stdout(&own).contains("GET /book/{n}"));
    let svg = std::fs::read_to_string(shop.join("own.svg")).unwrap();
    assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(json(shop, &["map", "--list"]).as_array().unwrap().len(), 1);

    assert_prints!(shop, ["map", "--list"]);
    // Who was recorded first is called how, nobody can say beforehand.
    let shown = stdout(&run(shop, &["map", "--map", "map-1"]));
    assert!(shown.starts_with("map-1: ") && shown.contains(" between them; seen as anonymous, s"), "{shown}");
    assert_prints!(shop, ["map", "--map", "nowhere"]);
    assert_prints!(shop, ["map", "--map", "nowhere.json"]);
    assert_prints!(shop, ["map", "--as", "nobody"]);
    let of_sessions = stdout(&run(shop, &["map", "--from", "sessions", "--into", "map-1"]));
    assert!(of_sessions.starts_with("map-1: ") && !of_sessions.contains("the spider"), "{of_sessions}");
    assert_prints!(shop, ["map", "--map", "map-1", "--svg", "nowhere/map.svg"]);
}

/// Catches: a user that is looked for in vain, or in another session than the one that was named.
#[test]
fn one_looks_at_the_application_as_the_user_of_a_session() {
    let shop = demo_project();
    let shop = &shop.path().join("shop");
    let kinds = json(shop, &["map", "--from", "sessions"]);
    let users: Vec<&str> =
        kinds["users"].as_array().unwrap().iter().filter_map(|u| u["session"].as_str()).collect();
    assert!(!users.is_empty(), "{}", kinds["users"]);
    let arguments = ["map", "--from", "spider", "--as", users[0], "--max-requests", "80"];
    let map = json(shop, &arguments);
    assert_eq!(map["spider"]["users"], serde_json::json!([users[0]]), "{}", map["spider"]);
    // Who has logged out is nobody.
    let seen_as = |node: &serde_json::Value| node["users"].as_array().unwrap().clone();
    let mut all = map["nodes"].as_array().unwrap().iter().flat_map(seen_as);
    assert!(all.all(|user| user == users[0] || user == "anonymous"), "{}", map["nodes"]);
}

/// Catches: a spider that needs a recording, or keeps trying an app that is not there.
#[test]
fn without_a_recording_it_begins_at_the_root_and_an_app_that_does_not_start_is_named() {
    let site = Hostile::new(STATE);
    let map = site.map(&["--max-requests", "30", "--home", "/calendar/2026/11"]);
    assert_eq!(map["home"], "GET /calendar/{n}/{n}");
    assert_eq!(map["sessions"]["reached"], 0);
    let none = project(&[("restage.toml", "[app]\ncommand = \"exit 7\"\n")]);
    let failed = run(none.path(), &["map", "--from", "spider"]);
    assert_eq!(failed.status.code(), Some(3), "{}", stderr(&failed));
    let nothing = run(none.path(), &["map", "--from", "sessions"]);
    assert!(!nothing.status.success() && stderr(&nothing).contains("hint"), "{}", stderr(&nothing));
}
