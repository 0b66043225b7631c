//! Something that can be done on a page of the new version in place of what a user did.

use std::collections::BTreeSet;

use restage_browser::LoadedPage;
use restage_model::NewRequest;
use restage_site::repair::{Cause, Repair};

use super::{click, submit};
use crate::context::Context;
use crate::live::{LiveStep, Walk};
use crate::old::{Act, OldSession, OldStep};

/// What is less likely to be meant is not offered.
const LEAST: f64 = 0.4;
/// So many are looked at.
const MOST: usize = 8;

/// Something that can be done on a page.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// The request that it makes.
    pub(crate) request: NewRequest,
    /// The node of the form, where it is one.
    pub(crate) form: Option<String>,
    /// The names of the fields that are filled in.
    pub(crate) fields: BTreeSet<String>,
    /// How likely it is what the user did, from 0 to 1.
    pub(crate) score: f64,
    /// What is repaired by it.
    pub(crate) repairs: Vec<Repair>,
}

/// What is asked for: what a user did, on a page of the new version.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) context: &'a Context<'a>,
    pub(crate) session: &'a OldSession,
    /// The step of the old session.
    pub(crate) at: usize,
    pub(crate) walk: &'a Walk,
    /// The step of the walk whose page it is.
    pub(crate) page: usize,
}

impl<'a> Asked<'a> {
    pub(super) fn step(&self) -> &'a OldStep {
        &self.session.steps[self.at]
    }

    pub(super) fn live(&self) -> &'a LiveStep {
        &self.walk.steps[self.page]
    }

    pub(super) fn loaded(&self) -> Option<&'a LoadedPage> {
        self.live().answer.page.as_ref()
    }

    /// Whether the page is the one that the user was on, as it is now.
    pub(super) fn is_own_page(&self) -> bool {
        let from = self.step().from;
        from.is_some_and(|from| self.walk.page_of(from) == Some(self.page))
    }

    /// What the page that the user was on was called.
    pub(super) fn old_page(&self) -> String {
        let from = self.step().from.map(|from| self.session.steps[from].node.clone());
        from.unwrap_or_else(|| "the page before".to_owned())
    }

    /// That the page has it now, where another one had it.
    pub(super) fn moved(&self, what: &str, cause: Cause, sure: f64) -> Option<Repair> {
        if self.is_own_page() {
            return None;
        }
        let now = &self.live().node;
        let was = self.old_page();
        let text = match was == *now {
            true => format!("{now} has {what}"),
            false => format!("{was} no longer has {what}; {now} has it"),
        };
        Some(Repair::new(cause, self.at, text, sure))
    }
}

/// What can be done on a page in place of what a user did, the likeliest first.
pub(crate) fn offers(asked: Asked<'_>) -> Vec<Offer> {
    let mut found = match asked.step().act {
        Act::Form { .. } => submit::offers(asked),
        _ if !asked.step().is_get() => submit::offers(asked),
        Act::Resource | Act::Script => click::offers(asked),
        _ => {
            let mut found = click::offers(asked);
            found.extend(submit::buttons(asked));
            found
        }
    };
    found.retain(|offer| offer.score >= LEAST);
    // Stable: of equals, the first on the page.
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(MOST);
    found
}
