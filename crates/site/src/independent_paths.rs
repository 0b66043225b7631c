//! Linearly independent paths: every edge in exactly one of them (paper 3, step 3).

use crate::graph::{Graph, NodeIndex};

/// The fewest paths that contain each edge exactly once, as lists of the edges' numbers. A path may cross itself.
///
/// A path that begins where more edges leave than arrive goes on until it can no more; then it ends where more arrive than
/// leave. What is left are circles: each is put into a path that crosses it, or is a path of its own where none does.
pub fn independent_paths(graph: &Graph) -> Vec<Vec<usize>> {
    let mut walk = Walk::new(graph);
    let mut surplus = vec![0_isize; graph.len()];
    for &(from, to) in &graph.edges {
        surplus[from] += 1;
        surplus[to] -= 1;
    }
    let mut paths = Vec::new();
    for (node, surplus) in surplus.iter().enumerate() {
        for _ in 0..(*surplus).max(0) {
            paths.push(walk.from(node));
        }
    }
    let mut paths: Vec<Vec<usize>> = paths.into_iter().map(|path| walk.with_circles(path)).collect();
    for node in 0..graph.len() {
        let circle = walk.from(node);
        if !circle.is_empty() {
            paths.push(walk.with_circles(circle));
        }
    }
    paths
}

/// Edges that no path has yet.
struct Walk<'a> {
    graph: &'a Graph,
    /// Of each node, the edges that leave it and that no path has, the next one last.
    left: Vec<Vec<usize>>,
}

impl<'a> Walk<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut left = vec![Vec::new(); graph.len()];
        for (edge, &(from, _)) in graph.edges.iter().enumerate().rev() {
            left[from].push(edge);
        }
        Self { graph, left }
    }

    /// From a node until no edge leaves any more.
    fn from(&mut self, mut node: NodeIndex) -> Vec<usize> {
        let mut path = Vec::new();
        while let Some(edge) = self.left[node].pop() {
            path.push(edge);
            node = self.graph.edges[edge].1;
        }
        path
    }

    /// The path, and every circle that can be begun from it.
    fn with_circles(&mut self, path: Vec<usize>) -> Vec<usize> {
        let (mut whole, mut rest) = (Vec::new(), path);
        rest.reverse();
        while let Some(edge) = rest.pop() {
            let circle = self.from(self.graph.edges[edge].0);
            if circle.is_empty() {
                whole.push(edge);
                continue;
            }
            rest.push(edge);
            rest.extend(circle.into_iter().rev());
        }
        if let Some(&last) = whole.last() {
            let circle = self.from(self.graph.edges[last].1);
            if !circle.is_empty() {
                whole.extend(self.with_circles(circle));
            }
        }
        whole
    }
}
