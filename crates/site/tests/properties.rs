//! Sequences and paths over arbitrary graphs: what they promise, checked from the definitions.

use proptest::prelude::*;
use restage_site::{Coverage, Criterion, Graph, Limits, generate, independent_paths, paper_heuristic};

/// Any graph of up to 24 nodes: circles, ends, parts that nothing leads to, edges twice.
fn graphs() -> impl Strategy<Value = Graph> {
    (1_usize..24).prop_flat_map(|count| {
        let edges = proptest::collection::vec((0..count, 0..count), 0..count * 3);
        let dynamic = proptest::collection::vec(proptest::bool::weighted(0.8), count);
        (edges, dynamic, proptest::option::of(0..count))
            .prop_map(|(edges, dynamic, home)| Graph::new(dynamic, edges, home))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    /// Catches: an edge that no sequence takes; a sequence that jumps, begins elsewhere, or is longer than it need be allowed.
    #[test]
    fn every_edge_is_taken(graph in graphs(), longest in proptest::option::of(2_usize..12)) {
        let limits = Limits { start: graph.home, longest };
        let sequences = generate(&graph, Criterion::AllEdges, limits);
        let coverage = Coverage::of(&graph, graph.home, &sequences.paths).unwrap();
        prop_assert_eq!(coverage.edges_covered, coverage.edges);
        check_cover(&graph, Criterion::AllEdges, &sequences.paths)?;
        check_form(&graph, limits, &sequences.paths)?;
        prop_assert_eq!(sequences.over_limit, over(&sequences.paths, longest));
    }

    /// Catches: a pair that no sequence visits in its order, (m, m) among them.
    #[test]
    fn every_pair_is_visited(graph in graphs(), longest in proptest::option::of(2_usize..12)) {
        let limits = Limits { start: graph.home, longest };
        let sequences = generate(&graph, Criterion::OrderedPairs, limits);
        let coverage = Coverage::of(&graph, graph.home, &sequences.paths).unwrap();
        prop_assert_eq!(coverage.pairs_covered, coverage.pairs);
        check_cover(&graph, Criterion::OrderedPairs, &sequences.paths)?;
        check_form(&graph, limits, &sequences.paths)?;
        prop_assert_eq!(sequences.over_limit, over(&sequences.paths, longest));
    }

    /// Catches: what ours is compared with does less than the paper's heuristic promises.
    #[test]
    fn the_papers_way_covers_all_pairs_too(graph in graphs()) {
        let paths = paper_heuristic(&graph, graph.home);
        let coverage = Coverage::of(&graph, graph.home, &paths).unwrap();
        prop_assert_eq!(coverage.pairs_covered, coverage.pairs);
        check_cover(&graph, Criterion::OrderedPairs, &paths)?;
    }

    /// Catches: an edge in two independent paths or in none; a path whose edges do not join; more paths than are needed.
    #[test]
    fn independent_paths_have_each_edge_once(graph in graphs()) {
        let paths = independent_paths(&graph);
        let mut taken: Vec<usize> = paths.iter().flatten().copied().collect();
        taken.sort_unstable();
        prop_assert_eq!(taken, (0..graph.edges.len()).collect::<Vec<_>>());
        for path in &paths {
            prop_assert!(!path.is_empty());
            for pair in path.windows(2) {
                prop_assert_eq!(graph.edges[pair[0]].1, graph.edges[pair[1]].0);
            }
        }
    }
}

/// What is covered, from the definitions alone and by other code than the product's: each edge in a row, each pair (m, n) with m before n.
fn check_cover(graph: &Graph, criterion: Criterion, paths: &[Vec<usize>]) -> Result<(), TestCaseError> {
    let leads = |from: usize, to: usize| graph.edges.contains(&(from, to));
    for path in paths {
        prop_assert!(path.windows(2).all(|step| leads(step[0], step[1])), "{path:?} is no path");
    }
    // Which nodes lead to which in one step or more: the closure, by Warshall.
    let count = graph.len();
    let mut reaches = vec![vec![false; count]; count];
    graph.edges.iter().for_each(|&(from, to)| reaches[from][to] = true);
    for over in 0..count {
        for from in 0..count {
            if reaches[from][over] {
                let further = reaches[over].clone();
                reaches[from].iter_mut().zip(further).for_each(|(reached, more)| *reached |= more);
            }
        }
    }
    let reached = |from: usize, to: usize| reaches[from][to];
    let visitable = |node: usize| graph.home.is_none_or(|home| home == node || reached(home, node));
    for from in (0..count).filter(|&node| visitable(node)) {
        for to in 0..count {
            let (wanted, covered) = match criterion {
                Criterion::AllEdges => {
                    (leads(from, to), paths.iter().any(|path| path.windows(2).any(|step| step == [from, to])))
                }
                Criterion::OrderedPairs => (
                    reached(from, to) && graph.dynamic[from] && graph.dynamic[to],
                    paths.iter().any(|path| {
                        let first = path.iter().position(|&node| node == from);
                        first.is_some_and(|first| path[first + 1..].contains(&to))
                    }),
                ),
            };
            prop_assert!(covered || !wanted, "{from} and {to} are not covered");
        }
    }
    Ok(())
}

/// Every sequence begins where it should. (That it is a path, `Coverage` has checked.)
fn check_form(graph: &Graph, limits: Limits, paths: &[Vec<usize>]) -> Result<(), TestCaseError> {
    for path in paths {
        prop_assert!(path.len() > 1, "a sequence of one request covers nothing");
        if let Some(start) = limits.start {
            prop_assert_eq!(path[0], start);
        }
        prop_assert!(path.iter().all(|&node| node < graph.len()));
    }
    Ok(())
}

fn over(paths: &[Vec<usize>], longest: Option<usize>) -> usize {
    paths.iter().filter(|path| longest.is_some_and(|most| path.len() > most)).count()
}

/// Catches: sequences that are longer than the limit although what they cover fits.
#[test]
fn what_fits_keeps_to_the_limit() {
    // A ring of ten: any pair can be covered in ten steps.
    let ring = Graph::new(vec![true; 10], (0..10).map(|node| (node, (node + 1) % 10)).collect(), None);
    let sequences = generate(&ring, Criterion::OrderedPairs, Limits { start: None, longest: Some(12) });
    assert_eq!(sequences.over_limit, 0);
    assert!(sequences.paths.iter().all(|path| path.len() <= 12), "{:?}", sequences.paths);
}

/// Paper 5's figure 1: B then F, and C then E, are pairs that covering all edges does not cover.
#[test]
fn pairs_ask_for_more_than_edges_and_for_less() {
    let [a, b, c, d, e, f, g] = [0, 1, 2, 3, 4, 5, 6];
    let edges = vec![(a, b), (a, c), (b, d), (c, d), (d, e), (d, f), (e, g), (f, g)];
    let graph = Graph::new(vec![true; 7], edges, Some(a));
    let unlimited = Limits { start: Some(a), longest: None };
    let edges = generate(&graph, Criterion::AllEdges, unlimited);
    let by_edges = Coverage::of(&graph, Some(a), &edges.paths).unwrap();
    assert_eq!((by_edges.sequences, by_edges.requests, by_edges.edges_covered), (2, 10, 8));
    assert!(by_edges.pairs_covered < by_edges.pairs);
    let pairs = generate(&graph, Criterion::OrderedPairs, unlimited);
    let by_pairs = Coverage::of(&graph, Some(a), &pairs.paths).unwrap();
    assert_eq!(by_pairs.pairs_covered, by_pairs.pairs);
    // Figure 1 (b): the pair (A, C) is covered by A B C, the edge from A to C is not.
    let triangle = Graph::new(vec![true; 3], vec![(a, b), (a, c), (b, c)], Some(a));
    let pairs = generate(&triangle, Criterion::OrderedPairs, unlimited);
    assert_eq!(pairs.paths, [[a, b, c]]);
}
