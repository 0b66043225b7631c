//! Statements from the database servers' own logs, for what no probe sees (paper 4, section 4).
//!
//! The logs of the servers that `[state]` names are switched on for the run. Before each step, each app's own databases are sent a marker
//! with the step's name; at the end the logs are read, and what stands between two markers of a database belongs to the first. Where a
//! probe saw the statements of a step, its word counts: it knows rows and places.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use restage_facts::{FactsProblem, FactsReport, ProblemKind, SqlFact, StepFacts, Want};
use restage_model::{RunId, StepAt};
use restage_state::{DatabaseSpec, StateCopy, StatementLog, StatementMarker};
use restage_store::{Store, StoreError};

use crate::facts::asked::FactsAsked;
use crate::facts::marks::StepMarks;
use crate::order::Order;
use crate::secrecy::Secrecy;

/// How many statements are in memory at most before they are stored.
const BATCH: usize = 4096;

/// The logs of the servers that a run's app stores in.
#[derive(Default)]
pub(crate) struct StatementLogs {
    logs: Vec<StatementLog>,
}

/// The databases whose servers log; all workers of a run know them.
#[derive(Default)]
pub(crate) struct MarkedDatabases {
    databases: Vec<DatabaseSpec>,
    /// How many markers were sent for steps.
    sent: AtomicU64,
}

/// Sends the markers for one app.
#[derive(Default)]
pub(crate) struct StepMarkers {
    databases: Vec<DatabaseSpec>,
    markers: Option<Vec<StatementMarker>>,
}

impl std::fmt::Debug for StepMarkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StepMarkers").field("databases", &self.databases.len()).finish()
    }
}

fn problem(place: String, what: String) -> FactsProblem {
    // What a database refuses comes with its remedy.
    let (what, hint) = match what.split_once("\n  hint: ") {
        Some((what, hint)) => (what.to_owned(), hint.to_owned()),
        None => (what, "let a probe in the app see its statements".to_owned()),
    };
    FactsProblem { kind: ProblemKind::StatementLog, count: 1, place, what, hint }
}

impl StatementLogs {
    /// Switches on the logs, where statements are asked for and there are databases.
    pub(crate) fn open(
        asked: Option<&FactsAsked>,
        databases: &[DatabaseSpec],
        order: Order,
        report: &mut FactsReport,
    ) -> (Self, MarkedDatabases) {
        let (mut opened, mut marked) = (Self::default(), MarkedDatabases::default());
        if !asked.is_some_and(|asked| asked.want.contains(&Want::Sql)) || databases.is_empty() {
            return (opened, marked);
        }
        if order == Order::Overlap {
            let what = "no statements from the database server's log: with --overlap they cannot be told apart by step\n  hint: replay one session at a time, or let a probe in the app see its statements";
            report.add(problem(databases[0].shown(), what.to_owned()));
            return (opened, marked);
        }
        let mut servers: HashMap<String, bool> = HashMap::new();
        for database in databases {
            let server = database.named("").url;
            let logs = *servers.entry(server).or_insert_with(|| match StatementLog::open(database) {
                Ok(log) => {
                    opened.logs.push(log);
                    true
                }
                Err(error) => {
                    let what = format!("no statements from the database server's log: {error}");
                    report.add(problem(String::new(), what));
                    false
                }
            });
            if logs {
                marked.databases.push(database.clone());
            }
        }
        (opened, marked)
    }

