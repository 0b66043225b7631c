//! What is known of the suite: its sessions, what they do, which errors they show; and what was learnt of new sessions since.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use restage_analysis::{Options, analyze, read_folder};
use restage_facts::{Coverage, FileOutline, Want};
use restage_model::{Run, RunEvent};
use restage_project::{BaselineAsked, make_baseline_with_groups};
use restage_regenerate::{
    Dynamics, Fault, Faults, Pair, PlannedSequence, Reader, RequestVariants, SessionDynamics, SessionTables,
    SourceSession, StateLines, needed_pages, observed_pairs, read_session,
};
use restage_replay::{Order, START};
use restage_store::FactsOf;

use super::Regenerating;
use crate::failure::Failure;
use crate::terminal::run_progress::RunProgress;

/// More source code than this takes the analysis a minute or more.
const LARGEST_SOURCE: usize = 16 << 20;

/// What is known of the suite.
pub(crate) struct KnownSuite {
    pub(crate) sources: Vec<SourceSession>,
    pub(crate) dynamics: Dynamics,
    pub(crate) reader: Reader,
    pub(crate) faults: Faults,
    /// What ran, in new sessions as well.
    pub(crate) coverage: Coverage,
    /// How many lines and branches of it ran in the suite.
    pub(crate) ran_before: (usize, usize),
    /// What there is in the files that ran.
    pub(crate) outlines: BTreeMap<String, FileOutline>,
    /// The pairs that the suite and new sessions cover.
    pub(crate) covered: HashSet<Pair>,
    /// The run that says so.
    pub(crate) run: Run,
    /// The snapshots before the suite's sessions, in its order.
    starts: Vec<Option<String>>,
}

/// A new session that is kept, and what it does.
pub(crate) struct KeptSession {
    pub(crate) source: SourceSession,
    pub(crate) dynamics: SessionDynamics,
}

impl KnownSuite {
    /// Reads what the suite does from a run with facts; one is made where there is none.
    pub(crate) fn read(
        asked: &mut Regenerating<'_>,
        work: &mut restage_replay::Project,
    ) -> Result<Self, Failure> {
        work.facts = Some(asked.project.facts_asked(Want::USUAL.to_vec()));
        let run = match find_run(asked, work)? {
            Some(run) => run,
            None => make_run(asked, work)?,
        };
        // New sessions are compared with it: what it was asked for, they are asked for.
        let asked_before = work.store.facts_report(run.id)?.map(|report| report.want).unwrap_or_default();
        let more = asked_before.into_iter().filter(|want| !Want::USUAL.contains(want));
        work.facts = Some(asked.project.facts_asked(Want::USUAL.into_iter().chain(more).collect()));
        let rules = asked.project.key_rules(&work.store)?;
        let variants = RequestVariants::of(&work.store, &rules, &asked.suite.sessions)?;
        let outlines = work.store.outlines(run.id)?;
        let lines = state_lines(asked, &outlines);
        let replayed = work.store.suite(run.suite)?;
        let own = replayed.sessions.iter().enumerate();
        let own =
            own.filter(|(_, session)| asked.suite.sessions.iter().any(|known| known.name == session.name));
        let places = own.map(|(place, session)| (place as u32, session.exchanges.len()));
        let session_tables = SessionTables::of(&work.store, run.id, places)?;
        let sessions = work.store.run_sessions(run.id)?;
        let mut known = Self {
            sources: Vec::new(),
            dynamics: Dynamics::default(),
            reader: Reader { rules, variants, lines, session_tables },
            faults: Faults::default(),
            coverage: Coverage::default(),
            ran_before: (0, 0),
            outlines,
            covered: HashSet::new(),
            run,
            starts: Vec::new(),
        };
        let (mut with_facts, mut places) = (0, Vec::new());
        for session in &asked.suite.sessions {
            let place = replayed.sessions.iter().position(|known| known.name == session.name);
            let Some(place) = place.map(|place| place as u32) else { continue };
            places.push(place);
            let pages = needed_pages(&work.store, session)?;
            let source = SourceSession { session: session.clone(), pages };
            let replayed = sessions.iter().find(|s| s.ordinal == place);
            let log = replayed.and_then(|s| s.log.as_ref());
            let seen = read_session(&work.store, known.run.id, (place, log), &source, &known.reader)?;
            with_facts += seen.with_facts;
            known.covered.extend(observed_pairs(&seen.dynamics.steps, asked.way.criterion()).into_keys());
            known.faults.add(seen.faults);
            known.dynamics.sessions.push(seen.dynamics);
            known.sources.push(source);
            known.starts.push(replayed.and_then(|s| s.snapshot.clone()));
        }
        if with_facts == 0 {
            return Err(Failure::environment(format!(
                "{}: there are no facts of any step, so nobody knows what its requests define and use\n  hint: `restage runs show {}` says what stood in the way of the probes",
                known.run.name, known.run.name
            )));
        }
        known.coverage = work.store.coverage(known.run.id, FactsOf::Sessions(&places))?;
        known.ran_before = (known.coverage.lines(), known.coverage.branches());
        Ok(known)
    }

