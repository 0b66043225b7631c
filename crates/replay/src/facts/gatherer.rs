//! What the probes of one app wrote: attributed to steps, covered, stored; and what is missing is counted.

use std::collections::HashMap;
use std::path::Path;

use restage_app::{AppSpec, Launch};
use restage_facts::{FactsProblem, FactsReport, FileOutline, ProblemKind, Record, StepFacts};
use restage_model::{RunId, StepAt};
use restage_store::{ReplayedStep, Store, StoreError};

use crate::error::ReplayError;
use crate::facts::asked::FactsAsked;
use crate::facts::equipment::Equipment;
use crate::facts::facts_file::{FactsFile, Line};
use crate::facts::marks::StepMarks;
use crate::facts::statement_logs::StepMarkers;
use crate::secrecy::Secrecy;

/// How many facts are stored at once.
const BATCH: usize = 64;

/// What is asked of all apps of a run.
#[derive(Clone, Copy)]
pub(crate) struct FactsOfRun<'a> {
    pub(crate) run: RunId,
    pub(crate) marks: &'a StepMarks,
    pub(crate) asked: &'a FactsAsked,
    pub(crate) secrecy: &'a Secrecy,
    /// Restage's own folder.
    pub(crate) own_folder: &'a Path,
}

/// What the probes of one app write.
#[derive(Debug)]
pub(crate) struct FactsGatherer {
    run: RunId,
    marks: StepMarks,
    secrecy: Secrecy,
    source: Option<(Equipment, FactsFile)>,
    /// The steps that were sent, by what a user calls them, and whether they were answered and have facts.
    sent: HashMap<StepAt, SentStep>,
    /// Whether any line of a probe was read.
    heard: bool,
    report: FactsReport,
    /// For what database servers log themselves.
    markers: StepMarkers,
    steps: Vec<(StepAt, StepFacts)>,
    outlines: Vec<FileOutline>,
}

#[derive(Debug)]
struct SentStep {
    /// `s1/3`, and where it went.
    place: String,
    answered: bool,
    has_facts: bool,
}

impl FactsGatherer {
    /// Equips an app that is about to be started. One that cannot be is a problem of the report.
    pub(crate) fn new(of: &FactsOfRun<'_>, app: &mut AppSpec, launch: &Launch, markers: StepMarkers) -> Self {
        let FactsOfRun { run, marks, asked, secrecy, own_folder } = *of;
        let mut report = FactsReport::new(asked.want.clone());
        let place = match launch.copy.number {
            0 | 1 => format!("the app `{}`", app.name),
            number => format!("copy {number} of the app `{}`", app.name),
        };
        let source = if app.address.is_some() {
            report.add(FactsProblem {
                kind: ProblemKind::NotEquipped,
                count: 1,
                place,
                what: "no facts: restage does not start this app, so it cannot put a probe into it"
                    .to_owned(),
                hint: "give it a `command` in place of `address` in restage.toml".to_owned(),
            });
            None
        } else {
            match Equipment::put_into(app, launch, own_folder, asked) {
                Ok(equipment) => {
                    let file = FactsFile::new(&equipment.file);
                    Some((equipment, file))
                }
                Err(error) => {
                    report.add(FactsProblem {
                        kind: ProblemKind::NotEquipped,
                        count: 1,
                        place,
                        what: format!("no facts: the probes cannot be written: {error}"),
                        hint: format!("restage needs to write in {}", own_folder.display()),
                    });
                    None
                }
            }
        };
        Self {
            run,
            marks: marks.clone(),
            secrecy: secrecy.clone(),
            source,
            sent: HashMap::new(),
            heard: false,
            report,
            markers,
            steps: Vec::new(),
            outlines: Vec::new(),
        }
    }

    /// What the app's databases are sent from now on is of this step, or of none. How many markers were sent.
    pub(crate) fn mark(&mut self, mark: Option<&str>) -> u64 {
        self.markers.mark(mark, &mut self.report)
    }

    /// A step of a session was sent.
    pub(crate) fn note(&mut self, session: &str, step: &ReplayedStep) {
        let path = step.uri.split('?').next().unwrap_or_default();
        let place = format!("{session}/{}, {} {path}", step.at.step + 1, step.method);
        let answered = step.answer.is_ok();
        self.report.steps += u64::from(answered);
        self.sent.insert(step.at, SentStep { place, answered, has_facts: false });
    }

    /// Reads and stores what was written since. The app should be idle.
    pub(crate) fn collect(&mut self, store: &mut Store) -> Result<(), ReplayError> {
        self.read(store, false)
    }

