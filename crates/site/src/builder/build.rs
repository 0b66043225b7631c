//! Nodes and edges, put together.

use std::collections::{HashMap, HashSet};

use restage_browser::LoadedPage;
use restage_model::KeyRules;

use crate::builder::contents::{Contents, is_dynamic};
use crate::builder::naming::{FormTarget, form_targets, link_node, readable};
use crate::builder::resources::computed_resources;
use crate::builder::seen::Seen;
use crate::builder::template::site_fields;
use crate::site::{
    EdgeKind, NodeKind, RequestTemplate, SeenBy, Site, SiteEdge, SiteField, SiteNode, SiteUser, ValueSource,
};

/// So many headings of a page are kept.
pub(crate) const HEADINGS: usize = 5;
/// So many choices of a field are kept.
const CHOICES: usize = 50;
/// So many buttons of one form are ways of their own from one page.
const BUTTONS: usize = 8;

/// Puts a map together.
#[derive(Debug)]
pub struct SiteBuilder {
    rules: KeyRules,
    home: Option<String>,
    users: Vec<SiteUser>,
    nodes: Vec<SiteNode>,
    by_id: HashMap<String, usize>,
    edges: Vec<SiteEdge>,
    edge_by: HashMap<EdgeName, usize>,
    /// Nodes that log somebody in or out, and who she is afterwards.
    changes: HashMap<String, String>,
    /// What is known of the answers of a node, by its place.
    contents: HashMap<usize, Contents>,
    /// Nodes that are left out unless somebody was there.
    left_out: HashSet<String>,
}

/// Where an edge begins, where it leads, what it is, and what is clicked where that matters.
type EdgeName = (usize, usize, EdgeKind, String);

impl SiteBuilder {
    /// An empty map, whose pages are named by these rules.
    pub fn new(rules: KeyRules) -> Self {
        Self {
            rules,
            home: None,
            users: Vec::new(),
            nodes: Vec::new(),
            by_id: HashMap::new(),
            edges: Vec::new(),
            edge_by: HashMap::new(),
            changes: HashMap::new(),
            contents: HashMap::new(),
            left_out: HashSet::new(),
        }
    }

    /// How its pages are named.
    pub fn rules(&self) -> &KeyRules {
        &self.rules
    }

    /// Users begin from this node, unless it is known already where they do.
    pub fn set_home(&mut self, id: &str) {
        self.node(id, id);
        self.home.get_or_insert_with(|| id.to_owned());
    }

    /// A kind of user.
    pub fn add_user(&mut self, user: SiteUser) {
        if !self.users.iter().any(|known| known.name == user.name) {
            self.users.push(user);
        }
    }

    /// Whether a node was ever asked for.
    pub fn is_visited(&self, id: &str) -> bool {
        self.by_id.get(id).is_some_and(|&at| self.nodes[at].status.is_some())
    }

    /// The fields of a form, as far as it is known.
    pub fn fields(&self, id: &str) -> &[SiteField] {
        self.by_id.get(id).map_or(&[], |&at| &self.nodes[at].fields)
    }

