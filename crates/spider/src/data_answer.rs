//! What an answer that is no page leads to: the addresses in JSON and XML, and the links and forms of HTML inside them, which a script
//! would put into its page.

use restage_html::{Link, Page, Token, Tokens};
use serde_json::Value;
use url::Url;

/// More of an answer is not looked at.
const LARGEST: usize = 1 << 20;
/// So many addresses of one answer are looked at.
const ADDRESSES: usize = 200;
/// So much HTML of one answer is.
const HTML: usize = 512 << 10;
/// Longer texts are no addresses.
const LONGEST: usize = 1000;

/// What an answer of this media type leads to; none where it is neither JSON nor XML, or leads nowhere.
pub(crate) fn data_page(media_type: &str, url: &Url, body: &[u8]) -> Option<Page> {
    if body.is_empty() || body.len() > LARGEST {
        return None;
    }
    let mut found = Found { host: url.host_str()?.to_owned(), links: Vec::new(), html: String::new() };
    let text = String::from_utf8_lossy(body);
    if media_type.ends_with("json") || text.trim_start().starts_with(['{', '[']) {
        found.json(&serde_json::from_str(unguarded(&text)).ok()?);
    } else if media_type.ends_with("xml") {
        found.xml(body);
    } else {
        return None;
    }
    let mut page = Page::of(found.html.as_bytes());
    page.title.clear();
    page.links.append(&mut found.links);
    let leads_somewhere = !page.links.is_empty() || !page.forms.is_empty();
    leads_somewhere.then_some(page)
}

/// JSON without what keeps it from being run as a script: `)]}',`, `while(1);`.
fn unguarded(text: &str) -> &str {
    let start = text.trim_start();
    match start.find(['{', '[']) {
        Some(at) if at <= 12 && !start.starts_with(['{', '[']) => &start[at..],
        _ => start,
    }
}

struct Found {
    host: String,
    links: Vec<Link>,
    html: String,
}

impl Found {
    fn json(&mut self, value: &Value) {
        // As deep as the parser allows.
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().for_each(|item| self.json(item)),
            Value::Object(members) => members.values().for_each(|member| self.json(member)),
            _ => {}
        }
    }

    fn xml(&mut self, body: &[u8]) {
        for token in Tokens::of(body).iter() {
            match token {
                Token::Open { attrs, .. } => {
                    for address in ["href", "src", "url"].iter().filter_map(|name| attrs.text(name)) {
                        self.address(&address);
                    }
                }
                Token::Text(text) => self.address(String::from_utf8_lossy(text).trim()),
                _ => {}
            }
        }
    }

    fn text(&mut self, text: &str) {
        if text.contains("</") || text.contains("/>") {
            if self.html.len() + text.len() <= HTML {
                self.html.push_str(text);
                self.html.push('\n');
            }
        } else {
            self.address(text);
        }
    }

    /// A text, where it is an address on this site.
    fn address(&mut self, text: &str) {
        let is_odd = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '{' | '}' | '\\' | '(');
        if text.len() > LONGEST || text.len() < 2 || text.contains(is_odd) || self.links.len() >= ADDRESSES {
            return;
        }
        let is_here = if text.starts_with('/') {
            !text.starts_with("//")
        } else {
            (text.starts_with("http://") || text.starts_with("https://"))
                && Url::parse(text).is_ok_and(|url| url.host_str() == Some(&self.host))
        };
        if is_here && !self.links.iter().any(|link| link.href == text) {
            self.links.push(Link { href: text.to_owned(), text: String::new(), frame: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(media_type: &str, body: &str) -> (Vec<String>, usize) {
        let url = Url::parse("http://shop.example/api").unwrap();
        let page = data_page(media_type, &url, body.as_bytes()).unwrap_or_default();
        (page.links.into_iter().map(|link| link.href).collect(), page.forms.len())
    }

    /// Catches: an answer to a script that leads nowhere, or off the site.
    #[test]
    fn addresses_and_html_in_data_are_found() {
        let json = r#"{"next":"/books?page=2","self":"http://shop.example/api/3","out":"https://other.example/x","n":"//other.example/y",
            "path":"/a b","pattern":"/x/(?P<id>.*)","html":"<a href='/in'>x</a><form action=/f><input name=a></form>","t":["text"]}"#;
        let mut expected = vec!["/in", "/books?page=2", "http://shop.example/api/3"];
        let (mut links, forms) = found("application/json", json);
        links.sort();
        expected.sort();
        assert_eq!((links, forms), (expected.into_iter().map(str::to_owned).collect(), 1));
        assert_eq!(found("application/json", &format!(")]}}',\n{json}")).1, 1);
        let xml = "<rss><link>http://shop.example/news</link><item href='/item/1'/><link>http://other.example/</link></rss>";
        assert_eq!(found("application/rss+xml", xml).0, ["http://shop.example/news", "/item/1"]);
        assert_eq!(found("text/plain", "/books"), (vec![], 0));
    }
}
