//! What becomes of a session.

use serde::Serialize;

use super::cause::Repair;
use super::trace::{Trace, TraceStep};
use crate::graph::NodeIndex;
use crate::site::Site;

/// What is done with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StepAction {
    /// It stays.
    Kept,
    /// Its request is changed.
    Edited,
    /// It is put in.
    Added,
    /// It is done once more, at the beginning of the second half of a session: the user logs in.
    Repeated,
}

/// A step of a planned session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedStep {
    /// The step of the old session that it is, by its place; none where it was put in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// The node that it leads to, by its place in the new map.
    pub node: NodeIndex,
    /// The step of its part whose page it comes from, by its place; none where its address is typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    /// The edge that leads to it, by its place in the new map; none where nobody has looked, or its address is typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<usize>,
    /// What is done with it.
    pub action: StepAction,
}

/// A session that comes of a session: all of it, or one of the parts that it was split into.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlannedPart {
    /// Its steps.
    pub steps: Vec<PlannedStep>,
}

/// What becomes of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Plan {
    /// The sessions that come of it; none where it stays as it is.
    pub parts: Vec<PlannedPart>,
    /// What is repaired.
    pub repairs: Vec<Repair>,
    /// The steps that are left out, by their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<usize>,
}

impl Plan {
    /// Whether the session stays as it is.
    pub fn is_unchanged(&self) -> bool {
        self.parts.is_empty()
    }

    /// The sessions that come of it, as traces over the new map.
    pub fn traces(&self, new: &Site) -> Vec<Trace> {
        let step = |step: &PlannedStep| TraceStep::new(new.nodes[step.node].id.as_str(), step.from);
        self.parts.iter().map(|part| Trace { steps: part.steps.iter().map(step).collect() }).collect()
    }
}
