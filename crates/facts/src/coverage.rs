//! What ran of an application, file by file: of a step, of a session, of a run.

use std::collections::BTreeMap;

use crate::{FileOutline, LineSet, StepFacts};

/// What ran of each file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By file; none of them is empty.
    pub files: BTreeMap<String, FileCoverage>,
}

/// What ran of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// Lines that ran.
    pub lines: LineSet,
    /// Functions that ran, by their first lines, as far as a probe says so itself.
    pub functions: LineSet,
    /// Branches that were taken, by id.
    pub branches: LineSet,
}

impl FileCoverage {
    /// Whether nothing ran.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.functions.is_empty() && self.branches.is_empty()
    }

    /// Adds what ran elsewhere.
    pub fn join(&mut self, other: &Self) {
        self.lines.join(&other.lines);
        self.functions.join(&other.functions);
        self.branches.join(&other.branches);
    }

    /// What ran here and not there.
    pub fn without(&self, other: &Self) -> Self {
        Self {
            lines: self.lines.without(&other.lines),
            functions: self.functions.without(&other.functions),
            branches: self.branches.without(&other.branches),
        }
    }

    /// The functions of a file that ran, by their first lines: those that a probe names, and those of which a line ran, but that which
    /// declares them. A function on one line ran where the probe says so alone: its declaration cannot be told from its body.
    pub fn functions_that_ran(&self, outline: &FileOutline) -> LineSet {
        let mut ran = LineSet::new();
        for function in &outline.functions {
            let named = self.functions.contains(function.first);
            let inside =
                function.last > function.first && self.lines.meets(function.first + 1, function.last);
            if named || (self.functions.is_empty() && inside) {
                ran.insert(function.first);
            }
        }
        ran
    }
}

impl Coverage {
    /// Adds what ran elsewhere.
    pub fn join(&mut self, other: &Self) {
        for (file, ran) in &other.files {
            self.file(file).join(ran);
        }
    }

    /// Adds what ran of a file.
    pub fn file(&mut self, name: &str) -> &mut FileCoverage {
        if !self.files.contains_key(name) {
            self.files.insert(name.to_owned(), FileCoverage::default());
        }
        self.files.entry(name.to_owned()).or_default()
    }

    /// What ran here and not there.
    pub fn without(&self, other: &Self) -> Self {
        let nothing = FileCoverage::default();
        let files = self
            .files
            .iter()
            .map(|(file, ran)| (file.clone(), ran.without(other.files.get(file).unwrap_or(&nothing))));
        Self { files: files.filter(|(_, ran)| !ran.is_empty()).collect() }
    }

    /// How many lines ran.
    pub fn lines(&self) -> usize {
        self.files.values().map(|file| file.lines.len()).sum()
    }

    /// How many branches were taken.
    pub fn branches(&self) -> usize {
        self.files.values().map(|file| file.branches.len()).sum()
    }
}

impl From<&StepFacts> for Coverage {
    fn from(facts: &StepFacts) -> Self {
        let mut coverage = Self::default();
        for (file, lines) in facts.lines.iter().filter(|(_, set)| !set.is_empty()) {
            coverage.file(file).lines.join(lines);
        }
        for (file, functions) in facts.functions.iter().filter(|(_, set)| !set.is_empty()) {
            coverage.file(file).functions.join(functions);
        }
        for (file, branches) in facts.branches.iter().filter(|(_, set)| !set.is_empty()) {
            coverage.file(file).branches.join(branches);
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Function;

    fn coverage(files: &[(&str, &[u32])]) -> Coverage {
        let mut coverage = Coverage::default();
        for (file, lines) in files {
            coverage.file(file).lines = lines.iter().copied().collect();
        }
        coverage
    }

    #[test]
    fn coverage_is_joined_and_compared_file_by_file() {
        let (a, b) = (coverage(&[("a", &[1, 2]), ("b", &[5])]), coverage(&[("a", &[2, 3])]));
        let mut both = a.clone();
        both.join(&b);
        assert_eq!(both, coverage(&[("a", &[1, 2, 3]), ("b", &[5])]));
        assert_eq!(a.without(&b), coverage(&[("a", &[1]), ("b", &[5])]));
        assert_eq!((both.lines(), b.without(&both).lines()), (4, 0));
    }

    /// Catches: a function that counts as run since the file that declares it was read.
    #[test]
    fn a_function_ran_where_a_line_inside_did() {
        let function = |name: &str, first, last| Function { name: name.to_owned(), first, last };
        let outline = FileOutline {
            functions: vec![function("f", 1, 3), function("g", 5, 9), function("h", 11, 11)],
            ..FileOutline::default()
        };
        let ran = FileCoverage { lines: [1, 5, 7, 11].into_iter().collect(), ..FileCoverage::default() };
        assert_eq!(ran.functions_that_ran(&outline).iter().collect::<Vec<_>>(), [5]);
        let named = FileCoverage { functions: [11].into_iter().collect(), ..ran };
        assert_eq!(named.functions_that_ran(&outline).iter().collect::<Vec<_>>(), [11]);
    }
}
