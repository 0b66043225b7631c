//! What an address means: of a request, and on a page.

use std::borrow::Cow;

use restage_model::Headers;
use url::Url;

/// The address a request asked for, under the name it gave the application.
pub fn address_of(headers: &Headers, uri: &str) -> Url {
    let host = headers.get("host").unwrap_or("localhost");
    let fallback = || Url::parse("http://localhost/").unwrap_or_else(|_| unreachable!("a constant address"));
    Url::parse(&format!("http://{host}")).ok().and_then(|base| base.join(uri).ok()).unwrap_or_else(fallback)
}

/// Path and query, as a request line has them.
pub fn request_uri(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// The path and query that an address on a page leads to; none where it leads out.
pub fn local_uri<'a>(page: &Url, base: Option<&str>, address: &'a str) -> Option<Cow<'a, str>> {
    // Most links are as plain as a request line: no need to take them apart.
    if base.is_none() && is_plain(address) {
        return Some(Cow::Borrowed(address));
    }
    let url = target(page, base, address)?;
    (url.host_str() == page.host_str()).then(|| Cow::Owned(request_uri(&url)))
}

/// Whether an address is a path, and a query perhaps, in which nothing is to be resolved or escaped.
fn is_plain(address: &str) -> bool {
    let plain = |b: u8| {
        b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'_' | b'~' | b'?' | b'=' | b'&' | b'+' | b',')
    };
    address.starts_with('/') && !address.starts_with("//") && address.bytes().all(plain)
}

/// Whether two addresses ask for the same thing of the application.
pub fn same_address(a: &Url, b: &Url) -> bool {
    a.path() == b.path() && a.query() == b.query()
}

/// What an address on a page means.
pub(crate) fn target(page: &Url, base: Option<&str>, address: &str) -> Option<Url> {
    let base = base.and_then(|b| page.join(b).ok());
    let mut url = base.as_ref().unwrap_or(page).join(address).ok()?;
    url.set_fragment(None);
    Some(url)
}

/// Whether a response is a page, as far as its header fields say.
pub fn is_html(headers: &Headers) -> bool {
    matches!(headers.media_type().as_deref(), Some("text/html" | "application/xhtml+xml") | None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a link out of the application is followed inside it, or a base is overlooked.
    #[test]
    fn addresses_are_resolved_against_the_page_and_its_base() {
        let page = Url::parse("http://shop.example/books/list?page=2").unwrap();
        let uri = |base, address| local_uri(&page, base, address).map(Cow::into_owned);
        assert_eq!(uri(None, "/cart").as_deref(), Some("/cart"));
        assert_eq!(uri(None, "7#reviews").as_deref(), Some("/books/7"));
        assert_eq!(uri(None, "?page=3").as_deref(), Some("/books/list?page=3"));
        assert_eq!(uri(Some("/old/"), "7").as_deref(), Some("/old/7"));
        assert_eq!(uri(None, "//other.example/cart"), None);
    }
}
