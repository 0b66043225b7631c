//! Where in a response values stand: what a script, or a user, took from there and sent along later.
//!
//! Each file knows one kind of place, and names it the same way on the recorded and on the live response:
//! - `header`: header fields, cookies, and what a redirect's address carries;
//! - `html`: fields, metas, links' parameters and path, `data-` attributes, and what pages hold of the others;
//! - `script`: string and number literals, by the variable, call and keys they belong to;
//! - `json`, `xml`, `text`: by their path, by what stands before them;
//! - `value`: what is looked for at all, and what an id is about;
//! - `place`: the index of one response, and which value of the live one stands for a recorded one.

mod header;
mod html;
mod json;
mod script;
mod text;
mod value;
mod value_index;
mod xml;

use restage_model::Headers;

pub(crate) use json::scalars;
pub(crate) use value::{Looks, is_drawn, may_be_id, noun, nouns, same_kind_of_id, says_id};
pub(crate) use value_index::{HeldValue, ValueIndex, Variant};

use restage_browser::LoadedPage;
use restage_html::Page;

/// Bodies beyond this are not looked into.
const LARGEST: usize = 8 << 20;

/// The values in a page's links.
pub(crate) fn link_values(page: &LoadedPage) -> ValueIndex {
    let mut index = ValueIndex::default();
    html::collect_links(page.page(), "", &mut index, &|alike| page.beside_links(alike));
    index
}

/// A response, and what is known of it already.
pub(crate) struct Source<'a> {
    /// The path and query that it answers.
    pub(crate) uri: &'a str,
    /// Its status.
    pub(crate) status: u16,
    /// Its header fields.
    pub(crate) headers: &'a Headers,
    /// Its body.
    pub(crate) body: &'a [u8],
    /// Its links and forms, where it is a page.
    pub(crate) page: &'a Page,
}

impl Source<'_> {
    /// The values that requests may send back, by where they stand; but for those in a page's links.
    pub(crate) fn values(&self) -> ValueIndex {
        let mut index = ValueIndex::default();
        header::collect(self.status, self.headers, &mut index);
        if self.body.len() <= LARGEST && !self.body.is_empty() {
            self.body(&mut index);
        }
        // What an `id` is about that says no more: what was asked for.
        index.are_about(&nouns(self.uri.split('?').next().unwrap_or_default()));
        index
    }

    fn body(&self, index: &mut ValueIndex) {
        let text = String::from_utf8_lossy(self.body);
        let media_type = self.headers.media_type().unwrap_or_default();
        // Many an application calls its JSON a page.
        let bare = json::unguarded(&text);
        if bare.starts_with(['{', '[']) && json::collect(bare, "", index) {
            return;
        }
        match media_type.as_str() {
            "" | "text/html" | "application/xhtml+xml" => html::collect(self.body, self.page, "", index),
            "text/plain" | "application/x-www-form-urlencoded" | "text/csv" => text::collect(&text, index),
            t if t.ends_with("xml") => xml::collect(&text, index),
            t if t.contains("javascript") || t.contains("ecmascript") => script::collect(&text, "", index),
            t if t.contains("json") => text::collect(&text, index),
            _ => {}
        }
    }
}
