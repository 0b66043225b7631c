//! Sequences of each user, walked on the app, and the sessions that they become.

use std::collections::HashMap;

use restage_model::{KeyRules, Moment, NewSession, NewStep, Suite};
use restage_replay::{ReplayError, Stage};
use restage_site::{ANONYMOUS, ConstantTable, Site, UserGraph};
use serde::Serialize;

use crate::crawl::{CrawlError, LoggedIn, Snapshots, Visitor};
use crate::generating::form_values::{FormValues, Values};
use crate::generating::walker::{Surroundings, Walker};
use crate::sessions::Traffic;

/// What the scene that a user's sequences begin in is saved as.
const START: &str = "start";
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
    /// Ways that were not there when they were to be gone.
    pub missed: Vec<MissedWay>,
    /// Users that could not be logged in, and why.
    pub not_logged_in: Vec<(String, String)>,
}

/// A way of the map that was not there when it was to be gone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissedWay {
    /// For whom.
    pub user: String,
    /// From which node.
    pub from: String,
    /// To which.
    pub to: String,
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
        };
        let mut waiting: Vec<Vec<String>> = user.sequences.clone();
        waiting.reverse();
        let mut again = true;
        while let Some(sequence) = waiting.pop() {
            stage.restore(START)?;
            let walked = walk_one(stage, plan, &around, &start, &mut values, &sequence)?;
            let ended = walked.to;
            generated.add(name, &start, walked);
            start.at = Moment(ended.0 + PAUSE);
            told(generated.sessions.len());
            if waiting.is_empty() && again {
                // Combinations that the sequences had no room for get a way of their own, from where they begin.
                again = false;
                let left = values.left();
                waiting.extend(left.iter().flat_map(|(node, times)| {
                    let way = way_to(&ways, sequence.first().map_or("", String::as_str), node);
                    way.into_iter().flat_map(move |way| std::iter::repeat_n(way, *times))
                }));
            }
        }
    }
    generated.missed.sort();
    generated.missed.dedup();
    Ok(generated)
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
    missed: Vec<(String, String)>,
    to: Moment,
}

fn walk_one(
    stage: &mut Stage<'_>,
    plan: &SequenceWalk<'_>,
    around: &Surroundings<'_>,
    start: &Start,
    values: &mut FormValues,
    sequence: &[String],
) -> Result<Walked, ReplayError> {
    let Some((first, rest)) = sequence.split_first() else {
        return Ok(Walked { steps: Vec::new(), visited: Vec::new(), missed: Vec::new(), to: start.at });
    };
    let mut walker = Walker::new(around, stage, values, start.visitor.jar.clone(), start.at);
    let address = plan.site.node(first).map(|node| node.address.clone()).unwrap_or_else(|| "/".to_owned());
    walker.begin(first, &address)?;
    walker.walk(rest)?;
    let to = walker.ended();
    let Walker { steps, visited, missed, .. } = walker;
    Ok(Walked { steps, visited, missed, to })
}

impl GeneratedSessions {
    fn add(&mut self, user: &str, start: &Start, walked: Walked) {
        let missed =
            walked.missed.into_iter().map(|(from, to)| MissedWay { user: user.to_owned(), from, to });
        self.missed.extend(missed);
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

/// The forms that have to be sent before a way is there, by where it begins and leads.
fn needed_forms(site: &Site, user: &str) -> HashMap<(String, String), Vec<String>> {
    let mut needed: HashMap<(String, String), Vec<String>> = HashMap::new();
    for edge in site.edges.iter().filter(|edge| edge.users.contains(user)) {
        let after = needed.entry((edge.from.clone(), edge.to.clone())).or_insert_with(|| edge.after.clone());
        if edge.after.len() < after.len() {
            after.clone_from(&edge.after);
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
