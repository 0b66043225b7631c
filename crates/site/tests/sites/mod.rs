//! Maps like those of real applications: hubs with lists, detail pages, forms that redirect, menus, kinds of users.

pub(crate) mod releases;

use std::collections::BTreeSet;

use fastrand::Rng;
use restage_site::{EdgeKind, NodeKind, Site, SiteEdge, SiteField, SiteNode, SiteUser};

const NOUNS: [&str; 40] = [
    "order",
    "book",
    "author",
    "invoice",
    "customer",
    "review",
    "ticket",
    "project",
    "milestone",
    "team",
    "photo",
    "album",
    "message",
    "thread",
    "report",
    "budget",
    "supplier",
    "shelf",
    "coupon",
    "wish",
    "address",
    "payment",
    "shipment",
    "return",
    "branch",
    "event",
    "venue",
    "speaker",
    "talk",
    "badge",
    "course",
    "lesson",
    "exam",
    "grade",
    "recipe",
    "meal",
    "plan",
    "device",
    "sensor",
    "alarm",
];
const VERBS: [&str; 12] = [
    "edit", "archive", "share", "export", "history", "print", "compare", "approve", "reject", "copy",
    "merge", "watch",
];
const FIELDS: [(&str, &str); 16] = [
    ("name", "text"),
    ("email", "email"),
    ("quantity", "number"),
    ("comment", "textarea"),
    ("date", "date"),
    ("price", "number"),
    ("category", "select"),
    ("agree", "checkbox"),
    ("file", "file"),
    ("phone", "tel"),
    ("street", "text"),
    ("city", "text"),
    ("country", "select"),
    ("password", "password"),
    ("isbn", "text"),
    ("rating", "radio"),
];

/// A map under construction.
struct Draft {
    site: Site,
    random: Rng,
}

impl Draft {
    fn page(&mut self, path: &str, title: &str, dynamic: bool, users: &[&str]) -> String {
        let id = format!("GET {path}");
        if self.site.node(&id).is_none() {
            self.site.nodes.push(SiteNode {
                id: id.clone(),
                dynamic,
                key: id.clone(),
                address: path.replace("{n}", "17"),
                status: (self.random.u8(..) > 10).then_some(if self.random.u8(..) > 8 { 200 } else { 404 }),
                title: format!("{title} – Example Works"),
                headings: vec![title.to_owned()],
                users: set(users),
                ..SiteNode::default()
            });
        }
        id
    }

    fn form(&mut self, path: &str, title: &str, users: &[&str]) -> String {
        let count = self.random.usize(1..6);
        let fields: Vec<SiteField> = (0..count)
            .map(|place| {
                let (name, control) = FIELDS[(self.random.usize(..FIELDS.len()) + place) % FIELDS.len()];
                let choices =
                    if control == "select" { vec!["a".to_owned(), "b".to_owned()] } else { Vec::new() };
                SiteField { name: name.to_owned(), control: control.to_owned(), choices }
            })
            .collect();
        let mut names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let id = format!("POST {path}?{}", names.join("&"));
        self.site.nodes.push(SiteNode {
            id: id.clone(),
            dynamic: true,
            kind: NodeKind::Form,
            key: id.clone(),
            address: path.replace("{n}", "17"),
            status: Some(302),
            title: title.to_owned(),
            fields,
            users: set(users),
            ..SiteNode::default()
        });
        id
    }

    fn edge(&mut self, from: &str, to: &str, kind: EdgeKind, label: &str, users: &[&str]) {
        self.site.edges.push(SiteEdge {
            from: from.to_owned(),
            to: to.to_owned(),
            kind,
            label: label.to_owned(),
            users: set(users),
            ..SiteEdge::default()
        });
    }
}

fn set(users: &[&str]) -> BTreeSet<String> {
    users.iter().map(|user| (*user).to_owned()).collect()
}

const ALL: &[&str] = &["anonymous", "customer", "clerk"];
const KNOWN: &[&str] = &["customer", "clerk"];
const CLERK: &[&str] = &["clerk"];

