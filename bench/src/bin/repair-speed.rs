//! How long it takes to plan the repair of very many sessions: what the maps say, before anything is sent (paper 3, figure 7).
//!
//! A map is grown as sites are, sessions are walks over it, and the newer version's map has pages that are gone or have another name,
//! links that are gone and some that are new. Which node became which is found out as `restage repair` does. Aim: 100,000 sessions
//! of 30 requests on maps of 1,000 nodes in less than 30 s, of which every planned session is a path of the new map. Ends with 1
//! where one is missed.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use restage_bench::{Table, Trouble, aim_met, peak_memory, run_program};
use restage_site::repair::{Cause, Counterparts, Plan, Planner, Trace, TraceStep};
use restage_site::{EdgeKind, NodeKind, Site, SiteEdge, SiteField, SiteNode, correspondence};

const LONGEST: Duration = Duration::from_secs(30);
/// Links for each node, besides the one that it was grown by.
const LINKS: usize = 5;
/// Of the newer version: nodes that are gone, nodes that have another name, links that are gone, and links that are new.
const GONE: f64 = 0.05;
const RENAMED: f64 = 0.10;
const LINKS_GONE: f64 = 0.15;
const LINKS_NEW: f64 = 0.10;
/// How often a user goes back to an earlier page before going on.
const BACK: f64 = 0.15;

/// How long it takes to plan the repair of very many sessions
#[derive(Debug, Parser)]
struct Args {
    /// Sessions
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    sessions: usize,
    /// Requests of each session
    #[arg(long, value_name = "N", default_value_t = 30)]
    requests: usize,
    /// Nodes of the old version's map
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    nodes: usize,
    /// What maps and sessions are drawn from
    #[arg(long, value_name = "N", default_value_t = 7)]
    seed: u64,
}

fn main() -> ExitCode {
    run_program(|args: Args| measure(&args).map(aim_met))
}

fn measure(args: &Args) -> Result<bool, Trouble> {
    let mut random = fastrand::Rng::with_seed(args.seed);
    let old = grown(args.nodes, &mut random);
    let new = next_version(&old, &mut random);
    let traces = walks(&old, args.sessions, args.requests, &mut random);

    let begun = Instant::now();
    let found = correspondence(&old, &new);
    let matched = begun.elapsed();
    let counterparts = Counterparts::from(&found);
    let planner = Planner::new(&old, &new, &counterparts);
    let plans = planner.plan_all(&traces);
    let clock = begun.elapsed();
    let memory = peak_memory().ok_or("the system does not say how much memory was used")?;

    let told = tell(&planner, &new, &traces, &plans)?;
    let mut table = Table::new(
        0,
        &[
            "nodes, old",
            "new",
            "links, new",
            "sessions",
            "requests",
            "s",
            "of it matching",
            "requests/s",
            "peak MB",
        ],
    );
    let requests = args.sessions * args.requests;
    table.row(vec![
        old.nodes.len().to_string(),
        new.nodes.len().to_string(),
        new.edges.len().to_string(),
        args.sessions.to_string(),
        requests.to_string(),
        format!("{:.2}", clock.as_secs_f64()),
        format!("{:.2}", matched.as_secs_f64()),
        format!("{:.0}", requests as f64 / clock.as_secs_f64()),
        (memory >> 20).to_string(),
    ]);
    println!("{table}\n{told}");
    Ok(clock <= LONGEST)
}

/// What became of the sessions; an error where one of them is no path of the new map.
fn tell(planner: &Planner<'_>, new: &Site, traces: &[Trace], plans: &[Plan]) -> Result<String, Trouble> {
    let mut causes: BTreeMap<Cause, usize> = BTreeMap::new();
    let (mut unchanged, mut dropped) = (0, 0);
    for (trace, plan) in traces.iter().zip(plans) {
        unchanged += usize::from(plan.is_unchanged());
        dropped += plan.dropped.len();
        plan.repairs.iter().for_each(|repair| *causes.entry(repair.cause).or_default() += 1);
        let is_path = match plan.is_unchanged() {
            true => planner.is_valid(trace),
            false => plan.traces(new).iter().all(|repaired| planner.is_valid(repaired)),
        };
        if !is_path {
            return Err(format!("a planned session is no path of the new map: {plan:?}").into());
        }
    }
    let all: usize = causes.values().sum();
    let causes: Vec<String> = causes.iter().map(|(cause, count)| format!("{cause} {count}")).collect();
    Ok(format!(
        "{unchanged} of {} sessions are unchanged; {dropped} requests dropped; {all} repairs: {}",
        traces.len(),
        causes.join(", ")
    ))
}

