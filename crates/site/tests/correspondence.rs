//! Which node of a release is which of the one before: kinds of changes by hand, and releases that are made up.

use std::collections::BTreeSet;

use proptest::prelude::*;
use restage_site::{Correspondence, EdgeKind, Evidence, NodeKind, Site, SiteEdge, SiteNode, correspondence};
use sites::by_hand::{CART, FIND, edge, form, node, page, remove, rename, shop};
use sites::releases::{Changes, release};

mod sites;

fn one_to_one(found: &Correspondence) -> bool {
    let new: Vec<&String> = found.nodes.iter().filter_map(|node| node.new.as_ref()).collect();
    new.iter().collect::<BTreeSet<_>>().len() == new.len()
        && found.nodes.iter().all(|node| (0.0..=1.0).contains(&node.confidence))
}

/// Catches: a node of an unchanged release that is taken for another, or for none.
#[test]
fn of_the_same_map_every_node_is_itself() {
    for site in [shop(), sites::web_like(5, 300), sites::random(2, 200, 600)] {
        let found = correspondence(&site, &site);
        for node in &found.nodes {
            assert_eq!(node.new.as_ref(), Some(&node.old));
            assert!(node.confidence > 0.9, "{node:?}");
            assert!(
                node.fields
                    .iter()
                    .all(|field| field.new.as_ref() == Some(&field.old) && field.confidence == 1.0)
            );
        }
        assert_eq!(found.nodes.len(), site.nodes.len());
    }
}

/// Catches: a page that is lost with its path, though its title and its links are the same.
#[test]
fn a_renamed_path_is_found() {
    let mut new = shop();
    rename(&mut new, "GET /account", "GET /users/me/profile");
    rename(&mut new, "GET /book/{n}", "GET /catalogue/item/{n}");
    let found = correspondence(&shop(), &new);
    for (old, is) in [("GET /account", "GET /users/me/profile"), ("GET /book/{n}", "GET /catalogue/item/{n}")]
    {
        let about = found.of_old(old).unwrap();
        assert_eq!(about.new.as_deref(), Some(is));
        assert!(
            about.confidence > 0.9 && about.reasons.iter().any(|reason| reason.evidence == Evidence::Title),
            "{about:?}"
        );
        assert_eq!(found.of_new(is).map(|about| about.old.as_str()), Some(old));
    }
    assert_eq!(found.new_id("GET /cart"), Some("GET /cart"));
}

/// Catches: a form that is lost since it stands on another page, at another path, with a field of another name.
#[test]
fn a_form_that_moved_and_changed_is_found() {
    let mut new = shop();
    new.nodes.retain(|node| node.id != CART);
    new.nodes.push(form("POST /basket", "Your cart", &["book:hidden", "quantity:number"]));
    new.edges.retain(|edge| edge.from != CART && edge.to != CART);
    let basket = "POST /basket?book&quantity";
    new.edges.push(edge("GET /books", basket, EdgeKind::Submit, "Add to cart"));
    new.edges.push(edge(basket, "GET /cart", EdgeKind::Redirect, ""));
    let found = correspondence(&shop(), &new);
    let about = found.of_old(CART).unwrap();
    assert_eq!(about.new.as_deref(), Some(basket), "{about:?}");
    let fields: Vec<(&str, Option<&str>)> =
        about.fields.iter().map(|field| (field.old.as_str(), field.new.as_deref())).collect();
    assert_eq!(fields, [("book", Some("book")), ("qty", Some("quantity"))]);
    assert!(about.fields[0].confidence > about.fields[1].confidence && about.fields[1].confidence > 0.5);
}

/// Catches: a form without titles, as one whose answer redirects has none, that is lost when a field and its path change.
#[test]
fn a_form_is_known_by_its_fields_alone() {
    let (mut old, mut new) = (shop(), shop());
    let form = "POST /checkout?card&city&street";
    for site in [&mut old, &mut new] {
        node(site, form).title.clear();
        node(site, form).headings.clear();
    }
    node(&mut new, form).fields[0].name = "street_and_number".to_owned();
    rename(&mut new, form, "POST /order/place?card&city&street_and_number");
    new.edges.iter_mut().filter(|edge| edge.to.starts_with("POST /order")).for_each(|edge| {
        edge.from = "GET /account".to_owned();
        edge.label = "Place order".to_owned();
    });
    let found = correspondence(&old, &new);
    assert_eq!(
        found.new_id(form),
        Some("POST /order/place?card&city&street_and_number"),
        "{:?}",
        found.of_old(form)
    );
}

