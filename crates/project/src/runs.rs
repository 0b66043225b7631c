//! Runs by their names, and which two of them a comparison is about.

use std::collections::HashMap;

use restage_model::{Run, RunKind, RunState, Session, Suite};
use restage_store::{Store, StoreError};

use crate::error::ProjectError;
use crate::project::Project;

/// How many names an error lists.
const SHOWN_NAMES: usize = 8;

impl Project {
    /// The run of a name.
    pub fn run(&self, store: &Store, name: &str) -> Result<Run, ProjectError> {
        if let Some(run) = store.run_named(name)? {
            return Ok(run);
        }
        let names: Vec<String> = store.runs()?.into_iter().rev().map(|r| r.name).collect();
        let there = match names.len() {
            0 => "there is none yet".to_owned(),
            n if n > SHOWN_NAMES => format!("the newest are: {}", names[..SHOWN_NAMES].join(", ")),
            _ => format!("there is: {}", names.join(", ")),
        };
        Err(StoreError::Unknown { kind: "run", name: name.to_owned(), there }.into())
    }

    /// The baseline of a name, or the newest.
    pub fn baseline(&self, store: &Store, name: Option<&str>) -> Result<Run, ProjectError> {
        match name {
            Some(name) => self.run(store, name),
            None => self.newest_baseline(store)?.ok_or(ProjectError::NoBaseline),
        }
    }

    /// The newest baseline that came to its end.
    pub fn newest_baseline(&self, store: &Store) -> Result<Option<Run>, ProjectError> {
        newest(store, is_baseline)
    }

    /// The newest baseline that has all sessions of a suite as they are there, of those that are wanted.
    pub fn baseline_with(
        &self,
        store: &Store,
        suite: &Suite,
        wanted: impl Fn(&Run) -> Result<bool, StoreError>,
    ) -> Result<Option<Run>, ProjectError> {
        for run in store.runs()?.into_iter().rev().filter(is_baseline) {
            let replayed = store.suite(run.suite)?;
            let known: HashMap<&str, &Session> =
                replayed.sessions.iter().map(|session| (session.name.as_str(), session)).collect();
            let has =
                |own: &Session| known.get(own.name.as_str()).is_some_and(|s| s.exchanges == own.exchanges);
            if suite.sessions.iter().all(has) && wanted(&run)? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// A name for a run that is not taken: the one given, or the first free of `prefix-1`, `prefix-2`, …
    pub fn run_name(&self, store: &Store, given: Option<&str>, prefix: &str) -> Result<String, ProjectError> {
        match given {
            Some(name) if store.run_named(name)?.is_some() => {
                Err(StoreError::Taken { kind: "run", name: name.to_owned() }.into())
            }
            Some(name) => Ok(name.to_owned()),
            None => {
                let taken: Vec<String> = store.runs()?.into_iter().map(|r| r.name).collect();
                let free = (1..).map(|n| format!("{prefix}-{n}")).find(|name| !taken.contains(name));
                Ok(free.unwrap_or_else(|| prefix.to_owned()))
            }
        }
    }
}

/// Names of the two runs of a comparison. By default they are the newest replay, and the newest baseline of the same suite.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunPairNames<'a> {
    /// The run that is right.
    pub expected: Option<&'a str>,
    /// The run that is judged.
    pub actual: Option<&'a str>,
}

/// Two runs to compare.
pub struct RunPair {
    /// The run that is right.
    pub expected: Run,
    /// The run that is judged.
    pub actual: Run,
}

impl RunPair {
    /// The runs that were named, or the newest.
    pub fn find(project: &Project, store: &Store, names: RunPairNames<'_>) -> Result<Self, ProjectError> {
        let actual = names.actual.map(|name| project.run(store, name)).transpose()?;
        let expected = match (names.expected, &actual) {
            (Some(name), _) => project.run(store, name)?,
            (None, Some(actual)) => newest(store, |r| is_baseline(r) && r.suite == actual.suite)?
                .ok_or_else(|| ProjectError::NoBaselineOf { run: actual.name.clone() })?,
            (None, None) => project.newest_baseline(store)?.ok_or(ProjectError::NoBaseline)?,
        };
        let actual = match actual {
            Some(actual) => actual,
            None => {
                let replay = |r: &Run| {
                    r.kind == RunKind::Replay && r.suite == expected.suite && r.state == RunState::Complete
                };
                newest(store, replay)?.ok_or(ProjectError::NothingReplayed)?
            }
        };
        Ok(Self { expected, actual })
    }

    /// Whether these two are what [`RunPair::find`] takes where no names are given.
    pub fn is_newest(&self, project: &Project, store: &Store) -> bool {
        Self::find(project, store, RunPairNames::default())
            .is_ok_and(|pair| pair.expected.id == self.expected.id && pair.actual.id == self.actual.id)
    }
}

fn newest(store: &Store, wanted: impl Fn(&Run) -> bool) -> Result<Option<Run>, ProjectError> {
    Ok(store.runs()?.into_iter().rev().find(wanted))
}

fn is_baseline(run: &Run) -> bool {
    run.kind == RunKind::Baseline && run.state == RunState::Complete && run.check.is_some()
}
