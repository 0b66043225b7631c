//! Every link of every release, from the home page on: for strangers, members and administrators.

use std::collections::{BTreeMap, BTreeSet};

use bookstore::Release;
use url::Url;

use crate::visitor::{TestShop, Visitor, shop};

/// The pages that every release has, and who finds a way to them.
const PAGES: [(Role, &[&str]); 3] = [
    (Role::Stranger, &["/about", "/help", "/cart", "/register", "/book/N", "/category/N"]),
    (Role::Member, &["/account", "/orders", "/orders/N", "/checkout"]),
    (
        Role::Admin,
        &[
            "/admin",
            "/admin/books",
            "/admin/books/new",
            "/admin/books/N",
            "/admin/categories",
            "/admin/members",
            "/admin/members/N",
            "/admin/orders",
        ],
    ),
];

/// What every release lets its users do, wherever the form for it is: some of the fields it takes.
const FUNCTIONS: [(Role, &[&str]); 16] = [
    (Role::Stranger, &["username", "password", "next"]),
    (Role::Stranger, &["username", "password", "repeated", "name", "email", "address", "terms"]),
    (Role::Stranger, &["book", "quantity", "gift"]),
    (Role::Stranger, &["title", "author", "category", "show", "sort", "details"]),
    (Role::Member, &["line", "quantity"]),
    (Role::Member, &["line"]),
    (Role::Member, &["address", "delivery", "payment", "note", "terms"]),
    (Role::Member, &["stars", "comment"]),
    (Role::Member, &["name", "email", "phone", "address", "country", "contact", "newsletter"]),
    (Role::Member, &["old", "password", "repeated"]),
    (Role::Admin, &["title", "author", "category", "price", "pages", "stock", "published", "blurb"]),
    (Role::Admin, &["name"]),
    (Role::Admin, &["name", "email", "role"]),
    (Role::Admin, &["status"]),
    // Buttons alone: logging out, deleting a book.
    (Role::Member, &["csrf"]),
    (Role::Admin, &["csrf"]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Stranger,
    Member,
    Admin,
}

/// What somebody finds who follows every link.
#[derive(Debug, Default)]
struct Found {
    /// Paths, with every number as `N`.
    pages: BTreeSet<String>,
    /// The fields of forms.
    forms: BTreeSet<Vec<String>>,
}

/// Follows every link that the visitor gets to see, each address once; panics at a link or file that the
/// shop does not answer, and at a form that is sent nowhere.
fn crawl(visitor: &mut Visitor, who: &str) -> Found {
    let home = visitor.url.join("/").unwrap();
    let mut found_on = BTreeMap::from([(home.to_string(), "the start".to_owned())]);
    let mut waiting = vec![home];
    let mut found = Found::default();
    let mut sent_to = BTreeSet::new();
    while let Some(url) = waiting.pop() {
        visitor.open(url.as_str());
        let from = &found_on[url.as_str()];
        assert!(visitor.status < 400, "{who}: {url} on {from}: {} {}", visitor.status, visitor.page.text);
        found.pages.insert(pattern(&url));
        let page = &visitor.page;
        found
            .forms
            .extend(page.forms.iter().map(|form| form.names().into_iter().map(str::to_owned).collect()));
        let links = page.links.iter().map(|link| &link.href).chain(&page.files);
        let searches = page.forms.iter().filter(|form| !form.is_post).map(|form| &form.action);
        let targets: Vec<Url> = links.chain(searches).map(|href| visitor.url.join(href).unwrap()).collect();
        let posts = page.forms.iter().filter(|form| form.is_post).map(|form| form.action.clone());
        for action in posts.filter(|action| sent_to.insert(action.clone())).collect::<Vec<_>>() {
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
    found
}

/// Somebody who is logged in, if the role asks for it, and has a book in the cart.
fn visitor(shop: &TestShop, release: Release, role: Role) -> Visitor {
    let mut visitor = shop.visitor();
    let (name, password) = match role {
        Role::Stranger => return visitor,
        Role::Member => ("ada", "lovelace"),
        Role::Admin => ("admin", "admin"),
    };
    if release == Release::R1 {
        visitor.open("/login");
    }
    visitor.submit("login", &[("username", name), ("password", password)]).is_at("/", 200);
    visitor.open("/book/9").submit("add", &[]).is_at("/cart", 200);
    visitor
}

fn pattern(url: &Url) -> String {
    let parts = url.path().split('/').map(|part| if part.parse::<i64>().is_ok() { "N" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn no_link_of_any_release_leads_nowhere_and_nothing_is_out_of_reach() {
    for release in Release::all() {
        let shop = shop(release.number());
        for role in [Role::Stranger, Role::Member, Role::Admin] {
            let who = format!("release {}, {role:?}", release.number());
            let found = crawl(&mut visitor(&shop, release, role), &who);
            println!("{who}: {} pages, {} forms", found.pages.len(), found.forms.len());
            for page in PAGES.iter().filter(|(whose, _)| *whose == role).flat_map(|(_, pages)| *pages) {
                assert!(found.pages.contains(*page), "{who}: no way to {page}: {:#?}", found.pages);
            }
            for (_, fields) in FUNCTIONS.iter().filter(|(whose, _)| *whose == role) {
                let fits =
                    |form: &Vec<String>| fields.iter().all(|field| form.iter().any(|name| name == field));
                assert!(found.forms.iter().any(fits), "{who}: no form of {fields:?}: {:#?}", found.forms);
            }
        }
    }
}
