//! A session as the map sees it.

use std::sync::Arc;

/// A session as the map sees it: pairs of a node, and where it came from (the paper's node-edge pairs).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Its steps, in order.
    pub steps: Vec<TraceStep>,
}

/// One request of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The node that it leads to, by its id.
    pub node: Arc<str>,
    /// The step whose page it came from, by its place; none where no page led to it: its address was typed.
    pub from: Option<u32>,
}

impl TraceStep {
    /// A request for a node that came from the page of a step.
    pub fn new(node: impl Into<Arc<str>>, from: Option<usize>) -> Self {
        Self { node: node.into(), from: from.and_then(|from| u32::try_from(from).ok()) }
    }

    /// The step whose page it came from.
    pub fn came_from(&self) -> Option<usize> {
        self.from.map(|from| from as usize)
    }
}
