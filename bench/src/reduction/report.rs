//! The tables of the study.

use std::collections::BTreeSet;
use std::fmt;

use restage_model::{Key, Suite};

use crate::reduction::ReducedSuite;
use crate::table::Table;

/// How many faults are found with a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultFinds {
    /// By the strictest comparator, D.
    pub strict: usize,
    /// By the default oracle, `C-WD | N+I`.
    pub default: usize,
}

/// What replays of a suite got.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// The pages, each with its outcome.
    pub pages: BTreeSet<String>,
    /// The faults that are found, where there are any.
    pub faults: Option<FaultFinds>,
}

/// A subject, its suites and what became of them.
#[derive(Clone, Debug)]
pub struct ReductionStudy {
    /// The subject's name.
    pub subject: String,
    /// How long each session of the suite is.
    pub lengths: Vec<usize>,
    /// The suites; the first is the original.
    pub suites: Vec<ReducedSuite>,
    /// The keys that each suite asks for.
    pub keys: Vec<BTreeSet<Key>>,
    /// Of each suite, each session replayed on the state it had in the baseline.
    pub with_state: Vec<Replayed>,
    /// Of each suite, replayed from the initial state without restoring in between; nothing where that was not done.
    pub without_state: Vec<Replayed>,
    /// What faults are called: `faults`, or versions that differ.
    pub faults: String,
}

impl ReductionStudy {
    /// The lengths of a suite's sessions.
    pub fn lengths(suite: &Suite) -> Vec<usize> {
        suite.sessions.iter().map(|s| s.exchanges.len()).collect()
    }

    fn sizes(&self) -> Table {
        let head = ["suite", "sessions", "requests, mode", "requests, average", "largest", "average", "keys"];
        let mut table = Table::new(1, &head);
        for (suite, keys) in self.suites.iter().zip(&self.keys) {
            let longest = suite.kept.iter().map(|&s| self.lengths[s]).max().unwrap_or(0);
            table.row(vec![
                suite.name.clone(),
                suite.kept.len().to_string(),
                suite.requests.to_string(),
                suite.requests_on_average.map_or_else(|| "·".to_owned(), |n| format!("{n:.0}")),
                longest.to_string(),
                format!("{:.0}", suite.requests as f64 / suite.kept.len().max(1) as f64),
                percent(keys.len(), self.keys[0].len()),
            ]);
        }
        table
    }

    fn pages(&self) -> Table {
        let head = ["suite", "with state", "without state", "difference", "only without state"];
        let mut table = Table::new(1, &head);
        let Some(original) = self.with_state.first().map(|replayed| &replayed.pages) else { return table };
        for (place, suite) in self.suites.iter().enumerate() {
            let with = self.with_state[place].pages.intersection(original).count();
            let mut row = vec![suite.name.clone(), percent(with, original.len())];
            if let Some(without) = self.without_state.get(place) {
                let known = without.pages.intersection(original).count();
                row.extend([
                    percent(known, original.len()),
                    format!("{:.1}", (with as f64 - known as f64) / original.len() as f64 * 100.0),
                    without.pages.difference(&self.with_state[place].pages).count().to_string(),
                ]);
            }
            table.row(row);
        }
        table
    }

    fn found(&self) -> Option<Table> {
        let head = ["suite", "D, with state", "D, without", "C-WD | N+I, with state", "C-WD | N+I, without"];
        let mut table =
            Table::new(1, &head.map(|h| h.to_owned().replace('|', "\\|")).each_ref().map(String::as_str));
        for (place, suite) in self.suites.iter().enumerate() {
            let with = self.with_state[place].faults?;
            let without = self.without_state.get(place).and_then(|replayed| replayed.faults);
            let number = |n: Option<usize>| n.map_or_else(|| "·".to_owned(), |n| n.to_string());
            table.row(vec![
                suite.name.clone(),
                with.strict.to_string(),
                number(without.map(|found| found.strict)),
                with.default.to_string(),
                number(without.map(|found| found.default)),
            ]);
        }
        Some(table)
    }
}

impl fmt::Display for ReductionStudy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "## {}\n\nThe suites, as the paper's table 1:\n\n{}\nPages reached, of {} that the original suite reaches, in per \
             cent, as the paper's table 2:\n\n{}",
            self.subject,
            self.sizes(),
            self.with_state.first().map_or(0, |replayed| replayed.pages.len()),
            self.pages()
        )?;
        match self.found() {
            Some(found) => write!(f, "\nFound, of {}:\n\n{found}", self.faults),
            None => Ok(()),
        }
    }
}

fn percent(part: usize, all: usize) -> String {
    if all == 0 { "·".to_owned() } else { format!("{:.1}", part as f64 / all as f64 * 100.0) }
}
