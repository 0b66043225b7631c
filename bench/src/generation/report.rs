//! The tables of the study.

use std::collections::BTreeSet;
use std::fmt;

use bookstore::Fault;

use crate::generation::cover::Cover;
use crate::generation::statements::Statements;
use crate::table::Table;

/// The faults that a suite finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// By D: any difference.
    pub d: BTreeSet<&'static str>,
    /// By T: a difference in the tags.
    pub t: BTreeSet<&'static str>,
}

/// A suite, and what became of it.
#[derive(Clone, Debug)]
pub struct GeneratedSuiteRow {
    /// What it is called.
    pub name: String,
    /// What its sequences cover of the map as a graph, where it has any.
    pub planned: Option<Cover>,
    /// What its sessions cover on the bookstore.
    pub walked: Cover,
    /// With chance and the clock fixed.
    pub fixed: Found,
    /// With both as they are, masked: what it finds, how many steps fail on the clean bookstore, and how many there are.
    pub noisy: Option<(Found, usize, usize)>,
    /// How much of the shop's code it runs.
    pub statements: Option<Statements>,
}

/// The study.
#[derive(Clone, Debug)]
pub struct GenerationStudy {
    /// Of each user: her name, and how many nodes, dynamic nodes, edges and ordered pairs there are for her.
    pub users: Vec<(String, [usize; 4])>,
    /// The faults that were switched on.
    pub faults: Vec<Fault>,
    /// The suites.
    pub rows: Vec<GeneratedSuiteRow>,
}

const COVER: [&str; 8] =
    ["suite", "test cases", "requests", "longest", "shortest", "mean", "edges", "ordered pairs"];

impl GenerationStudy {
    fn map(&self) -> Table {
        let mut table = Table::new(1, &["user", "nodes", "dynamic", "edges", "ordered pairs"]);
        let mut all = [0; 4];
        for (user, sizes) in &self.users {
            table.row([user.clone()].into_iter().chain(sizes.map(|size| size.to_string())).collect());
            all.iter_mut().zip(sizes).for_each(|(all, size)| *all += size);
        }
        table.row(["all".to_owned()].into_iter().chain(all.map(|size| size.to_string())).collect());
        table
    }

    fn planned(&self) -> Table {
        let mut table = Table::new(1, &COVER);
        for row in &self.rows {
            if let Some(planned) = &row.planned {
                table.row([row.name.clone()].into_iter().chain(planned.cells()).collect());
            }
        }
        table
    }

    fn walked(&self) -> Table {
        let mut table = Table::new(1, &COVER);
        for row in &self.rows {
            table.row([row.name.clone()].into_iter().chain(row.walked.cells()).collect());
        }
        table
    }

    fn found(&self) -> Table {
        let head = [
            "suite",
            "faults",
            "D",
            "T",
            "D, noise",
            "T, noise",
            "clean steps that fail",
            "lines",
            "regions",
        ];
        let mut table = Table::new(1, &head);
        let none = || "·".to_owned();
        for row in &self.rows {
            let mut cells = vec![
                row.name.clone(),
                self.faults.len().to_string(),
                row.fixed.d.len().to_string(),
                row.fixed.t.len().to_string(),
            ];
            match &row.noisy {
                Some((found, failing, steps)) => cells.extend([
                    found.d.len().to_string(),
                    found.t.len().to_string(),
                    format!("{failing} of {steps}"),
                ]),
                None => cells.extend([none(), none(), none()]),
            }
            let percent =
                |(part, all): (u64, u64)| format!("{:.1} %", part as f64 / all.max(1) as f64 * 100.0);
            match row.statements {
                Some(run) => cells.extend([percent(run.lines), percent(run.regions)]),
                None => cells.extend([none(), none()]),
            }
            table.row(cells);
        }
        table
    }

    /// What each suite misses, a line each.
    fn missed(&self, found: fn(&Found) -> &BTreeSet<&'static str>) -> String {
        let mut lines = String::new();
        for row in &self.rows {
            let missed: Vec<&str> = self
                .faults
                .iter()
                .map(|fault| fault.name())
                .filter(|fault| !found(&row.fixed).contains(fault))
                .collect();
            let missed = if missed.is_empty() { "nothing".to_owned() } else { missed.join(", ") };
            lines.push_str(&format!("- {}: {missed}\n", row.name));
        }
        lines
    }
}

const INTRODUCTION: &str = "Made by `scripts/study generation`; do not edit. The bookstore is mapped by its 40 recorded shoppers and a spider, as `restage map` does it. \
Sequences over the graph of each user are walked on it, as `restage generate --into` does it, and become suites; *-50* has at most 50 requests a sequence, *paper-pairs* is \
the paper's own heuristic for ordered pairs, *recorded* what the shoppers did. Each suite gets a baseline, and is replayed on the clean bookstore and on one with one fault \
switched on, each session from the initial state (a recorded one from the state in which its user came).";

impl fmt::Display for GenerationStudy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "# What generated suites cover and find\n\n{INTRODUCTION}\n\n## The map, as the paper's table 2\n\n{}\n\
             ## Test cases, as the paper's table 3\n\nAs sequences over the map, all users together; what logs a user in is not counted:\n\n{}\n\
             As sessions on the bookstore, with the steps that log a user in. What was not there in the state is not covered, and was tried once more in further sessions:\n\n{}\n\
             ## Effectiveness, as the paper's tables 4 and 5\n\nFaults found by D (any difference of the page, the paper's *diff*) and by T (its tags, the paper's *struct*), each alone, with chance and the \
             clock fixed. *Noise*: with chance and the clock as they are, judged as `restage test` does, which masks what varies, and compares the flow of pages, too. *Lines* and *regions* of the shop's code that a replay on the clean \
             bookstore runs.\n\n{}\n\
             Missed by D:\n\n{}\nMissed by T:\n\n{}",
            self.map(),
            self.planned(),
            self.walked(),
            self.found(),
            self.missed(|found| &found.d),
            self.missed(|found| &found.t),
        )
    }
}
