//! `restage map` on an application with lists that no budget is enough for: what promises something new comes first.

use serde_json::Value;

use crate::own_app::{Browser, start_script};
use crate::support::{Recording, json, project, restage};

const APP: &str = include_str!("../apps/errands.py");
const CONFIG: &str = "[app]\ncommand = \"exec python3 errands.py {port}\"\n[redact]\nsecrets = { file = \"secrets.env\" }\n[state]\nfolders = [\"data\"]\n";

fn log_in<'a>(url: &'a dyn Fn(&str) -> String, user: &str) -> Browser<'a> {
    let mut browser = Browser::new(url);
    browser.go("/", None);
    browser.go("/login", Some(&[("user", user), ("pw", "moth-lantern")]));
    browser
}

fn use_office(url: &dyn Fn(&str) -> String) {
    let mut boss = log_in(url, "boss");
    boss.go("/mail", Some(&[("subject", "rain")]));
    // The newest mail, which is not there when the spider comes.
    let newest = boss.page.rsplit("value=").find(|text| text.contains("spam?id")).unwrap();
    let newest: String = newest.chars().take_while(char::is_ascii_digit).collect();
    assert_eq!(newest, "10");
    boss.go("/act", Some(&[("back", "/inbox"), ("ids[]", &newest), ("do", "read")]));
    assert!(boss.page.contains("/inbox"), "{}", boss.page);
    boss.go("/archive", None);
    assert_eq!(
        boss.go("/act", Some(&[("back", "/archive"), ("ids[]", "3"), ("do", "read")])),
        "/archive?done=1"
    );
    boss.go("/inbox", None);
    boss.go(&format!("/spam?id={newest}"), None);
    boss.go("/junk", None);
    assert_eq!(boss.go("/junk/empty", Some(&[("all", "")])), "/junk?emptied=1");
    boss.go("/staff", None);
    boss.go("/safe", None);
    let mut clerk = log_in(url, "clerk");
    for path in ["/desk", "/cellar", "/list/keys", "/inbox"] {
        clerk.go(path, None);
    }
}

/// Catches: a budget that is used up by combinations of filters, or by what another user has shown already; an action on rows of which none is
/// ticked; an answer that is there only from another page; a form that is there only after a link that does something; a link that is followed
/// from nowhere.
#[test]
fn a_budget_is_spent_on_what_is_new() {
    let folder =
        project(&[("errands.py", APP), ("restage.toml", CONFIG), ("secrets.env", "PW=moth-lantern\n")]);
    let folder = folder.path();
    let (app, upstream) = start_script(folder, "errands.py");
    let recording = Recording::start(restage(
        folder,
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    use_office(&|path| recording.url(path));
    recording.stop();
    drop(app);
    std::fs::remove_dir_all(folder.join("data")).unwrap();
    drop(start_script(folder, "errands.py"));
    std::fs::remove_file(folder.join("requests.log")).unwrap();
    let map = json(folder, &["map", "--from", "spider", "--max-requests", "220"]);
    let log = std::fs::read_to_string(folder.join("requests.log")).unwrap();
    assert_eq!(map["spider"]["users"].as_array().unwrap().len(), 3, "{}", map["spider"]);
    let visited: Vec<&str> = map["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["status"].is_number())
        .map(|node| node["id"].as_str().unwrap())
        .collect();
    for node in [
        "GET /inbox?done",
        "GET /archive?done",
        "GET /inbox?gone",
        "POST /junk/empty?all",
        "GET /junk?emptied",
        "GET /vault",
        "GET /box",
        "GET /staff",
        "GET /desk",
        "GET /list/bills?sort",
    ] {
        assert!(visited.contains(&node), "{node}: {visited:#?}\n{log}");
    }
    assert_eq!(map["sessions"]["missed"], Value::Array(Vec::new()), "{log}");
    assert!(map["spider"]["requests"].as_u64().unwrap() <= 220);
    // What is left of the budget may go to combinations of filters, after all else.
    let first = |address: &str| log.lines().position(|line| line.starts_with(&format!("GET {address}")));
    let last_new =
        ["/inbox?done", "/archive?done", "/junk?emptied", "/box", "/desk"].map(first).into_iter().max();
    let before = log.lines().take(last_new.flatten().unwrap());
    let of_lists = before.filter(|line| line.contains("/list/") && line.contains('&')).count();
    assert!(of_lists < 40, "{of_lists} requests for combinations of filters:\n{log}");
    let spam = log.lines().find(|line| line.starts_with("GET /spam?")).unwrap();
    assert!(spam.contains("/inbox") || spam.contains("/archive"), "{spam}");
}
