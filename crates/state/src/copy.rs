//! Where a copy of the application has its state: each part elsewhere, under the name that it has in snapshots.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::spec::{StateSpec, outermost, resolve, resolve_all};

/// A copy of an application's state. Copy 1 is the application itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateCopy {
    /// Its number, from 1.
    pub number: u16,
    /// Which folders are elsewhere, and where. Paths without links and dots, none inside another.
    pub moved: Vec<(PathBuf, PathBuf)>,
}

impl Default for StateCopy {
    fn default() -> Self {
        Self { number: 1, moved: Vec::new() }
    }
}

impl StateCopy {
    /// Where the copy has what the application has at `path`, a path without links and dots.
    pub fn place(&self, path: &Path) -> PathBuf {
        let moved = self.moved.iter().find_map(|(from, to)| Some((path.strip_prefix(from).ok()?, to)));
        match moved {
            Some((below, to)) if below.as_os_str().is_empty() => to.clone(),
            Some((below, to)) => to.join(below),
            None => path.to_owned(),
        }
    }

    /// What a database is called in the copy: databases are told apart by their names.
    pub fn database(&self, name: &str) -> String {
        match self.number {
            1 => name.to_owned(),
            number => format!("{name}_restage_{number}"),
        }
    }
}

/// Where the parts of a state are that lie in files: paths without links and dots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// The application's own folder.
    pub base: Option<PathBuf>,
    /// The folders, none inside another.
    pub folders: Vec<PathBuf>,
    /// The SQLite files.
    pub sqlite: Vec<PathBuf>,
}

impl StateSpec {
    /// Where its parts are.
    pub fn places(&self) -> Result<Places> {
        Ok(Places {
            base: self.base.as_deref().map(resolve).transpose()?,
            folders: outermost(resolve_all(&self.folders)?),
            sqlite: resolve_all(&self.sqlite)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_moved_folder_moves_with_it_and_the_first_copy_is_the_application() {
        let copy = StateCopy { number: 3, moved: vec![("/app/data".into(), "/copies/3/0".into())] };
        assert_eq!(copy.place(Path::new("/app/data/x/y.db")), Path::new("/copies/3/0/x/y.db"));
        assert_eq!(copy.place(Path::new("/app/data")).as_os_str(), "/copies/3/0");
        assert_eq!(copy.place(Path::new("/app/database")), Path::new("/app/database"));
        assert_eq!(copy.database("shop"), "shop_restage_3");
        assert_eq!(StateCopy::default().database("shop"), "shop");
    }
}
