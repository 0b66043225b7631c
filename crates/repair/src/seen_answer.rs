//! An answer, as it was recorded or as it came now: what a user sees of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use restage_browser::{LoadedPage, address_of, is_html, redirect_target, request_uri};
use restage_html::{InputType, Page, headings};
use restage_model::Headers;
use restage_oracle::{KnownAnswer, steady_words, words_read};
use url::Url;

/// More of a page is not looked at.
const LARGEST: usize = 2 << 20;
/// So many headings tell what a page is about.
const HEADINGS: usize = 8;

/// An answer: what a user sees of it.
#[derive(Debug)]
pub(crate) struct SeenAnswer {
    /// Its status; 0 where there was none.
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    /// Its body; none where it is not known.
    pub(crate) body: Option<Arc<Vec<u8>>>,
    /// What was asked for.
    pub(crate) url: Url,
    /// Where it sends the browser, within the application: path and query.
    pub(crate) redirect: Option<String>,
    /// The page, where it is one.
    pub(crate) page: Option<LoadedPage>,
    /// The words of its title.
    pub(crate) title: BTreeSet<String>,
    /// The words of each of its headings.
    pub(crate) headings: Vec<BTreeSet<String>>,
    /// All its words.
    pub(crate) words: BTreeSet<String>,
}

impl SeenAnswer {
    /// Of a request with these header fields.
    pub(crate) fn of(
        sent: &Headers,
        uri: &str,
        status: u16,
        headers: &Headers,
        body: Option<Arc<Vec<u8>>>,
    ) -> Self {
        let url = address_of(sent, uri);
        let target = redirect_target(&url, status, headers);
        let redirect = target.filter(|to| to.host_str() == url.host_str()).map(|to| request_uri(&to));
        let mut seen = Self {
            status,
            headers: headers.clone(),
            body: None,
            url,
            redirect,
            page: None,
            title: BTreeSet::new(),
            headings: Vec::new(),
            words: BTreeSet::new(),
        };
        if let Some(body) = &body {
            seen.read(&body[..body.len().min(LARGEST)]);
            if let Some(page) = seen.page.take() {
                let source = body.clone();
                seen.page = Some(page.read_from(move || source.to_vec()));
            }
        }
        seen.body = body;
        seen
    }

    /// No answer.
    pub(crate) fn none(sent: &Headers, uri: &str) -> Self {
        Self::of(sent, uri, 0, &Headers::new(), None)
    }

    fn read(&mut self, body: &[u8]) {
        if is_html(&self.headers) && !body.is_empty() && !self.is_redirect() {
            let page = Page::of(body);
            let words = |text: &str| steady_words(text).into_iter().collect::<BTreeSet<String>>();
            self.title = words(&page.title);
            self.headings = headings(body, HEADINGS).iter().map(|text| words(text)).collect();
            self.headings.retain(|words| !words.is_empty());
            self.page = Some(LoadedPage::new(self.url.clone(), page));
        }
        let known = KnownAnswer { body: Some(body), ..self.known() };
        self.words = words_read(&known);
    }

    /// The same for those who compare answers.
    pub(crate) fn known(&self) -> KnownAnswer<'_> {
        KnownAnswer {
            status: self.status,
            headers: &self.headers,
            host: self.url.host_str(),
            body: self.body.as_ref().map(|body| body.as_slice()),
            cut: false,
        }
    }

    pub(crate) fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    /// Whether it is a page that is as it should be.
    pub(crate) fn is_page(&self) -> bool {
        self.page.is_some() && (200..400).contains(&self.status)
    }

    /// Whether it says that something is wrong.
    pub(crate) fn is_error(&self) -> bool {
        self.status >= 400
    }

    /// Whether a password is asked for.
    pub(crate) fn asks_password(&self) -> bool {
        let forms = self.page.iter().flat_map(|page| page.forms());
        forms.flat_map(|form| &form.fields).any(|field| field.input == InputType::Password)
    }

    /// Path and query of what was asked for.
    pub(crate) fn uri(&self) -> String {
        request_uri(&self.url)
    }
}
