//! All of a suite, session by session.

use std::collections::{HashMap, HashSet};

use restage_model::{KeyRules, NewSession, NewStep, Run, RunId, Session, Suite};
use restage_replay::{ReplayError, Stage};
use restage_site::repair::{Cause, Counterparts, Planner, Repair};
use restage_site::{ConstantTable, LookupTable, SeenBy, Site, correspondence};
use restage_store::StoreError;

use crate::context::Context;
use crate::intent::WordWeights;
use crate::live::Start;
use crate::new_session::new_sessions;
use crate::old::OldSession;
use crate::report::{RemainingTrouble, RepairCounts, RepairOutcome, RepairReport, SessionRepair};
use crate::search::{Chosen, Memory, Search, SecondHalf, repair_in_halves, repair_session};

/// What is repaired, and with what.
#[derive(Clone, Copy)]
pub struct RepairInput<'a> {
    /// The sessions of the old version.
    pub suite: &'a Suite,
    /// How pages are named.
    pub rules: &'a KeyRules,
    /// The map of the old version, as its sessions show it.
    pub old: &'a Site,
    /// The map of the new version.
    pub new: &'a Site,
    /// What sessions sent.
    pub lookup: &'a LookupTable,
    /// What is typed where no session sent anything.
    pub constants: &'a ConstantTable,
    /// A run of the old version: what it answered, and the state before each session.
    pub baseline: Option<&'a Run>,
    /// How much may be tried for each session.
    pub most_tries: usize,
}

/// How far a repair is.
#[derive(Clone, Copy, Debug)]
pub struct RepairProgress<'a> {
    /// The session that was looked at last.
    pub session: &'a str,
    /// How many were.
    pub done: usize,
}

/// A suite that was repaired.
#[derive(Debug)]
pub struct RepairedSuite {
    /// Its sessions.
    pub sessions: Vec<NewSession>,
    /// What was done, and why.
    pub report: RepairReport,
}

/// What of a map a spider saw: pages that only sessions of the old version went to say nothing of the new one. A map that no spider made
/// is taken as it is.
pub fn seen_by_spider(mut site: Site) -> Site {
    if !site.nodes.iter().any(|node| node.seen_by.contains(&SeenBy::Spider)) {
        return site;
    }
    site.nodes.retain(|node| node.seen_by.contains(&SeenBy::Spider));
    let there: HashSet<&str> = site.nodes.iter().map(|node| node.id.as_str()).collect();
    let mut edges = std::mem::take(&mut site.edges);
    edges.retain(|edge| {
        let is_there = there.contains(edge.from.as_str()) && there.contains(edge.to.as_str());
        is_there && edge.seen_by.contains(&SeenBy::Spider)
    });
    drop(there);
    site.edges = edges;
    site
}

