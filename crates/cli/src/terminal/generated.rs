//! What generating came to: planned, walked, covered.

use std::collections::{BTreeMap, HashSet};

use restage_model::Suite;
use restage_site::{Coverage, Criterion, Sequences, Site, UserGraph};
use restage_spider::GeneratedSessions;

use crate::args::Global;
use crate::failure::{Failure, Outcome};
use crate::terminal::output::{self, count};
use crate::terminal::progress::note;

/// So many ways that were not there are named.
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
    }
    for (user, why) in &made.walked.not_logged_in {
        output::line(&format!("  as {user}: not logged in: {why}"));
    }
    if !made.walked.missed.is_empty() {
        let shown: Vec<String> =
            made.walked.missed.iter().take(SHOWN).map(|way| format!("{} → {}", way.from, way.to)).collect();
        let more = made.walked.missed.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        output::line(&format!(
            "  not there when it was to be gone, in the state then: {}{more}",
            shown.join(", ")
        ));
    }
    note(global, format!("next: `restage baseline {}` makes it a regression test", made.suite.name));
    Ok(Outcome::Well)
}

/// How many of a user's edges and ordered pairs her sessions went along on the app.
fn walked_cover(made: &GeneratedSuite<'_>, graph: &UserGraph) -> (usize, usize) {
    let id = |node: usize| made.site.nodes[graph.nodes[node]].id.as_str();
    let wanted_edges: HashSet<(&str, &str)> =
        graph.graph.edges.iter().map(|(from, to)| (id(*from), id(*to))).collect();
    let dynamic: HashSet<&str> =
        (0..graph.nodes.len()).filter(|node| graph.graph.dynamic[*node]).map(id).collect();
    let (mut edges, mut pairs) = (HashSet::new(), HashSet::new());
    let sessions =
        made.walked.visited.iter().zip(&made.walked.users).filter(|(_, user)| **user == graph.user);
    for (visited, _) in sessions {
        for window in visited.windows(2) {
            let edge = (window[0].as_str(), window[1].as_str());
            if wanted_edges.contains(&edge) {
                edges.insert(edge);
            }
        }
        let mut before: HashSet<&str> = HashSet::new();
        for node in visited {
            if dynamic.contains(node.as_str()) {
                pairs.extend(before.iter().map(|earlier| (*earlier, node.as_str())));
                before.insert(node);
            }
        }
    }
    (edges.len(), pairs.len())
}
