//! `--clock`: the app sees another time.

use std::path::Path;

use crate::support::{Recording, agent, echo_server, json, project, restage, run, stderr, stdout};

const CONFIG: &str = r#"
[app]
command = "exec php -S 127.0.0.1:{port} clock.php"
[app.python]
command = "exec python3 clock.py {port}"
[app.then]
clock = "fixed:2021-02-03T04:05:06Z"
"#;

/// When the first session was recorded: 2020-01-05 10:00:00.
const RECORDED: i64 = 1_578_218_400;

/// When each step was recorded, in seconds from then: two sessions of three steps.
const STEPS: [i64; 6] = [0, 61, 1800, 7200, 7203, 7204];

/// A project with two sessions that were recorded years ago.
fn recorded() -> tempfile::TempDir {
    let folder = project(&[
        ("clock.php", include_str!("../apps/clock.php")),
        ("clock.py", include_str!("../apps/clock.py")),
        ("restage.toml", CONFIG),
    ]);
    let upstream = format!("http://{}", echo_server());
    let recording = Recording::start(restage(
        folder.path(),
        &["record", "--json", "--listen", "127.0.0.1:0", "--upstream", &upstream],
    ));
    for number in 0..STEPS.len() {
        agent().get(&recording.url(&format!("/{number}"))).call().unwrap();
    }
    recording.stop();
    let store = rusqlite::Connection::open(folder.path().join(".restage/restage.db")).unwrap();
    for (number, second) in STEPS.iter().enumerate() {
        // Not at the full second, as people do.
        let at = (RECORDED + second) * 1_000_000 + 300_000;
        store.execute("UPDATE exchange SET at = ? WHERE uri = ?", (at, format!("/{number}"))).unwrap();
    }
    folder
}

/// What the app's clock showed at each step of a run, in seconds since 1970; and the pages.
fn times(folder: &Path, run_name: &str) -> (Vec<i64>, Vec<String>) {
    let shown = json(folder, &["runs", "show", run_name]);
    let sessions = shown["sessions"].as_array().unwrap();
    let steps = shown["steps"].as_array().unwrap();
    let pages: Vec<String> = steps
        .iter()
        .map(|step| {
            let session = &sessions[step["at"]["session"].as_u64().unwrap() as usize]["session"];
            let place = format!("{}/{}", session.as_str().unwrap(), step["at"]["step"].as_u64().unwrap() + 1);
            stdout(&run(folder, &["runs", "show", run_name, "--step", &place, "--body"]))
        })
        .collect();
    let time = |page: &String| page.split(['=', '.']).nth(1).and_then(|t| t.parse().ok());
    (pages.iter().map(|page| time(page).unwrap_or_else(|| panic!("{page}"))).collect(), pages)
}

fn near(found: &[i64], expected: &[i64]) -> bool {
    // A slow machine may take some seconds for a session.
    found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| (*e..e + 30).contains(f))
}

/// Catches: a clock that stands still, is the same for all steps, or is not seen by an app that runs already; a cookie
/// that is dropped since it ran out years ago.
#[test]
fn the_apps_clock_follows_the_recording() {
    let folder = recorded();
    let folder = folder.path();
    let expected: Vec<i64> = STEPS.iter().map(|second| RECORDED + second).collect();
    for app in ["default", "python"] {
        let output =
            run(folder, &["replay", "--app", app, "--clock", "recorded", "--state", "keep", "--into", app]);
        assert!(output.status.success(), "{}", stderr(&output));
        let (found, pages) = times(folder, app);
        assert!(near(&found, &expected), "{app}: {found:?}");
        assert!(pages[0].contains("seen nobody") && pages[1].contains("seen somebody"), "{pages:?}");
        assert!(pages[3].contains("seen nobody"), "another session is another browser: {pages:?}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.join(".restage/logs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("clock"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Catches: a fixed clock that runs on from session to session, or that a flag cannot switch off.
#[test]
fn clocks_are_fixed_or_shifted() {
    let folder = recorded();
    let folder = folder.path();
    let then = 1_612_325_106;
    let now = || std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() as i64;
    let day = 86_400;
    for (app, clock, expected) in [
        ("then", None, then),
        ("python", Some("fixed:2021-02-03T04:05:06Z"), then),
        ("default", Some("shift:-400d"), now() - 400 * day),
        ("python", Some("shift:+3d"), now() + 3 * day),
        ("then", Some("real"), now()),
    ] {
        let name = format!("{app} {}", clock.unwrap_or_default());
        let mut args = vec!["replay", "--app", app, "--state", "keep", "--into", &name];
        args.extend(clock.iter().flat_map(|clock| ["--clock", clock]));
        let output = run(folder, &args);
        assert!(output.status.success(), "{}", stderr(&output));
        let (found, _) = times(folder, &name);
        assert!(near(&found, &[expected; 6]), "{name}: {found:?}, not {expected}");
    }
}

/// Catches: dates are masked though they are the same in every run, so that a wrong one is not found.
#[test]
fn under_the_recorded_clock_time_is_no_noise() {
    let folder = recorded();
    let folder = folder.path();
    let config = std::fs::read_to_string(folder.join("restage.toml")).unwrap();
    let config = config.replace("[app]\n", "[app]\nclock = \"recorded\"\n");
    std::fs::write(folder.join("restage.toml"), config).unwrap();
    assert!(run(folder, &["baseline"]).status.success());
    let told = json(folder, &["calibrate", "--runs", "2"]);
    assert_eq!((&told["masks"], &told["shifted"]), (&0.into(), &0.into()), "{told}");
    assert_eq!(run(folder, &["test"]).status.code(), Some(0));
    let wrong = run(folder, &["test", "--clock", "fixed:2020-01-05T10:00:00Z"]);
    assert_eq!(wrong.status.code(), Some(1), "another time is another page: {}", stdout(&wrong));
}

#[test]
fn mistakes_are_told_with_a_hint() {
    let folder = recorded();
    let folder = folder.path();
    let unknown = run(folder, &["test", "--clock", "yesterday"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("hint: real, recorded"), "{}", stderr(&unknown));
    let missing = restage(folder, &["replay", "--clock", "recorded"])
        .env("RESTAGE_LIBFAKETIME", "/nowhere/libfaketime.so")
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(3));
    let told = stderr(&missing);
    assert!(told.contains("needs libfaketime") && told.contains("apt install libfaketime"), "{told}");
    std::fs::write(folder.join("restage.toml"), "[app]\ncommand = \"x\"\nclock = \"noon\"\n").unwrap();
    let bad = run(folder, &["test"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(stderr(&bad).contains("`noon` is no clock"), "{}", stderr(&bad));
}
