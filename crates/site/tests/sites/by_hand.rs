//! A small shop, drawn by hand, and ways to change it.

use restage_site::{
    EdgeKind, NodeKind, ParameterPlace, RequestTemplate, Site, SiteEdge, SiteField, SiteNode, SiteParameter,
    SiteUser,
};

pub(crate) fn page(id: &str, title: &str) -> SiteNode {
    SiteNode {
        id: id.to_owned(),
        key: id.to_owned(),
        dynamic: true,
        status: Some(200),
        title: format!("{title} | The Shop"),
        headings: vec![title.to_owned()],
        ..SiteNode::default()
    }
}

/// A form; its fields as `name:type`.
pub(crate) fn form(path: &str, title: &str, fields: &[&str]) -> SiteNode {
    let field = |field: &&str| {
        let (name, control) = field.split_once(':').unwrap_or((field, "text"));
        SiteField { name: name.to_owned(), control: control.to_owned(), choices: Vec::new() }
    };
    let fields: Vec<SiteField> = fields.iter().map(field).collect();
    let mut names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    names.sort_unstable();
    let id = format!("{path}?{}", names.join("&"));
    SiteNode { kind: NodeKind::Form, fields, ..page(&id, title) }
}

pub(crate) fn edge(from: &str, to: &str, kind: EdgeKind, label: &str) -> SiteEdge {
    SiteEdge {
        from: from.to_owned(),
        to: to.to_owned(),
        kind,
        label: label.to_owned(),
        ..SiteEdge::default()
    }
}

/// An edge whose request has these parameters in its query.
pub(crate) fn with_parameters(mut edge: SiteEdge, names: &[&str]) -> SiteEdge {
    let parameter = |name: &&str| SiteParameter {
        name: (*name).to_owned(),
        place: ParameterPlace::Query,
        ..SiteParameter::default()
    };
    edge.request = RequestTemplate {
        method: "GET".to_owned(),
        path: "/".to_owned(),
        parameters: names.iter().map(parameter).collect(),
        ..RequestTemplate::default()
    };
    edge
}

pub(crate) const CART: &str = "POST /cart/add?book&qty";
pub(crate) const FIND: &str = "GET /find?q";

/// A bookshop: a menu on every page, a list, a book, a cart, an account, and forms.
pub(crate) fn shop() -> Site {
    let nodes = vec![
        page("GET /", "Welcome"),
        page("GET /books", "All books"),
        page("GET /book/{n}", "Book details"),
        page("GET /cart", "Your cart"),
        page("GET /account", "Your account"),
        page("GET /help", "Help and contact"),
        page("GET /vote/{n}", "Vote for a book"),
        form("GET /find", "Search results", &["q:search"]),
        form("POST /cart/add", "Your cart", &["book:hidden", "qty:number"]),
        form("POST /checkout", "Thank you", &["street:text", "city:text", "card:text"]),
        form("POST /vote", "Thanks for voting", &["book:hidden", "rating:radio"]),
        form("POST /account/email", "Your account", &["email:email", "password:password"]),
    ];
    let pages =
        ["GET /", "GET /books", "GET /book/{n}", "GET /cart", "GET /account", "GET /help", "GET /vote/{n}"];
    let mut edges = Vec::new();
    for from in pages {
        for (to, label) in
            [("GET /", "Home"), ("GET /books", "Books"), ("GET /cart", "Cart"), ("GET /help", "Help")]
        {
            if from != to {
                edges.push(edge(from, to, EdgeKind::Link, label));
            }
        }
        edges.push(edge(from, FIND, EdgeKind::Submit, "Find"));
    }
    edges.extend([
        edge("GET /books", "GET /book/{n}", EdgeKind::Link, "Details"),
        edge("GET /", "GET /account", EdgeKind::Link, "Sign in"),
        edge("GET /book/{n}", CART, EdgeKind::Submit, "Add to cart"),
        edge("GET /book/{n}", "GET /vote/{n}", EdgeKind::Link, "Vote"),
        edge("GET /vote/{n}", "POST /vote?book&rating", EdgeKind::Submit, "Send vote"),
        edge("POST /vote?book&rating", "GET /book/{n}", EdgeKind::Redirect, ""),
        edge(CART, "GET /cart", EdgeKind::Redirect, ""),
        edge("GET /cart", "POST /checkout?card&city&street", EdgeKind::Submit, "Buy"),
        edge("GET /account", "POST /account/email?email&password", EdgeKind::Submit, "Change e-mail"),
        edge("POST /account/email?email&password", "GET /account", EdgeKind::Redirect, ""),
        edge(FIND, "GET /book/{n}", EdgeKind::Link, "Details"),
    ]);
    let user = |name: &str| SiteUser { name: name.to_owned(), session: None, steps: 0 };
    Site { home: Some("GET /".to_owned()), users: vec![user("anonymous"), user("s3")], nodes, edges }
}

/// Gives a node another id.
pub(crate) fn rename(site: &mut Site, old: &str, new: &str) {
    for node in site.nodes.iter_mut().filter(|node| node.id == old) {
        node.id = new.to_owned();
        node.key = new.to_owned();
    }
    for edge in &mut site.edges {
        for end in [&mut edge.from, &mut edge.to] {
            if end == old {
                *end = new.to_owned();
            }
        }
    }
    if site.home.as_deref() == Some(old) {
        site.home = Some(new.to_owned());
    }
}

pub(crate) fn remove(site: &mut Site, id: &str) {
    site.nodes.retain(|node| node.id != id);
    site.edges.retain(|edge| edge.from != id && edge.to != id);
}

pub(crate) fn node<'a>(site: &'a mut Site, id: &str) -> &'a mut SiteNode {
    site.nodes.iter_mut().find(|node| node.id == id).expect("the node is there")
}