    /// Reads what is left, once the app has ended; what became of it all.
    pub(crate) fn finish(mut self, store: &mut Store) -> Result<FactsReport, ReplayError> {
        self.read(store, true)?;
        let without: Vec<(&StepAt, &SentStep)> =
            self.sent.iter().filter(|(_, step)| step.answered && !step.has_facts).collect();
        let count = without.len() as u64;
        let first = without.iter().min_by_key(|(at, _)| **at).map(|(_, step)| step.place.clone());
        let Some(place) = first.filter(|_| self.source.is_some()) else { return Ok(self.report) };
        let steps = if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        self.report.add(if self.heard {
            FactsProblem {
                kind: ProblemKind::StepsWithout,
                count,
                place,
                what: format!("{steps} without facts"),
                hint: "answered before the application's own code ran (a file, a cache), or by a process without a probe".to_owned(),
            }
        } else {
            FactsProblem {
                kind: ProblemKind::NoProbe,
                count,
                place,
                what: format!("no facts of {steps}: no probe was loaded into the app"),
                hint: "its `command` must pass its environment on (sudo, env -i and containers do not), run as the user who runs restage, and be in a language with a probe: the guide's page on facts lists them".to_owned(),
            }
        });
        Ok(self.report)
    }

    fn read(&mut self, store: &mut Store, at_end: bool) -> Result<(), ReplayError> {
        let Some((equipment, mut file)) = self.source.take() else { return Ok(()) };
        let read = file.read::<ReplayError>(at_end, |number, line| self.take(store, number, line));
        let read = read.and_then(|()| self.store(store));
        if file.was_replaced() {
            self.lost(
                &equipment,
                "the facts file was removed or replaced, and what was in it is lost".to_owned(),
            );
        }
        let outcome = match read {
            Err(ReplayError::System(error)) => {
                self.lost(&equipment, format!("what was written to the facts file cannot be read: {error}"));
                self.store(store)
            }
            other => other,
        };
        self.source = Some((equipment, file));
        outcome
    }

    fn lost(&mut self, equipment: &Equipment, what: String) {
        self.report.add(FactsProblem {
            kind: ProblemKind::File,
            count: 1,
            place: equipment.file.display().to_string(),
            what,
            hint: "nothing else may remove or replace what is in .restage/facts during a run".to_owned(),
        });
    }

    fn take(&mut self, store: &mut Store, number: u64, line: Line) -> Result<(), ReplayError> {
        let problem = |kind, what: String, hint: &str| FactsProblem {
            kind,
            count: 1,
            place: format!("line {number} of the facts file"),
            what,
            hint: hint.to_owned(),
        };
        match line {
            Line::Bad(why) => self.report.add(problem(
                ProblemKind::BadLines,
                format!("lines of the facts file that are of no probe: {why}"),
                "a probe appends whole lines, each written at once under an exclusive lock",
            )),
            Line::Record(Record::File(outline)) => {
                self.heard = true;
                self.outlines.push(outline);
            }
            Line::Record(Record::Step(mut facts)) => {
                self.heard = true;
                let at = self.marks.step(&facts.step);
                let Some((at, step)) = at.and_then(|at| Some((at, self.sent.get_mut(&at)?))) else {
                    self.report.add(problem(
                        ProblemKind::UnknownSteps,
                        "facts of steps that this run did not send".to_owned(),
                        "a probe writes the value of the header field `Restage-Step` as it came",
                    ));
                    return Ok(());
                };
                if step.answered && !step.has_facts {
                    self.report.with_facts += 1;
                }
                step.has_facts = true;
                if !facts.runtime.is_empty() {
                    *self.report.runtimes.entry(facts.runtime.clone()).or_default() += 1;
                }
                for note in &facts.notes {
                    *self.report.notes.entry(note.clone()).or_default() += 1;
                }
                facts.step = String::new();
                self.steps.push((at, *facts));
            }
        }
        if self.steps.len() + self.outlines.len() >= BATCH { self.store(store) } else { Ok(()) }
    }

    fn store(&mut self, store: &mut Store) -> Result<(), ReplayError> {
        self.secrecy.cover_facts(store, &mut self.steps)?;
        store_all(store, self.run, &self.steps, &self.outlines)?;
        self.steps.clear();
        self.outlines.clear();
        Ok(())
    }
}

fn store_all(
    store: &mut Store,
    run: RunId,
    steps: &[(StepAt, StepFacts)],
    outlines: &[FileOutline],
) -> Result<(), StoreError> {
    if !steps.is_empty() {
        store.add_step_facts(run, steps)?;
    }
    if !outlines.is_empty() {
        store.add_outlines(run, outlines)?;
    }
    Ok(())
}
