//! What a page leads to by other means than links and forms, and what links say of themselves besides their text.
//!
//! Nothing runs here: an address counts where it is written out in full, as in `onclick="location.href = '/next'"`. One that a script puts
//! together is not found.

use std::collections::HashMap;

use crate::page::Link;
use crate::tokens::{Attrs, Token, Tokens};

/// So many such addresses of a page are looked at.
const MOST: usize = 500;
/// Longer addresses are none.
const LONGEST: usize = 2000;
/// So much of what a link says of itself is kept.
const LONGEST_SIGNS: usize = 400;
/// Attributes that hold the address that a click leads to.
const HOLDERS: &[&str] = &["data-href", "data-url", "data-link", "data-location"];
/// Attributes that say what a click does, for scripts, styles and those who cannot see.
const SIGNS: &[&str] = &[
    "class",
    "title",
    "aria-label",
    "onclick",
    "data-method",
    "data-confirm",
    "data-turbo-method",
    "alt",
    "rel",
];
/// What a script sets or calls to go elsewhere, up to where the address begins.
const GOES: &[&str] = &["location", "location.href", "location.assign", "location.replace", "window.open"];

/// What a page leads to by other means than links and forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherWays {
    /// Where it goes by itself after a while, and where its handlers and scripts go, in order, each once.
    pub links: Vec<Link>,
    /// What links say of themselves besides their text, by their address as written: classes, titles, handlers, icons.
    pub signs: HashMap<String, String>,
}

impl OtherWays {
    /// Those of a page.
    pub fn of(html: &[u8]) -> Self {
        Self::from_tokens(&Tokens::of(html))
    }

    /// Those of a page that is tokenized already.
    pub fn from_tokens(tokens: &Tokens) -> Self {
        let mut ways = Self::default();
        let mut link: Option<String> = None;
        let mut in_script = false;
        for token in tokens.iter() {
            match token {
                Token::Open { name: b"script", attrs, self_closing } => {
                    in_script = !self_closing && attrs.get("src").is_none();
                }
                Token::Close { name: b"script" } => in_script = false,
                Token::Text(text) if in_script => ways.read_script(&String::from_utf8_lossy(text)),
                Token::Open { name: b"meta", attrs, .. } => ways.read_meta(attrs),
                Token::Open { name: b"a", attrs, .. } => {
                    link = attrs.text("href").map(|href| href.trim().to_owned());
                    ways.read_element(attrs, link.as_deref());
                }
                Token::Close { name: b"a" } => link = None,
                Token::Open { attrs, .. } => ways.read_element(attrs, link.as_deref()),
                _ => {}
            }
        }
        ways
    }

    /// A page that goes on by itself: `<meta http-equiv=refresh content="3; url=/next">`.
    fn read_meta(&mut self, attrs: Attrs<'_>) {
        let refreshes =
            attrs.text("http-equiv").is_some_and(|what| what.trim().eq_ignore_ascii_case("refresh"));
        let Some(content) = attrs.text("content").filter(|_| refreshes) else { return };
        let Some((_, rest)) = content.split_once([';', ',']) else { return };
        let rest = rest.trim_start();
        let address = match rest.get(..3) {
            Some(word) if word.eq_ignore_ascii_case("url") => {
                rest[3..].trim_start().strip_prefix('=').unwrap_or(rest)
            }
            _ => rest,
        };
        self.add(address.trim().trim_matches(['"', '\'']), "", true);
    }

    /// An element: where a click on it leads, and what it says of the link that it is, or is in.
    fn read_element(&mut self, attrs: Attrs<'_>, link: Option<&str>) {
        if let Some(href) = link {
            let known = self.signs.entry(href.to_owned()).or_default();
            for sign in SIGNS.iter().filter_map(|name| Some((*name, attrs.text(name)?))) {
                if known.len() < LONGEST_SIGNS {
                    known.push_str(&format!("{}={} ", sign.0, sign.1));
                }
            }
        }
        let label =
            || ["title", "aria-label", "value"].iter().find_map(|name| attrs.text(name)).unwrap_or_default();
        for address in HOLDERS.iter().filter_map(|name| attrs.text(name)) {
            // Whatever else such an attribute may hold, this is an address on the site.
            if address.starts_with(['/', '?', '.']) {
                self.add(&address, &label(), false);
            }
        }
        if let Some(handler) = attrs.text("onclick") {
            for address in addresses(&handler) {
                self.add(&address, &label(), false);
            }
        }
    }

