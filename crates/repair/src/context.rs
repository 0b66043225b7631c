//! What all sessions of a repair share.

use std::collections::HashSet;

use restage_model::KeyRules;
use restage_site::repair::Planner;
use restage_site::{ConstantTable, LookupTable, NodeIndex, SiteNode};

use crate::intent::WordWeights;

/// Where new forms are filled in from, and what the versions are known by.
pub(crate) struct Context<'a> {
    /// How pages are named.
    pub(crate) rules: &'a KeyRules,
    /// The maps of both versions.
    pub(crate) planner: &'a Planner<'a>,
    /// What sessions sent.
    pub(crate) lookup: &'a LookupTable,
    /// What is typed where no session sent anything.
    pub(crate) constants: &'a ConstantTable,
    /// Which words tell pages apart.
    pub(crate) weights: WordWeights,
    /// The nodes of pages on which the old version asked for a password.
    pub(crate) login_pages: HashSet<String>,
}

impl Context<'_> {
    /// What a node of the old version is on the new one, the best guess first.
    pub(crate) fn counterparts(&self, old: &str) -> Vec<(NodeIndex, f64)> {
        self.planner.counterparts(old)
    }

    /// How sure it is that a new node is what an old one was; none where nothing says so.
    pub(crate) fn sameness(&self, old: &str, new: &str) -> Option<f64> {
        let place = self.planner.network().place(new);
        let known = self.counterparts(old).into_iter().find(|(node, _)| Some(*node) == place);
        known.map(|(_, sure)| sure).or_else(|| (old == new).then_some(1.0))
    }

    /// Whether the new version has nothing that an old node could be, as far as its map tells.
    pub(crate) fn is_gone(&self, old: &str) -> bool {
        self.counterparts(old).is_empty()
    }

    /// A node of the new map.
    pub(crate) fn node(&self, place: NodeIndex) -> &SiteNode {
        self.planner.network().node(place)
    }

    /// Whether users log in on a page of this node: as on the old version, and nothing else is known of it.
    pub(crate) fn is_login_page(&self, node: &str) -> bool {
        self.login_pages.contains(node)
    }
}