    /// How many nodes and edges there are so far.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.edges.len())
    }

    /// Takes in a request and its answer, with all that its page leads to.
    pub fn see(&mut self, seen: &Seen<'_>) {
        let at = self.node(seen.node, seen.uri);
        self.mark(at, seen);
        let node = &mut self.nodes[at];
        let better = node.status.is_none_or(|status| status >= 400 && seen.status < 400);
        if better {
            node.status = Some(seen.status);
            node.address = seen.uri.to_owned();
        }
        if let Some(page) = seen.page
            && (better || node.title.is_empty())
        {
            node.title = readable(&page.page().title);
            node.headings = seen.headings.iter().take(HEADINGS).map(|heading| readable(heading)).collect();
        }
        let contents = self.contents.entry(at).or_default();
        contents.answers += 1;
        contents.files += usize::from(seen.is_file);
        if contents.digests.len() < 2 {
            contents.digests.insert(seen.digest);
        }
        contents.has_form |= seen.page.is_some_and(|page| !page.forms().is_empty());
        if let Some(redirect) = seen.redirect {
            let to = link_node(&self.rules, redirect);
            let request = RequestTemplate::of_address(&self.rules, "GET", redirect);
            self.edge(seen, (&to, redirect), (EdgeKind::Redirect, ""), String::new(), request);
        }
        if let Some(page) = seen.page {
            self.see_links(seen, page);
            self.see_forms(seen, page);
        }
    }

    /// A session went this way, whatever led it there: a script's request.
    pub fn see_script(&mut self, seen: &Seen<'_>, to: &str, method: &str, uri: &str) {
        let request = RequestTemplate::of_address(&self.rules, method, uri);
        self.edge(seen, (to, uri), (EdgeKind::Script, ""), String::new(), request);
    }

    /// Notes where the values of a form came from when it was filled in, by the names of its parameters.
    pub fn note_sources(&mut self, node: &str, sources: &[(String, ValueSource)]) {
        let Some(&to) = self.by_id.get(node) else { return };
        for (name, &edge) in &self.edge_by {
            if name.1 == to && name.2 == EdgeKind::Submit {
                for parameter in &mut self.edges[edge].request.parameters {
                    if let Some((_, from)) = sources.iter().find(|(name, _)| *name == parameter.name) {
                        parameter.from = *from;
                    }
                }
            }
        }
    }

    /// Notes that whoever goes to a node is somebody else afterwards.
    pub fn note_change(&mut self, to: &str, becomes: &str) {
        self.changes.insert(to.to_owned(), becomes.to_owned());
    }

    /// Leaves a node out, unless somebody is there or a session shows it: one of endlessly many that lead nowhere.
    pub fn leave_out(&mut self, id: String) {
        self.left_out.insert(id);
    }

    /// The map so far.
    pub fn finish(mut self) -> Site {
        for (at, node) in self.nodes.iter_mut().enumerate() {
            node.dynamic = is_dynamic(node, self.contents.get(&at));
        }
        for edge in &mut self.edges {
            edge.becomes = self.changes.get(&edge.to).cloned();
        }
        let is_out = |node: &SiteNode| {
            node.status.is_none()
                && !node.seen_by.contains(&SeenBy::Sessions)
                && self.left_out.contains(&node.id)
        };
        let out: HashSet<String> =
            self.nodes.iter().filter(|node| is_out(node)).map(|node| node.id.clone()).collect();
        self.nodes.retain(|node| !out.contains(&node.id));
        self.edges.retain(|edge| !out.contains(&edge.to));
        Site { home: self.home, users: self.users, nodes: self.nodes, edges: self.edges }
    }

    fn see_links(&mut self, seen: &Seen<'_>, page: &LoadedPage) {
        for link in page.links() {
            // A place on the same page, a script, an address of another kind: nothing is asked for.
            if link.href.is_empty() || link.href.starts_with('#') || has_other_scheme(&link.href) {
                continue;
            }
            let Some(uri) = page.uri(&link.href) else { continue };
            let to = link_node(&self.rules, &uri);
            let kind = if link.frame { EdgeKind::Frame } else { EdgeKind::Link };
            let request = RequestTemplate::of_address(&self.rules, "GET", &uri);
            self.edge(seen, (&to, &uri), (kind, ""), link.text.clone(), request);
        }
        for uri in computed_resources(page) {
            let to = link_node(&self.rules, &uri);
            let request = RequestTemplate::of_address(&self.rules, "GET", &uri);
            self.edge(seen, (&to, &uri), (EdgeKind::Frame, ""), String::new(), request);
        }
    }

    fn see_forms(&mut self, seen: &Seen<'_>, page: &LoadedPage) {
        let rules = self.rules.clone();
        for target in form_targets(&rules, page) {
            let request = RequestTemplate::of_form(&rules, &target);
            let uri = restage_browser::request_uri(&target.url);
            let label = target.button.map(|button| button.text.clone()).unwrap_or_default();
            // What the only button of a form is called may be data: a user's name, say.
            let told = if target.form.buttons.len() > 1 { label.clone() } else { String::new() };
            let to = target.node.clone();
            self.edge(seen, (&to, &uri), (EdgeKind::Submit, &told), label, request);
            let at = self.node(&to, &uri);
            self.add_fields(at, &target);
        }
    }

    fn add_fields(&mut self, at: usize, target: &FormTarget<'_>) {
        let node = &mut self.nodes[at];
        node.kind = NodeKind::Form;
        for field in site_fields(target.form) {
            match node.fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => add_choices(known, field.choices),
                None => node
                    .fields
                    .push(SiteField { choices: field.choices.into_iter().take(CHOICES).collect(), ..field }),
            }
        }
    }

    /// A node's place; it is made where it is not there yet.
    fn node(&mut self, id: &str, uri: &str) -> usize {
        if let Some(&at) = self.by_id.get(id) {
            return at;
        }
        let at = self.nodes.len();
        self.nodes.push(SiteNode {
            id: id.to_owned(),
            key: id.to_owned(),
            address: uri.to_owned(),
            ..SiteNode::default()
        });
        self.by_id.insert(id.to_owned(), at);
        at
    }

    fn mark(&mut self, at: usize, seen: &Seen<'_>) {
        let node = &mut self.nodes[at];
        if !node.users.contains(seen.user) {
            node.users.insert(seen.user.to_owned());
        }
        if seen.by == SeenBy::Spider {
            let is_first = !node.seen_by.contains(&SeenBy::Spider);
            node.tried = seen.tried && (is_first || node.tried);
        }
        node.seen_by.insert(seen.by);
    }

    /// An edge from what was seen to a node at an address. Many links lead to pages of one kind, and are one edge; `told` tells those
    /// apart that are not.
    fn edge(
        &mut self,
        seen: &Seen<'_>,
        (to, uri): (&str, &str),
        (kind, told): (EdgeKind, &str),
        label: String,
        request: RequestTemplate,
    ) {
        let from = self.node(seen.node, seen.uri);
        let to_at = self.node(to, uri);
        self.mark(to_at, seen);
        let name = (from, to_at, kind, told.to_owned());
        let known = match self.edge_by.get(&name) {
            Some(&known) => known,
            None if kind == EdgeKind::Submit && self.buttons(from, to_at) >= BUTTONS => return,
            None => {
                self.edges.push(SiteEdge {
                    from: seen.node.to_owned(),
                    to: to.to_owned(),
                    kind,
                    label: readable(&label),
                    request,
                    after: seen.after.to_vec(),
                    ..SiteEdge::default()
                });
                self.edge_by.insert(name, self.edges.len() - 1);
                self.edges.len() - 1
            }
        };
        let edge = &mut self.edges[known];
        if seen.after.len() < edge.after.len() {
            edge.after = seen.after.to_vec();
        }
        if !edge.users.contains(seen.user) {
            edge.users.insert(seen.user.to_owned());
        }
        edge.seen_by.insert(seen.by);
    }

    fn buttons(&self, from: usize, to: usize) -> usize {
        let (from, to) = (&self.nodes[from].id, &self.nodes[to].id);
        let between =
            |edge: &&SiteEdge| edge.kind == EdgeKind::Submit && edge.from == *from && edge.to == *to;
        self.edges.iter().filter(between).take(BUTTONS).count()
    }
}

