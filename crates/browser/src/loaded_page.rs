//! A page at its address, with the links and forms that it offers.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use restage_html::{Form, Link, Page};
use url::Url;

use crate::address::{local_uri, target};

/// A page at its address. Where its links and forms lead is found out when it is asked for, once.
#[derive(Debug)]
pub struct LoadedPage {
    url: Url,
    page: Page,
    form_targets: OnceLock<Vec<Option<Url>>>,
    leads_to: OnceLock<HashSet<u64>>,
}

impl LoadedPage {
    /// A page that was answered for an address.
    pub fn new(url: Url, page: Page) -> Self {
        Self { url, page, form_targets: OnceLock::new(), leads_to: OnceLock::new() }
    }

    /// Its address.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// What is on it.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// What can be clicked.
    pub fn links(&self) -> &[Link] {
        &self.page.links
    }

    /// What it makes a browser ask for: images, scripts, styles.
    pub fn resources(&self) -> &[Link] {
        &self.page.resources
    }

    /// What can be filled in.
    pub fn forms(&self) -> &[Form] {
        &self.page.forms
    }

    /// The path and query that an address on it leads to; none where it leads out.
    pub fn uri<'a>(&self, address: &'a str) -> Option<Cow<'a, str>> {
        local_uri(&self.url, self.page.base.as_deref(), address)
    }

    /// Where its forms lead, in their order.
    pub fn form_targets(&self) -> &[Option<Url>] {
        self.form_targets.get_or_init(|| {
            let base = self.page.base.as_deref();
            self.page.forms.iter().map(|f| target(&self.url, base, &f.action)).collect()
        })
    }

    /// Whether it may have a link to an address, or show something there. Told by hashes, so that a request that nothing
    /// led to is not compared with every link of every page before it.
    pub fn may_lead_to(&self, uri: &str) -> bool {
        let hashes = self.leads_to.get_or_init(|| {
            let links = self.page.links.iter().chain(&self.page.resources);
            links.filter_map(|l| self.uri(&l.href)).map(|uri| hashed(&uri)).collect()
        });
        hashes.contains(&hashed(uri))
    }
}

fn hashed(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
