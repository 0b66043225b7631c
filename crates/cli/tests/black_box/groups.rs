//! Sessions that met: two users who play against each other, replayed together, request by request as they were recorded.

use serde_json::Value;

use crate::own_app::{Browser, start_script};
use crate::support::{Recording, json, project, restage, run, stderr, stdout};

const APP: &str = include_str!("../apps/noughts.py");
const CONFIG: &str = r#"
[app]
command = "exec python3 noughts.py {port}"
[app.faulty]
env = { FAULT = "1" }
[state]
folders = ["data"]
"#;

/// Chance that is the same in every run of the test.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        // Knuth's; the low bits are no good.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// A player at a browser.
struct Player<'a> {
    name: &'static str,
    opponent: &'static str,
    challenges: bool,
    browser: Browser<'a>,
    board: Option<String>,
}

impl<'a> Player<'a> {
    fn arrives(
        url: &'a dyn Fn(&str) -> String,
        name: &'static str,
        opponent: &'static str,
        challenges: bool,
    ) -> Self {
        let mut browser = Browser::new(url);
        browser.go("/", None);
        browser.go("/login", Some(&[("name", name)]));
        assert!(browser.page.contains(&format!("Hello, {name}")), "{}", browser.page);
        Self { name, opponent, challenges, browser, board: None }
    }

    /// Does one thing; whether the game is over.
    fn acts(&mut self, chance: &mut Chance) -> bool {
        let Some(board) = self.board.clone() else {
            if self.challenges {
                self.board = Some(self.browser.go("/games", Some(&[("name", self.opponent)])));
            } else {
                self.browser.go("/", None);
                if self.browser.page.contains("/games/") {
                    let number = self.browser.between("href='/games/", '\'');
                    self.board = Some(format!("/games/{number}"));
                }
            }
            return false;
        };
        self.browser.go(&board, None);
        let page = &self.browser.page;
        if page.contains("has won") || page.contains("Nobody has won") {
            return true;
        }
        let free: Vec<String> = page
            .split("name=cell value=")
            .skip(1)
            .map(|rest| rest.split('>').next().unwrap().to_owned())
            .collect();
        if !free.is_empty() {
            let turn = self.browser.between("name=turn value=", '>');
            let cell = &free[chance.below(free.len())];
            self.browser.go(&format!("{board}/move"), Some(&[("turn", &turn), ("cell", cell)]));
            assert!(!self.browser.page.contains("not your turn"), "{}: {}", self.name, self.browser.page);
        }
        false
    }
}