    fn read_script(&mut self, script: &str) {
        for address in addresses(script) {
            self.add(&address, "", false);
        }
    }

    fn add(&mut self, address: &str, text: &str, frame: bool) {
        let is_none = address.is_empty() || address.len() > LONGEST || address.starts_with('#');
        if is_none || self.links.len() >= MOST || self.links.iter().any(|link| link.href == address) {
            return;
        }
        self.links.push(Link { href: address.to_owned(), text: text.to_owned(), frame });
    }
}

/// The addresses that a script goes to, as far as they are written out: `location.href = '/next'`.
fn addresses(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = script;
    while let Some((at, what)) = first_of(rest) {
        // `allocation` and `myLocation` are other words.
        let is_word = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
        rest = &rest[at + what.len()..];
        if is_word && let Some(address) = literal_after(rest) {
            found.push(address);
        }
    }
    found
}

/// The first place where a script goes elsewhere; of several that begin there, the longest.
fn first_of(script: &str) -> Option<(usize, &'static str)> {
    let found = GOES.iter().filter_map(|what| Some((script.find(what)?, *what)));
    found.min_by_key(|(at, what)| (*at, std::cmp::Reverse(what.len())))
}

/// The text that is set or handed over there, whole: nothing is added to it.
fn literal_after(script: &str) -> Option<String> {
    let rest = script.trim_start();
    let rest = match rest.strip_prefix('=') {
        // Compared, not set.
        Some(rest) if rest.starts_with('=') => return None,
        Some(rest) => rest,
        None => rest.strip_prefix('(')?,
    };
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let end = rest[1..].find(quote)? + 1;
    let (text, after) = (&rest[1..end], rest[end + 1..].trim_start());
    let is_whole = !after.starts_with('+') && !text.contains(['\\', '\n']);
    (is_whole && text.starts_with(['/', '?', '.', 'h'])).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(html: &str) -> Vec<String> {
        OtherWays::of(html.as_bytes()).links.into_iter().map(|link| link.href).collect()
    }

    /// Catches: a page that goes on by itself as the end of the way; an address that a script puts together taken for whole.
    #[test]
    fn ways_that_are_no_links_are_found() {
        for (html, expected) in [
            ("<meta http-equiv=Refresh content='3; URL=/next?x=1&amp;y=2'>", "/next?x=1&y=2"),
            ("<meta http-equiv=refresh content=\"0;url='/quoted'\">", "/quoted"),
            ("<meta http-equiv=refresh content='0, /bare'>", "/bare"),
            ("<tr data-href=/book/3>", "/book/3"),
            ("<button onclick=\"window.location.href='/go?id=4'\">x</button>", "/go?id=4"),
            ("<p onclick='location = \"/set\"'>", "/set"),
            ("<script>if (x) { location.assign('/assigned'); }</script>", "/assigned"),
            ("<script>window.open(\"./popup\", '_blank')</script>", "./popup"),
        ] {
            assert_eq!(links(html), [expected], "{html}");
        }
        for html in [
            "<meta http-equiv=refresh content=300>",
            "<meta name=refresh content='0;url=/x'>",
            "<p onclick=\"location.href = '/book/' + id\">",
            "<script>if (location == '/here') x()</script>",
            "<script>var allocation = '/no'; location.hash = '/no'</script>",
            "<script src=/x>location.href = '/no'</script>",
            "<p data-url='an id'>",
        ] {
            assert!(links(html).is_empty(), "{html}");
        }
    }

    /// Catches: a link that asks "are you sure?", or has a bin for an icon, taken for one that says nothing.
    #[test]
    fn what_links_say_of_themselves_is_kept() {
        let html = "<a href=/x/3 onclick=\"return confirm('Sure?')\"><i class='icon trash' title=Bin></i></a><a href=/y>y</a>";
        let ways = OtherWays::of(html.as_bytes());
        let signs = &ways.signs["/x/3"];
        assert!(["confirm(", "trash", "Bin"].iter().all(|sign| signs.contains(sign)), "{signs}");
        assert_eq!(ways.signs["/y"], "");
    }
}
