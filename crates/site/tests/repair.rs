//! Repaired sessions over arbitrary maps: what a repair promises, checked from the definitions.

use std::collections::HashSet;

use proptest::prelude::*;
use restage_site::repair::{Cause, Counterpart, Counterparts, Plan, Planner, StepAction, Trace, TraceStep};
use restage_site::{EdgeKind, NodeKind, Site, SiteEdge, SiteField, SiteNode};

/// A map of so many nodes, each known by the number in its name, with these edges. Some ask for a password, some were never looked at.
fn site(names: &[String], edges: &[(usize, usize)]) -> Site {
    let node = |(at, id): (usize, &String)| SiteNode {
        id: id.clone(),
        key: id.clone(),
        kind: if at % 5 == 4 { NodeKind::Form } else { NodeKind::Page },
        status: (at % 7 != 6).then_some(200),
        fields: match at % 5 {
            4 => vec![SiteField {
                name: "secret".to_owned(),
                control: "password".to_owned(),
                choices: Vec::new(),
            }],
            _ => Vec::new(),
        },
        ..SiteNode::default()
    };
    let edge = |&(from, to): &(usize, usize)| SiteEdge {
        from: names[from].clone(),
        to: names[to].clone(),
        kind: if to % 5 == 4 { EdgeKind::Submit } else { EdgeKind::Link },
        ..SiteEdge::default()
    };
    Site {
        nodes: names.iter().enumerate().map(node).collect(),
        edges: edges.iter().map(edge).collect(),
        ..Site::default()
    }
}

#[derive(Clone, Debug)]
struct Case {
    old: Site,
    new: Site,
    counterparts: Counterparts,
    traces: Vec<Trace>,
}

/// Two versions of a site, and sessions of the first. Of the second, some nodes are gone, some have another name, edges come and go.
fn cases() -> impl Strategy<Value = Case> {
    (3_usize..16).prop_flat_map(|count| {
        let pairs = proptest::collection::vec((0..count, 0..count), 0..count * 3);
        let fates = proptest::collection::vec(0..6_u8, count);
        let kept = proptest::collection::vec(any::<bool>(), count * 3);
        let fresh = proptest::collection::vec((0..count, 0..count), 0..count);
        let steps = proptest::collection::vec((0..count, 0..12_usize, any::<bool>()), 1..14);
        let sessions = proptest::collection::vec(steps, 1..6);
        (pairs, fates, kept, fresh, sessions).prop_map(move |(pairs, fates, kept, fresh, sessions)| {
            let names: Vec<String> = (0..count).map(|n| format!("GET /page{n}")).collect();
            let old = site(&names, &pairs);
            let mut counterparts = Counterparts::default();
            let new_names: Vec<String> = (0..count)
                .map(|n| if fates[n] == 1 { format!("GET /moved{n}") } else { names[n].clone() })
                .collect();
            let edges: Vec<(usize, usize)> = pairs
                .iter()
                .zip(&kept)
                .filter(|(_, kept)| **kept)
                .map(|(pair, _)| *pair)
                .chain(fresh)
                .filter(|(from, to)| fates[*from] != 0 && fates[*to] != 0)
                .collect();
            let mut new = site(&new_names, &edges);
            new.nodes =
                new.nodes.into_iter().zip(&fates).filter(|(_, fate)| **fate != 0).map(|(n, _)| n).collect();
            for n in (0..count).filter(|n| fates[*n] != 0) {
                let confidence = if fates[n] == 1 { 0.8 } else { 1.0 };
                let node = new_names[n].clone();
                counterparts.add(&names[n], Counterpart { node, confidence, fields: Vec::new() });
            }
            let trace = |steps: Vec<(usize, usize, bool)>| {
                let step = |(at, (node, back, typed)): (usize, (usize, usize, bool))| {
                    let from = (at > 0 && !(typed && back == 0)).then(|| at - 1 - back.min(at - 1) / 4);
                    TraceStep::new(names[node].as_str(), from)
                };
                Trace { steps: steps.into_iter().enumerate().map(step).collect() }
            };
            Case { traces: sessions.into_iter().map(trace).collect(), old, new, counterparts }
        })
    })
}

