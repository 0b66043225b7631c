//! What a release changed: each kind of change by hand, and what holds for any two maps.

use proptest::prelude::*;
use restage_site::{
    EdgeKind, LinkChange, NodeChange, NodeDiff, ParameterChange, Site, SiteDiff, SiteEdge, SiteNode, diff,
};
use sites::by_hand::{CART, edge, form, node, page, remove, rename, shop, with_parameters};
use sites::releases::{Changes, release};

mod sites;

/// The only node of a diff.
fn only(diff: &SiteDiff) -> &NodeDiff {
    assert_eq!(diff.nodes.len(), 1, "{diff}");
    &diff.nodes[0]
}

fn of<'a>(diff: &'a SiteDiff, new: &str) -> &'a NodeDiff {
    diff.nodes
        .iter()
        .find(|node| node.new.as_deref() == Some(new))
        .unwrap_or_else(|| panic!("{new} is not in\n{diff}"))
}

fn links(node: &NodeDiff) -> Vec<(LinkChange, &str, &str)> {
    fn part<'a>(new: &'a Option<String>, old: &'a Option<String>) -> &'a str {
        new.as_deref().or(old.as_deref()).unwrap_or_default()
    }
    node.links
        .iter()
        .map(|link| (link.change, part(&link.new_label, &link.old_label), part(&link.new_to, &link.old_to)))
        .collect()
}

/// Catches: a page that came or went without a word on how one gets, or got, there.
#[test]
fn a_page_comes_and_goes() {
    let mut new = shop();
    new.nodes.push(page("GET /jobs", "Work with us"));
    new.edges.push(edge("GET /help", "GET /jobs", EdgeKind::Link, "Jobs"));
    new.edges.push(edge("GET /jobs", "GET /", EdgeKind::Link, "Home"));
    let came = diff(&shop(), &new);
    let jobs = of(&came, "GET /jobs");
    assert_eq!((jobs.change, jobs.old.as_deref()), (NodeChange::Came, None));
    let reached = jobs.reached.as_ref().unwrap();
    assert_eq!(
        (reached.from.as_slice(), reached.pages, reached.label.as_str()),
        (&["GET /help".to_owned()][..], 1, "Jobs")
    );
    assert_eq!(links(of(&came, "GET /help")), [(LinkChange::Came, "Jobs", "GET /jobs")]);
    assert_eq!(came.nodes.len(), 2);
    let went = diff(&new, &shop());
    assert_eq!((went.nodes[0].change, went.nodes[0].old.as_deref()), (NodeChange::Went, Some("GET /jobs")));
    assert_eq!(links(of(&went, "GET /help")), [(LinkChange::Went, "Jobs", "GET /jobs")]);
}

/// Catches: a renamed path as a page that went and one that came, with every link to it changed.
#[test]
fn a_renamed_page_is_one_change() {
    let mut new = shop();
    rename(&mut new, "GET /account", "GET /users/me");
    let found = diff(&shop(), &new);
    let account = only(&found);
    assert_eq!(account.change, NodeChange::Renamed);
    assert_eq!(
        (account.old.as_deref(), account.new.as_deref()),
        (Some("GET /account"), Some("GET /users/me"))
    );
    assert!(account.confidence.unwrap() > 0.9 && account.links.is_empty() && account.moved.is_none());
    assert!(found.to_string().contains("page renamed: GET /users/me\n    was GET /account ("), "{found}");
}

/// Catches: a field that came, went or got another name and is not told, or told as something else.
#[test]
fn fields_come_go_and_are_renamed() {
    let mut new = shop();
    let checkout = "POST /checkout?card&city&street";
    let fields = &mut node(&mut new, checkout).fields;
    fields[0].name = "street_line".to_owned();
    fields.remove(2);
    fields.push(restage_site::SiteField {
        name: "voucher".to_owned(),
        control: "select".to_owned(),
        choices: vec!["a".to_owned()],
    });
    rename(&mut new, checkout, "POST /checkout?city&street_line&voucher");
    let found = diff(&shop(), &new);
    let form = only(&found);
    assert_eq!(form.change, NodeChange::Renamed);
    let changes: Vec<(ParameterChange, Option<&str>, Option<&str>)> = form
        .parameters
        .iter()
        .map(|parameter| (parameter.change, parameter.old.as_deref(), parameter.new.as_deref()))
        .collect();
    assert_eq!(
        changes,
        [
            (ParameterChange::Went, Some("card"), None),
            (ParameterChange::Renamed, Some("street"), Some("street_line")),
            (ParameterChange::Came, None, Some("voucher")),
        ]
    );
    assert!(found.to_string().contains("    field street is called street_line\n"), "{found}");
}

