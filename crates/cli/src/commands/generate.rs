//! `restage generate`: sequences that cover a map, and sessions made of them.

use std::path::Path;

use clap::ValueEnum;
use restage_model::NewSuite;
use restage_project::Project;
use restage_replay::on_stage;
use restage_site::{
    ANONYMOUS, Coverage, Criterion, Graph, Limits, NodeId, Sequences, Site, SiteBuilder, SiteMap, UserGraph,
    generate, user_graphs,
};
use restage_spider::{
    CrawlError, GeneratedSessions, SequenceWalk, UserSequences, Values, read_sessions, walk_sequences,
};
use restage_store::StoredMap;

use crate::args::{AppArgs, Global, WaitArgs};
use crate::failure::{Failure, Outcome};
use crate::open_project;
use crate::terminal::new_suites::generated::{GeneratedSuite, tell_generated};
use crate::terminal::output::{self, count};
use crate::terminal::progress::{bar, note};

/// How many nodes of a kind a message names.
const SHOWN: usize = 8;

/// Make sessions that cover the application's map: every edge, or every ordered pair of dynamic pages
///
/// An ordered pair (m, n) is covered where a sequence visits m and later n; pages that a server computes interact through the
/// data that they share, whichever pages lie between. With --into, each sequence is walked on the app, logged in as the users of
/// the map are, and its requests are filled in from the live pages, from what sessions sent, from what forms enumerate, and from
/// constants; the application's data is restored afterwards. Without it, the sequences are printed; a map from a file needs no
/// project then. What the sequences cover is counted afterwards by code that knows nothing of how they were made.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restage map && restage generate --by ordered-pairs --into pairs && restage baseline pairs
  restage generate --by all-edges --values pairwise --into edges
  restage generate --map map.json --by ordered-pairs --json

A map: {\"home\": ID, \"nodes\": [{\"id\": ID, \"dynamic\": true}, …], \"edges\": [{\"from\": ID, \"to\": ID}, …]}")]
pub(crate) struct Args {
    /// The map: its name in the store, or a file; - for standard input [default: the newest map in the store; with --into, the newest of
    /// this version or of sessions alone, where there is one]
    #[arg(long, value_name = "MAP")]
    map: Option<String>,
    /// What to cover: all-edges, or ordered-pairs (every two dynamic nodes, in each order in which they can be visited)
    #[arg(long, value_name = "CRITERION", default_value = "ordered-pairs")]
    by: By,
    /// The suite to make
    #[arg(long, value_name = "NAME")]
    into: Option<String>,
    /// The suite whose sessions show how users log in, and what they type [default: recorded]
    #[arg(long, value_name = "SUITE", requires = "into")]
    suite: Option<String>,
    /// How the values that forms enumerate are combined: one (as sessions sent them), each (every value once) or pairwise (every
    /// two values of two fields)
    #[arg(long, value_name = "HOW", default_value = "one")]
    values: HowValues,
    /// The version to walk on: an [app.NAME] in restage.toml [default: [app.baseline], else [app]]
    #[arg(long, value_name = "NAME", requires = "into")]
    app: Option<String>,
    /// The most requests of a sequence; 0 for any number. On the app, steps that log in, detours and forms that have to be sent first add to it
    #[arg(long, value_name = "N", default_value_t = 50)]
    max_length: usize,
    /// Begin anywhere, not only at the home node
    #[arg(long)]
    anywhere: bool,
    #[command(flatten)]
    app_args: AppArgs,
    #[command(flatten)]
    wait: WaitArgs,
}

/// The criteria, as they are typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    AllEdges,
    OrderedPairs,
}

/// How enumerated values are combined, as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum HowValues {
    One,
    Each,
    Pairwise,
}

impl Args {
    fn criterion(&self) -> Criterion {
        match self.by {
            By::AllEdges => Criterion::AllEdges,
            By::OrderedPairs => Criterion::OrderedPairs,
        }
    }

