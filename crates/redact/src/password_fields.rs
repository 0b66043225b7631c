//! The password fields of the application's own forms: what is typed there is secret, whatever the field is called.

use std::collections::HashSet;

use restage_html::{Token, Tokens};
use url::Url;

/// The more an application has, the stranger it is.
const MOST: usize = 10_000;

/// Where password fields send what is typed: a path and a name.
#[derive(Clone, Debug, Default)]
pub struct PasswordFields(HashSet<(String, String)>);

impl PasswordFields {
    /// Learns the fields of a page; whether any is new.
    pub fn learn(&mut self, uri: &str, page: &[u8]) -> bool {
        let Ok(here) = Url::parse("http://app").and_then(|base| base.join(uri)) else { return false };
        let before = self.0.len();
        let tokens = Tokens::of(page);
        let mut target = here.clone();
        for token in tokens.iter() {
            match token {
                Token::Open { name: b"form", attrs, .. } => {
                    let action = attrs.text("action").unwrap_or_default();
                    target = here.join(action.trim()).unwrap_or_else(|_| here.clone());
                }
                Token::Open { name: b"input", attrs, .. } => {
                    let password = attrs
                        .get("type")
                        .is_some_and(|kind| kind.trim_ascii().eq_ignore_ascii_case(b"password"));
                    if let Some(name) = attrs.text("name").filter(|name| password && !name.is_empty())
                        && self.0.len() < MOST
                    {
                        self.0.insert((target.path().to_owned(), name));
                    }
                }
                _ => {}
            }
        }
        self.0.len() > before
    }

    /// Whether what is sent to a path under that name was typed into a password field.
    pub fn has(&self, path: &str, name: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&(path.to_owned(), name.to_owned()))
    }
}

/// Whether a page has a password field at all, told fast.
pub(crate) fn may_have(page: &[u8]) -> bool {
    memchr::memmem::find(page, b"assword").is_some() || memchr::memmem::find(page, b"ASSWORD").is_some()
}