/// Records pairs of players who play at the same time; who does what next is chance. Somebody may look at the scores meanwhile.
fn recorded(
    config: &str,
    pairs: &[(&'static str, &'static str)],
    watched: bool,
    seed: u64,
) -> tempfile::TempDir {
    let folder = project(&[("noughts.py", APP), ("restage.toml", config), ("data/.keep", "")]);
    let (app, upstream) = start_script(folder.path(), "noughts.py");
    let args = ["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream];
    let recording = Recording::start(restage(folder.path(), &args));
    let url = |path: &str| recording.url(path);
    let mut chance = Chance(seed);
    let mut playing = Vec::new();
    // Everybody is there before anybody is challenged.
    for (one, other) in pairs {
        playing.push(Player::arrives(&url, other, one, false));
        playing.push(Player::arrives(&url, one, other, true));
    }
    let mut watcher = watched.then(|| {
        let mut browser = Browser::new(&url);
        browser.go("/scores", None);
        browser
    });
    while !playing.is_empty() {
        let next = chance.below(playing.len());
        if playing[next].acts(&mut chance) {
            playing.swap_remove(next);
        }
        if let Some(watcher) = watcher.as_mut().filter(|_| chance.below(4) == 0) {
            watcher.go("/scores", None);
        }
    }
    if let Some(mut watcher) = watcher {
        watcher.go("/scores", None);
        assert!(watcher.page.contains(" against "), "{}", watcher.page);
    }
    recording.stop();
    drop(app);
    folder
}

fn groups(told: &Value) -> Vec<Vec<String>> {
    serde_json::from_value(told["groups"].clone()).unwrap_or_else(|error| panic!("{error}: {told}"))
}

fn assert_faithful(baseline: &Value) {
    let fidelity = &baseline["fidelity"];
    assert_eq!(fidelity["steps"], fidelity["as_recorded"], "{baseline:#}");
    assert!(fidelity["steps"].as_u64().unwrap() > 20, "{fidelity}");
    assert_eq!((&baseline["stale"], &baseline["unanswered"]), (&0.into(), &0.into()), "{baseline:#}");
}

const TWO_PAIRS: &[(&str, &str)] = &[("ann", "bob"), ("cid", "dot")];

/// Catches: a green test of games in which no move was ever accepted.
#[test]
fn players_who_met_are_replayed_together() {
    let folder = recorded(CONFIG, TWO_PAIRS, false, 7);
    let folder = folder.path();
    let apart = json(folder, &["replay", "--into", "apart"]);
    assert_ne!(apart["fidelity"]["steps"], apart["fidelity"]["as_recorded"], "{apart}");

    let baseline = json(folder, &["baseline"]);
    assert_faithful(&baseline);
    let sessions: Vec<String> = json(folder, &["sessions"])
        .as_array()
        .unwrap()
        .iter()
        .map(|session| session["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(sessions.len(), 4);
    let pairs = vec![sessions[..2].to_vec(), sessions[2..].to_vec()];
    assert_eq!(groups(&baseline), pairs, "who did not play against each other did not meet");
    for number in 1..=5 {
        let args: &[&str] = if number % 2 == 0 { &["test", "--jobs", "2"] } else { &["test"] };
        let same = run(folder, args);
        assert_eq!(same.status.code(), Some(0), "{number}: {}{}", stdout(&same), stderr(&same));
    }
    let faulty = run(folder, &["test", "--app", "faulty"]);
    assert_eq!(faulty.status.code(), Some(1), "{}{}", stdout(&faulty), stderr(&faulty));
    let text = stdout(&faulty);
    assert!(text.contains("\"O\" became \"X\"") && text.contains("GET /games/{n}"), "{text}");
}

/// Catches: a group that is torn apart by what goes by single sessions, or that is told of nowhere.
#[test]
fn a_group_stays_whole_whatever_is_asked_for() {
    let folder = recorded(CONFIG, TWO_PAIRS, false, 11);
    let folder = folder.path();
    let pairs = groups(&json(folder, &["baseline", "--shard", "1/2"]));
    assert_eq!(pairs.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2], "{pairs:?}");
    let steps = |told: &Value| told["fidelity"]["steps"].as_u64().unwrap();

    // One of two brings the other one, under each policy.
    for policy in ["restore", "fresh", "initial"] {
        let one = json(folder, &["replay", "--only", &pairs[1][1], "--state", policy]);
        assert_eq!((&one["sessions"], &one["met"]), (&2.into(), &pairs[1][..1].into()), "{one:#}");
        // Under another policy than the baseline's, games have other ids: that is no departure.
        assert_eq!(one["fidelity"]["as_recorded"], steps(&one), "{policy}: {one:#}");
    }
    let told = stderr(&run(folder, &["replay", "--only", &pairs[0][0]]));
    assert!(told.contains(&format!("also replayed, because others met them: {}", pairs[0][1])), "{told}");
    let augmented = json(folder, &["replay", "--only", &pairs[1][0], "--state", "augment"]);
    assert_eq!(augmented["fidelity"]["as_recorded"], steps(&augmented), "{augmented:#}");

    // A shard has both or none, and shards become one run.
    for shard in ["1/2", "2/2"] {
        let tested = json(folder, &["test", "--shard", shard, "--into", &shard.replace('/', "-of-")]);
        assert_eq!(
            (&tested["passes"], &tested["counts"]["sessions"]),
            (&true.into(), &2.into()),
            "{tested:#}"
        );
        assert_eq!(groups(&tested).len(), 1, "{tested:#}");
    }
    assert!(run(folder, &["runs", "merge", "1-of-2", "2-of-2", "--into", "whole"]).status.success());
    let whole = json(folder, &["compare", "baseline-1", "whole"]);
    assert_eq!((&whole["passes"], groups(&whole)), (&true.into(), pairs.clone()), "{whole:#}");
    assert_eq!(whole["counts"]["aftermaths"], 2, "what each pair left behind is compared once: {whole:#}");

    // A smaller suite has both or none.
    let reduced = json(folder, &["reduce", "recorded", "--by", "every-nth", "--nth", "4", "--into", "small"]);
    assert_eq!(reduced["sessions"], serde_json::json!(pairs[0]), "{reduced:#}");
    let small = json(folder, &["test", "--suite", "small"]);
    assert_eq!((&small["passes"], groups(&small)), (&true.into(), pairs[..1].to_vec()), "{small:#}");

    // It is told of wherever its sessions are.
    let met = format!("{} and {} met", pairs[0][0], pairs[0][1]);
    assert!(stdout(&run(folder, &["runs", "show", "baseline-1"])).contains(&met));
    assert!(stdout(&run(folder, &["sessions", "needs", &pairs[0][0]])).contains(&met));
    let shown = stdout(&run(folder, &["sessions", "show", &pairs[0][0]]));
    assert!(shown.contains(&format!("{} met {}", pairs[0][0], pairs[0][1])), "{shown}");
    let needed = json(folder, &["sessions", "needs", &pairs[1][0]]);
    assert_eq!(needed["groups"], serde_json::json!([pairs[1]]), "{needed:#}");
    assert_eq!(needed["all_needed"][&pairs[1][0]], serde_json::json!([pairs[1][1]]), "{needed:#}");
    let tested = run(folder, &["test", "--html", "report.html"]);
    let together = format!("replayed together, because they met: {} + {}", pairs[0][0], pairs[0][1]);
    assert!(stdout(&tested).contains(&together), "{}", stdout(&tested));
    assert!(std::fs::read_to_string(folder.join("report.html")).unwrap().contains(&together));
}

/// Catches: somebody who only looked, and is shown what nobody had done yet, or all that they would do.
#[test]
fn who_watched_the_others_met_them() {
    let folder = recorded(CONFIG, TWO_PAIRS, true, 3);
    let folder = folder.path();
    let baseline = json(folder, &["baseline"]);
    assert_faithful(&baseline);
    assert_eq!(groups(&baseline).len(), 1, "{:?}", groups(&baseline));
    let same = run(folder, &["test"]);
    assert_eq!(same.status.code(), Some(0), "{}{}", stdout(&same), stderr(&same));
}

/// Catches: groups that are found though they are off; listed ones that are not heeded, or mistyped and not told of.
#[test]
fn the_settings_say_who_met() {
    let off = format!("{CONFIG}[replay]\ngroups = \"off\"\n");
    let folder = recorded(&off, &[("ann", "bob")], false, 5);
    let folder = folder.path();
    let apart = json(folder, &["baseline"]);
    assert_eq!(groups(&apart), Vec::<Vec<String>>::new());
    assert_ne!(apart["fidelity"]["steps"], apart["fidelity"]["as_recorded"], "{apart:#}");
    let astray = &apart["fidelity"]["sessions"][1];
    assert!(astray["remedy"].is_null() || !astray["remedy"].as_str().unwrap().is_empty(), "{apart:#}");
    let sessions: Vec<String> = apart["fidelity"]["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap().to_owned())
        .collect();

    let listed = |names: &str| {
        std::fs::write(folder.join("restage.toml"), format!("{CONFIG}[replay]\ngroups = [[{names}]]\n"))
            .unwrap();
    };
    listed("\"s1\", \"s99\"");
    let refused = run(folder, &["baseline"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("names the session `s99`"), "{}", stderr(&refused));
    listed(&format!("{:?}, {:?}", sessions[0], sessions[1]));
    let together = json(folder, &["baseline"]);
    assert_eq!(groups(&together), vec![sessions]);
    assert_faithful(&together);
}

/// Catches: a version that dies under one user's move, and leaves the steps of the other one without a word; state that is not put back.
#[test]
fn an_app_that_dies_ends_the_group_and_no_other() {
    let config = format!("{CONFIG}[app.dying]\nenv = {{ DIES_AT = \"3\" }}\n");
    let folder = recorded(&config, TWO_PAIRS, false, 13);
    let folder = folder.path();
    let pairs = groups(&json(folder, &["baseline"]));
    let moves = || -> i64 {
        let database = rusqlite::Connection::open(folder.join("data/noughts.db")).unwrap();
        database.query_row("SELECT count(*) FROM moves", [], |row| row.get(0)).unwrap()
    };
    let before = moves();
    let died = run(folder, &["test", "--app", "dying", "--into", "died"]);
    assert_eq!(died.status.code(), Some(1), "{}{}", stdout(&died), stderr(&died));
    let shown = json(folder, &["runs", "show", "died"]);
    for pair in &pairs {
        let of_pair = |step: &&Value| {
            let place = step["at"]["session"].as_u64().unwrap();
            let session =
                shown["sessions"].as_array().unwrap().iter().find(|s| s["ordinal"] == place).unwrap();
            pair.iter().any(|name| session["session"] == name.as_str())
        };
        let failed: Vec<&str> = shown["steps"]
            .as_array()
            .unwrap()
            .iter()
            .filter(of_pair)
            .filter_map(|step| step["answer"]["failed"].as_str())
            .collect();
        let elsewhere = failed.iter().filter(|why| why.contains(" of session ")).count();
        assert!(elsewhere > 0 && elsewhere < failed.len(), "{failed:?}");
    }
    assert_eq!(moves(), before, "the data is put back");
}