/// A map with about so many nodes: sections with lists, details and forms; menus of all pages and of the clerk's.
pub(crate) fn web_like(seed: u64, nodes: usize) -> Site {
    let site = Site { home: Some("GET /".to_owned()), ..Site::default() };
    let mut draft = Draft { site, random: Rng::with_seed(seed) };
    draft.site.users = ["anonymous", "customer", "clerk"]
        .map(|name| SiteUser { name: name.to_owned(), session: None, steps: 0 })
        .to_vec();
    let home = draft.page("/", "Welcome", true, ALL);
    let mut menu: Vec<(String, String)> = Vec::new();
    for (path, title) in [("/about", "About us"), ("/terms", "Terms"), ("/help", "Help and contact")] {
        menu.push((draft.page(path, title, false, ALL), title.to_owned()));
    }
    let find = draft.form("/find", "Find", ALL);
    let login = draft.form("/login", "Log in", &["anonymous"]);
    draft.edge(&home, &login, EdgeKind::Submit, "Log in", &["anonymous"]);
    draft.edge(&login, &home, EdgeKind::Redirect, "", &["anonymous"]);
    let sections = (nodes / 22).clamp(2, NOUNS.len());
    let (mut pages, mut clerks): (Vec<String>, Vec<String>) = (vec![home.clone()], Vec::new());
    let mut section = 0;
    let mut admin_menu: Vec<(String, String)> = Vec::new();
    while draft.site.nodes.len() < nodes {
        let noun = NOUNS[section % sections];
        let round = section / sections;
        let users = match section % 5 {
            3 => KNOWN,
            4 => CLERK,
            _ => ALL,
        };
        let base = if users == CLERK { format!("/admin/{noun}s") } else { format!("/{noun}s") };
        let base = if round == 0 { base } else { format!("{base}/archive-{round}") };
        let list = draft.page(&base, &format!("All {noun}s"), true, users);
        if users == CLERK {
            admin_menu.push((list.clone(), format!("{noun}s")));
        } else if menu.len() < 9 {
            menu.push((list.clone(), format!("{noun}s")));
        }
        let parent = if round == 0 || pages.len() < 4 {
            home.clone()
        } else {
            let at = draft.random.usize(..pages.len());
            pages[at].clone()
        };
        draft.edge(&parent, &list, EdgeKind::Link, &format!("{noun}s"), users);
        let mut own = vec![list.clone()];
        let detail = draft.page(&format!("{base}/{{n}}"), &format!("The {noun}"), true, users);
        draft.edge(&list, &detail, EdgeKind::Link, "Details", users);
        own.push(detail.clone());
        for _ in 0..draft.random.usize(1..8) {
            let verb = VERBS[draft.random.usize(..VERBS.len())];
            let page =
                draft.page(&format!("{base}/{{n}}/{verb}"), &format!("{verb} the {noun}"), true, users);
            draft.edge(&detail, &page, EdgeKind::Link, verb, users);
            draft.edge(&page, &detail, EdgeKind::Link, "Back", users);
            own.push(page);
        }
        for _ in 0..draft.random.usize(1..5) {
            let verb = VERBS[draft.random.usize(..VERBS.len())];
            let at = own[draft.random.usize(..own.len())].clone();
            let form = draft.form(&format!("{base}/{verb}"), &format!("{verb} {noun}"), users);
            draft.edge(&at, &form, EdgeKind::Submit, verb, users);
            let back = own[draft.random.usize(..own.len())].clone();
            draft.edge(&form, &back, EdgeKind::Redirect, "", users);
        }
        // Some cross references between sections.
        for _ in 0..3 {
            let from = own[draft.random.usize(..own.len())].clone();
            let to = pages[draft.random.usize(..pages.len())].clone();
            draft.edge(&from, &to, EdgeKind::Link, "See also", users);
        }
        if users == CLERK { &mut clerks } else { &mut pages }.extend(own);
        section += 1;
    }
    for (place, (to, label)) in menu.clone().into_iter().enumerate() {
        let _ = place;
        for from in pages.iter().chain(&clerks) {
            if *from != to {
                draft.edge(from, &to, EdgeKind::Link, &label, ALL);
            }
        }
    }
    for from in pages.iter().chain(&clerks) {
        draft.edge(from, &find, EdgeKind::Submit, "Find", ALL);
        draft.edge(from, &home, EdgeKind::Link, "Home", ALL);
    }
    for (to, label) in admin_menu {
        for from in clerks.iter().filter(|from| **from != to) {
            draft.edge(from, &to, EdgeKind::Link, &label, CLERK);
        }
    }
    for number in 0..nodes / 60 {
        draft.page(&format!("/old/page-{number}"), "A page that nothing leads to", false, ALL);
    }
    draft.site
}

/// A map without any order: each node leads to some others.
pub(crate) fn random(seed: u64, nodes: usize, edges: usize) -> Site {
    let mut random = Rng::with_seed(seed);
    let id = |number: usize| format!("GET /p{number}");
    let node = |number: usize| SiteNode {
        id: id(number),
        dynamic: number % 4 != 0,
        key: id(number),
        ..SiteNode::default()
    };
    let edge = |_| SiteEdge {
        from: id(random.usize(..nodes)),
        to: id(random.usize(..nodes)),
        ..SiteEdge::default()
    };
    Site {
        home: Some(id(0)),
        users: Vec::new(),
        nodes: (0..nodes).map(node).collect(),
        edges: (0..edges).map(edge).collect(),
    }
}
