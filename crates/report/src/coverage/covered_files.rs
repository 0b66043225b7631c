//! What ran of an application and what did not, file by file.

use std::collections::BTreeMap;

use restage_facts::{Coverage, FileCoverage, FileOutline, LineSet, Share};

/// What ran of an application and what did not, file by file.
#[derive(Clone, Debug, Default)]
pub struct CoveredFiles {
    /// In the order of their names.
    pub files: Vec<CoveredFile>,
}

/// What ran of a file and what did not.
#[derive(Clone, Debug, Default)]
pub struct CoveredFile {
    /// Its name, relative to the application's folder.
    pub name: String,
    /// What is in it, as far as a probe said so.
    pub outline: FileOutline,
    /// What ran.
    pub ran: FileCoverage,
    /// Functions that ran, by their first lines.
    pub functions: LineSet,
}

impl CoveredFiles {
    /// Of what ran, and what is in the files. Files of which nothing ran are left out only where no probe told of them.
    pub fn of(coverage: &Coverage, outlines: &BTreeMap<String, FileOutline>) -> Self {
        let mut names: Vec<&String> = coverage.files.keys().chain(outlines.keys()).collect();
        names.sort();
        names.dedup();
        let file = |name: &String| {
            let ran = coverage.files.get(name).cloned().unwrap_or_default();
            let outline = outlines.get(name).cloned().unwrap_or_default();
            let functions = ran.functions_that_ran(&outline);
            CoveredFile { name: name.clone(), outline, ran, functions }
        };
        Self { files: names.into_iter().map(file).collect() }
    }

    /// Lines of all files.
    pub fn lines(&self) -> Share {
        self.sum(CoveredFile::lines)
    }

    /// Functions of all files.
    pub fn functions(&self) -> Share {
        self.sum(CoveredFile::functions)
    }

    /// Branches of all files.
    pub fn branches(&self) -> Share {
        self.sum(CoveredFile::branches)
    }

    fn sum(&self, share: impl Fn(&CoveredFile) -> Share) -> Share {
        let mut sum = Share::default();
        self.files.iter().for_each(|file| sum.add(share(file)));
        sum
    }
}

impl CoveredFile {
    /// The lines that can run: those that a probe names, and those that did.
    pub fn all_lines(&self) -> LineSet {
        let mut lines = self.outline.lines.clone();
        lines.join(&self.ran.lines);
        lines
    }

    /// Its lines.
    pub fn lines(&self) -> Share {
        Share { ran: self.ran.lines.len(), of: self.all_lines().len() }
    }

    /// Its functions.
    pub fn functions(&self) -> Share {
        Share { ran: self.functions.len(), of: self.outline.functions.len() }
    }

    /// Its branches.
    pub fn branches(&self) -> Share {
        Share { ran: self.ran.branches.len(), of: self.outline.branches.len().max(self.ran.branches.len()) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use restage_facts::{Branch, Function};

    use super::*;

    pub(in crate::coverage) fn shop() -> CoveredFiles {
        let outline = FileOutline {
            file: "cart & co.php".to_owned(),
            lines: [2, 3, 4, 7].into_iter().collect(),
            functions: vec![
                Function { name: "add".to_owned(), first: 1, last: 4 },
                Function { name: "drop<T>".to_owned(), first: 6, last: 8 },
            ],
            branches: vec![
                Branch { id: 1, from: 2, to: Some(3) },
                Branch { id: 2, from: 2, to: Some(7) },
                Branch { id: 5, from: 3, to: None },
            ],
            ..FileOutline::default()
        };
        let mut coverage = Coverage::default();
        coverage.file("cart & co.php").lines = [2, 3].into_iter().collect();
        coverage.file("cart & co.php").branches = [1, 5].into_iter().collect();
        coverage.file("other.php").lines = [9].into_iter().collect();
        CoveredFiles::of(&coverage, &BTreeMap::from([(outline.file.clone(), outline)]))
    }

    #[test]
    fn shares_are_of_what_there_is() {
        let shop = shop();
        assert_eq!(shop.lines(), Share { ran: 3, of: 5 });
        assert_eq!(shop.functions(), Share { ran: 1, of: 2 });
        assert_eq!(shop.branches(), Share { ran: 2, of: 3 });
        assert_eq!(CoveredFiles::default().lines().percent(), None);
    }
}