/// A site: each node is linked from an earlier one, and links lead anywhere; every fifth node is a form.
fn grown(nodes: usize, random: &mut fastrand::Rng) -> Site {
    let node = |at: usize| {
        let is_form = at % 5 == 4;
        let area = at % 23;
        let (method, query) =
            if is_form { ("POST", format!("?of{at}&value{area}")) } else { ("GET", String::new()) };
        let id = format!("{method} /area{}/{}{query}", word(area), word(at + 1000));
        let field = |name: String| SiteField { name, control: "text".to_owned(), choices: Vec::new() };
        SiteNode {
            key: id.clone(),
            id,
            dynamic: true,
            kind: if is_form { NodeKind::Form } else { NodeKind::Page },
            status: Some(200),
            title: if is_form { String::new() } else { format!("{} {} - the site", word(at * 7), word(at)) },
            headings: if is_form { Vec::new() } else { vec![format!("{} of {}", word(at), word(area))] },
            fields: if is_form {
                vec![field(format!("of{at}")), field(format!("value{area}"))]
            } else {
                Vec::new()
            },
            ..SiteNode::default()
        }
    };
    let nodes: Vec<SiteNode> = (0..nodes.max(2)).map(node).collect();
    let mut ends: Vec<(usize, usize)> = (1..nodes.len()).map(|at| (random.usize(..at), at)).collect();
    // Every page has the way home.
    ends.extend((1..nodes.len()).map(|at| (at, 0)));
    ends.extend((0..nodes.len() * LINKS).map(|_| (random.usize(..nodes.len()), random.usize(..nodes.len()))));
    ends.sort_unstable();
    ends.dedup();
    let edges = ends.into_iter().map(|(from, to)| edge(&nodes[from], &nodes[to])).collect();
    Site { home: Some(nodes[0].id.clone()), users: Vec::new(), nodes, edges }
}

fn edge(from: &SiteNode, to: &SiteNode) -> SiteEdge {
    let kind = if to.kind == NodeKind::Form { EdgeKind::Submit } else { EdgeKind::Link };
    SiteEdge {
        from: from.id.clone(),
        to: to.id.clone(),
        kind,
        label: to.title.clone(),
        ..SiteEdge::default()
    }
}

/// A word of its own for each number.
fn word(number: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "za"];
    let mut word = String::new();
    let mut rest = number + 1;
    while rest > 0 {
        word.push_str(SYLLABLES[rest % 16]);
        rest /= 16;
    }
    word
}

/// The same site, later.
fn next_version(old: &Site, random: &mut fastrand::Rng) -> Site {
    let mut names: Vec<Option<String>> = Vec::with_capacity(old.nodes.len());
    for (at, node) in old.nodes.iter().enumerate() {
        let fate = if at == 0 { 1.0 } else { random.f64() };
        names.push(match fate {
            fate if fate < GONE => None,
            fate if fate < GONE + RENAMED => Some(node.id.replacen("/area", "/part", 1)),
            _ => Some(node.id.clone()),
        });
    }
    let renamed = |(node, name): (&SiteNode, &Option<String>)| {
        let id = name.clone()?;
        Some(SiteNode { key: id.clone(), id, ..node.clone() })
    };
    let nodes: Vec<SiteNode> = old.nodes.iter().zip(&names).filter_map(renamed).collect();
    let name: BTreeMap<&str, &String> = old
        .nodes
        .iter()
        .zip(&names)
        .filter_map(|(node, name)| Some((node.id.as_str(), name.as_ref()?)))
        .collect();
    let mut edges: Vec<SiteEdge> = Vec::new();
    for edge in &old.edges {
        let is_kept = random.f64() >= LINKS_GONE;
        if let (true, Some(from), Some(to)) =
            (is_kept, name.get(edge.from.as_str()), name.get(edge.to.as_str()))
        {
            edges.push(SiteEdge { from: (*from).clone(), to: (*to).clone(), ..edge.clone() });
        }
    }
    for _ in 0..(old.edges.len() as f64 * LINKS_NEW) as usize {
        edges.push(edge(&nodes[random.usize(..nodes.len())], &nodes[random.usize(..nodes.len())]));
    }
    Site { home: old.home.clone(), users: Vec::new(), nodes, edges }
}

/// Sessions: each step goes on from the page before, or from an earlier one.
fn walks(site: &Site, sessions: usize, requests: usize, random: &mut fastrand::Rng) -> Vec<Trace> {
    let ids: Vec<Arc<str>> = site.nodes.iter().map(|node| Arc::from(node.id.as_str())).collect();
    let place: BTreeMap<&str, usize> =
        site.nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect();
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); ids.len()];
    for edge in &site.edges {
        leaving[place[edge.from.as_str()]].push(place[edge.to.as_str()]);
    }
    let mut walk = || {
        let mut visited: Vec<usize> = vec![0];
        let mut steps = vec![TraceStep::new(ids[0].clone(), None)];
        while steps.len() < requests {
            let latest = visited.len() - 1;
            let from = if random.f64() < BACK { random.usize(..visited.len()) } else { latest };
            let ways = &leaving[visited[from]];
            let (to, from) = match ways.is_empty() {
                true => (0, None),
                false => (ways[random.usize(..ways.len())], Some(from)),
            };
            steps.push(TraceStep::new(ids[to].clone(), from));
            visited.push(to);
        }
        Trace { steps }
    };
    (0..sessions).map(|_| walk()).collect()
}
