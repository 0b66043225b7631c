//! The independent paths of a map, as people read them: ids, and what is clicked between them.

use std::fmt::{self, Write};

use serde::Serialize;

use crate::independent_paths::independent_paths;
use crate::plain::at_most;
use crate::site::{EdgeKind, Site};
use crate::site_index::SiteIndex;

/// So much of an id or a text is shown.
const LONGEST: usize = 160;

/// A path of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelledPath {
    /// The id of the node where it begins.
    pub from: String,
    /// Its edges, in order.
    pub steps: Vec<PathStep>,
}

/// An edge of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathStep {
    /// What it is.
    pub kind: EdgeKind,
    /// What is clicked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The id of the node where it leads.
    pub to: String,
}

/// The fewest paths that have each edge of a map exactly once (paper 3, step 3), the longest first.
pub fn labelled_paths(site: &Site) -> Vec<LabelledPath> {
    let index = SiteIndex::of(site);
    let mut paths = independent_paths(&index.graph());
    paths.sort_by_key(|path| std::cmp::Reverse(path.len()));
    let step = |&edge: &usize| {
        let edge = index.edges[edge].2;
        PathStep { kind: edge.kind, label: edge.label.clone(), to: edge.to.clone() }
    };
    let from =
        |path: &[usize]| path.first().map(|&first| index.edges[first].2.from.clone()).unwrap_or_default();
    paths
        .iter()
        .map(|path| LabelledPath { from: from(path), steps: path.iter().map(step).collect() })
        .collect()
}

/// The same as text, a path a line.
pub fn paths_text(site: &Site) -> String {
    labelled_paths(site).iter().fold(String::new(), |mut text, path| {
        let _ = writeln!(text, "{path}");
        text
    })
}

impl fmt::Display for LabelledPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", at_most(&self.from, LONGEST))?;
        for step in &self.steps {
            let kind = match step.kind {
                EdgeKind::Link => "",
                EdgeKind::Submit => "submit",
                EdgeKind::Redirect => "redirect",
                EdgeKind::Frame => "frame",
                EdgeKind::Script => "script",
            };
            let label = at_most(&step.label, LONGEST);
            let label = if label.is_empty() { label } else { format!("“{label}”") };
            let between: Vec<&str> = [kind, &label].into_iter().filter(|part| !part.is_empty()).collect();
            match between.as_slice() {
                [] => write!(f, " → ")?,
                parts => write!(f, " —[{}]→ ", parts.join(" "))?,
            }
            write!(f, "{}", at_most(&step.to, LONGEST))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{SiteEdge, SiteNode};

    /// Catches: a path that does not say what is clicked, an edge in two paths or in none, a label that repaints the terminal.
    #[test]
    fn every_edge_is_in_one_path_with_its_label() {
        let node = |id: &str| SiteNode { id: id.to_owned(), ..SiteNode::default() };
        let edge = |from: &str, to: &str, kind, label: &str| SiteEdge {
            from: from.to_owned(),
            to: to.to_owned(),
            kind,
            label: label.to_owned(),
            ..SiteEdge::default()
        };
        let site = Site {
            nodes: ["GET /", "GET /books", "POST /find?q"].map(node).to_vec(),
            edges: vec![
                edge("GET /", "GET /books", EdgeKind::Link, "Books\u{1b}[2J"),
                edge("GET /books", "POST /find?q", EdgeKind::Submit, "Find"),
                edge("POST /find?q", "GET /books", EdgeKind::Redirect, ""),
                edge("GET /books", "GET /nowhere", EdgeKind::Link, "Lost"),
                edge("GET /", "POST /find?q", EdgeKind::Submit, "Find"),
            ],
            ..Site::default()
        };
        let text = paths_text(&site);
        assert_eq!(
            text,
            "GET / —[“Books␛[2J”]→ GET /books —[submit “Find”]→ POST /find?q —[redirect]→ GET /books\n\
             GET / —[submit “Find”]→ POST /find?q\n"
        );
        let steps: usize = labelled_paths(&site).iter().map(|path| path.steps.len()).sum();
        assert_eq!(steps, 4);
    }
}