/// Whether every step of a session leads to a node of the map, from a page before it that has an edge there or was never looked at.
fn is_path(site: &Site, trace: &Trace) -> bool {
    let edges: HashSet<(&str, &str)> =
        site.edges.iter().map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
    trace.steps.iter().enumerate().all(|(at, step)| {
        let leads = |from: usize| {
            let from = &trace.steps[from].node;
            let looked_at = site.node(from).is_some_and(|node| node.status.is_some());
            edges.contains(&(&**from, &*step.node)) || !looked_at
        };
        site.node(&step.node).is_some() && step.came_from().is_none_or(|from| from < at && leads(from))
    })
}

fn check_steps(case: &Case, trace: &Trace, plan: &Plan) -> Result<(), TestCaseError> {
    let own = |step: &&restage_site::repair::PlannedStep| step.action != StepAction::Repeated;
    let mut seen: Vec<usize> =
        plan.parts.iter().flat_map(|part| part.steps.iter().filter(own)).filter_map(|step| step.of).collect();
    let in_order = seen.is_sorted();
    seen.extend(&plan.dropped);
    seen.sort_unstable();
    prop_assert!(in_order, "steps change their places");
    prop_assert_eq!(seen, (0..trace.steps.len()).collect::<Vec<_>>(), "a step twice, or never");
    for &at in &plan.dropped {
        let is_gone = case.counterparts.of(&trace.steps[at].node).is_empty();
        let cause = plan.repairs.iter().find(|repair| repair.step == at + 1).map(|repair| repair.cause);
        prop_assert!(is_gone || cause == Some(Cause::StepJoined), "{at} is dropped, and is there");
    }
    let splits = plan.repairs.iter().filter(|repair| repair.cause == Cause::SessionSplit).count();
    prop_assert_eq!(plan.parts.len(), if plan.parts.is_empty() { 0 } else { splits + 1 });
    for repair in &plan.repairs {
        prop_assert!(repair.confidence > 0.0 && repair.confidence <= 1.0);
    }
    let added =
        plan.parts.iter().flat_map(|part| &part.steps).filter(|step| step.action == StepAction::Added);
    let told: usize = plan.repairs.iter().map(|repair| repair.added.len()).sum();
    prop_assert_eq!(added.count(), told, "what is added is told");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600, ..ProptestConfig::default() })]

    /// Catches: a repaired session that jumps; a step that is lost without a word, or changes its place; a split without a cause.
    #[test]
    fn repaired_sessions_are_paths_of_the_new_map(case in cases()) {
        let planner = Planner::new(&case.old, &case.new, &case.counterparts);
        for trace in &case.traces {
            let plan = planner.plan(trace);
            if plan.is_unchanged() && plan.repairs.is_empty() {
                prop_assert!(is_path(&case.new, trace));
                continue;
            }
            check_steps(&case, trace, &plan)?;
            for repaired in plan.traces(&case.new) {
                prop_assert!(is_path(&case.new, &repaired), "{:?} of {:?}", repaired, trace);
            }
        }
    }

    /// Catches: a session that is changed though all of it is there.
    #[test]
    fn a_session_that_is_a_path_stays_as_it_is(case in cases()) {
        let planner = Planner::new(&case.old, &case.new, &case.counterparts);
        for trace in case.traces.iter().filter(|trace| is_path(&case.new, trace)) {
            prop_assert_eq!(planner.plan(trace), Plan::default());
        }
        let same = Counterparts::by_name(&case.old, &case.old);
        let planner = Planner::new(&case.old, &case.old, &same);
        for trace in case.traces.iter().filter(|trace| is_path(&case.old, trace)) {
            prop_assert_eq!(planner.plan(trace), Plan::default());
        }
    }

    /// Catches: a second repair that changes what the first one made; plans that depend on who makes them.
    #[test]
    fn what_was_repaired_is_not_repaired_again(case in cases()) {
        let planner = Planner::new(&case.old, &case.new, &case.counterparts);
        let same = Counterparts::by_name(&case.new, &case.new);
        let again = Planner::new(&case.new, &case.new, &same);
        let plans = planner.plan_all(&case.traces);
        for (trace, plan) in case.traces.iter().zip(&plans) {
            prop_assert_eq!(plan, &planner.plan(trace));
            for repaired in plan.traces(&case.new) {
                prop_assert_eq!(again.plan(&repaired), Plan::default());
                prop_assert!(planner.plan(&repaired).is_unchanged() || case.old.nodes.len() > case.new.nodes.len()
                    || planner.is_valid(&repaired));
            }
        }
    }
}

