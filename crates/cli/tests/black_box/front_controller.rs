//! An application behind one address, whose parameter `do` leads to its pages: their keys, learnt and listed.

use std::path::Path;

use crate::support::{Recording, agent, json, page_server, project, restage, run, stderr};

/// A wiki in small.
fn page(address: &str) -> String {
    let (_, query) = address.split_once('?').unwrap_or((address, ""));
    let value = |name: &str| query.split('&').find_map(|p| p.strip_prefix(name)).unwrap_or_default();
    let (id, action) = (value("id="), value("do="));
    let content = match action {
        "edit" => format!(
            "<h1>Edit</h1><form id='editor' class='edit'><textarea name='text'>{id}</textarea>\
             <label>Summary</label><input name='summary'><button>Save</button></form>"
        ),
        "revisions" => "<h1>Old</h1><form id='old' class='revisions'><input type='checkbox' name='rev'>\
             <ul class='changes'><li class='change'>x</ul><button>Compare</button></form>"
            .to_owned(),
        "login" => "<h1>Log in</h1><form id='login' class='account'><input name='user'><label>User</label>\
             <input type='password' name='secret'><button>Log in</button></form>"
            .to_owned(),
        _ => format!(
            "<h1>{id}</h1><div class='article'><p class='{id}'>about {id}</p></div>\
             <form class='section'><button>Edit section</button></form>"
        ),
    };
    format!(
        "<html><body class='site'><ul class='menu'><li class='entry'>{id}</ul>\
         <form class='search' action='/find'><input name='q'><button>Search</button></form>{content}</body></html>"
    )
}

/// Records users who ask for these pages, each once.
fn record(folder: &Path, how: &[&str], users: &[&[&str]]) -> serde_json::Value {
    let upstream = format!("http://{}", page_server(page));
    let args = ["--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
    let recording = Recording::start(restage(folder, &[how, &args].concat()));
    for (number, pages) in users.iter().enumerate() {
        let client = agent();
        for page in *pages {
            let asked =
                client.get(recording.url(page)).header("user-agent", format!("browser {how:?} {number}"));
            // Of a page that nobody waits for, only a part would be recorded.
            asked.call().unwrap().body_mut().read_to_string().unwrap();
        }
    }
    recording.stop()
}

fn keys(folder: &Path) -> Vec<String> {
    json(folder, &["sessions", "keys"]).as_object().unwrap().keys().cloned().collect()
}

const SETTINGS: &str = "[sessions]\nby = [\"ip+agent\"]\n";

/// Catches: pages of a front controller under one key, articles under keys of their own, and keys that change as traffic grows.
#[test]
fn its_pages_are_learnt_and_stay_as_traffic_grows() {
    let folder = project(&[("restage.toml", SETTINGS)]);
    let folder = folder.path();
    record(
        folder,
        &["record"],
        &[
            &["/w.php?id=start", "/w.php?id=start&do=edit"],
            &["/w.php?id=start", "/w.php?id=start&do=revisions"],
        ],
    );
    let first = ["GET /w.php?do=edit&id", "GET /w.php?do=revisions&id", "GET /w.php?id"];
    assert_eq!(keys(folder), first);
    let small = json(folder, &["reduce", "recorded", "--by", "hgs", "--into", "small"]);
    assert_eq!(small["sessions"].as_array().unwrap().len(), 2, "{small}");
    // Many articles, many of them edited.
    let names: Vec<String> = (b'a'..=b'z').map(|c| format!("note{}", char::from(c))).collect();
    let more: Vec<[String; 3]> = names
        .iter()
        .map(|name| ["", "&do=edit", "&do=login"].map(|action| format!("/w.php?id={name}{action}")))
        .collect();
    let more: Vec<Vec<&str>> = more.iter().map(|pages| pages.iter().map(String::as_str).collect()).collect();
    record(folder, &["record"], &more.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let mut all = first.map(str::to_owned).to_vec();
    all.push("GET /w.php?do=login&id".to_owned());
    all.sort();
    assert_eq!(keys(folder), all);
    // Who knows better says so.
    std::fs::write(folder.join("restage.toml"), format!("{SETTINGS}[keys]\ndata = [\"/w.php?do\"]\n"))
        .unwrap();
    assert_eq!(keys(folder), ["GET /w.php?do&id", "GET /w.php?id"]);
}

/// Catches: sessions that are dropped while it is recorded, before it is known that their pages are others.
#[test]
fn what_leads_to_another_page_is_kept_while_recording() {
    let folder = project(&[("restage.toml", SETTINGS)]);
    let folder = folder.path();
    let tally = record(
        folder,
        &["record", "--keep", "reduced"],
        &[
            &["/w.php?id=start", "/w.php?id=start&do=edit"],
            &["/w.php?id=other", "/w.php?id=other&do=edit"],
            &["/w.php?id=start", "/w.php?id=start&do=revisions"],
        ],
    );
    assert_eq!(
        (&tally["sessions"]["over"], &tally["sessions"]["dropped"]),
        (&3.into(), &1.into()),
        "{tally}"
    );
}

/// Catches: parameters that are listed and not used, on some paths or on all; and mistakes that are not named.
#[test]
fn parameters_can_be_listed() {
    let log = ["/a?step=1&x=1", "/a?step=2&x=1", "/b?do=edit", "/c?do=edit"]
        .map(|uri| format!("127.0.0.1 - - [15/Nov/2026:12:00:00 +0000] \"GET {uri} HTTP/1.1\" 200 12\n"))
        .concat();
    let settings = "[keys]\nparameters = [\"step\", \"/b*?do\"]\n";
    let folder = project(&[("restage.toml", settings), ("a.log", &log)]);
    let folder = folder.path();
    assert!(run(folder, &["import", "a.log"]).status.success());
    assert_eq!(keys(folder), ["GET /a?step=1&x", "GET /a?step=2&x", "GET /b?do=edit", "GET /c?do"]);
    std::fs::write(folder.join("restage.toml"), "[keys]\nparameters = [\"do=edit\"]\n").unwrap();
    let wrong = run(folder, &["sessions", "keys"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        stderr(&wrong).contains("`do=edit` is no parameter") && stderr(&wrong).contains("hint:"),
        "{}",
        stderr(&wrong)
    );
}