/// Whether an address asks for something that no server of the site answers.
fn has_other_scheme(address: &str) -> bool {
    let Some((scheme, _)) = address.split_once(':') else { return false };
    let is_scheme = scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    is_scheme && !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https")
}

fn add_choices(known: &mut SiteField, choices: Vec<String>) {
    for choice in choices {
        if known.choices.len() < CHOICES && !known.choices.contains(&choice) {
            known.choices.push(choice);
        }
    }
}

#[cfg(test)]
mod tests {
    use restage_html::Page;
    use url::Url;

    use super::*;
    use crate::site::ANONYMOUS;

    fn see(builder: &mut SiteBuilder, user: &str, node: &str, uri: &str, html: &str) {
        let url = Url::parse(&format!("http://shop.example{uri}")).unwrap();
        let page = LoadedPage::new(url, Page::of(html.as_bytes()));
        builder.see(&Seen {
            user,
            by: SeenBy::Spider,
            tried: false,
            node,
            uri,
            status: 200,
            redirect: None,
            page: Some(&page),
            headings: &[],
            after: &[],
            digest: html.len() as u64,
            is_file: false,
        });
    }

    /// Catches: a page of each book, a link out of the site, a link to a place on the page as a way.
    #[test]
    fn pages_that_differ_in_data_are_one_and_the_site_ends_where_it_ends() {
        let mut builder = SiteBuilder::new(KeyRules::default());
        builder.set_home("GET /");
        let home = "<a href=/book/1>A</a><a href=/book/2>B</a><a href=#top>x</a><a href='javascript:go()'>x</a>\
                    <a href=https://other.example/>x</a><form action=/find><input name=q></form>";
        see(&mut builder, ANONYMOUS, "GET /", "/", home);
        see(&mut builder, "s1", "GET /book/{n}", "/book/1", "<title>A</title><a href=/>home</a>");
        let site = builder.finish();
        let ids: Vec<&str> = site.nodes.iter().map(|node| node.id.as_str()).collect();
        assert_eq!(ids, ["GET /", "GET /book/{n}", "GET /find?q"]);
        let edges: Vec<(&str, &str, EdgeKind)> =
            site.edges.iter().map(|e| (e.from.as_str(), e.to.as_str(), e.kind)).collect();
        assert_eq!(
            edges,
            [
                ("GET /", "GET /book/{n}", EdgeKind::Link),
                ("GET /", "GET /find?q", EdgeKind::Submit),
                ("GET /book/{n}", "GET /", EdgeKind::Link)
            ]
        );
        assert_eq!(site.node("GET /find?q").unwrap().kind, NodeKind::Form);
        assert_eq!(site.edges[2].users, ["s1".to_owned()].into());
        assert_eq!(site.node("GET /book/{n}").unwrap().title, "A");
    }

