//! What is known of the answers of a node, and whether the server computes it.

use std::collections::BTreeSet;

use crate::site::{NodeKind, SiteNode};

/// What is known of the answers of a node.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) digests: BTreeSet<u64>,
    pub(crate) answers: usize,
    pub(crate) files: usize,
    pub(crate) has_form: bool,
}

/// Whether the server computes a node. What is sent something, or asks for something, or looked different once, is; what a server
/// calls a file, or was the same every time, is not.
pub(crate) fn is_dynamic(node: &SiteNode, contents: Option<&Contents>) -> bool {
    if node.kind == NodeKind::Form
        || node.key.contains('?')
        || node.key.contains('{')
        || !node.key.starts_with("GET ")
    {
        return true;
    }
    let Some(contents) = contents else { return true };
    let always_same = contents.digests.len() == 1;
    contents.has_form || !always_same || !(contents.files == contents.answers || contents.answers > 1)
}
