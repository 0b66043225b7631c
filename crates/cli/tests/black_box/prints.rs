//! What a command prints, whole, held against a snapshot (`snapshots/`).
//!
//! What differs from run to run or from machine to machine is replaced first: folders, ports, times, sizes, ids. A change of
//! wording is reviewed with `cargo insta review`, or taken over with `INSTA_UPDATE=always cargo test`; nothing but `cargo test`
//! is needed to check.

use std::path::Path;

use crate::support::{run, stderr, stdout};

/// What varies, and what stands for it. A column that is wider or narrower for it is no difference either.
pub(crate) const FILTERS: &[(&str, &str)] = &[
    (r"127\.0\.0\.1:\d+", "127.0.0.1:[PORT]"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?", "[MOMENT]"),
    (r"\d{4}-\d\d-\d\d", "[DAY]"),
    (r"\b\d\d:\d\d(:\d\d(\.\d+)?)?\b", "[TIME]"),
    (r"on port \d+", "on port [PORT]"),
    (r"restored the data \d+ times?", "restored the data [N] times"),
    (r"\b\d+(\.\d+)? ?(µs|us|ms|s|m|h)\b", "[DURATION]"),
    (r"\b\d+(\.\d+)? (B|KB|kB|MB|KiB|MiB|bytes)\b", "[SIZE]"),
    (r"\[[0-9a-f]{6,64}\]", "[[ID]]"),
    (r"restage (accept|ignore) [0-9a-f]{6,64}", "restage $1 [ID]"),
    (r"[0-9a-f]{6,64} +\[DAY\]", "[ID]  [DAY]"),
    (r"\b[0-9a-f]{16,}\b", "[TOKEN]"),
    (r"password=\S+", "password=[SECRET]"),
    (r"(\S) {2,}", "$1  "),
];

/// What a command prints in a folder, with its exit code.
pub(crate) fn printed(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let code = output.status.code().map_or("none".to_owned(), |code| code.to_string());
    let text = format!(
        "$ restage {}\nexit code: {code}\n----- stdout -----\n{}----- stderr -----\n{}",
        args.join(" "),
        stdout(&output),
        stderr(&output)
    );
    let canonical = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    text.replace(env!("CARGO_BIN_EXE_restage"), "restage")
        .replace(&canonical.display().to_string(), "[FOLDER]")
        .replace(&folder.display().to_string(), "[FOLDER]")
}

/// Runs a command in a folder and holds what it prints against the snapshot of this place in the test, or of a name.
macro_rules! assert_prints {
    ($folder:expr, $args:expr) => {
        insta::with_settings!({
            filters => $crate::prints::FILTERS.to_vec(),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!($crate::prints::printed($folder, &$args));
        })
    };
    ($name:literal, $folder:expr, $args:expr) => {
        insta::with_settings!({
            filters => $crate::prints::FILTERS.to_vec(),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!($name, $crate::prints::printed($folder, &$args));
        })
    };
}
pub(crate) use assert_prints;