    /// Reads the logs, stores what they have of steps, and puts them back as they were.
    pub(crate) fn collect(
        &mut self,
        store: &mut Store,
        run: RunId,
        (marks, secrecy): (&StepMarks, &Secrecy),
        sent: u64,
        report: &mut FactsReport,
    ) -> Result<(), StoreError> {
        let mut sink = Sink {
            store,
            run,
            marks,
            secrecy,
            waiting: HashMap::new(),
            count: 0,
            of_probe: HashMap::new(),
            stored: 0,
        };
        let mut found = 0;
        let mut failed = Ok(());
        let mut troubled = false;
        for mut log in self.logs.drain(..) {
            let place = log.database().shown();
            let read = log.read(&mut |mark, text| {
                if failed.is_ok() {
                    failed = sink.take(mark, text);
                }
            });
            match read {
                Ok(read) => found += read.markers,
                Err(error) => {
                    troubled = true;
                    let what = format!("statements from the database server's log are missing: {error}");
                    report.add(problem(String::new(), what));
                }
            }
            if let Err(error) = log.close() {
                let what = format!("the database server's log is not as it was before: {error}");
                report.add(problem(place, what));
            }
        }
        failed?;
        sink.flush()?;
        report.logged_statements += sink.stored;
        if found < sent && !troubled {
            let what = format!(
                "statements from the database server's log are missing: {} of {sent} markers are not in it\n  hint: leave the server's log alone during a run",
                sent - found
            );
            report.add(problem(String::new(), what));
        }
        Ok(())
    }
}

impl MarkedDatabases {
    /// What sends markers for a copy of the app.
    pub(crate) fn markers(&self, copy: &StateCopy) -> StepMarkers {
        let named = |database: &DatabaseSpec| database.named(&copy.database(database.name()));
        StepMarkers { databases: self.databases.iter().map(named).collect(), markers: None }
    }

    /// Notes that markers were sent for a step.
    pub(crate) fn note_markers(&self, markers: u64) {
        self.sent.fetch_add(markers, Ordering::Relaxed);
    }

    /// How many were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

impl StepMarkers {
    /// What follows is of this step; of none where there is none. How many markers were sent; a problem is told once.
    pub(crate) fn mark(&mut self, name: Option<&str>, report: &mut FactsReport) -> u64 {
        if self.databases.is_empty() {
            return 0;
        }
        // A copy's database is there only once its state was restored.
        let markers = match &mut self.markers {
            Some(markers) => markers,
            None => match self.databases.iter().map(StatementLog::marker).collect::<Result<Vec<_>, _>>() {
                Ok(markers) => self.markers.insert(markers),
                Err(error) => return self.give_up(&error.to_string(), report),
            },
        };
        let sent = markers.iter_mut().try_for_each(|marker| marker.mark(name));
        match sent {
            Ok(()) => markers.len() as u64,
            Err(error) => self.give_up(&error.to_string(), report),
        }
    }

    fn give_up(&mut self, why: &str, report: &mut FactsReport) -> u64 {
        let place = self.databases.first().map(DatabaseSpec::shown).unwrap_or_default();
        report.add(problem(place, format!("no more statements from the database server's log: {why}")));
        *self = Self::default();
        0
    }
}

/// Statements on their way to the store.
struct Sink<'a> {
    store: &'a mut Store,
    run: RunId,
    marks: &'a StepMarks,
    secrecy: &'a Secrecy,
    waiting: HashMap<StepAt, Vec<SqlFact>>,
    count: usize,
    /// Whether a probe saw a step's statements.
    of_probe: HashMap<StepAt, bool>,
    stored: u64,
}

impl Sink<'_> {
    fn take(&mut self, mark: &str, text: String) -> Result<(), StoreError> {
        let Some(at) = self.marks.step(mark) else { return Ok(()) };
        let seen = match self.of_probe.get(&at) {
            Some(seen) => *seen,
            None => {
                let seen = self.store.step_facts(self.run, at)?.is_some_and(|facts| !facts.sql.is_empty());
                self.of_probe.insert(at, seen);
                seen
            }
        };
        if seen {
            return Ok(());
        }
        self.waiting.entry(at).or_default().push(SqlFact { text, ..SqlFact::default() });
        self.count += 1;
        if self.count >= BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.stored += self.count as u64;
        self.count = 0;
        let mut facts: Vec<(StepAt, StepFacts)> =
            self.waiting.drain().map(|(at, sql)| (at, StepFacts { sql, ..StepFacts::default() })).collect();
        self.secrecy.cover_facts(self.store, &mut facts)?;
        self.store.add_step_facts(self.run, &facts)
    }
}