fn named(nodes: &[&str], edges: &[(&str, &str)]) -> Site {
    let node = |id: &&str| SiteNode {
        id: (*id).to_owned(),
        key: (*id).to_owned(),
        status: Some(200),
        kind: if id.starts_with("POST") { NodeKind::Form } else { NodeKind::Page },
        fields: id
            .split_once('?')
            .map(|(_, names)| {
                let field = |name: &str| SiteField {
                    name: name.to_owned(),
                    control: if name == "password" { "password" } else { "text" }.to_owned(),
                    choices: Vec::new(),
                };
                names.split('&').map(field).collect()
            })
            .unwrap_or_default(),
        ..SiteNode::default()
    };
    let edge = |(from, to): &(&str, &str)| SiteEdge {
        from: (*from).to_owned(),
        to: (*to).to_owned(),
        kind: match (from.starts_with("POST"), to.starts_with("POST")) {
            (true, _) => EdgeKind::Redirect,
            (_, true) => EdgeKind::Submit,
            _ => EdgeKind::Link,
        },
        ..SiteEdge::default()
    };
    Site {
        nodes: nodes.iter().map(node).collect(),
        edges: edges.iter().map(edge).collect(),
        ..Site::default()
    }
}

fn straight(nodes: &[&str]) -> Trace {
    let step = |(at, node): (usize, &&str)| TraceStep::new(*node, at.checked_sub(1));
    Trace { steps: nodes.iter().enumerate().map(step).collect() }
}

fn repaired(
    old: &Site,
    new: &Site,
    counterparts: &Counterparts,
    nodes: &[&str],
) -> (Vec<Vec<String>>, Vec<Cause>) {
    let plan = Planner::new(old, new, counterparts).plan(&straight(nodes));
    let names = |trace: Trace| trace.steps.iter().map(|step| step.node.to_string()).collect();
    (plan.traces(new).into_iter().map(names).collect(), plan.repairs.iter().map(|r| r.cause).collect())
}

const OLD: &[&str] = &[
    "GET /",
    "GET /login",
    "POST /login?password&user",
    "GET /account",
    "GET /news",
    "GET /terms",
    "GET /end",
];

/// Catches: a login form that moved to the home page and is not followed there; a page that is left out without a word.
#[test]
fn a_login_form_that_moved_home_takes_one_step_less() {
    let old = named(OLD, &[]);
    let new = named(
        &["GET /", "POST /login?password&user", "GET /account"],
        &[("GET /", "POST /login?password&user"), ("POST /login?password&user", "GET /account")],
    );
    let same = Counterparts::by_name(&old, &new);
    let way = ["GET /", "GET /login", "POST /login?password&user", "GET /account"];
    let (sessions, causes) = repaired(&old, &new, &same, &way);
    assert_eq!(sessions, [["GET /", "POST /login?password&user", "GET /account"]]);
    assert_eq!(causes, [Cause::StepJoined, Cause::FormMoved]);
}

/// Catches: pages that are gone split a session, or only one of them is linked past.
#[test]
fn pages_that_are_gone_are_linked_past_and_a_gone_link_is_gone_around() {
    let old = named(OLD, &[]);
    let new =
        named(&["GET /", "GET /more", "GET /end"], &[("GET /", "GET /more"), ("GET /more", "GET /end")]);
    let same = Counterparts::by_name(&old, &new);
    let (sessions, causes) = repaired(&old, &new, &same, &["GET /", "GET /news", "GET /terms", "GET /end"]);
    assert_eq!(sessions, [["GET /", "GET /more", "GET /end"]]);
    assert_eq!(causes, [Cause::PageGone, Cause::PageGone, Cause::StepAdded]);
}

/// Catches: a second half that is not logged in.
#[test]
fn both_halves_of_a_split_session_are_logged_in() {
    let old = named(OLD, &[]);
    let login = "POST /login?password&user";
    let new = named(
        &["GET /", "GET /login", login, "GET /account", "GET /end"],
        &[("GET /", "GET /login"), ("GET /login", login), (login, "GET /account")],
    );
    let same = Counterparts::by_name(&old, &new);
    let way = ["GET /", "GET /login", login, "GET /account", "GET /end"];
    let (sessions, causes) = repaired(&old, &new, &same, &way);
    assert_eq!(sessions[0], way[..4]);
    assert_eq!(sessions[1], ["GET /", "GET /login", login, "GET /account", "GET /end"]);
    assert_eq!(causes, [Cause::SessionSplit]);
}