/// Catches: a link that changed something is taken for gone, as it is the button of a form now.
#[test]
fn a_link_that_is_a_button_now_is_found() {
    let (mut old, mut new) = (shop(), shop());
    old.nodes.push(page("GET /session/end", ""));
    new.nodes.push(form("POST /session/end", "", &["csrf:hidden"]));
    for from in ["GET /", "GET /cart", "GET /account"] {
        old.edges.push(edge(from, "GET /session/end", EdgeKind::Link, "Log out"));
        new.edges.push(edge(from, "POST /session/end?csrf", EdgeKind::Submit, "Log out"));
    }
    let found = correspondence(&old, &new);
    assert_eq!(found.new_id("GET /session/end"), Some("POST /session/end?csrf"));
}

/// Catches: a page that is gone and a page that is new, taken for one because they share the site's frame, their neighbours or a field.
#[test]
fn unrelated_pages_are_no_pair() {
    let mut new = shop();
    remove(&mut new, "GET /vote/{n}");
    remove(&mut new, "POST /vote?book&rating");
    new.nodes.push(page("GET /newsletter", "Subscribe to our newsletter"));
    new.nodes.push(form("POST /wish", "Your wish list", &["book:hidden", "note:text"]));
    let wish = "POST /wish?book&note";
    for (to, label) in
        [("GET /", "Home"), ("GET /books", "Books"), ("GET /cart", "Cart"), ("GET /help", "Help")]
    {
        new.edges.push(edge("GET /newsletter", to, EdgeKind::Link, label));
    }
    new.edges.extend([
        edge("GET /book/{n}", "GET /newsletter", EdgeKind::Link, "Newsletter"),
        edge("GET /newsletter", FIND, EdgeKind::Submit, "Find"),
        edge("GET /book/{n}", wish, EdgeKind::Submit, "Wish for it"),
        edge(wish, "GET /book/{n}", EdgeKind::Redirect, ""),
    ]);
    let found = correspondence(&shop(), &new);
    for gone in ["GET /vote/{n}", "POST /vote?book&rating"] {
        assert_eq!(found.new_id(gone), None, "{:?}", found.of_old(gone));
    }
    assert_eq!(found.nodes.iter().filter(|node| node.new.is_some()).count(), 10);
}

/// Catches: ids that are trusted blindly when two pages exchanged their places.
#[test]
fn evidence_that_is_clear_is_stronger_than_an_id() {
    let mut new = shop();
    rename(&mut new, "GET /help", "GET /parked");
    rename(&mut new, "GET /account", "GET /help");
    rename(&mut new, "GET /parked", "GET /account");
    let found = correspondence(&shop(), &new);
    assert_eq!(found.new_id("GET /help"), Some("GET /account"));
    assert_eq!(found.new_id("GET /account"), Some("GET /help"));
}

/// Catches: a page that was written anew and counts as another one, though it is where it was; and one that is taken for a copy of it.
#[test]
fn a_page_with_new_contents_is_still_itself() {
    let mut new = shop();
    let help = node(&mut new, "GET /help");
    help.title = "Support centre | The Shop".to_owned();
    help.headings = vec!["What can we do for you?".to_owned()];
    let mut copy = page("GET /account2", "Your account");
    copy.headings = vec!["Your account".to_owned()];
    new.nodes.push(copy);
    let found = correspondence(&shop(), &new);
    assert_eq!(found.new_id("GET /help"), Some("GET /help"));
    assert_eq!(found.new_id("GET /account"), Some("GET /account"));
}

/// Catches: a link that became a button, as a logout does, and is lost.
#[test]
fn a_page_may_become_a_form() {
    let (mut old, mut new) = (shop(), shop());
    let mut page = page("GET /logout", "Good bye");
    old.edges.push(edge("GET /account", "GET /logout", EdgeKind::Link, "Log out"));
    old.edges.push(edge("GET /logout", "GET /", EdgeKind::Link, "Home"));
    old.nodes.push(page.clone());
    page.id = "POST /logout?token".to_owned();
    page.key = page.id.clone();
    page.kind = NodeKind::Form;
    new.edges.push(edge("GET /account", &page.id, EdgeKind::Submit, "Log out"));
    new.edges.push(edge(&page.id, "GET /", EdgeKind::Link, "Home"));
    new.nodes.push(page);
    assert_eq!(correspondence(&old, &new).new_id("GET /logout"), Some("POST /logout?token"));
}

