//! Every link of every release, from the home page on: for strangers, members and administrators.

use std::collections::{BTreeMap, BTreeSet};

use bookstore::Release;
use url::Url;

use crate::visitor::{Visitor, shop};

/// Follows every link that the visitor gets to see, each address once; panics at a link or file that the
/// shop does not answer, and at a form that is sent nowhere. Returns the addresses met, with every number as `N`.
fn crawl(visitor: &mut Visitor, who: &str) -> BTreeSet<String> {
    let home = visitor.url.join("/").unwrap();
    let mut found_on = BTreeMap::from([(home.to_string(), "the start".to_owned())]);
    let mut waiting = vec![home];
    let mut met = BTreeSet::new();
    let mut sent_to = BTreeSet::new();
    while let Some(url) = waiting.pop() {
        visitor.open(url.as_str());
        let from = &found_on[url.as_str()];
        assert!(visitor.status < 400, "{who}: {url} on {from}: {} {}", visitor.status, visitor.page.text);
        met.insert(pattern(&url));
        let links = visitor.page.links.iter().map(|link| &link.href).chain(&visitor.page.files);
        let forms = visitor.page.forms.iter().filter(|form| !form.is_post).map(|form| &form.action);
        let targets: Vec<Url> = links.chain(forms).map(|href| visitor.url.join(href).unwrap()).collect();
        let posts = visitor.page.forms.iter().filter(|form| form.is_post);
        let posts: Vec<String> = posts.map(|form| form.action.clone()).collect();
        for action in posts.into_iter().filter(|action| sent_to.insert(action.clone())) {
            // What only takes forms says so; what is not there is not found.
            visitor.open(&action);
            let answered = visitor.status < 400 || visitor.status == 405;
            assert!(answered, "{who}: a form on {url} is sent to {action}: {}", visitor.status);
        }
        for mut target in targets {
            target.set_fragment(None);
            assert_eq!(target.host(), url.host(), "{who}: {target} on {url} leads out of the shop");
            if !found_on.contains_key(target.as_str()) {
                found_on.insert(target.to_string(), url.to_string());
                waiting.push(target);
            }
        }
    }
    met
}

fn pattern(url: &Url) -> String {
    let parts = url.path().split('/').map(|part| if part.parse::<i64>().is_ok() { "N" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn no_link_of_any_release_leads_nowhere() {
    for release in Release::all() {
        let shop = shop(release.number());
        let (mut stranger, mut member, mut admin) = (shop.visitor(), shop.visitor(), shop.visitor());
        for (visitor, name, password) in [(&mut member, "ada", "lovelace"), (&mut admin, "admin", "admin")] {
            if release == Release::R1 {
                visitor.open("/login");
            }
            visitor.submit("login", &[("username", name), ("password", password)]).is_at("/", 200);
        }
        // Something in the cart, so that its links are there, too.
        member.open("/book/9").submit("add", &[]);
        let who = |role: &str| format!("release {}, {role}", release.number());
        let (strangers, members, admins) = (
            crawl(&mut stranger, &who("stranger")),
            crawl(&mut member, &who("member")),
            crawl(&mut admin, &who("admin")),
        );
        println!("{}: {} {} {}", release.number(), strangers.len(), members.len(), admins.len());
        for page in ["/about", "/help", "/cart", "/register", "/book/N", "/category/N"] {
            assert!(strangers.contains(page), "release {}: {page} of {strangers:?}", release.number());
        }
        for page in ["/account", "/orders", "/orders/N", "/checkout"] {
            assert!(members.contains(page), "release {}: {page} of {members:?}", release.number());
        }
        for page in [
            "/admin",
            "/admin/books",
            "/admin/books/new",
            "/admin/books/N",
            "/admin/categories",
            "/admin/members",
            "/admin/members/N",
            "/admin/orders",
        ] {
            assert!(admins.contains(page), "release {}: {page} of {admins:?}", release.number());
        }
    }
}