/// Catches: a control of another type, or values that are no longer offered, that go unnoticed.
#[test]
fn types_and_choices_are_compared() {
    let (mut old, mut new) = (shop(), shop());
    let vote = "POST /vote?book&rating";
    node(&mut old, vote).fields[1].choices = ["1", "2", "3"].map(str::to_owned).to_vec();
    node(&mut new, vote).fields[1].choices = ["1", "2", "5"].map(str::to_owned).to_vec();
    node(&mut new, vote).fields[1].control = "select".to_owned();
    let found = diff(&old, &new);
    let rating = &only(&found).parameters[0];
    assert_eq!(rating.change, ParameterChange::Changed);
    assert_eq!(
        (rating.choices_came.as_slice(), rating.choices_went.as_slice()),
        (&["5".to_owned()][..], &["3".to_owned()][..])
    );
    assert!(
        found
            .to_string()
            .contains("field rating changed; is select, was radio; offers 5; no longer offers 3"),
        "{found}"
    );
}

/// Catches: a parameter of a link that has another name.
#[test]
fn parameters_of_links_are_compared() {
    let (mut old, mut new) = (shop(), shop());
    let link =
        |names: &[&str]| with_parameters(edge("GET /", "GET /books", EdgeKind::Link, "All by price"), names);
    old.edges.push(link(&["sort", "page"]));
    new.edges.push(link(&["order_by", "page"]));
    let found = diff(&old, &new);
    let parameter = &only(&found).parameters[0];
    assert_eq!(only(&found).new.as_deref(), Some("GET /books"));
    assert_eq!(
        (parameter.old.as_deref(), parameter.new.as_deref(), parameter.is_field),
        (Some("sort"), Some("order_by"), false)
    );
    // Where a map has no requests, the key tells.
    let (mut old, mut new) = (shop(), shop());
    rename(&mut old, "GET /books", "GET /books?sort");
    rename(&mut new, "GET /books", "GET /books?sort&page");
    let found = diff(&old, &new);
    assert_eq!(only(&found).parameters[0].new.as_deref(), Some("page"), "{found}");
}

/// Catches: a form that stands on another page and counts as another form, or whose move is not told.
#[test]
fn a_form_moves() {
    let mut new = shop();
    new.edges.iter_mut().filter(|edge| edge.to == CART).for_each(|edge| edge.from = "GET /books".to_owned());
    let found = diff(&shop(), &new);
    let cart = of(&found, CART);
    assert_eq!(cart.change, NodeChange::Moved);
    let moved = cart.moved.as_ref().unwrap();
    assert_eq!(
        (moved.from.as_slice(), moved.to.as_slice()),
        (&["GET /book/{n}".to_owned()][..], &["GET /books".to_owned()][..])
    );
    let books = of(&found, "GET /books");
    assert_eq!(links(books), [(LinkChange::Moved, "Add to cart", CART)]);
    assert_eq!(books.links[0].moved_from.as_deref(), Some("GET /book/{n}"));
    assert_eq!(found.nodes.len(), 2, "{found}");
}

