//! One session over the new map, step by step.
//!
//! Where an edge is gone, another way is looked for (paper 3, section 2: edge deletion, which its tool could not do); a node that is gone
//! is linked past, and so are several in a row (node deletion); where nothing else is left, the session becomes two, and
//! the second logs in again (the default).

use super::cause::{Cause, Repair};
use super::network::Way;
use super::plan::{Plan, PlannedPart, PlannedStep, StepAction};
use super::planner::{Planner, Target};
use super::trace::Trace;
use crate::graph::NodeIndex;
use crate::site::{ANONYMOUS, EdgeKind, NodeKind, SiteNode};

/// What it costs to take a node for another one that it is surely not.
const UNSURE: f64 = 6.0;
/// How sure a way of the map is, for each request that is put in.
const EACH_ADDED: f64 = 0.93;

/// One session over the new map.
pub(super) struct Walk<'w, 's> {
    planner: &'w Planner<'s>,
    trace: &'w Trace,
    /// The part that is being made.
    part: PlannedPart,
    /// Where in it each step of the session is.
    placed: Vec<Option<usize>>,
    /// The nodes of the part, in order.
    visited: Vec<NodeIndex>,
    user: Option<&'w str>,
    /// The step of the part that logged the user in.
    login: Option<usize>,
    plan: Plan,
}

impl<'w, 's> Walk<'w, 's> {
    pub(super) fn new(planner: &'w Planner<'s>, trace: &'w Trace) -> Self {
        Self {
            planner,
            trace,
            part: PlannedPart::default(),
            placed: vec![None; trace.steps.len()],
            visited: Vec::new(),
            user: planner.network().first_user(),
            login: None,
            plan: Plan::default(),
        }
    }

    /// Goes all the way.
    pub(super) fn finish(mut self) -> Plan {
        for at in 0..self.trace.steps.len() {
            self.step(at);
        }
        self.end_part();
        self.name_joined_steps();
        self.plan
    }

    fn step(&mut self, at: usize) {
        let targets = self.planner.targets(&self.trace.steps[at].node);
        let Some(best) = targets.first() else { return self.drop_step(at, Cause::PageGone) };
        let from = self.trace.steps[at].came_from();
        let Some(from) = from.filter(|from| *from < at && !self.visited.is_empty()) else {
            return self.place(at, best, None, None);
        };
        let source = self.placed[from];
        if let Some(source) = source {
            let network = self.planner.network();
            let leads = |target: &&Target| network.may_lead(self.visited[source], target.node);
            if let Some(target) = targets.iter().find(leads) {
                let edge = network.edge_between(self.visited[source], target.node);
                return self.place(at, target, Some(source), edge);
            }
        }
        match self.best_way(&targets, source) {
            Some((target, way)) => self.take_way(at, target, &way, source),
            None if self.is_joined(at) => self.drop_step(at, Cause::StepJoined),
            None => self.split(at, best),
        }
    }