/// Repairs a suite on a stage. `told` is called after each session.
pub fn repair_suite(
    stage: &mut Stage<'_>,
    input: &RepairInput<'_>,
    told: &mut dyn FnMut(RepairProgress<'_>),
) -> Result<RepairedSuite, ReplayError> {
    let counterparts = Counterparts::from(&correspondence(input.old, input.new));
    let planner = Planner::new(input.old, input.new, &counterparts);
    let answers = Answers::of(stage, input)?;
    let context = context(stage, input, &planner)?;
    let mut memory = Memory::default();
    let (mut sessions, mut repairs) = (Vec::new(), Vec::new());
    let mut start = Start::Initial;
    for (number, session) in input.suite.sessions.iter().enumerate() {
        let known = answers.by_session.get(session.name.as_str());
        if let Some(snapshot) = known.and_then(|(_, snapshot)| snapshot.clone()) {
            start = Start::Snapshot(snapshot);
        }
        let run = known.and_then(|(ordinal, _)| answers.run.map(|run| (run, *ordinal)));
        let old = OldSession::read(stage.store(), input.rules, session, run)?;
        let mut search = Search::new(stage, &context, &old, &mut memory, start.clone(), input.most_tries)?;
        let (new, repair) = repair_one(&mut search, &old)?;
        sessions.extend(new);
        repairs.push(repair);
        let left_behind = format!("after {}", session.name);
        stage.save(&left_behind)?;
        start = Start::Saved(left_behind);
        told(RepairProgress { session: &session.name, done: number + 1 });
    }
    Ok(RepairedSuite { sessions, report: RepairReport::of(repairs) })
}

/// Repairs a session.
fn repair_one(
    search: &mut Search<'_, '_, '_>,
    old: &OldSession,
) -> Result<(Vec<NewSession>, SessionRepair), ReplayError> {
    let chosen = repair_session(search)?;
    let halves = repair_in_halves(search, &chosen)?;
    let (chosen, second) = match &halves {
        Some((half, second)) => (chosen[..half.at].to_vec(), Some((half, second.as_slice()))),
        None => (chosen, None),
    };
    let verdicts = search.confirm(&chosen, second)?;
    let tries = search.tries();
    let new = new_sessions(old, &chosen, second);
    Ok((new.clone(), told(old, &new, &chosen, second, &verdicts, tries)))
}

fn told(
    old: &OldSession,
    new: &[NewSession],
    chosen: &[Chosen],
    second: Option<(&SecondHalf, &[Chosen])>,
    verdicts: &[crate::intent::Verdict],
    tries: usize,
) -> SessionRepair {
    let all = || chosen.iter().chain(second.iter().flat_map(|(_, second)| second.iter()));
    let mut repairs: Vec<Repair> = all().flat_map(|chosen| chosen.repairs.clone()).collect();
    if let Some((half, _)) = second {
        let what = format!(
            "from {} on nothing comes out as intended: the session goes on as another one",
            old.steps[half.at].node
        );
        let mut repair = Repair::new(Cause::SessionSplit, half.at, what, 0.4);
        repair.added =
            half.login.iter().map(|planned| format!("{} {}", planned.method, planned.uri)).collect();
        repairs.push(repair);
    }
    let remaining: Vec<RemainingTrouble> = verdicts
        .iter()
        .enumerate()
        .filter(|(_, verdict)| !verdict.is_good())
        .map(|(at, verdict)| RemainingTrouble {
            step: at + 1,
            request: old.steps[at].line(),
            what: verdict
                .trouble
                .as_ref()
                .map_or_else(|| "it is another page".to_owned(), ToString::to_string),
        })
        .collect();
    // What leads elsewhere is told, and nothing was changed for it.
    let is_repaired = repairs.iter().any(|repair| repair.cause != Cause::LeadsElsewhere);
    let outcome = match (second.is_some(), !is_repaired, remaining.is_empty()) {
        (true, ..) => RepairOutcome::Split,
        (_, false, _) => RepairOutcome::Repaired,
        (_, true, false) => RepairOutcome::Unrepaired,
        (_, true, true) => RepairOutcome::Unchanged,
    };
    let steps = || new.iter().flat_map(|session| &session.steps);
    let is_edited =
        |step: &&NewStep| matches!(step, NewStep::New(request) if !request.origin().is_generated());
    let is_added = |step: &&NewStep| matches!(step, NewStep::New(request) if request.origin().is_generated());
    let requests = RepairCounts {
        kept: all().flat_map(|c| &c.steps).filter(|p| matches!(p.step, NewStep::Stored(_))).count(),
        changed: steps().filter(is_edited).count(),
        added: steps().filter(is_added).count() + second.map_or(0, |(half, _)| half.login.len()),
        dropped: all().filter(|chosen| chosen.steps.is_empty()).count(),
    };
    SessionRepair {
        session: old.session.name.clone(),
        outcome,
        into: new.iter().map(|session| session.name.clone()).collect(),
        requests,
        confidence: repairs.iter().map(|repair| repair.confidence).fold(1.0, f64::min),
        repairs,
        remaining,
        tries,
    }
}

/// What a run of the old version knows of each session: its place, and the snapshot before it.
#[derive(Default)]
struct Answers {
    run: Option<RunId>,
    by_session: HashMap<String, (u32, Option<String>)>,
}

impl Answers {
    fn of(stage: &mut Stage<'_>, input: &RepairInput<'_>) -> Result<Self, StoreError> {
        let Some(run) = input.baseline else { return Ok(Self::default()) };
        let has_state = stage.has_state();
        let store = stage.store();
        let replayed = store.suite(run.suite)?;
        let same: HashMap<&str, &Session> = replayed.sessions.iter().map(|s| (s.name.as_str(), s)).collect();
        let is_same = |name: &str| {
            let own = input.suite.sessions.iter().find(|session| session.name == name);
            own.zip(same.get(name)).is_some_and(|(own, other)| own.exchanges == other.exchanges)
        };
        let mut by_session = HashMap::new();
        for session in store.run_sessions(run.id)? {
            if is_same(&session.session) {
                let snapshot = session.snapshot.filter(|_| has_state);
                by_session.insert(session.session, (session.ordinal, snapshot));
            }
        }
        Ok(Self { run: Some(run.id), by_session })
    }
}

/// Reads all sessions once for what tells pages apart.
fn context<'a>(
    stage: &mut Stage<'_>,
    input: &RepairInput<'a>,
    planner: &'a Planner<'a>,
) -> Result<Context<'a>, ReplayError> {
    let mut weights = WordWeights::default();
    let mut login_pages = HashSet::new();
    let home = input.old.home.clone().or_else(|| input.new.home.clone());
    for session in &input.suite.sessions {
        let old = OldSession::read(stage.store(), input.rules, session, None)?;
        for step in old.steps.iter().filter(|step| step.recorded.is_page()) {
            weights.add(&step.node, &step.recorded.words);
        }
        let logins = old.steps.iter().filter(|step| step.logs_in(&old.steps));
        login_pages.extend(logins.filter_map(|step| step.from).map(|from| old.steps[from].node.clone()));
    }
    if let Some(home) = &home {
        login_pages.remove(home);
    }
    let RepairInput { rules, lookup, constants, .. } = *input;
    Ok(Context { rules, planner, lookup, constants, weights, login_pages })
}
