//! `restage generate`: sequences that cover a map.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use restage_site::{Coverage, Criterion, Graph, Limits, NodeId, Sequences, SiteMap, generate};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::terminal::output::{self, count};
use crate::terminal::progress::note;

/// How many nodes of a kind a message names.
const SHOWN: usize = 8;

/// Make sequences of pages that cover a map: every edge, or every ordered pair of dynamic pages
///
/// An ordered pair (m, n) is covered where a sequence visits m and later n; pages that a server computes interact through the
/// data that they share, whichever pages lie between. The map is a file, drawn by hand or written by another tool; no project is
/// needed. What the sequences cover is counted afterwards by code that knows nothing of how they were made.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage generate --map map.json --by ordered-pairs --json
  restage generate --map map.json --by all-edges --anywhere --max-length 0

A map: {\"home\": ID, \"nodes\": [{\"id\": ID, \"dynamic\": true}, …], \"edges\": [{\"from\": ID, \"to\": ID}, …]}")]
pub(crate) struct Args {
    /// The map, as JSON; - for standard input
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// What to cover: all-edges, or ordered-pairs (every two dynamic nodes, in each order in which they can be visited)
    #[arg(long, value_name = "CRITERION", default_value = "ordered-pairs")]
    by: By,
    /// The most requests of a sequence; 0 for any number
    #[arg(long, value_name = "N", default_value_t = 50)]
    max_length: usize,
    /// Begin anywhere, not only at the home node
    #[arg(long)]
    anywhere: bool,
}

/// The criteria, as they are typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    AllEdges,
    OrderedPairs,
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let map = SiteMap::parse(&read(&args.map)?)
        .map_err(|error| Failure::user(format!("{}: {error}", args.map.display())))?;
    let graph = Graph::of(&map).map_err(|error| Failure::user(format!("{}: {error}", args.map.display())))?;
    let start = if args.anywhere { None } else { graph.home };
    let limits = Limits { start, longest: (args.max_length > 0).then_some(args.max_length) };
    let criterion = match args.by {
        By::AllEdges => Criterion::AllEdges,
        By::OrderedPairs => Criterion::OrderedPairs,
    };
    let sequences = generate(&graph, criterion, limits);
    let coverage = Coverage::of(&graph, start, &sequences.paths).map_err(|error| {
        Failure::environment(format!(
            "{error}\n  hint: this is a fault of restage; please report it with the map"
        ))
    })?;
    let unreached = unreached(&map, &graph, start);
    let id = |&node: &usize| &map.nodes[node].id;
    if global.json {
        let paths: Vec<Vec<&NodeId>> =
            sequences.paths.iter().map(|path| path.iter().map(id).collect()).collect();
        output::json(&serde_json::json!({
            "by": criterion,
            "sequences": paths,
            "coverage": coverage,
            "over_limit": sequences.over_limit,
            "unreached": unreached,
        }));
        return Ok(Outcome::Well);
    }
    for path in &sequences.paths {
        let ids: Vec<String> = path.iter().map(|node| id(node).to_string()).collect();
        output::line(&ids.join(" → "));
    }
    tell(global, args, (&coverage, &sequences), &unreached);
    Ok(Outcome::Well)
}

/// What the sequences come to, for people.
fn tell(global: &Global, args: &Args, (coverage, sequences): (&Coverage, &Sequences), unreached: &[&NodeId]) {
    note(
        global,
        format!(
            "{} of {} to {} requests, {} in all; covered: {} of {}, {} of {}",
            count(coverage.sequences, "sequence"),
            coverage.shortest,
            coverage.longest,
            coverage.requests,
            coverage.edges_covered,
            count(coverage.edges, "edge"),
            coverage.pairs_covered,
            count(coverage.pairs, "ordered pair"),
        ),
    );
    if sequences.over_limit > 0 {
        note(
            global,
            format!(
                "note: {} longer than --max-length {}: what they cover needs as many requests",
                count(sequences.over_limit, "sequence"),
                args.max_length
            ),
        );
    }
    if !unreached.is_empty() {
        let named: Vec<String> = unreached.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = unreached.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        note(
            global,
            format!(
                "note: not covered, because no way leads there from the home node: {}{more}\n  hint: --anywhere begins at any node",
                named.join(", ")
            ),
        );
    }
}

/// The nodes that no sequence can visit.
fn unreached<'a>(map: &'a SiteMap, graph: &Graph, start: Option<usize>) -> Vec<&'a NodeId> {
    let reached = graph.reached_from(start);
    map.nodes.iter().zip(reached).filter(|(_, reached)| !reached).map(|(node, _)| &node.id).collect()
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let read = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    read.map_err(|error| {
        Failure::user(format!(
            "{}: {error}\n  hint: --map names a map as JSON, or - for standard input",
            file.display()
        ))
    })
}
