//! A page at its address, with the links and forms that it offers.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use restage_html::{Form, Link, Page, Surroundings};
use url::Url;

use crate::address::{local_uri, target};

/// A page at its address. Where its links and forms lead is found out when it is asked for, once.
#[derive(Debug)]
pub struct LoadedPage {
    url: Url,
    page: Page,
    form_targets: OnceLock<Vec<Option<Url>>>,
    leads_to: OnceLock<HashSet<u64>>,
    source: Option<PageSource>,
    surroundings: OnceLock<Option<Surroundings>>,
}

/// Reads a page's bytes once more.
struct PageSource(Box<dyn Fn() -> Vec<u8> + Send + Sync>);

impl fmt::Debug for PageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageSource")
    }
}

impl LoadedPage {
    /// A page that was answered for an address.
    pub fn new(url: Url, page: Page) -> Self {
        Self {
            url,
            page,
            form_targets: OnceLock::new(),
            leads_to: OnceLock::new(),
            source: None,
            surroundings: OnceLock::new(),
        }
    }

    /// The same, with where its bytes are: they are read where what stands beside a link or a form is asked for.
    pub fn read_from(self, source: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self { source: Some(PageSource(Box::new(source))), ..self }
    }

    /// The text beside each of several links alike, which are given by their places on the page.
    pub fn beside_links(&self, alike: &[usize]) -> Vec<String> {
        self.surroundings().map_or_else(|| vec![String::new(); alike.len()], |read| read.beside_links(alike))
    }

    /// The text beside each of several forms alike.
    pub(crate) fn beside_forms(&self, alike: &[usize]) -> Vec<String> {
        self.surroundings().map_or_else(|| vec![String::new(); alike.len()], |read| read.beside_forms(alike))
    }

    fn surroundings(&self) -> Option<&Surroundings> {
        let read = || self.source.as_ref().map(|source| Surroundings::of(&(source.0)()));
        self.surroundings.get_or_init(read).as_ref()
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
