//! `package.json`: how an application on Node starts.

use std::path::Path;

/// How it starts, and what there is to say of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeStart {
    pub(crate) command: Option<String>,
    pub(crate) note: Option<String>,
}

/// Files that are started by hand, in the order in which they are looked for.
const MAINS: &[&str] = &[
    "server.js",
    "app.js",
    "index.js",
    "main.js",
    "bin/www",
    "server.mjs",
    "index.mjs",
    "server.cjs",
    "src/server.js",
    "src/index.js",
    "src/app.js",
    "src/main.js",
    "dist/main.js",
    "dist/index.js",
    "build/index.js",
];

/// Reads a folder's `package.json`.
pub(crate) fn start(folder: &Path, text: &str) -> NodeStart {
    let package: serde_json::Value = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(package) => package,
        Err(error) => {
            let note = format!("package.json cannot be read ({error}): `npm start` is a guess");
            return NodeStart { command: Some("PORT={port} npm start".to_owned()), note: Some(note) };
        }
    };
    let script = |name: &str| package["scripts"][name].as_str().filter(|script| !script.trim().is_empty());
    if script("start").is_some() {
        return NodeStart { command: Some("PORT={port} npm start".to_owned()), note: None };
    }
    let missing = "package.json has no `start` script";
    let main =
        package["main"].as_str().map(|main| main.trim_start_matches("./")).filter(|main| is_plain(main));
    let is_file = |main: &&str| folder.join(main).is_file();
    if let Some(main) = main.into_iter().filter(is_file).chain(MAINS.iter().copied().filter(is_file)).next() {
        return NodeStart {
            command: Some(format!("PORT={{port}} node {main}")),
            note: Some(format!(
                "{missing}: `node {main}` is a guess; {main} must listen on the port in PORT"
            )),
        };
    }
    if let Some(name) = ["serve", "server", "dev", "develop"].into_iter().find(|name| script(name).is_some())
    {
        return NodeStart {
            command: Some(format!("PORT={{port}} npm run {name}")),
            note: Some(format!(
                "{missing}: `npm run {name}` is a guess; a script that restarts on changes may stop in the middle of a test"
            )),
        };
    }
    NodeStart {
        command: None,
        note: Some(format!("{missing}, and no file to start was found: set `command` in [app]")),
    }
}

/// Whether a name needs no quotation marks in a shell.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"./_-".contains(&b))
        && !name.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: `npm start` written for an application that has no such script, and nothing said of it.
    #[test]
    fn what_starts_it() {
        let folder = tempfile::tempdir().unwrap();
        let start = |text: &str| start(folder.path(), text);
        assert_eq!(start(r#"{"scripts": {"start": "node x"}}"#).note, None);
        let none = start(r#"{"name": "x", "main": "missing.js"}"#);
        assert!(none.command.is_none() && none.note.unwrap().contains("no `start` script"));
        assert_eq!(start(r#"{"scripts": {"dev": "nodemon x"}}"#).command.unwrap(), "PORT={port} npm run dev");
        std::fs::write(folder.path().join("app.js"), "").unwrap();
        assert_eq!(start(r#"{"main": "$(rm).js"}"#).command.unwrap(), "PORT={port} node app.js");
        std::fs::write(folder.path().join("lib.js"), "").unwrap();
        assert_eq!(start(r#"{"main": "./lib.js"}"#).command.unwrap(), "PORT={port} node lib.js");
        assert!(start("{").note.unwrap().contains("cannot be read"));
    }
}