    /// Keeps the state that each session which is cut began from, for those that are made of it.
    pub(crate) fn keep_starts(
        &self,
        work: &mut restage_replay::Project,
        sequences: &[PlannedSequence],
    ) -> Result<(), Failure> {
        let Some(state) = &mut work.state else { return Ok(()) };
        let mut done: HashSet<String> = HashSet::new();
        for sequence in sequences {
            let at = sequence.cut.session;
            // New sessions begin where the one did that they begin with: that is kept already.
            let Some(Some(snapshot)) = self.starts.get(at) else { continue };
            let session = &self.sources[at].session;
            let first = session.joined.first().map_or(&session.name, |part| &part.session);
            let start = format!("{START}{first}");
            if *snapshot == start || !done.insert(start.clone()) {
                continue;
            }
            let snapshots = state.snapshot_store_mut();
            if snapshots.exists(&start)? {
                snapshots.remove(&start)?;
            }
            snapshots.copy(snapshot, &start)?;
        }
        Ok(())
    }

    /// The errors of these that are new.
    pub(crate) fn new_faults(&mut self, faults: Vec<Fault>) -> Vec<Fault> {
        self.faults.add(faults)
    }

    /// Goes on from what new sessions do, too.
    pub(crate) fn extend(&mut self, kept: Vec<KeptSession>) {
        for KeptSession { source, dynamics } in kept {
            self.sources.push(source);
            self.dynamics.sessions.push(dynamics);
        }
    }
}

/// The run that was named, or the newest baseline of the suite that has facts.
fn find_run(asked: &Regenerating<'_>, work: &restage_replay::Project) -> Result<Option<Run>, Failure> {
    if let Some(name) = asked.baseline {
        return Ok(Some(asked.project.run(&work.store, name)?));
    }
    let has_facts = |run: &Run| {
        let report = work.store.facts_report(run.id)?;
        Ok(report.is_some_and(|report| report.with_facts > 0))
    };
    Ok(asked.project.baseline_with(&work.store, asked.suite, has_facts)?)
}

fn make_run(asked: &mut Regenerating<'_>, work: &mut restage_replay::Project) -> Result<Run, Failure> {
    let name = asked.project.run_name(&work.store, None, "baseline")?;
    asked.note(format!("no baseline of {} has facts: {name} is made", asked.suite.name));
    let steps = 2 * asked.suite.steps();
    let events = asked.events.take().unwrap_or_default();
    let mut progress = RunProgress::new(asked.global, "baseline, twice", steps, events);
    let mut show = |event: &RunEvent| progress.show(event);
    let new = BaselineAsked { name, suite: asked.suite, app: asked.app, order: Order::InTurn, shard: None };
    let rules = asked.project.judging_rules(None)?;
    let (made, _) = make_baseline_with_groups(asked.project, work, &new, &rules, &mut show)?;
    asked.events = Some(progress.into_log());
    Ok(made.run)
}

/// Where the source code defines and uses the user's session, where it is written in PHP. Only files that ran count: no line of the others
/// is seen, and an application's libraries and texts may be many times as large.
fn state_lines(asked: &Regenerating<'_>, ran: &BTreeMap<String, FileOutline>) -> StateLines {
    let named = asked.project.facts_asked(Vec::new()).folders;
    let folders: Vec<PathBuf> = if named.is_empty() { vec![asked.app.dir.clone()] } else { named };
    let mut sources = Vec::new();
    for folder in folders {
        // Not every application is written in PHP: what was seen counts then.
        sources.extend(read_folder(&folder).map(|folder| folder.sources).unwrap_or_default());
    }
    sources.retain(|source| ran.contains_key(&source.path));
    let size: usize = sources.iter().map(|source| source.content.len()).sum();
    if size > LARGEST_SOURCE {
        asked.note(format!(
            "the application's PHP that ran, {} MB, is too much to be read line by line: where it defines and uses session variables is taken from what was seen",
            size >> 20
        ));
        return StateLines::default();
    }
    StateLines::of(&analyze(&sources, Options::default()))
}
