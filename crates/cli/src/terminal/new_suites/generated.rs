//! What generating came to: planned, walked, covered.

use std::collections::BTreeMap;

use restage_model::Suite;
use restage_site::{Coverage, Criterion, Sequences, Site, UserGraph};
use restage_spider::{GeneratedSessions, MissedWay, MissedWhy, WalkedCover};

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::terminal::output::{self, count};
use crate::terminal::progress::note;

/// So many reasons why something is not covered are told, and so many ways named for each.
const SHOWN: usize = 5;

/// A suite that was just generated.
pub(crate) struct GeneratedSuite<'a> {
    pub(crate) map: &'a str,
    pub(crate) suite: &'a Suite,
    pub(crate) criterion: Criterion,
    pub(crate) planned: &'a [(&'a UserGraph, Sequences)],
    pub(crate) walked: &'a GeneratedSessions,
    pub(crate) site: &'a Site,
}

/// Shows what generating came to.
pub(crate) fn tell_generated(global: &Global, made: &GeneratedSuite<'_>) -> Result<Outcome, Failure> {
    let mut users = BTreeMap::new();
    for (graph, sequences) in made.planned {
        let start = graph.graph.home;
        let planned = Coverage::of(&graph.graph, start, &sequences.paths).map_err(|error| {
            Failure::environment(format!(
                "{error}\n  hint: this is a fault of restage; please report it with the map"
            ))
        })?;
        users.insert(graph.user.clone(), (planned, walked_cover(made, graph)));
    }
    if global.json {
        let users: BTreeMap<&String, serde_json::Value> = users
            .iter()
            .map(|(user, (planned, (edges, pairs)))| {
                (
                    user,
                    serde_json::json!({ "planned": planned, "edges_walked": edges, "pairs_walked": pairs }),
                )
            })
            .collect();
        output::json(&serde_json::json!({
            "suite": made.suite.name,
            "map": made.map,
            "by": made.criterion,
            "sessions": made.suite.sessions.len(),
            "requests": made.suite.steps(),
            "users": users,
            "missed": made.walked.missed,
            "not_logged_in": made.walked.not_logged_in,
            "sequences": made.walked.visited,
        }));
        return Ok(Outcome::Well);
    }
    output::line(&format!(
        "{}: {}, {} in all, from {}",
        made.suite.name,
        count(made.suite.sessions.len(), "session"),
        count(made.suite.steps(), "request"),
        made.map
    ));
    for (user, (planned, (edges, pairs))) in &users {
        output::line(&format!(
            "  as {user}: {edges} of {} and {pairs} of {} covered on the app",
            count(planned.edges, "edge"),
            count(planned.pairs, "ordered pair"),
        ));
        for line in left_out(made, user) {
            output::line(&format!("    {line}"));
        }
    }
    for (user, why) in &made.walked.not_logged_in {
        output::line(&format!("  as {user}: not logged in: {why}"));
    }
    note(global, format!("next: `restage baseline {}` makes it a regression test", made.suite.name));
    Ok(Outcome::Well)
}

/// What of a user's map is not covered, and why not, a line each: what leaves out most comes first.
fn left_out(made: &GeneratedSuite<'_>, user: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if made.walked.not_logged_in.iter().all(|(other, _)| other != user) {
        let missed: Vec<&MissedWay> = made.walked.missed.iter().filter(|way| way.user == user).collect();
        let mut reasons = reasons(made.criterion, &missed);
        reasons.sort_by_key(|(ways, _)| std::cmp::Reverse(*ways));
        let more = reasons.len().saturating_sub(SHOWN);
        lines.extend(reasons.into_iter().take(SHOWN).map(|(_, line)| format!("not covered: {line}")));
        if more > 0 {
            lines.push(format!("not covered: for {} more; --json names all", count(more, "reason")));
        }
    }
    for (graph, _) in made.planned.iter().filter(|(graph, _)| graph.user == user) {
        let reached = graph.graph.reached_from(graph.graph.home);
        let far: Vec<usize> = (0..reached.len()).filter(|node| !reached[*node]).collect();
        if !far.is_empty() {
            let far = named(graph.ids(made.site, &far).into_iter());
            lines.push(format!("not counted, since no link or form of the map leads there: {far}"));
        }
    }
    lines
}

/// Why something is not covered: how much, and a sentence.
fn reasons(criterion: Criterion, missed: &[&MissedWay]) -> Vec<(usize, String)> {
    let what = |ways: usize| match criterion {
        Criterion::AllEdges => count(ways, "edge"),
        Criterion::OrderedPairs => count(ways, "ordered pair"),
    };
    // Nodes that nobody came to leave out what begins and what ends there.
    let mut groups: BTreeMap<(MissedWhy, &str), Vec<&MissedWay>> = BTreeMap::new();
    for way in missed {
        let (why, node) = match way.why {
            MissedWhy::NeverBegun => (MissedWhy::NeverBegun, way.from.as_str()),
            MissedWhy::NeverReached => (MissedWhy::NeverBegun, way.to.as_str()),
            MissedWhy::NotInThisOrder => (way.why, ""),
            why => (why, way.from.as_str()),
        };
        groups.entry((why, node)).or_default().push(way);
    }
    let sentence = |((why, node), ways): ((MissedWhy, &str), Vec<&MissedWay>)| {
        let to = named(ways.iter().map(|way| way.to.as_str()));
        let times = count(ways[0].visits, "time");
        let line = match why {
            MissedWhy::NeverBegun | MissedWhy::NeverReached => {
                format!("{}, since nothing led to {node}", what(ways.len()))
            }
            MissedWhy::NotOffered => format!("{node} was visited {times}, and never had {to}"),
            MissedWhy::LedElsewhere => format!("{node} was sent {times}, and never led to {to}"),
            MissedWhy::NotInThisOrder => {
                let pairs: Vec<String> =
                    ways.iter().map(|way| format!("{} before {}", way.from, way.to)).collect();
                format!("never in this order: {}", named(pairs.iter().map(String::as_str)))
            }
        };
        (ways.len(), line)
    };
    groups.into_iter().map(sentence).collect()
}

/// The first of some names, and how many more there are.
fn named<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let shown: Vec<&str> = names.take(SHOWN).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// How many of a user's edges and ordered pairs her sessions went along on the app.
fn walked_cover(made: &GeneratedSuite<'_>, graph: &UserGraph) -> (usize, usize) {
    let mut cover = WalkedCover::new(made.site, graph);
    let sessions =
        made.walked.visited.iter().zip(&made.walked.users).filter(|(_, user)| **user == graph.user);
    for (visited, _) in sessions {
        cover.add(visited);
    }
    (cover.edges(), cover.pairs())
}