    fn limits(&self, start: Option<usize>) -> Limits {
        let start = if self.anywhere { None } else { start };
        Limits { start, longest: (self.max_length > 0).then_some(self.max_length) }
    }
}

pub(crate) fn run(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    match &args.into {
        Some(into) => make_suite(global, args, into),
        None => print_sequences(global, args),
    }
}

/// Sequences of each user's graph, walked on the app, become a suite.
fn make_suite(global: &Global, args: &Args, into: &str) -> Result<Outcome, Failure> {
    let project = open_project::find(global)?;
    let app = args.app_args.apply(project.trusted_app(args.app.as_deref())?);
    let (name, map) = read_map(global, args, Some(&app.name))?;
    let site = Site::from(&map);
    let graphs = user_graphs(&site);
    if graphs.is_empty() {
        return Err(Failure::user(format!(
            "{name}: this map does not say for whom its pages are there, nor how their requests are made\n  hint: `restage map` makes one that does; without --into, the sequences are printed"
        )));
    }
    let mut work = open_project::for_replay(global, &project, args.wait)?;
    if into == restage_project::RECORDED || work.store.suite_named(into)?.is_some() {
        return Err(Failure::user(format!(
            "there is a suite called `{into}` already\n  hint: choose another name with --into"
        )));
    }
    let suite = project.mapped_suite(&mut work.store, args.suite.as_deref())?;
    let rules = project.view_key_rules(&work.store)?;
    let traffic = read_sessions(&work.store, &suite, &mut SiteBuilder::new(rules.clone()), |_| true)
        .map_err(|error| Failure::environment(error.to_string()))?;
    // Who only the spider met, by an account that it made, cannot be logged in again.
    let can_begin = |user: &str| user == ANONYMOUS || traffic.users.iter().any(|known| known.name == user);
    let graphs: Vec<UserGraph> = graphs.into_iter().filter(|graph| can_begin(&graph.user)).collect();
    let planned: Vec<(&UserGraph, Sequences)> = planned(args, &graphs);
    let users: Vec<UserSequences<'_>> = planned
        .iter()
        .map(|(graph, sequences)| {
            let ids = |path: &Vec<usize>| graph.ids(&site, path).into_iter().map(str::to_owned).collect();
            UserSequences { graph, sequences: sequences.paths.iter().map(ids).collect() }
        })
        .collect();
    let walk = SequenceWalk {
        site: &site,
        rules: &rules,
        suite: &suite,
        traffic: &traffic,
        constants: &project.constant_table(),
        by: args.criterion(),
        values: match args.values {
            HowValues::One => Values::One,
            HowValues::Each => Values::Each,
            HowValues::Pairwise => Values::Pairwise,
        },
    };
    let sequences = users.iter().map(|user| user.sequences.len()).sum();
    let progress = bar(global, "sequences", sequences);
    let walked = on_stage(&mut work, &app, &format!("generate {into}"), |stage| {
        walk_sequences(stage, &walk, &users, &mut |done| progress.set_position(done as u64))
    });
    progress.finish_and_clear();
    let mut walked: GeneratedSessions = walked.map_err(|error| match error {
        CrawlError::Replay(error) => Failure::from(error),
        CrawlError::Nobody(why) => Failure::environment(why),
    })?;
    work.release_state()?;
    let origin = format!(
        "generated by {} from {name}",
        serde_json::to_value(args.criterion()).unwrap_or_default().as_str().unwrap_or_default()
    );
    let sessions = std::mem::take(&mut walked.sessions);
    let saved = project.save_suite(&mut work.store, NewSuite { name: into.to_owned(), origin, sessions })?;
    let made = GeneratedSuite {
        map: &name,
        suite: &saved,
        criterion: args.criterion(),
        planned: &planned,
        walked: &walked,
        site: &site,
    };
    tell_generated(global, &made)
}

