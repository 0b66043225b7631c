//! Where an application in PHP keeps the sessions of its users.
//!
//! PHP keeps them in files, in one folder for all applications of a machine: putting that back would undo the sessions of
//! others. So where an application does not name a folder itself, it gets one of its own.

use std::path::{Path, PathBuf};

use super::application::Application;
use super::php;

/// The folder that an application gets which names none.
const OWN: &str = ".php-sessions";
/// No more files than this are looked through, and none that is longer.
const FILES: usize = 3_000;
const LONGEST: u64 = 256 << 10;

/// Where sessions are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PhpSessions {
    /// In a folder that the application names, in this file.
    Named(PathBuf, String),
    /// In none that it names: it has sessions, as this file tells.
    Unnamed(PathBuf, String),
}

/// Looks for them; none where there are none.
pub(crate) fn find(application: &Application<'_>) -> Option<PhpSessions> {
    for file in [".user.ini", "php.ini", "public/.user.ini"] {
        let text = application.read(file).unwrap_or_default();
        let path = text
            .lines()
            .filter_map(|line| line.split_once('='))
            .find(|(name, _)| name.trim() == "session.save_path");
        if let Some(path) =
            path.map(|(_, path)| path.trim().trim_matches(['"', '\''])).filter(|path| is_own(path))
        {
            return Some(PhpSessions::Named(PathBuf::from(path), file.to_owned()));
        }
    }
    let mut starts = None;
    let mut left = FILES;
    each_file(application.folder, Path::new(""), 0, &mut left, &mut |path, text| {
        let file = path.display().to_string();
        if let Some(folder) = save_path(text) {
            let folder = below(application.folder, &folder);
            return Some(PhpSessions::Named(folder, file));
        }
        if starts.is_none() && php::calls(text, "session_start") {
            starts = Some(PhpSessions::Unnamed(PathBuf::from(OWN), file));
        }
        None
    })
    .or(starts)
}

/// The folder that a file says sessions are in.
fn save_path(text: &str) -> Option<String> {
    if !text.contains("session_save_path") && !text.contains("session.save_path") {
        return None;
    }
    let after = |name: &str| {
        let rest = &text[text.find(name)? + name.len()..];
        let line = &rest[..rest.find([';', '\n']).unwrap_or(rest.len())];
        php::texts(line.trim_start_matches(['\'', '"'])).pop()
    };
    after("session_save_path").or_else(|| after("session.save_path")).filter(|path| is_own(path))
}

/// Whether a folder is the application's own: a whole machine's is not to be put back.
fn is_own(path: &str) -> bool {
    !path.is_empty()
        && !matches!(path, "/tmp" | "/var/tmp" | "/var/lib/php/sessions" | "/var/lib/php/session")
        && !path.contains(';')
}

fn below(folder: &Path, path: &str) -> PathBuf {
    // `__DIR__ . '/sessions'`
    let inside = path.trim_start_matches('/');
    if Path::new(path).is_absolute()
        && !Path::new(path).is_dir()
        && folder.join(inside).parent().is_some_and(Path::is_dir)
    {
        return PathBuf::from(inside);
    }
    Path::new(path).strip_prefix(folder).map_or_else(|_| PathBuf::from(path), Path::to_owned)
}

/// Calls a function with each file of PHP, not far down, until it has an answer.
fn each_file<T>(
    root: &Path,
    under: &Path,
    depth: usize,
    left: &mut usize,
    take: &mut dyn FnMut(&Path, &str) -> Option<T>,
) -> Option<T> {
    let mut entries: Vec<_> = std::fs::read_dir(root.join(under)).ok()?.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = under.join(&name);
        let Ok(kind) = entry.file_type() else { continue };
        let skipped = name.starts_with('.') || ["node_modules", "vendor", "cache"].contains(&name.as_str());
        if kind.is_dir() && depth < 4 && !skipped {
            if let Some(found) = each_file(root, &path, depth + 1, left, take) {
                return Some(found);
            }
        } else if kind.is_file() && name.ends_with(".php") && *left > 0 {
            *left -= 1;
            let short = entry.metadata().is_ok_and(|metadata| metadata.len() <= LONGEST);
            let text = if short { std::fs::read(root.join(&path)).unwrap_or_default() } else { Vec::new() };
            if let Some(found) = take(&path, &String::from_utf8_lossy(&text)) {
                return Some(found);
            }
        }
    }
    None
}