    /// The cheapest way from what was visited to what a node may be.
    fn best_way<'t>(&self, targets: &'t [Target], source: Option<usize>) -> Option<(&'t Target, Way)> {
        // The page that the user was on comes first, whatever was visited since.
        let mut order: Vec<usize> = (0..self.visited.len()).filter(|at| Some(*at) != source).collect();
        order.extend(source);
        let nodes: Vec<NodeIndex> = order.iter().map(|at| self.visited[*at]).collect();
        let mut best: Option<(&Target, Way)> = None;
        for target in targets {
            let Some(mut way) = self.planner.network().way(&nodes, target.node, self.user) else { continue };
            way.source = order[way.source];
            way.cost += (1.0 - target.confidence) * UNSURE;
            if best.as_ref().is_none_or(|(_, known)| way.cost < known.cost) {
                best = Some((target, way));
            }
        }
        best
    }

    /// Whether all that the page of a step led to is offered by a page that was visited: the step is not needed.
    fn is_joined(&self, at: usize) -> bool {
        let steps = &self.trace.steps;
        let mut after = (at + 1..steps.len()).filter(|next| steps[*next].came_from() == Some(at)).peekable();
        let network = self.planner.network();
        let is_offered = |next: usize| {
            let targets = self.planner.targets(&steps[next].node);
            let leads = |t: &Target| self.visited.iter().any(|v| network.edge_between(*v, t.node).is_some());
            targets.iter().any(leads)
        };
        after.peek().is_some() && after.all(is_offered)
    }

    fn place(&mut self, at: usize, target: &Target, from: Option<usize>, edge: Option<usize>) {
        let id = &self.planner.network().node(target.node).id;
        let is_same = **id == *self.trace.steps[at].node;
        let action = if is_same { StepAction::Kept } else { StepAction::Edited };
        if !is_same {
            self.tell_of_edit(at, target);
        }
        self.placed[at] = Some(self.visited.len());
        self.push(PlannedStep { of: Some(at), node: target.node, from, edge, action });
    }

    fn push(&mut self, step: PlannedStep) {
        let network = self.planner.network();
        if let Some(edge) = step.edge {
            self.user = network.user_after(edge, self.user);
        }
        let becomes = step.edge.and_then(|edge| network.edge(edge).becomes.as_deref());
        let logs_in = becomes.map_or_else(|| self.planner.is_login(step.node), |who| who != ANONYMOUS);
        if logs_in {
            self.login = Some(self.visited.len());
        } else if becomes == Some(ANONYMOUS) {
            self.login = None;
        }
        self.visited.push(step.node);
        self.part.steps.push(step);
    }

    fn take_way(&mut self, at: usize, target: &Target, way: &Way, source: Option<usize>) {
        let network = self.planner.network();
        let (last, before) = match way.edges.split_last() {
            Some((last, before)) => (*last, before),
            None => return,
        };
        let added: Vec<String> = before
            .iter()
            .filter_map(|edge| Some(network.node(network.leads_to(*edge)?).id.clone()))
            .collect();
        let was = self.trace.steps[at].came_from().map(|from| self.trace.steps[from].node.to_string());
        let name = &network.node(target.node).id;
        let sure = target.confidence * EACH_ADDED.powi(before.len() as i32);
        let is_form = network.node(target.node).kind == NodeKind::Form;
        let cause = match source {
            _ if is_form => Cause::FormMoved,
            Some(_) => Cause::LinkGone,
            None => Cause::StepAdded,
        };
        let from = added.last().cloned().unwrap_or_else(|| network.node(self.visited[way.source]).id.clone());
        let what = match (cause, was) {
            (Cause::FormMoved, Some(was)) => format!("{was} no longer has the form {name}; {from} has it"),
            (Cause::LinkGone, Some(was)) => format!("{was} no longer leads to {name}; {from} does"),
            _ => format!("{from} leads to {name}"),
        };
        let mut repair = Repair::new(cause, at, what, sure);
        repair.added = added;
        self.plan.repairs.push(repair);
        let mut from = way.source;
        for &edge in before {
            let Some(node) = network.leads_to(edge) else { return };
            let step =
                PlannedStep { of: None, node, from: Some(from), edge: Some(edge), action: StepAction::Added };
            from = self.visited.len();
            self.push(step);
        }
        self.place(at, target, Some(from), Some(last));
    }

    fn drop_step(&mut self, at: usize, cause: Cause) {
        let name = self.trace.steps[at].node.to_string();
        let what =
            if cause == Cause::StepJoined { joined(&name) } else { format!("{name} is no longer there") };
        let mut repair = Repair::new(cause, at, what, 0.6);
        repair.dropped.push(name);
        self.plan.repairs.push(repair);
        self.plan.dropped.push(at);
    }

    fn split(&mut self, at: usize, target: &Target) {
        let name = &self.planner.network().node(target.node).id;
        let what = format!("no way leads to {name}: the session goes on as another one");
        self.plan.repairs.push(Repair::new(Cause::SessionSplit, at, what, 0.4 * target.confidence));
        let prefix = self.login_steps();
        self.end_part();
        for (of, step) in prefix {
            if let Some(of) = of {
                self.placed[of] = Some(self.visited.len());
            }
            self.push(step);
        }
        self.place(at, target, None, None);
    }

    /// The steps of the part that log the user in, and the pages on the way there.
    fn login_steps(&self) -> Vec<(Option<usize>, PlannedStep)> {
        let Some(login) = self.login else { return Vec::new() };
        let steps = &self.part.steps;
        let mut chain = vec![login];
        while let Some(from) = steps[chain[chain.len() - 1]].from {
            chain.push(from);
        }
        chain.reverse();
        let follows = |step: &PlannedStep| {
            let edge = step.edge.map(|edge| self.planner.network().edge(edge).kind);
            step.from == Some(login) && edge == Some(EdgeKind::Redirect)
        };
        chain.extend(steps.get(login + 1).filter(|step| follows(step)).map(|_| login + 1));
        let place = |old: usize| chain.iter().position(|at| *at == old);
        let again = |at: &usize| {
            let step = &steps[*at];
            let from = step.from.and_then(place);
            (step.of, PlannedStep { from, action: StepAction::Repeated, ..step.clone() })
        };
        chain.iter().map(again).collect()
    }

    fn end_part(&mut self) {
        let part = std::mem::take(&mut self.part);
        if !part.steps.is_empty() {
            self.plan.parts.push(part);
        }
        self.visited.clear();
        self.placed.fill(None);
        self.user = self.planner.network().first_user();
        self.login = None;
    }

    fn tell_of_edit(&mut self, at: usize, target: &Target) {
        let was = self.trace.steps[at].node.to_string();
        let node = self.planner.network().node(target.node);
        let change = self.planner.parameters(&was, target.node);
        let mut told: Vec<(Cause, String, f64)> = Vec::new();
        for renamed in &change.renamed {
            let what = format!("`{}` is called `{}` now", renamed.was, renamed.is);
            told.push((Cause::ParameterRenamed, what, renamed.confidence));
        }
        for name in &change.removed {
            told.push((Cause::ParameterRemoved, format!("`{name}` is no longer asked for"), 1.0));
        }
        for added in &change.added {
            let what = format!("`{}` is asked for, and is `{}`", added.name, added.value);
            told.push((Cause::ParameterAdded, what, 0.8));
        }
        let unknown = SiteNode { id: was.clone(), ..SiteNode::default() };
        let old = self.planner.old_node(&was).unwrap_or(&unknown);
        if address(old) != address(node) {
            told.push((Cause::PageMoved, format!("{was} is {} now", node.id), 1.0));
        }
        for (cause, what, confidence) in told {
            let mut repair = Repair::new(cause, at, what, target.confidence * confidence);
            repair.changed.push((was.clone(), node.id.clone()));
            self.plan.repairs.push(repair);
        }
    }

    /// A page that is gone, and that was there for what another page offers now, was joined with that.
    fn name_joined_steps(&mut self) {
        let kept: Vec<(usize, usize)> = self
            .plan
            .parts
            .iter()
            .flat_map(|part| part.steps.iter().map(move |step| (part, step)))
            .filter_map(|(part, step)| {
                let added = part.steps.get(step.from?)?.action == StepAction::Added;
                Some((self.trace.steps[step.of?].came_from()?, usize::from(added)))
            })
            .collect();
        for repair in self.plan.repairs.iter_mut().filter(|repair| repair.cause == Cause::PageGone) {
            let at = repair.step - 1;
            let mut after = kept.iter().filter(|(from, _)| *from == at).peekable();
            if after.peek().is_some() && after.all(|(_, added)| *added == 0) {
                repair.cause = Cause::StepJoined;
                repair.what = joined(&repair.dropped.join(", "));
            }
        }
    }
}

fn joined(name: &str) -> String {
    format!("{name} is not needed: another page offers what it led to")
}

/// The part of a node's name before its parameters.
fn address(node: &SiteNode) -> &str {
    let key = if node.key.is_empty() { &node.id } else { &node.key };
    key.split_once('?').map_or(key, |(address, _)| address)
}
