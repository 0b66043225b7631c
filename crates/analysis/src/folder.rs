//! Reading an application's PHP files for [`crate::analyze`].

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::analysis::Source;

/// A folder that cannot be read.
#[derive(Debug, Error)]
pub enum FolderError {
    /// There is nothing, or it may not be read.
    #[error("cannot read {}: {source}\n  hint: give the application's folder, or one PHP file", path.display())]
    Read {
        /// What was to be read.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// There is no PHP in it.
    #[error("there are no PHP files in {}\n  hint: files are read whose names end in .php, .inc, .phtml, .php3 to .php8, .module or .install, or that begin with <?php", path.display())]
    NoFiles {
        /// The folder.
        path: PathBuf,
    },
}

/// Files that were read, and those that could not be.
#[derive(Debug, Default)]
pub struct Folder {
    /// The PHP files, sorted by path, relative to the folder.
    pub sources: Vec<Source>,
    /// Files that could not be read, and why.
    pub unreadable: Vec<(String, String)>,
}

const ENDINGS: &[&str] =
    &["php", "inc", "phtml", "php3", "php4", "php5", "php7", "php8", "module", "install", "phps"];
/// A larger file is data; its name alone is given on, and said.
const LARGEST: u64 = 16 << 20;

/// Reads a file, or all PHP files of a folder. Links to folders are followed; a folder that links to itself is read once.
pub fn read_folder(path: &Path) -> Result<Folder, FolderError> {
    let error = |source: std::io::Error| FolderError::Read { path: path.to_owned(), source };
    let is_folder = std::fs::metadata(path).map_err(error)?.is_dir();
    let mut folder = Folder::default();
    if !is_folder {
        let content = std::fs::read(path).map_err(error)?;
        folder.sources.push(Source { path: shown(path, path.parent().unwrap_or(path)), content });
        return Ok(folder);
    }
    std::fs::read_dir(path).map_err(error)?;
    for entry in walkdir::WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                // A link to a folder around it is no file that is missing.
                if error.loop_ancestor().is_none() {
                    let name = error.path().map(|p| shown(p, path)).unwrap_or_default();
                    folder.unreadable.push((name, why(&error)));
                }
                continue;
            }
        };
        if !entry.file_type().is_file() || !is_php(entry.path()) {
            continue;
        }
        let name = shown(entry.path(), path);
        let size = entry.metadata().map(|metadata| metadata.len()).unwrap_or_default();
        if size > LARGEST {
            let reason =
                "larger than 16 MiB: not read\n  hint: such files are data; what they hold is not analyzed";
            folder.unreadable.push((name, reason.to_owned()));
            continue;
        }
        match std::fs::read(entry.path()) {
            Ok(content) => folder.sources.push(Source { path: name, content }),
            Err(error) => folder.unreadable.push((
                name,
                format!("cannot be read: {error}\n  hint: let restage read it, or leave it out"),
            )),
        }
    }
    folder.sources.sort_by(|a, b| a.path.cmp(&b.path));
    if folder.sources.is_empty() && folder.unreadable.is_empty() {
        return Err(FolderError::NoFiles { path: path.to_owned() });
    }
    Ok(folder)
}

fn why(error: &walkdir::Error) -> String {
    let said = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    format!("cannot be read: {said}\n  hint: let restage read it, or leave it out")
}

fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn is_php(path: &Path) -> bool {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) => ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)),
        // A program without an ending may be PHP.
        None => begins_like_php(path),
    }
}

fn begins_like_php(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 128];
    let Ok(mut file) = std::fs::File::open(path) else { return false };
    let read = file.read(&mut head).unwrap_or_default();
    let head = &head[..read];
    head.starts_with(b"<?php") || head.starts_with(b"#!") && head.windows(5).any(|w| w == b"<?php")
}
