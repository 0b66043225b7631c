//! The whole walk on a small application, and what each command prints on the way.

use crate::own_app::{APP, CONFIG, record, start};
use crate::prints::assert_prints;
use crate::support::{json, project};

/// Catches: messages that change without anybody having looked at them; exit codes other than those documented; data on
/// standard error, and messages on standard output.
#[test]
fn what_each_command_prints() {
    let folder = project(&[("notes.py", APP), ("restage.toml", CONFIG)]);
    let folder = folder.path();
    // The application has run before: the first recorded note is not the first in the database.
    drop(start(folder));
    record(folder);

    assert_prints!("walk-sessions", folder, ["sessions"]);
    assert_prints!("walk-sessions-show", folder, ["sessions", "show", "s1"]);
    assert_prints!("walk-sessions-keys", folder, ["sessions", "keys"]);
    assert_prints!("walk-suites", folder, ["suites"]);
    assert_prints!("walk-reduce", folder, ["reduce", "recorded", "--by", "hgs", "--into", "small"]);
    assert_prints!("walk-suites-reduced", folder, ["suites"]);
    assert_prints!("walk-baseline", folder, ["baseline"]);
    assert_prints!("walk-runs", folder, ["runs"]);
    assert_prints!("walk-test", folder, ["test", "--into", "same"]);
    assert_prints!("walk-test-faulty", folder, ["test", "--app", "faulty", "--into", "faulty"]);
    assert_prints!("walk-compare", folder, ["compare", "baseline-1", "faulty"]);
    assert_prints!(
        "walk-report",
        folder,
        ["report", "baseline-1", "faulty", "--html", "r.html", "--junit", "r.xml"]
    );
    assert_prints!("walk-runs-show", folder, ["runs", "show", "same"]);

    let changes = json(folder, &["compare", "baseline-1", "faulty"]);
    let id = changes["changes"][0]["id"].as_str().unwrap().to_owned();
    assert_prints!("walk-accept", folder, ["accept", &id, "--run", "faulty", "--reason", "shorter notes"]);
    assert_prints!("walk-accept-list", folder, ["accept", "--list"]);
    assert_prints!("walk-accept-remove", folder, ["accept", "--remove", &id]);
    assert_prints!("walk-ignore", folder, ["ignore", &id, "--run", "faulty"]);
    assert_prints!("walk-compare-ignored", folder, ["compare", "baseline-1", "faulty"]);
}

/// Catches: what `init` says and writes where it knows nothing of the application, and where it is there already.
#[test]
fn what_init_prints() {
    let folder = project(&[]);
    assert_prints!("init", folder.path(), ["init"]);
    assert_prints!("init-again", folder.path(), ["init"]);
}