/// Catches: a wrong pair in a bare graph, where nothing but ids and edges is known.
#[test]
fn bare_graphs_go_by_their_ids() {
    let site = |names: &[&str]| Site {
        home: Some("a".to_owned()),
        nodes: names.iter().map(|name| SiteNode { id: (*name).to_owned(), ..SiteNode::default() }).collect(),
        edges: names.windows(2).map(|pair| edge(pair[0], pair[1], EdgeKind::Link, "")).collect(),
        ..Site::default()
    };
    let found = correspondence(&site(&["a", "b", "c", "d"]), &site(&["a", "c", "b", "e"]));
    for name in ["a", "b", "c"] {
        assert_eq!(found.new_id(name), Some(name));
    }
    assert_eq!(found.new_id("d"), None);
    assert!(correspondence(&Site::default(), &site(&["a"])).nodes.is_empty());
}

/// Catches: a renamed page that is mistaken for a similar one, on releases of many shapes. No pair is wrong, and few are missed.
#[test]
fn releases_are_followed() {
    let all =
        Changes { renamed: 15, retitled: 10, fields: 20, relabelled: 10, moved: 10, gone: 10, added: 10 };
    let renamed = Changes { renamed: 100, ..Changes::default() };
    let exchanged = Changes { gone: 25, added: 25, ..Changes::default() };
    for (changes, most_missed) in [(all, 5), (renamed, 5), (exchanged, 0)] {
        for seed in 0..4 {
            let old = sites::web_like(seed, 150);
            let new = release(&old, changes, seed);
            let found = correspondence(&old, &new.site);
            assert!(one_to_one(&found));
            let mut missed = 0;
            for (id, became) in &new.became {
                match found.new_id(id) {
                    Some(is) => assert_eq!(Some(is), became.as_deref(), "{id} in {changes:?}, {seed}"),
                    None => missed += usize::from(became.is_some()),
                }
            }
            assert!(missed * 100 <= most_missed * old.nodes.len(), "{missed} missed in {changes:?}, {seed}");
        }
    }
}

/// Any small map: twins, texts of few words, edges anywhere. Nodes of an even number have a title that no other has.
fn any_site() -> impl Strategy<Value = Site> {
    (2_usize..20).prop_flat_map(|count| {
        let words = proptest::collection::vec("[a-c]{1,2}", count);
        let edges = proptest::collection::vec((0..count, 0..count, "[xyz]{0,1}"), 0..count * 3);
        (words, edges).prop_map(move |(words, edges)| {
            let id = |number: usize| format!("GET /page{number}");
            let title = |number: usize| match number % 2 {
                0 => format!("subject{} matter{}", letters(number), letters(number + 40)),
                _ => words[number].clone(),
            };
            let node = |number: usize| SiteNode {
                id: id(number),
                key: id(number),
                title: title(number),
                status: Some(200),
                ..SiteNode::default()
            };
            let edge = |(from, to, label): (usize, usize, String)| SiteEdge {
                from: id(from),
                to: id(to),
                label,
                ..SiteEdge::default()
            };
            Site {
                home: Some(id(0)),
                nodes: (0..count).map(node).collect(),
                edges: edges.into_iter().map(edge).collect(),
                ..Site::default()
            }
        })
    })
}

/// A number as a word; numbers are not looked at.
fn letters(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'k')).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    /// Catches: ids that count for more than what a page says; a pair that is taken twice; a result by chance.
    #[test]
    fn ids_at_random_do_not_hide_telling_pages(site in any_site(), seed in any::<u64>()) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut names: Vec<usize> = (0..site.nodes.len()).collect();
        random.shuffle(&mut names);
        let name = |id: &str| {
            let number: usize = id["GET /page".len()..].parse().unwrap();
            format!("GET /other/{}", letters(names[number]))
        };
        let mut new = site.clone();
        for node in &mut new.nodes {
            node.id = name(&node.id);
            node.key = node.id.clone();
        }
        for edge in &mut new.edges {
            (edge.from, edge.to) = (name(&edge.from), name(&edge.to));
        }
        new.home = new.home.map(|home| name(&home));
        random.shuffle(&mut new.nodes);
        let found = correspondence(&site, &new);
        prop_assert!(one_to_one(&found));
        for (number, node) in site.nodes.iter().enumerate().filter(|(number, _)| number % 2 == 0) {
            let is = found.new_id(&node.id);
            let expected = name(&node.id);
            prop_assert_eq!(is, Some(expected.as_str()), "{}", number);
        }
        let again = correspondence(&site, &new);
        prop_assert_eq!(found.nodes, again.nodes);
    }

    /// Catches: a node that another takes away from itself.
    #[test]
    fn any_map_is_itself(site in any_site()) {
        for node in correspondence(&site, &site).nodes {
            prop_assert_eq!(node.new, Some(node.old));
        }
    }
}
