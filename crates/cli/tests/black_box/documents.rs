//! The documents say what is so: paths and links lead somewhere, every command and setting is in the guide, and the
//! README shows what the demo prints.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::{demo_output, project, run, stderr, stdout};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files below a folder, relative to the repository's root; what is built or hidden is left out.
fn files(folder: &str) -> Vec<PathBuf> {
    let (root, mut found) = (root(), Vec::new());
    let mut folders = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if path.is_file() {
                found.push(path.strip_prefix(&root).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn markdown() -> Vec<PathBuf> {
    let mut pages = files("docs");
    pages.retain(|path| path.extension().is_some_and(|e| e == "md"));
    pages.extend(["README.md", "CONTRIBUTING.md"].map(PathBuf::from));
    pages
}

/// What stands between backticks, outside of code blocks.
fn quoted(text: &str) -> Vec<String> {
    let mut code = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !fence && !code
    });
    lines.flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_path_that_a_document_names_exists() {
    let root = root();
    let mut known = BTreeSet::new();
    for path in ["crates", "examples", "bench", "fuzz", "scripts"].iter().flat_map(|folder| files(folder)) {
        let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        for end in 1..=parts.len() {
            let slash = if end == parts.len() { "" } else { "/" };
            known.extend((0..end).map(|start| format!("{}{slash}", parts[start..end].join("/"))));
        }
    }
    let mut wrong = Vec::new();
    // The guide speaks of its reader's files.
    for page in markdown().iter().filter(|page| !page.starts_with("docs/guide")) {
        for name in quoted(&read(page)) {
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let first = name.split('/').next().unwrap_or_default();
            let whole = name.contains('/')
                && ["crates", "examples", "bench", "fuzz", "scripts", "docs"].contains(&first);
            let part = name.ends_with(".rs")
                || name.ends_with(".sql")
                || (name.ends_with('/') && !name.starts_with('.'));
            if plain && (whole && !root.join(&name).exists() || !whole && part && !known.contains(&name)) {
                wrong.push(format!("{}: `{name}`", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these paths are not there:\n{}", wrong.join("\n"));
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| line.trim_start_matches('#').trim().to_lowercase();
    let slug = |line: &str| -> String {
        let kept =
            heading(line).chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
        kept.replace(' ', "-")
    };
    text.lines().filter(|line| line.starts_with('#')).map(slug).collect()
}

/// The targets of a page's links.
fn links(text: &str) -> Vec<String> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

#[test]
fn every_link_leads_somewhere_and_every_page_is_found() {
    let mut wrong = Vec::new();
    let mut found = BTreeMap::<PathBuf, BTreeSet<PathBuf>>::new();
    for page in markdown() {
        let here = root().join(&page);
        for link in links(&read(&page)).into_iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { here.clone() } else { here.parent().unwrap().join(path) };
            let Ok(target) = target.canonicalize() else {
                wrong.push(format!("{}: {link}", page.display()));
                continue;
            };
            if !anchor.is_empty() && !anchors(&std::fs::read_to_string(&target).unwrap()).contains(anchor) {
                wrong.push(format!("{}: {link} has no such heading", page.display()));
            }
            found.entry(page.clone()).or_default().insert(target);
        }
    }
    let mut expect = |from: &str, folder: &str| {
        for page in files(folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
            let linked = found[Path::new(from)].contains(&root().join(&page));
            if !linked && page != Path::new(from) {
                wrong.push(format!("{from} does not lead to {}", page.display()));
            }
        }
    };
    expect("docs/architecture.md", "docs/design");
    expect("docs/guide/src/SUMMARY.md", "docs/guide/src");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read("docs/architecture.md").lines().count() < 150, "the map is of two pages");
}

/// The subcommands and the long flags of a command, as its help lists them.
fn help(command: &[&str]) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout(&run(folder.path(), &[command, &["--help"]].concat()));
    let (mut commands, mut flags, mut section) = (Vec::new(), Vec::new(), "");
    for line in text.lines() {
        if !line.starts_with(' ') && line.ends_with(':') {
            section = line;
        }
        let first = line.split_whitespace().next().unwrap_or_default();
        if section == "Commands:" && line.starts_with("  ") && !line.starts_with("   ") && first != "help" {
            commands.push(first.to_owned());
        }
        // Deeper than that, a flag's description goes on.
        let indent = line.len() - line.trim_start().len();
        if section == "Options:" && first.starts_with('-') && indent <= 6 {
            let flag = line.split_whitespace().find(|word| word.starts_with("--"));
            // `--facts[=<KINDS>]`
            let flag = flag.and_then(|flag| flag.split(['[', '=', ',']).next());
            flags.extend(flag.map(str::to_owned));
        }
    }
    (commands, flags)
}

#[test]
fn every_command_and_flag_is_in_the_guide() {
    let page = read("docs/guide/src/reference/commands.md");
    let sections: BTreeMap<&str, &str> =
        page.split("\n## ").map(|section| section.split_once('\n').unwrap_or((section, ""))).collect();
    let general = page.split("\n## ").next().unwrap();
    let mut wrong = Vec::new();
    for command in help(&[]).0 {
        let Some(section) = sections.get(command.as_str()) else {
            wrong.push(format!("there is no section `## {command}`"));
            continue;
        };
        // A section may say that a command takes the flags of another.
        let others =
            links(section).into_iter().filter_map(|link| sections.get(link.strip_prefix('#')?).copied());
        let said: String = [general, section].into_iter().chain(others).collect();
        let (subcommands, mut flags) = help(&[&command]);
        for subcommand in subcommands {
            let name = format!("`restage {command} {subcommand}");
            if !section.contains(&name) {
                wrong.push(format!("{command}: {name}` is missing"));
            }
            flags.extend(help(&[&command, &subcommand]).1);
        }
        for flag in flags {
            let written = |mark: char| {
                said.contains(&format!("`{flag}{mark}")) || said.contains(&format!(" {flag}{mark}"))
            };
            if ![' ', '`', ','].into_iter().any(written) {
                wrong.push(format!("{command}: {flag} is missing"));
            }
        }
    }
    assert!(wrong.is_empty(), "docs/guide/src/reference/commands.md:\n{}", wrong.join("\n"));
}

/// The keys that a section of `restage.toml` may have, as the message for an unknown one lists them.
fn keys(section: &str) -> Vec<String> {
    let folder = project(&[("restage.toml", &section.replace('?', "no-such-key = 1"))]);
    let text = stderr(&run(folder.path(), &["sessions"]));
    let (_, expected) = text.split_once("expected ").unwrap_or_else(|| panic!("{section}: {text}"));
    let line = expected.lines().next().unwrap();
    line.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_setting_is_in_the_guide() {
    let page = read("docs/guide/src/reference/settings.md");
    let sections = [
        "[app]\n?",
        "[state]\n?",
        "[sessions]\n?",
        "[sessions.leave-out]\n?",
        "[keys]\n?",
        "[oracle]\n?",
        "[oracle.json]\n?",
        "[[oracle.rules]]\n?",
        "[[ignore]]\n?",
        "[comparators.mine]\n?",
        "[replay]\n?",
        "[redact]\n?",
        "[redact.secrets]\n?",
        "[record]\n?",
        "[map]\n?",
        "[facts]\n?",
    ];
    let mut wrong = Vec::new();
    for name in keys("?") {
        if !sections.iter().any(|section| section.trim_start_matches('[').starts_with(&name)) {
            wrong.push(format!("[{name}] is a section that this test does not look at"));
        }
    }
    for section in sections {
        for key in keys(section) {
            let ways = [
                format!("`{key}`"),
                format!("`{key}."),
                format!(".{key}`"),
                format!("{key} ="),
                format!("[{key}]"),
                format!(".{key}]"),
            ];
            if !ways.iter().any(|way| page.contains(way.as_str())) {
                wrong.push(format!("{key} of {}", section.lines().next().unwrap()));
            }
        }
    }
    assert!(wrong.is_empty(), "docs/guide/src/reference/settings.md lacks:\n{}", wrong.join("\n"));
}

#[test]
fn the_readme_shows_what_the_demo_prints() {
    let readme = read("README.md");
    let sample = readme.split_once("```text\n1. ").unwrap().1.split_once("```").unwrap().0;
    let sample = format!("1. {sample}");
    let mut printed = demo_output();
    // What is between two lines of dots is printed like that, line by line, and in this order.
    for part in sample.split("...\n").map(|part| part.trim_end_matches(' ').trim_matches('\n')) {
        match printed.split_once(part) {
            Some((_, rest)) => printed = rest,
            None => panic!("the README shows\n\n{part}\n\nwhere the demo prints\n\n{printed}"),
        }
    }
}
