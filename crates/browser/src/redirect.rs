//! Where a response sends the browser, and with what method.

use restage_model::Headers;
use url::Url;

/// Where a response sends the browser; none where it is no redirect.
pub fn redirect_target(from: &Url, status: u16, headers: &Headers) -> Option<Url> {
    if !(300..400).contains(&status) {
        return None;
    }
    let mut url = from.join(&Headers::readable(headers.get("location")?)).ok()?;
    url.set_fragment(None);
    Some(url)
}

/// Whether a request of this method may be what follows a redirect of this status: a browser asks for the target with
/// `GET`, unless the status says to send the same again.
pub fn may_follow(status: Option<u16>, method: &str) -> bool {
    matches!(method, "GET" | "HEAD") || matches!(status, Some(307 | 308))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_is_resolved_and_loses_its_fragment() {
        let from = Url::parse("http://shop.example/login").unwrap();
        let to = |status, location: &str| {
            let headers: Headers = [("location".to_owned(), location.to_owned())].into_iter().collect();
            redirect_target(&from, status, &headers).map(String::from)
        };
        assert_eq!(to(302, "account#top").as_deref(), Some("http://shop.example/account"));
        assert_eq!(to(200, "/account"), None);
        assert!(
            may_follow(Some(303), "GET") && may_follow(Some(307), "POST") && !may_follow(Some(302), "POST")
        );
    }
}
