//! What helps at the command line.

use crate::support::{run, stdout};

const COMMANDS: &[&str] = &[
    "demo",
    "init",
    "record",
    "watch",
    "import",
    "sessions",
    "suites",
    "reduce",
    "export",
    "baseline",
    "calibrate",
    "test",
    "accept",
    "ignore",
    "replay",
    "compare",
    "analyze",
    "compare-files",
    "report",
    "runs",
    "snapshots",
];

#[test]
fn every_command_has_help_with_an_example() {
    let folder = tempfile::tempdir().unwrap();
    for command in COMMANDS {
        let output = run(folder.path(), &[command, "--help"]);
        let text = stdout(&output);
        assert!(
            output.status.success() && text.contains("Example") && text.contains("--json"),
            "{command}: {text}"
        );
    }
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let text = stdout(&run(folder.path(), &["completions", shell]));
        assert!(COMMANDS.iter().all(|c| text.contains(c)), "{shell}");
    }
    assert!(stdout(&run(folder.path(), &["man"])).starts_with(".ie"));
    assert!(run(folder.path(), &["man", "--into", "man"]).status.success());
    assert!(folder.path().join("man/restage-record.1").exists());
}
