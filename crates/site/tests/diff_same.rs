//! What is no change, though two maps differ: order, data, and what nobody looked at who could see it.

use restage_site::{EdgeKind, NodeChange, Site, SiteUser, diff};
use sites::by_hand::{edge, node, page, remove, shop};

mod sites;

/// Catches: a change where there is none.
#[test]
fn the_same_map_has_no_changes() {
    for site in [shop(), sites::web_like(4, 200), sites::random(4, 100, 300), Site::default()] {
        let diff = diff(&site, &site);
        assert!(diff.is_empty(), "{diff}");
        assert_eq!(diff.to_string(), "no changes\n");
    }
}

/// Catches: the order in which a map was built as a change.
#[test]
fn another_order_is_no_change() {
    let (old, mut new) = (shop(), shop());
    new.nodes.reverse();
    new.edges.reverse();
    assert!(diff(&old, &new).is_empty(), "{}", diff(&old, &new));
}

/// Catches: the names of things as texts that changed: another book is recommended, a cart has other numbers, an order another one.
#[test]
fn data_is_no_change() {
    let (mut old, mut new) = (shop(), shop());
    for (site, book, count) in [(&mut old, "Small Weather", 0), (&mut new, "Vinegar and Time", 2)] {
        site.edges.push(edge("GET /", "GET /book/{n}", EdgeKind::Link, book));
        site.edges.push(edge("GET /", "GET /cart", EdgeKind::Link, &format!("Basket ({count})")));
        node(site, "GET /book/{n}").title = format!("{book} | The Shop");
        node(site, "GET /cart").title = format!("Your cart: {count} books | The Shop");
    }
    assert!(diff(&old, &new).is_empty(), "{}", diff(&old, &new));
    // Many texts that lead to one page name what it shows, also where two pages name the same thing.
    let pages = ["GET /", "GET /cart", "GET /account", "GET /help"];
    for (site, first) in [(&mut old, 'a'), (&mut new, 'e')] {
        for (place, from) in pages.into_iter().enumerate() {
            let letter = (first as u8 + (place / 2) as u8) as char;
            site.edges.push(edge(from, "GET /vote/{n}", EdgeKind::Link, &format!("{letter} book")));
            site.edges.push(edge(from, "GET /vote/{n}", EdgeKind::Link, &format!("another{letter} one")));
        }
    }
    assert!(diff(&old, &new).is_empty(), "{}", diff(&old, &new));
}

/// Catches: pages of an administrator as gone, because the new map was made as others.
#[test]
fn what_no_user_of_both_saw_is_not_known_to_be_gone() {
    let (mut old, new) = (shop(), shop());
    old.users.push(SiteUser { name: "s9".to_owned(), session: None, steps: 3 });
    old.nodes.push(page("GET /admin", "Administration"));
    for from in ["GET /", "GET /books", "GET /cart", "GET /help", "GET /account"] {
        old.edges.push(edge(from, "GET /admin", EdgeKind::Link, "Administration"));
    }
    old.edges.push(edge("GET /admin", "GET /", EdgeKind::Link, "Home"));
    let admin = ["s9".to_owned()];
    node(&mut old, "GET /admin").users = admin.clone().into();
    old.edges.iter_mut().rev().take(6).for_each(|edge| edge.users = admin.clone().into());
    let found = diff(&old, &new);
    assert_eq!((found.nodes.len(), found.shared_links.len()), (1, 0), "{found}");
    assert_eq!(
        (found.nodes[0].change, found.nodes[0].seen_only_by.as_slice()),
        (NodeChange::Went, &admin[..])
    );
    assert!(found.to_string().contains("only s9 saw it"), "{found}");
    // Where users are called otherwise, everything is compared.
    let mut others = new.clone();
    others.users.iter_mut().for_each(|user| user.name.push('x'));
    assert_eq!(diff(&old, &others).shared_links.len(), 1);
}

/// Catches: all that is on an error page as links that came, and all that was on the page as links that went.
#[test]
fn an_answer_of_another_kind_is_one_change() {
    let mut new = shop();
    let form = "POST /vote?book&rating";
    node(&mut new, form).status = Some(422);
    new.edges.retain(|edge| edge.from != form);
    new.edges.push(edge(form, "GET /help", EdgeKind::Link, "Help"));
    let found = diff(&shop(), &new);
    assert_eq!(found.nodes.len(), 1, "{found}");
    assert!(found.nodes[0].links.is_empty() && found.nodes[0].properties.len() == 1, "{found}");
    // Where a map does not say how it was answered, links are compared.
    node(&mut new, form).status = None;
    let found = diff(&shop(), &new);
    assert_eq!(found.nodes[0].links.len(), 2, "{found}");
    remove(&mut new, form);
    assert_eq!(diff(&shop(), &new).nodes[0].change, NodeChange::Went);
}
