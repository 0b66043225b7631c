//! Sequences of each user, walked on the app, and the sessions that they become.

use std::collections::{HashMap, HashSet};

use restage_model::{KeyRules, Moment, NewSession, NewStep, Suite};
use restage_replay::{ReplayError, Stage};
use restage_site::{ANONYMOUS, ConstantTable, Criterion, Site, UserGraph};

use crate::crawl::{CrawlError, LoggedIn, Snapshots, Visitor};
use crate::generating::form_values::{FormValues, Values};
use crate::generating::missed::MissedWay;
use crate::generating::submissions::SubmissionMemory;
use crate::generating::walked_cover::WalkedCover;
use crate::generating::walker::{Learnt, Surroundings, Walker};
use crate::sessions::Traffic;

/// What the scene that a user's sequences begin in is saved as.
const START: &str = "start";
/// So much that was not there is tried once more.
const MOST_AGAIN: usize = 400;
/// A sequence of a later round has so many nodes that are wanted.
const LONG_AGAIN: usize = 16;
/// So often what is left is tried once more, as long as that covers something.
const ROUNDS: usize = 4;
/// Between two sessions, in microseconds: nobody meets anybody.
const PAUSE: i64 = 3_600_000_000;

/// What is walked, and with what.
pub struct SequenceWalk<'a> {
    /// The map.
    pub site: &'a Site,
    /// How its pages are named.
    pub rules: &'a KeyRules,
    /// The suite whose sessions show how users log in.
    pub suite: &'a Suite,
    /// What these sessions sent.
    pub traffic: &'a Traffic,
    /// What is typed where no session ever sent anything.
    pub constants: &'a ConstantTable,
    /// How enumerated values are combined.
    pub values: Values,
    /// What is to be covered.
    pub by: Criterion,
}

/// The sequences of a user.
pub struct UserSequences<'a> {
    /// Where she can go.
    pub graph: &'a UserGraph,
    /// The sequences, as ids of nodes.
    pub sequences: Vec<Vec<String>>,
}

/// What the sequences became.
#[derive(Debug, Default)]
pub struct GeneratedSessions {
    /// The sessions.
    pub sessions: Vec<NewSession>,
    /// The nodes that each of them visits, without what logs its user in.
    pub visited: Vec<Vec<String>>,
    /// The user of each.
    pub users: Vec<String>,
    /// What is not covered: edges or ordered pairs, by what was to be covered.
    pub missed: Vec<MissedWay>,
    /// Users that could not be logged in, and why.
    pub not_logged_in: Vec<(String, String)>,
}

