//! What is found, as data.

use serde::Serialize;

use crate::correspondence::Reason;
use crate::site::{EdgeKind, NodeKind};

/// What a release changed in a map. Ids on the old side are the old map's, ids on the new side the new map's.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SiteDiff {
    /// Where users begin, where that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<PropertyDiff>,
    /// Kinds of users that came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub users_came: Vec<String>,
    /// Kinds of users that went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub users_went: Vec<String>,
    /// Links that changed in the same way on many pages, as those of a menu; they are not in `nodes`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared_links: Vec<SharedLinkDiff>,
    /// Pages and forms with what changed of each, the most important first.
    pub nodes: Vec<NodeDiff>,
}

/// What happened to a page or form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NodeChange {
    /// It is new.
    Came,
    /// It is gone.
    Went,
    /// It has another id: its path, its method or its fields changed.
    Renamed,
    /// It has the same id, and other pages lead to it than before.
    Moved,
    /// It is where it was; something of it changed.
    Changed,
}

/// What changed of a page or form.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeDiff {
    /// What happened to it.
    pub change: NodeChange,
    /// Whether it is a page or a form.
    pub kind: NodeKind,
    /// Its id in the old map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Its id in the new map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Its title; the new one, where it is in both.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Of one that came or went: the users that saw it, where the other map has none of them. Then it may well be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen_only_by: Vec<String>,
    /// Of one that was renamed: how sure that is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// And why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Of one that came or went: from where it is, or was, reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<Reached>,
    /// Where it was, and where it is, when none of the pages that led to it still does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Move>,
    /// What else changed of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyDiff>,
    /// Its fields, and parameters of its address.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterDiff>,
    /// What leads from it. Of a page that came or went, that is all its links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkDiff>,
}

/// From where a node is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reached {
    /// The first pages that lead to it.
    pub from: Vec<String>,
    /// How many do.
    pub pages: usize,
    /// By which text the first does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// Pages that led to a node, and pages that do now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Pages that led to it, in the old map.
    pub from: Vec<String>,
    /// Pages that lead to it, in the new map.
    pub to: Vec<String>,
}

/// A property that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropertyDiff {
    /// Which: `home`, `title`, `status`, `kind`, `dynamic`, `users`.
    pub property: &'static str,
    /// What it was.
    pub old: String,
    /// What it is.
    pub new: String,
}

/// What happened to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterChange {
    /// It is new.
    Came,
    /// It is gone.
    Went,
    /// It has another name.
    Renamed,
    /// It has the same name, and is another control or offers other values.
    Changed,
}

/// A field of a form, or a parameter of an address, that changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParameterDiff {
    /// What happened to it.
    pub change: ParameterChange,
    /// Whether a form has it as a field; otherwise it is in the address.
    pub is_field: bool,
    /// Its name in the old map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Its name in the new map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The kind of control that it was, or its place in the address.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub old_type: String,
    /// And that it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub new_type: String,
    /// Values that it offers now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices_came: Vec<String>,
    /// Values that it no longer offers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices_went: Vec<String>,
    /// Of one that was renamed: how sure that is, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// What happened to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkChange {
    /// It is gone.
    Went,
    /// It has the same text, and leads elsewhere.
    LeadsElsewhere,
    /// It is on another page than before.
    Moved,
    /// It leads to the same node by another text.
    Renamed,
    /// It is new.
    Came,
}

/// A link, a button, a redirect, a frame or a script's request that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LinkDiff {
    /// What happened to it.
    pub change: LinkChange,
    /// What it is.
    pub kind: EdgeKind,
    /// Its text in the old map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_label: Option<String>,
    /// Its text in the new map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_label: Option<String>,
    /// Where it led, in the old map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_to: Option<String>,
    /// Where it leads, in the new map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_to: Option<String>,
    /// Of one that moved: the page that it was on, in the old map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
}

/// A change of a link that many pages share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedLinkDiff {
    /// What changed.
    #[serde(flatten)]
    pub link: LinkDiff,
    /// The pages where it did: new ids, and old ones of pages that are gone.
    pub pages: Vec<String>,
}

impl SiteDiff {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.home.is_none()
            && self.users_came.is_empty()
            && self.users_went.is_empty()
            && self.shared_links.is_empty()
            && self.nodes.is_empty()
    }
}
