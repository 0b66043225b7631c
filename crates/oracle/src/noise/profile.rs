//! What is known of each page: which parts vary, and the strictest oracle that does not fail for them.

use std::collections::BTreeSet;

use restage_model::Key;
use serde::{Deserialize, Serialize};

use super::mask::Mask;
use crate::oracles::rules::KeyPattern;

/// What is known of the pages of an application.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Page by page; all that match a key apply to it.
    #[serde(default, rename = "page")]
    pub pages: Vec<PageProfile>,
}

/// What is known of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PageProfile {
    /// Which pages: a key, or a pattern in which `*` stands for anything.
    pub key: KeyPattern,
    /// Whether it stays as it is when the profile is learnt anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
    /// The strictest oracle that sees no difference between runs of the same version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oracle: Option<String>,
    /// The headers that vary.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub headers: BTreeSet<String>,
    /// The parts that vary.
    #[serde(default, rename = "mask", skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<Mask>,
}

impl PageProfile {
    /// Takes over the examples of the masks that were known before.
    pub fn keep_examples(&mut self, before: &Self) {
        for mask in &mut self.masks {
            let same =
                |old: &&Mask| old.at == mask.at && old.part == mask.part && old.sessions == mask.sessions;
            if let Some(old) = before.masks.iter().find(same) {
                mask.seen.clone_from(&old.seen);
            }
        }
    }
}

impl Profile {
    /// The masks of a page.
    pub(crate) fn masks<'p>(&'p self, key: &Key) -> Vec<&'p Mask> {
        self.of(key).flat_map(|page| &page.masks).collect()
    }

    /// The headers of a page that vary.
    pub(crate) fn headers(&self, key: &Key) -> BTreeSet<String> {
        self.of(key).flat_map(|page| page.headers.iter().map(|name| name.to_ascii_lowercase())).collect()
    }

    /// Whether it says anything of a page in particular: of others, what varies is still to be learnt.
    pub(crate) fn knows(&self, key: &Key) -> bool {
        self.of(key).any(|page| page.key != KeyPattern::new("*"))
    }

    fn of(&self, key: &Key) -> impl Iterator<Item = &PageProfile> {
        self.pages.iter().filter(|page| page.key.matches(key))
    }
}
