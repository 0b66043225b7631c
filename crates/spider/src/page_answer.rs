//! An answer as a map needs it: the page, its headings, whether it is a file, and what it looks like.

use std::hash::{DefaultHasher, Hasher};

use restage_browser::{LoadedPage, address_of, is_html, redirect_target, request_uri};
use restage_html::{Page, Token, Tokens, headings};
use restage_model::{Headers, ValueShape};
use url::Url;

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
    /// The page, where it is one.
    pub(crate) page: Option<LoadedPage>,
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
        let media_type = headers.media_type().unwrap_or_default();
        let is_style =
            media_type == "text/css" || media_type.contains("javascript") || media_type.starts_with("font/");
        let (page, headings, digest) = if is_page {
            let page = LoadedPage::new(url.clone(), Page::of(body));
            (Some(page), headings(body, HEADINGS), text_digest(body))
        } else {
            let mut hasher = DefaultHasher::new();
            hasher.write(body);
            (None, Vec::new(), hasher.finish())
        };
        Self { url, status, redirect, leads_out, page, headings, digest, is_file, is_style }
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
fn text_digest(html: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut unseen = false;
    for token in Tokens::of(html).iter() {
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
