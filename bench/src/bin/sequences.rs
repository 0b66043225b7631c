//! How many requests cover every ordered pair of dynamic nodes, beside the paper's own heuristic (paper 5), on random graphs;
//! and how long a large one takes.
//!
//! Graphs are grown as sites are: each page is linked from an earlier one, and further links lead anywhere. Aims: complete
//! cover; .15 of the paper's requests without a limit, .30 with 50 requests a sequence; 2,000 nodes and 8,000 edges in less
//! than 10 s. Ends with 1 where one is missed.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use restage_bench::{Table, Trouble, aim_met, run_program};
use restage_site::{Coverage, Criterion, Graph, Limits, generate, paper_heuristic};

const UNLIMITED: f64 = 0.15;
const LIMITED: f64 = 0.30;
const LIMIT: usize = 50;
const LONGEST: Duration = Duration::from_secs(10);

/// How many requests cover every ordered pair, beside the paper's heuristic
#[derive(Debug, Parser)]
struct Args {
    /// How many graphs
    #[arg(long, value_name = "N", default_value_t = 50)]
    graphs: usize,
    /// Nodes of the largest one that the paper's heuristic is run on
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    largest: usize,
    /// What the graphs are drawn from
    #[arg(long, value_name = "N", default_value_t = 7)]
    seed: u64,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args).map(aim_met))
}

fn measure(args: &Args) -> Result<bool, Trouble> {
    let mut random = fastrand::Rng::with_seed(args.seed);
    let head = ["nodes", "edges", "pairs", "paper", "no limit", "ratio", "of 50", "ratio"];
    let mut table = Table::new(0, &head);
    let (mut free, mut limited) = (Vec::new(), Vec::new());
    for number in 0..args.graphs {
        // From the size of the paper's bookstore to the largest, most of them small.
        let share = number as f64 / args.graphs.max(2).saturating_sub(1) as f64;
        let nodes = (41.0 * (args.largest as f64 / 41.0).powf(share)).round() as usize;
        let edges = (nodes as f64 * (1.5 + 2.5 * random.f64())) as usize;
        let graph = graph(nodes, edges, &mut random);
        let paper = covered(&graph, &paper_heuristic(&graph, graph.home))?;
        let ours = |longest| {
            let limits = Limits { start: graph.home, longest };
            covered(&graph, &generate(&graph, Criterion::OrderedPairs, limits).paths)
        };
        let (without, with) = (ours(None)?, ours(Some(LIMIT))?);
        let ratio = |coverage: &Coverage| coverage.requests as f64 / paper.requests.max(1) as f64;
        free.push(ratio(&without));
        limited.push(ratio(&with));
        table.row(vec![
            nodes.to_string(),
            edges.to_string(),
            paper.pairs.to_string(),
            paper.requests.to_string(),
            without.requests.to_string(),
            format!("{:.3}", ratio(&without)),
            with.requests.to_string(),
            format!("{:.3}", ratio(&with)),
        ]);
    }
    println!("{table}");
    let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    println!(
        "mean ratio: {:.3} without a limit, {:.3} with {LIMIT} requests a sequence\n",
        mean(&free),
        mean(&limited)
    );

    let large = graph(2_000, 8_000, &mut random);
    let begun = Instant::now();
    let limits = Limits { start: large.home, longest: Some(LIMIT) };
    let sequences = generate(&large, Criterion::OrderedPairs, limits);
    let took = begun.elapsed();
    let requests = covered(&large, &sequences.paths)?.requests;
    println!(
        "2,000 nodes, 8,000 edges: {requests} requests of at most {LIMIT} a sequence, made in {:.1} s",
        took.as_secs_f64()
    );
    Ok(mean(&free) <= UNLIMITED && mean(&limited) <= LIMITED && took <= LONGEST)
}

/// A graph in which everything can be reached from its first node.
fn graph(nodes: usize, edges: usize, random: &mut fastrand::Rng) -> Graph {
    let grown = (1..nodes).map(|node| (random.usize(..node), node)).collect::<Vec<_>>();
    let further = edges.saturating_sub(grown.len());
    let links = (0..further).map(|_| (random.usize(..nodes), random.usize(..nodes))).collect::<Vec<_>>();
    let dynamic = (0..nodes).map(|_| random.f64() < 0.8).collect();
    Graph::new(dynamic, grown.into_iter().chain(links).collect(), Some(0))
}

/// What sequences cover; an error where a pair is missing.
fn covered(graph: &Graph, paths: &[Vec<usize>]) -> Result<Coverage, Trouble> {
    let coverage = Coverage::of(graph, graph.home, paths)?;
    if coverage.pairs_covered < coverage.pairs {
        return Err(format!("{} of {} pairs are covered", coverage.pairs_covered, coverage.pairs).into());
    }
    Ok(coverage)
}