/// Catches: a form that moved, with another path and a field of another name, as one that went and one that came.
#[test]
fn a_form_moves_and_changes() {
    let mut new = shop();
    remove(&mut new, CART);
    new.nodes.push(form("POST /basket", "Your cart", &["book:hidden", "quantity:number"]));
    let basket = "POST /basket?book&quantity";
    new.edges.push(edge("GET /books", basket, EdgeKind::Submit, "Add to cart"));
    new.edges.push(edge(basket, "GET /cart", EdgeKind::Redirect, ""));
    let found = diff(&shop(), &new);
    let cart = of(&found, basket);
    assert_eq!((cart.change, cart.old.as_deref()), (NodeChange::Renamed, Some(CART)));
    assert!(cart.moved.is_some() && cart.parameters.len() == 1, "{found}");
    assert!(
        !found.nodes.iter().any(|node| matches!(node.change, NodeChange::Came | NodeChange::Went)),
        "{found}"
    );
}

/// Catches: a link with another text, or to another page, as one that went and one that came.
#[test]
fn links_are_renamed_and_lead_elsewhere() {
    let mut new = shop();
    for edge in new.edges.iter_mut().filter(|edge| edge.from == "GET /books" && edge.to == "GET /book/{n}") {
        edge.label = "Read more".to_owned();
    }
    for edge in new.edges.iter_mut().filter(|edge| edge.label == "Vote") {
        edge.to = "GET /help".to_owned();
    }
    let found = diff(&shop(), &new);
    assert_eq!(links(of(&found, "GET /books")), [(LinkChange::Renamed, "Read more", "GET /book/{n}")]);
    assert_eq!(links(of(&found, "GET /book/{n}")), [(LinkChange::LeadsElsewhere, "Vote", "GET /help")]);
    let text = found.to_string();
    assert!(text.contains("link to GET /book/{n} is “Read more”, was “Details”"), "{text}");
    assert!(text.contains("link “Vote” leads to GET /help, led to GET /vote/{n}"), "{text}");
}

/// Catches: a menu's new link, told once for every page.
#[test]
fn a_change_of_many_pages_is_told_once() {
    let mut new = shop();
    let pages: Vec<String> = new
        .nodes
        .iter()
        .filter(|node| node.id.starts_with("GET /") && node.fields.is_empty())
        .map(|node| node.id.clone())
        .collect();
    new.edges.extend(pages.iter().map(|from| edge(from, "GET /account", EdgeKind::Link, "My account")));
    let found = diff(&shop(), &new);
    assert_eq!(found.shared_links.len(), 1, "{found}");
    assert_eq!(found.shared_links[0].pages.len(), pages.len());
    assert!(found.nodes.is_empty(), "{found}");
    assert!(found.to_string().contains("on 7 pages: link “My account” to GET /account came"), "{found}");
}

/// Catches: a page that fails, is there for others, or became static, that is not told; users that only one map knows as a change.
#[test]
fn properties_are_compared() {
    let (mut old, mut new) = (shop(), shop());
    let account = |site: &mut Site, users: [&str; 2], status| {
        let node = node(site, "GET /account");
        node.users = users.map(str::to_owned).into();
        node.status = Some(status);
    };
    account(&mut old, ["s3", "s9"], 200);
    account(&mut new, ["s3", "anonymous"], 500);
    node(&mut new, "GET /help").dynamic = false;
    let found = diff(&old, &new);
    let text = found.to_string();
    assert!(text.contains("is answered with 500, was with 200"), "{text}");
    assert!(text.contains("is there for anonymous, s3, was for s3"), "{text}");
    assert!(text.contains("is static, was dynamic"), "{text}");
    assert_eq!(found.nodes[0].new.as_deref(), Some("GET /account"));
    new.home = Some("GET /books".to_owned());
    new.users[1].name = "s4".to_owned();
    let found = diff(&old, &new);
    let home = found.home.as_ref().unwrap();
    assert_eq!((home.old.as_str(), home.new.as_str()), ("GET /", "GET /books"));
    assert_eq!(
        (found.users_came.as_slice(), found.users_went.as_slice()),
        (&["s4".to_owned()][..], &["s3".to_owned()][..])
    );
}

