//! How it is found out what becomes of sessions.

use std::collections::HashMap;

use super::counterparts::{Counterpart, Counterparts};
use super::network::Network;
use super::parameters::ParameterChange;
use super::plan::Plan;
use super::trace::Trace;
use super::walk::Walk;
use crate::graph::NodeIndex;
use crate::site::{NodeKind, Site, SiteNode};

/// A node that has the same name and is not known to be the same.
const NAMESAKE: f64 = 0.5;
/// Sessions that one thread takes at a time.
const BATCH: usize = 256;

/// Finds out what becomes of sessions.
#[derive(Debug)]
pub struct Planner<'s> {
    network: Network<'s>,
    old: HashMap<&'s str, &'s SiteNode>,
    targets: HashMap<&'s str, Vec<Target>>,
}

/// What a node of the old map may be on the new one.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) node: NodeIndex,
    pub(super) confidence: f64,
    counterpart: Counterpart,
}

impl<'s> Planner<'s> {
    /// For sessions of an old version, on the map of a new one.
    pub fn new(old: &'s Site, new: &'s Site, counterparts: &Counterparts) -> Self {
        let network = Network::new(new);
        let mut targets = HashMap::new();
        for node in &old.nodes {
            let mut known: Vec<Target> = Vec::new();
            for counterpart in counterparts.of(&node.id) {
                if let Some(at) = network.place(&counterpart.node) {
                    let confidence = counterpart.confidence;
                    known.push(Target { node: at, confidence, counterpart: counterpart.clone() });
                }
            }
            if let Some(at) = network.place(&node.id)
                && !known.iter().any(|target| target.node == at)
            {
                known.push(Target { confidence: NAMESAKE, ..Target::same(at, &node.id) });
            }
            targets.insert(node.id.as_str(), known);
        }
        let old = old.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        Self { network, old, targets }
    }

    /// The new map.
    pub fn network(&self) -> &Network<'s> {
        &self.network
    }

    /// A node of the old map.
    pub fn old_node(&self, id: &str) -> Option<&'s SiteNode> {
        self.old.get(id).copied()
    }

    /// What a node of the old map may be on the new one, the best guess first, with how sure that is.
    pub fn counterparts(&self, old: &str) -> Vec<(NodeIndex, f64)> {
        self.targets(old).iter().map(|target| (target.node, target.confidence)).collect()
    }

    pub(super) fn targets(&self, old: &str) -> std::borrow::Cow<'_, [Target]> {
        match self.targets.get(old) {
            Some(targets) => targets.into(),
            // A session went where its own map does not know of.
            None => self.network.place(old).map(|at| Target::same(at, old)).into_iter().collect(),
        }
    }

    /// What becomes of the parameters of a request for an old node that is now one for a new node.
    pub fn parameters(&self, old: &str, new: NodeIndex) -> ParameterChange {
        let node = self.network.node(new);
        if node.id == old {
            return ParameterChange::default();
        }
        let unknown = SiteNode { id: old.to_owned(), ..SiteNode::default() };
        let was = self.old_node(old).unwrap_or(&unknown);
        let targets = self.targets(old);
        let fields = targets.iter().find(|target| target.node == new);
        let fields = fields.map_or(&[][..], |target| &target.counterpart.fields);
        let template = self.network.edges_into(new).first().map(|edge| &self.network.edge(*edge).request);
        ParameterChange::between(was, node, fields, template)
    }

    /// Whether a session is a path of the new map as it is: each step comes from a page that it has visited.
    pub fn is_valid(&self, trace: &Trace) -> bool {
        let mut places: Vec<NodeIndex> = Vec::with_capacity(trace.steps.len());
        for (at, step) in trace.steps.iter().enumerate() {
            let Some(node) = self.network.place(&step.node) else { return false };
            if let Some(from) = step.came_from() {
                let leads = places.get(from).is_some_and(|from| self.network.may_lead(*from, node));
                if from >= at || !leads {
                    return false;
                }
            }
            places.push(node);
        }
        true
    }

    /// What becomes of a session.
    pub fn plan(&self, trace: &Trace) -> Plan {
        if self.is_valid(trace) { Plan::default() } else { Walk::new(self, trace).finish() }
    }

    /// What becomes of many sessions, in their order.
    pub fn plan_all(&self, traces: &[Trace]) -> Vec<Plan> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        if threads == 1 || traces.len() <= BATCH {
            return traces.iter().map(|trace| self.plan(trace)).collect();
        }
        let mut plans = vec![Plan::default(); traces.len()];
        let work = std::sync::Mutex::new(traces.chunks(BATCH).zip(plans.chunks_mut(BATCH)));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((traces, plans)) = work.lock().ok().and_then(|mut work| work.next()) {
                        for (trace, plan) in traces.iter().zip(plans) {
                            *plan = self.plan(trace);
                        }
                    }
                });
            }
        });
        plans
    }

    /// Whether a node logs its user in, as far as the map tells: a form that asks for one password.
    pub(super) fn is_login(&self, node: NodeIndex) -> bool {
        let node = self.network.node(node);
        let passwords = node.fields.iter().filter(|field| field.control == "password").count();
        node.kind == NodeKind::Form && passwords == 1
    }
}

impl Target {
    fn same(node: NodeIndex, id: &str) -> Self {
        Self { node, confidence: 1.0, counterpart: Counterpart::same(id) }
    }
}
