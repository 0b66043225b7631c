//! An answer as a map needs it: the page, its headings, whether it is a file, and what it looks like.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use restage_browser::{LoadedPage, address_of, is_html, redirect_target, request_uri};
use restage_html::{Link, OtherWays, Page, Token, Tokens, headings};
use restage_model::{Headers, ValueShape};
use url::Url;

use crate::data_answer::data_page;

/// More of a page is not looked at.
const LARGEST: usize = 2 << 20;
/// So many headings of a page are looked at.
const HEADINGS: usize = 5;

/// An answer as a map needs it.
#[derive(Debug)]
pub(crate) struct PageAnswer {
    /// The address that was asked for.
    pub(crate) url: Url,
    /// The status.
    pub(crate) status: u16,
    /// Where it sends the browser, on this site: path and query.
    pub(crate) redirect: Option<String>,
    /// Whether it sends the browser to another site.
    pub(crate) leads_out: bool,
    /// The page, where it is one, with what its handlers and scripts lead to among its links.
    pub(crate) page: Option<LoadedPage>,
    /// What links of the page say of themselves besides their text, by their address as written.
    pub(crate) signs: HashMap<String, String>,
    /// What an answer that is no page leads to.
    pub(crate) data: Option<LoadedPage>,
    /// The media type, where there is one.
    pub(crate) media_type: Option<String>,
    /// Its headings.
    pub(crate) headings: Vec<String>,
    /// A number that is the same where what a user reads is the same.
    pub(crate) digest: u64,
    /// Whether it is a file, as far as its header fields say.
    pub(crate) is_file: bool,
    /// Whether it is a style sheet, a script or a font.
    pub(crate) is_style: bool,
}

impl PageAnswer {
    /// The answer to a request with these header fields for this address.
    pub(crate) fn of(sent: &Headers, uri: &str, status: u16, headers: &Headers, body: &[u8]) -> Self {
        let url = address_of(sent, uri);
        let target = redirect_target(&url, status, headers);
        let leads_out = target.as_ref().is_some_and(|to| to.host_str() != url.host_str());
        let redirect = target.filter(|_| !leads_out).map(|to| request_uri(&to));
        let body = &body[..body.len().min(LARGEST)];
        let is_page = is_html(headers) && !body.is_empty() && redirect.is_none() && !leads_out;
        let is_file = headers.get("last-modified").is_some() && headers.get("set-cookie").is_none();
        let given_type = headers.media_type();
        let media_type = given_type.as_deref().unwrap_or_default();
        let is_style =
            media_type == "text/css" || media_type.contains("javascript") || media_type.starts_with("font/");
        let (mut page, mut data, mut signs) = (None, None, HashMap::new());
        let digest;
        if is_page {
            let tokens = Tokens::of(body);
            let mut read = Page::of(body);
            let ways = OtherWays::from_tokens(&tokens);
            let is_new = |href: &str| !read.links.iter().any(|link| link.href == href);
            let more: Vec<_> = ways.links.into_iter().filter(|link| is_new(&link.href)).collect();
            read.links.extend(more);
            signs = ways.signs;
            digest = text_digest(&tokens);
            page = Some(LoadedPage::new(url.clone(), read));
        } else {
            let mut hasher = DefaultHasher::new();
            hasher.write(body);
            digest = hasher.finish();
            if redirect.is_none() && !leads_out && !is_style {
                data = data_page(media_type, &url, body);
                // What was just made has an address of its own.
                if let Some(made) = headers.get("location").filter(|_| status == 201) {
                    let link = Link { href: made.to_owned(), text: String::new(), frame: false };
                    data.get_or_insert_default().links.push(link);
                }
            }
        }
        let headings = if is_page { headings(body, HEADINGS) } else { Vec::new() };
        let media_type = given_type;
        Self {
            status,
            redirect,
            leads_out,
            page,
            signs,
            data: data.map(|page| LoadedPage::new(url.clone(), page)),
            url,
            media_type,
            headings,
            digest,
            is_file,
            is_style,
        }
    }

    /// Its links and forms, whether it is a page or data.
    pub(crate) fn offers(&self) -> Option<&LoadedPage> {
        self.page.as_ref().or(self.data.as_ref())
    }

    /// Whether its page asks for a password.
    pub(crate) fn asks_password(&self) -> bool {
        self.page.as_ref().is_some_and(|page| {
            let fields = page.forms().iter().flat_map(|form| &form.fields);
            fields.into_iter().any(|field| field.input == restage_html::InputType::Password)
        })
    }
}

/// A number for what a user reads on a page: its words, without those that are drawn anew each time.
fn text_digest(tokens: &Tokens) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut unseen = false;
    for token in tokens.iter() {
        match token {
            Token::Open { name, self_closing, .. } => {
                unseen = !self_closing && matches!(name, b"script" | b"style")
            }
            Token::Close { .. } => unseen = false,
            Token::Text(text) if !unseen => {
                for word in String::from_utf8_lossy(text).split_whitespace() {
                    if !ValueShape::of(word).is_token() {
                        hasher.write(word.as_bytes());
                        hasher.write_u8(b' ');
                    }
                }
            }
            _ => {}
        }
    }
    hasher.finish()
}