/// Walks sequences on the app. `told` is called after each.
pub fn walk_sequences(
    stage: &mut Stage<'_>,
    plan: &SequenceWalk<'_>,
    users: &[UserSequences<'_>],
    told: &mut dyn FnMut(usize),
) -> Result<GeneratedSessions, CrawlError> {
    let mut generated = GeneratedSessions::default();
    let mut values = FormValues::new(plan.values);
    for user in users.iter().filter(|user| !user.sequences.is_empty()) {
        let name = user.graph.user.as_str();
        let Some(start) =
            Start::of(stage, plan, name, generated.sessions.last().map(|last| Moment(last.to.0 + PAUSE)))?
        else {
            generated.not_logged_in.push((name.to_owned(), "no session shows how".to_owned()));
            continue;
        };
        let mut start = match start {
            Ok(start) => start,
            Err(why) => {
                generated.not_logged_in.push((name.to_owned(), why));
                continue;
            }
        };
        let ways = ways(plan.site, user.graph);
        let after = needed_forms(plan.site, name);
        let browser = start.visitor.browser.clone();
        let around = Surroundings {
            rules: plan.rules,
            traffic: plan.traffic,
            constants: plan.constants,
            user: name,
            browser: &browser,
            ways: &ways,
            after: &after,
            by_edges: plan.by == Criterion::AllEdges,
        };
        let mut learnt = Learnt { values: &mut values, submissions: SubmissionMemory::default() };
        let mut cover = WalkedCover::new(plan.site, user.graph);
        let (mut rounds, mut left) = (0, usize::MAX);
        let mut waiting: Vec<Vec<String>> = user.sequences.clone();
        while !waiting.is_empty() {
            for sequence in &waiting {
                stage.restore(START)?;
                let walked = walk_one(stage, plan, &around, &start, &mut learnt, sequence)?;
                cover.add(&walked.visited);
                let ended = walked.to;
                generated.add(name, &start, walked);
                start.at = Moment(ended.0 + PAUSE);
                told(generated.sessions.len());
            }
            rounds += 1;
            waiting.clear();
            let first = user.sequences[0][0].as_str();
            let now = cover.left(plan.by).len();
            if rounds < ROUNDS && now < std::mem::replace(&mut left, now) {
                waiting = once_more(plan, &ways, first, &cover);
            }
            if rounds == 1 {
                // Combinations that the sequences had no room for get a way of their own.
                for (node, times) in learnt.values.left() {
                    waiting.extend(
                        way_to(&ways, first, &node)
                            .into_iter()
                            .flat_map(|way| std::iter::repeat_n(way, times)),
                    );
                }
            }
        }
        generated.missed.extend(cover.missed(plan.site, name, plan.by));
    }
    Ok(generated)
}

/// What the sequences did not cover on the app, since it was not there in the state then: once more, each from the beginning of a sequence or
/// behind a few others.
fn once_more(
    plan: &SequenceWalk<'_>,
    ways: &HashMap<String, Vec<String>>,
    first: &str,
    cover: &WalkedCover<'_>,
) -> Vec<Vec<String>> {
    let mut sequences: Vec<Vec<String>> = Vec::new();
    for (from, to) in cover.left(plan.by).into_iter().take(MOST_AGAIN) {
        let Some(way) = way_to(ways, first, &from).or_else(|| (from == first).then(|| vec![from.clone()]))
        else {
            continue;
        };
        match sequences.last_mut().filter(|sequence| sequence.len() < LONG_AGAIN) {
            Some(sequence) => sequence.extend([from, to]),
            None => {
                let mut sequence = way;
                sequence.push(to);
                sequences.push(sequence);
            }
        }
    }
    sequences
}

/// Where a user's sequences begin.
struct Start {
    visitor: Visitor,
    /// The steps that log her in.
    steps: Vec<NewStep>,
    at: Moment,
}

impl Start {
    /// None where nobody knows how the user logs in; why not, where she cannot.
    fn of(
        stage: &mut Stage<'_>,
        plan: &SequenceWalk<'_>,
        name: &str,
        at: Option<Moment>,
    ) -> Result<Option<Result<Self, String>>, ReplayError> {
        let last = at.unwrap_or_else(|| {
            plan.suite.sessions.iter().map(|session| session.to).max().unwrap_or_else(Moment::now)
        });
        if name == ANONYMOUS {
            let first = plan.suite.sessions.first().and_then(|session| session.exchanges.first());
            let recorded = match first {
                Some(first) => Some(stage.store().exchange(*first)?.request.headers),
                None => None,
            };
            let visitor = Visitor::anonymous(stage, recorded.as_ref())?;
            stage.save(START)?;
            return Ok(Some(Ok(Self { visitor, steps: Vec::new(), at: last })));
        }
        let Some(user) = plan.traffic.users.iter().find(|user| user.name == name) else { return Ok(None) };
        let entered = Visitor::log_in_by_any(stage, plan.rules, user, plan.suite, &Snapshots::new())?;
        stage.save(START)?;
        Ok(Some(entered.map(|LoggedIn { visitor, way_in: (session, steps), .. }| {
            let session = plan.suite.sessions.iter().find(|known| known.name == session);
            let exchanges = session.into_iter().flat_map(|session| &session.exchanges).take(steps);
            Self { visitor, steps: exchanges.map(|id| NewStep::Stored(*id)).collect(), at: last }
        })))
    }
}

/// A sequence that was walked.
struct Walked {
    steps: Vec<NewStep>,
    visited: Vec<String>,
    to: Moment,
}

fn walk_one(
    stage: &mut Stage<'_>,
    plan: &SequenceWalk<'_>,
    around: &Surroundings<'_>,
    start: &Start,
    learnt: &mut Learnt<'_>,
    sequence: &[String],
) -> Result<Walked, ReplayError> {
    let Some((first, rest)) = sequence.split_first() else {
        return Ok(Walked { steps: Vec::new(), visited: Vec::new(), to: start.at });
    };
    let mut walker = Walker::new(around, stage, learnt, start.visitor.jar.clone(), start.at);
    let address = plan.site.node(first).map(|node| node.address.clone()).unwrap_or_else(|| "/".to_owned());
    walker.begin(first, &address)?;
    walker.walk(rest)?;
    let to = walker.ended();
    let Walker { steps, visited, .. } = walker;
    Ok(Walked { steps, visited, to })
}

impl GeneratedSessions {
    fn add(&mut self, user: &str, start: &Start, walked: Walked) {
        if walked.steps.is_empty() {
            return;
        }
        let name = format!("g{}", self.sessions.len() + 1);
        let mut steps = start.steps.clone();
        steps.extend(walked.steps);
        self.sessions.push(NewSession {
            name,
            by: format!("generated, as {user}"),
            client: String::new(),
            from: start.at,
            to: walked.to,
            steps,
            left_out: Vec::new(),
            joined: Vec::new(),
            fresh: true,
        });
        self.visited.push(walked.visited);
        self.users.push(user.to_owned());
    }
}

/// The forms that have to be sent before a way is there, by where it begins and leads; without those that make her somebody else.
fn needed_forms(site: &Site, user: &str) -> HashMap<(String, String), Vec<String>> {
    let becoming = site.edges.iter().filter(|edge| edge.becomes.is_some());
    let becoming: HashSet<&str> = becoming.map(|edge| edge.to.as_str()).collect();
    let mut needed: HashMap<(String, String), Vec<String>> = HashMap::new();
    for edge in site.edges.iter().filter(|edge| edge.users.contains(user)) {
        let mut forms = edge.after.clone();
        forms.retain(|form| !becoming.contains(form.as_str()));
        let known = needed.entry((edge.from.clone(), edge.to.clone())).or_insert_with(|| forms.clone());
        if forms.len() < known.len() {
            *known = forms;
        }
    }
    needed.retain(|_, after| !after.is_empty());
    needed
}

/// Where one can go from each node.
fn ways(site: &Site, graph: &UserGraph) -> HashMap<String, Vec<String>> {
    let id = |node: usize| site.nodes[graph.nodes[node]].id.clone();
    (0..graph.nodes.len())
        .map(|node| (id(node), graph.graph.successors(node).iter().map(|next| id(*next)).collect()))
        .collect()
}

/// The shortest way between two nodes, both included.
fn way_to(ways: &HashMap<String, Vec<String>>, from: &str, to: &str) -> Option<Vec<String>> {
    let mut before: HashMap<&str, &str> = HashMap::new();
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for next in ways.get(at).into_iter().flatten() {
            if next != from && !before.contains_key(next.as_str()) {
                before.insert(next, at);
                open.push_back(next);
            }
        }
        if before.contains_key(to) {
            let mut way = vec![to.to_owned()];
            while let Some(earlier) = before.get(way[way.len() - 1].as_str()) {
                way.push((*earlier).to_owned());
            }
            way.reverse();
            return Some(way);
        }
    }
    None
}