    /// Catches: a map that consists of what was passed over, or has ways to pages that are not in it.
    #[test]
    fn what_is_left_out_takes_its_ways_with_it() {
        let mut builder = SiteBuilder::new(KeyRules::default());
        see(&mut builder, ANONYMOUS, "GET /", "/", "<a href=/x/a>a</a><a href=/x/b>b</a>");
        see(&mut builder, ANONYMOUS, "GET /x/b", "/x/b", "<a href=/>home</a>");
        builder.leave_out("GET /x/a".to_owned());
        builder.leave_out("GET /x/b".to_owned());
        let site = builder.finish();
        assert_eq!(site.nodes.iter().map(|node| node.id.as_str()).collect::<Vec<_>>(), ["GET /", "GET /x/b"]);
        assert_eq!(site.edges.len(), 2);
    }

    /// Catches: a page that shows the same to all as one that the server computes, or the other way round.
    #[test]
    fn a_page_is_static_where_it_was_the_same_every_time() {
        let mut builder = SiteBuilder::new(KeyRules::default());
        for (node, bodies) in [("GET /about", ["same", "same"]), ("GET /", ["one", "other one"])] {
            for body in bodies {
                see(&mut builder, ANONYMOUS, node, node.trim_start_matches("GET "), body);
            }
        }
        see(&mut builder, ANONYMOUS, "GET /once", "/once", "once");
        let site = builder.finish();
        let dynamic = |id: &str| site.node(id).unwrap().dynamic;
        assert!(!dynamic("GET /about") && dynamic("GET /") && dynamic("GET /once"));
    }
}