/// The sequences of each user: what one user's sequences cover, the next one's need not.
fn planned<'g>(args: &Args, graphs: &'g [UserGraph]) -> Vec<(&'g UserGraph, Sequences)> {
    graphs
        .iter()
        .filter(|graph| graph.graph.home.is_some() || args.anywhere)
        .map(|graph| (graph, generate(&graph.graph, args.criterion(), args.limits(graph.graph.home))))
        .collect()
}

/// Sequences over any map, without a project.
fn print_sequences(global: &Global, args: &Args) -> Result<Outcome, Failure> {
    let (name, map) = read_map(global, args, None)?;
    let graph = Graph::of(&map).map_err(|error| Failure::user(format!("{name}: {error}")))?;
    let criterion = args.criterion();
    let limits = args.limits(graph.home);
    let start = limits.start;
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
            "map": name,
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
    tell(global, args, &name, (&coverage, &sequences), &unreached);
    Ok(Outcome::Well)
}

/// What the sequences come to, for people.
fn tell(
    global: &Global,
    args: &Args,
    map: &str,
    (coverage, sequences): (&Coverage, &Sequences),
    unreached: &[&NodeId],
) {
    let of = if args.map.is_none() { format!("{map}: ") } else { String::new() };
    let lengths = match (coverage.shortest, coverage.longest) {
        (0, 0) => match args.by {
            By::AllEdges => "no sequences, since no edge can be gone along".to_owned(),
            By::OrderedPairs => "no sequences, since no dynamic node leads to another".to_owned(),
        },
        (shortest, longest) => {
            let range =
                if shortest == longest { shortest.to_string() } else { format!("{shortest} to {longest}") };
            format!(
                "{} of {range} requests, {} in all",
                count(coverage.sequences, "sequence"),
                coverage.requests
            )
        }
    };
    note(
        global,
        format!(
            "{of}{lengths}; covered: {} of {}, {} of {}",
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

/// The map that was asked for, and what it is called. `app` is the version that sequences are to be walked on.
fn read_map(global: &Global, args: &Args, app: Option<&str>) -> Result<(String, SiteMap), Failure> {
    let Some(name) = &args.map else {
        let project = open_project::find(global)?;
        let newest = newest_map(global, &project, app)?;
        return Ok((newest.clone(), project.map(&newest)?));
    };
    if name != "-" && !Path::new(name).exists() && !name.contains(['/', '.']) {
        return Ok((name.clone(), open_project::find(global)?.map(name)?));
    }
    let map = SiteMap::parse(&read(name)?).map_err(|error| Failure::user(format!("{name}: {error}")))?;
    Ok((name.clone(), map))
}

/// The newest map: one of this version, or of sessions alone, before one of another version.
fn newest_map(global: &Global, project: &Project, app: Option<&str>) -> Result<String, Failure> {
    let mut maps = project.store_to_read()?.maps()?;
    let is_of = |map: &StoredMap| app.is_none() || map.app.is_none() || map.app.as_deref() == app;
    let fitting = maps.iter().rposition(is_of);
    if let Some(at) = fitting {
        return Ok(maps.swap_remove(at).name);
    }
    let newest = maps.pop().ok_or_else(|| {
        Failure::user(
            "there is no map yet\n  hint: `restage map` makes one, or name a file with --map".to_owned(),
        )
    })?;
    if let (Some(of), Some(app)) = (&newest.app, app) {
        note(
            global,
            format!(
                "note: {} is a map of `{of}`, and is walked on `{app}`: what only one of them has is not covered\n  hint: `restage map --app {app}` maps this version",
                newest.name
            ),
        );
    }
    Ok(newest.name)
}

fn read(file: &str) -> Result<Vec<u8>, Failure> {
    let read = if file == "-" {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    read.map_err(|error| {
        Failure::user(format!(
            "{file}: {error}\n  hint: --map names a map of the store, a file with a map as JSON, or - for standard input"
        ))
    })
}
