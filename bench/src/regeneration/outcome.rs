//! What was measured: subjects, their starting suites, and what each technique made of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Technique;

/// A subject and its starting suites.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RegeneratedSubject {
    /// Its name.
    pub name: String,
    /// What coverage counts: `branches` or `lines`.
    pub counts: String,
    /// So many requests each technique might send at the most; none for any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_requests: Option<usize>,
    /// How many sessions of users there are to draw from, and how many requests they have.
    pub users: Made,
    /// How much of the code they cover together.
    pub users_cover: usize,
    /// What the source code has, where it is PHP and not too much.
    pub code: Option<CodeCounts>,
    /// The starting suites.
    pub suites: Vec<StartingSuite>,
}

/// So many sessions or sequences, and so many requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Sessions or sequences.
    pub sequences: usize,
    /// Their requests.
    pub requests: usize,
}

/// Variables, functions of the session or tables, and where they are defined and used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// How many.
    pub number: usize,
    /// Places that define them.
    pub definitions: usize,
    /// Places that use them.
    pub uses: usize,
}

/// What the static analysis found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeCounts {
    /// Session variables.
    pub variables: Found,
    /// Functions on the session as a whole.
    pub functions: Found,
    /// Tables.
    pub tables: Found,
}

/// A starting suite, and what became of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StartingSuite {
    /// Its size.
    pub size: Made,
    /// How much of the code it covers.
    pub covered: usize,
    /// Of so much in the files that it runs.
    pub of: usize,
    /// Errors that it shows, each once by its place and type.
    pub faults: usize,
    /// By technique.
    pub outcomes: BTreeMap<Technique, Outcome>,
}

/// What came of a technique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Sequences for session variables.
    pub of_sessions: Made,
    /// Sequences for tables.
    pub of_tables: Made,
    /// All sequences; of those drawn at random, nobody knows what for.
    pub all: Made,
    /// Pairs that the sequences were for, and how many of them came about.
    pub asked: usize,
    /// Those that were seen when they were run.
    pub met: usize,
    /// How much is covered with the new sequences.
    pub covered: usize,
    /// Errors that the suite does not show.
    pub new_faults: usize,
    /// For everything, by the clock.
    pub seconds: f64,
}

impl StartingSuite {
    /// One that nothing is known of but its size.
    pub fn of(size: Made) -> Self {
        Self { size, covered: 0, of: 0, faults: 0, outcomes: BTreeMap::new() }
    }

    /// How much more is covered, in percent of what the suite covers.
    pub fn coverage_gain(&self, technique: Technique) -> Option<f64> {
        let outcome = self.outcomes.get(&technique)?;
        Some(100.0 * (outcome.covered as f64 - self.covered as f64) / (self.covered.max(1)) as f64)
    }

    /// How many more faults are found, in percent of those that the suite shows. Where it shows none, a new one counts as a hundred percent.
    pub fn fault_gain(&self, technique: Technique) -> Option<f64> {
        let outcome = self.outcomes.get(&technique)?;
        Some(100.0 * outcome.new_faults as f64 / self.faults.max(1) as f64)
    }

    /// The requests that a technique costs: those of the suite, to know what it does, and those of the new sequences.
    pub fn cost(&self, technique: Technique) -> Option<usize> {
        Some(self.size.requests + self.outcomes.get(&technique)?.all.requests)
    }
}