/// Catches: what breaks users' ways below what they do not notice.
#[test]
fn the_most_important_comes_first() {
    let mut new = shop();
    remove(&mut new, "GET /vote/{n}");
    node(&mut new, "GET /help").title = "Help | The Shop".to_owned();
    rename(&mut new, "GET /account", "GET /users/me");
    new.nodes.push(page("GET /jobs", "Work with us"));
    new.edges.push(edge("GET /help", "GET /jobs", EdgeKind::Link, "Jobs"));
    let order: Vec<NodeChange> = diff(&shop(), &new).nodes.iter().map(|node| node.change).collect();
    assert_eq!(order[..3], [NodeChange::Went, NodeChange::Renamed, NodeChange::Came]);
    assert!(order[3..].iter().all(|change| *change == NodeChange::Changed));
}

/// Catches: text of a page that repaints the terminal.
#[test]
fn what_pages_say_is_harmless() {
    let mut new = shop();
    new.nodes.push(page("GET /\u{1b}[31m", "\u{1b}]0;x\u{7}"));
    new.edges.push(edge("GET /", "GET /\u{1b}[31m", EdgeKind::Link, "a\nb\u{202e}"));
    let text = diff(&shop(), &new).to_string();
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()) && !text.contains('\u{202e}'), "{text:?}");
}

fn any_site() -> impl Strategy<Value = Site> {
    let node = (0_u8..12, "[ab]{0,3}", any::<bool>());
    let nodes = proptest::collection::vec(node, 0..10);
    let edges = proptest::collection::vec((0_u8..12, 0_u8..12, "[xy]{0,1}"), 0..30);
    (nodes, edges).prop_map(|(nodes, edges)| Site {
        home: nodes.first().map(|node| node.0.to_string()),
        nodes: nodes
            .into_iter()
            .map(|(id, title, dynamic)| SiteNode {
                id: id.to_string(),
                title,
                dynamic,
                status: Some(200),
                ..SiteNode::default()
            })
            .collect(),
        edges: edges
            .into_iter()
            .map(|(from, to, label)| SiteEdge {
                from: from.to_string(),
                to: to.to_string(),
                label,
                ..SiteEdge::default()
            })
            .collect(),
        ..Site::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    /// Catches: a map that differs from itself, with ids that occur twice and edges that lead nowhere, too.
    #[test]
    fn any_map_has_no_changes_to_itself(site in any_site()) {
        let diff = diff(&site, &site);
        prop_assert!(diff.is_empty(), "{}", diff);
    }

    /// Catches: an id that only one map has and that the diff does not name, or names twice.
    #[test]
    fn every_id_of_one_map_alone_is_named(old in any_site(), new in any_site()) {
        let diff = diff(&old, &new);
        for (site, other, is_old) in [(&old, &new, true), (&new, &old, false)] {
            for node in &site.nodes {
                let named = diff.nodes.iter().filter(|found| if is_old { &found.old } else { &found.new }.as_ref() == Some(&node.id)).count();
                prop_assert!(named <= 1);
                if other.node(&node.id).is_none() {
                    prop_assert_eq!(named, 1, "{} in\n{}", &node.id, &diff);
                }
            }
        }
        for found in &diff.nodes {
            prop_assert_eq!(found.change == NodeChange::Came, found.old.is_none());
            prop_assert_eq!(found.change == NodeChange::Went, found.new.is_none());
        }
        prop_assert_eq!(diff.to_string() == "no changes\n", diff.is_empty());
        serde_json::to_string(&diff).unwrap();
    }
}

/// Catches: a release whose changes are told as others than they are.
#[test]
fn releases_are_told_as_they_are() {
    let changes = Changes { renamed: 10, gone: 10, added: 10, fields: 20, ..Changes::default() };
    for seed in 0..12 {
        let old = sites::web_like(seed, 80);
        let new = release(&old, changes, seed);
        let diff = diff(&old, &new.site);
        for (id, became) in &new.became {
            let told = diff.nodes.iter().find(|node| node.old.as_ref() == Some(id));
            match (became, told) {
                (None, told) => assert_eq!(told.map(|told| told.change), Some(NodeChange::Went)),
                (Some(is), Some(told)) if is != id => {
                    assert!(told.new.is_none() || told.new.as_ref() == Some(is));
                }
                (Some(is), None) => assert_eq!(is, id),
                _ => {}
            }
        }
    }
}
