//! Pairs of files: two files, or the files of two folders by their path in them.

use std::iter::Peekable;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::failure::Failure;

/// Two files that belong together, or one that is alone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FilePair {
    /// How it is called: the path in both folders.
    pub(crate) path: PathBuf,
    pub(crate) expected: Option<PathBuf>,
    pub(crate) actual: Option<PathBuf>,
}

/// The pairs of two files or two folders, in the order of their paths. They are found as they are asked for, so
/// that folders of any size need no more memory than their largest folder's list of names.
pub(crate) fn file_pairs(
    expected: &Path,
    actual: &Path,
) -> Result<Box<dyn Iterator<Item = Result<FilePair, Failure>>>, Failure> {
    match (is_folder(expected)?, is_folder(actual)?) {
        (true, true) => {
            let files = |root: &Path| Files::of(root).peekable();
            Ok(Box::new(Joined { expected: files(expected), actual: files(actual) }))
        }
        (false, false) => {
            let pair = FilePair {
                path: actual.to_owned(),
                expected: Some(expected.to_owned()),
                actual: Some(actual.to_owned()),
            };
            Ok(Box::new(std::iter::once(Ok(pair))))
        }
        (folder, _) => {
            let (folder, file) = if folder { (expected, actual) } else { (actual, expected) };
            Err(Failure::user(format!(
                "{} is a folder and {} is not\n  hint: give two files, or two folders of the same layout",
                folder.display(),
                file.display()
            )))
        }
    }
}

fn is_folder(path: &Path) -> Result<bool, Failure> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_dir()),
        Err(e) => Err(unreadable(path, &e)),
    }
}

/// A file or folder that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    let hint = match error.kind() {
        std::io::ErrorKind::NotFound => "paths are relative to the folder you are in",
        std::io::ErrorKind::PermissionDenied => "check its permissions",
        _ => "the comparison stopped there",
    };
    Failure::user(format!("cannot read {}: {error}\n  hint: {hint}", path.display()))
}

/// The files of a folder: the path in it, and the whole path.
struct Files {
    root: PathBuf,
    entries: walkdir::IntoIter,
}

impl Files {
    fn of(root: &Path) -> Self {
        let entries = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
        Self { root: root.to_owned(), entries }
    }
}

impl Iterator for Files {
    type Item = Result<(PathBuf, PathBuf), Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => {
                    let inner = entry.path().strip_prefix(&self.root).unwrap_or(entry.path()).to_owned();
                    return Some(Ok((inner, entry.into_path())));
                }
                Err(error) => {
                    let path = error.path().unwrap_or(&self.root).to_owned();
                    let error = error.into_io_error().unwrap_or_else(|| {
                        std::io::Error::other("a symbolic link leads back to a folder above it")
                    });
                    return Some(Err(unreadable(&path, &error)));
                }
            }
        }
    }
}

/// Two sorted lists of files as one.
struct Joined {
    expected: Peekable<Files>,
    actual: Peekable<Files>,
}

impl Iterator for Joined {
    type Item = Result<FilePair, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let path = |side: &mut Peekable<Files>| match side.peek() {
            Some(Ok((path, _))) => Some(Some(path.clone())),
            Some(Err(_)) => Some(None),
            None => None,
        };
        let (before, after) = (path(&mut self.expected), path(&mut self.actual));
        let (take_expected, take_actual) = match (&before, &after) {
            (None, None) => return None,
            // A failure comes first: what follows it is not known.
            (Some(None), _) => (true, false),
            (_, Some(None)) => (false, true),
            (Some(_), None) => (true, false),
            (None, Some(_)) => (false, true),
            (Some(a), Some(b)) => (a <= b, b <= a),
        };
        let take = |side: &mut Peekable<Files>, wanted: bool| {
            let taken = if wanted { side.next() } else { None };
            taken.transpose()
        };
        let pair = (|| {
            let (expected, actual) =
                (take(&mut self.expected, take_expected)?, take(&mut self.actual, take_actual)?);
            let path =
                expected.as_ref().or(actual.as_ref()).map(|(path, _)| path.clone()).unwrap_or_default();
            let whole = |side: Option<(PathBuf, PathBuf)>| side.map(|(_, whole)| whole);
            Ok(FilePair { path, expected: whole(expected), actual: whole(actual) })
        })();
        Some(pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_joined_by_path() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            "e/a.html",
            "e/b/c.html",
            "e/b.html",
            "e/only",
            "a/a.html",
            "a/b/c.html",
            "a/b/d.html",
            "a/b.html",
            "a/B.html",
        ];
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let pairs = file_pairs(&folder.path().join("e"), &folder.path().join("a")).unwrap();
        let found: Vec<(String, bool, bool)> = pairs
            .map(Result::unwrap)
            .map(|p| (p.path.display().to_string(), p.expected.is_some(), p.actual.is_some()))
            .collect();
        let wanted = [
            ("B.html", false, true),
            ("a.html", true, true),
            ("b/c.html", true, true),
            ("b/d.html", false, true),
            ("b.html", true, true),
            ("only", true, false),
        ];
        assert_eq!(found, wanted.map(|(path, e, a)| (path.to_owned(), e, a)));
    }
}
