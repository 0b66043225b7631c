//! Edges between the same two nodes, drawn as one.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::NodeIndex;
use crate::site::{EdgeKind, SiteEdge};
use crate::site_index::SiteIndex;

/// What leads from one node to another, drawn once.
#[derive(Clone, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) from: NodeIndex,
    pub(crate) to: NodeIndex,
    /// Of several edges, that of the first of `STRONGEST`.
    pub(crate) kind: EdgeKind,
    /// Whom any of the edges is there for; empty where it is not said of one.
    pub(crate) users: BTreeSet<String>,
    pub(crate) edges: Vec<&'a SiteEdge>,
}

/// What a line shows of several edges: what the user does comes before what happens by itself.
const STRONGEST: [EdgeKind; 5] =
    [EdgeKind::Submit, EdgeKind::Link, EdgeKind::Redirect, EdgeKind::Frame, EdgeKind::Script];

/// The lines of a map, in the order of its edges.
pub(crate) fn lines<'a>(index: &SiteIndex<'a>) -> Vec<Line<'a>> {
    let mut places: BTreeMap<(NodeIndex, NodeIndex), usize> = BTreeMap::new();
    let mut lines: Vec<Line<'a>> = Vec::new();
    for &(from, to, edge) in &index.edges {
        let place = *places.entry((from, to)).or_insert_with(|| {
            lines.push(Line { from, to, kind: edge.kind, users: edge.users.clone(), edges: Vec::new() });
            lines.len() - 1
        });
        let line = &mut lines[place];
        line.edges.push(edge);
        if edge.users.is_empty() {
            line.users.clear();
        } else if !line.users.is_empty() {
            line.users.extend(edge.users.iter().cloned());
        }
    }
    for line in &mut lines {
        let is_of = |kind: &&EdgeKind| line.edges.iter().any(|edge| edge.kind == **kind);
        line.kind = STRONGEST.iter().find(is_of).copied().unwrap_or_default();
    }
    lines
}
