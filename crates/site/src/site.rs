//! The map of an application as restage builds it: what a page is, what leads where, and how the request for it is made.
//!
//! A node is what one request leads to. A *page* is known by its key, so that pages that differ only in data are one; a *form* by the page
//! that it is sent to and the names of its fields, so that two forms that are sent to one address are two (paper 5, section 3.1).
//! Where the form stands is an edge: from each page that has it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The map of an application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The id of the node that users begin from.
    pub home: Option<String>,
    /// The kinds of users that it was seen as.
    pub users: Vec<SiteUser>,
    /// Its pages and forms.
    pub nodes: Vec<SiteNode>,
    /// What leads from one to another.
    pub edges: Vec<SiteEdge>,
}

/// Who nobody is: a user that is not logged in.
pub const ANONYMOUS: &str = "anonymous";

/// A kind of user: what she can reach tells her from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteUser {
    /// What she is called: `anonymous`, or the session that shows how she logs in.
    pub name: String,
    /// The recorded session whose first steps log her in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How many of its steps do.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub steps: usize,
}

/// What a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NodeKind {
    /// A page.
    #[default]
    Page,
    /// A form that is sent.
    Form,
}

/// Who has seen a part of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeenBy {
    /// A recorded session.
    Sessions,
    /// The spider.
    Spider,
}

/// A page, or a form of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteNode {
    /// Its name: the key of its request; of a form, with its fields' names.
    pub id: String,
    /// Whether the server computes it.
    pub dynamic: bool,
    /// Whether it is a page or a form.
    #[serde(default)]
    pub kind: NodeKind,
    /// The key of its request: `GET /book/{n}`, `POST /cart/add?book&quantity`.
    #[serde(default)]
    pub key: String,
    /// The address of one request for it.
    #[serde(default)]
    pub address: String,
    /// The status of its answer; none where it was seen from afar only: a link leads there, and nobody went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The title of its answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The headings of its answer, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    /// Of a form: its fields, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<SiteField>,
    /// For whom it is there.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub users: BTreeSet<String>,
    /// Who has seen it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub seen_by: BTreeSet<SeenBy>,
    /// Whether the spider found it only by trying what sessions' scripts and users sent: links and forms alone did not lead it there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tried: bool,
}

/// A field of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteField {
    /// Its name.
    pub name: String,
    /// What kind of control it is: `hidden`, `select`, `radio`, `checkbox`, `file`, `submit`, or the type of an input: `text`, `email`, ….
    #[serde(rename = "type")]
    pub control: String,
    /// The values that it offers, where it enumerates them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}

/// What an edge is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EdgeKind {
    /// A link that is clicked.
    #[default]
    Link,
    /// A form that is sent.
    Submit,
    /// The answer sends the browser there.
    Redirect,
    /// A frame, which the browser asks for by itself.
    Frame,
    /// A script's request, which a session showed.
    Script,
}

/// A way from one node to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteEdge {
    /// The id of the node where it begins.
    pub from: String,
    /// The id of the node where it leads.
    pub to: String,
    /// What it is.
    #[serde(default)]
    pub kind: EdgeKind,
    /// What is clicked: the link's text, or the button's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// How its request is made.
    #[serde(default)]
    pub request: RequestTemplate,
    /// For whom it is there.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub users: BTreeSet<String>,
    /// The forms that had been sent, one after another, where it was first seen: it may not be there before. Empty where nothing had been
    /// sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Who the user is afterwards, where that changes: she logs in or out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
    /// Who has seen it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub seen_by: BTreeSet<SeenBy>,
}

/// How a request is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestTemplate {
    /// `GET`, `POST`, ….
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub method: String,
    /// Its path, with a name in braces for each part that is a value: `/book/{n}`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The media type of its body, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// What it carries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<SiteParameter>,
}

/// Where in a request a parameter is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParameterPlace {
    /// A part of its path.
    Path,
    /// Its query.
    #[default]
    Query,
    /// Its body.
    Body,
}

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueSource {
    /// The page before it has it, in a link or a hidden field: it is taken from the live page.
    #[default]
    Page,
    /// A session sent it for this form: the parameter look-up table.
    Form,
    /// A session sent it for a parameter of this name elsewhere.
    Name,
    /// The form enumerates it.
    Choice,
    /// The constant value table has it, for the field's type and name.
    Constant,
}

/// A parameter of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteParameter {
    /// Its name; of a part of a path, what stands before it.
    pub name: String,
    /// Where it is.
    #[serde(rename = "in", default)]
    pub place: ParameterPlace,
    /// Where its value comes from.
    #[serde(default)]
    pub from: ValueSource,
    /// A value that it had. Secrets are covered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
}

impl Site {
    /// A node, by its id.
    pub fn node(&self, id: &str) -> Option<&SiteNode> {
        self.nodes.iter().find(|node| node.id == id)
    }

    /// The edges that leave a node.
    pub fn edges_from<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a SiteEdge> {
        self.edges.iter().filter(move |edge| edge.from == id)
    }
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
