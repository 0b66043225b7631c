//! Cookies on their way to a client that knows the application by another name.

/// Whom a cookie is for.
pub(crate) struct CookieReader<'a> {
    /// The host the client used, without a port.
    pub(crate) host: &'a str,
    /// Whether the client speaks plain HTTP to an application that speaks HTTPS.
    pub(crate) loses_tls: bool,
}

impl CookieReader<'_> {
    /// The `set-cookie` value that reader's browser takes; `None` where it takes it as it is.
    pub(crate) fn rewrite(&self, cookie: &str) -> Option<String> {
        let mut parts = cookie.split(';');
        let mut kept = parts.next().unwrap_or_default().to_owned();
        let mut changed = false;
        for part in parts {
            if self.drops(part) {
                changed = true;
            } else {
                kept.push(';');
                kept.push_str(part);
            }
        }
        changed.then_some(kept)
    }

    /// Whether an attribute would make the browser refuse the cookie.
    fn drops(&self, attribute: &str) -> bool {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        let (name, value) = (name.trim(), value.trim());
        if name.eq_ignore_ascii_case("domain") {
            return !value.is_empty() && !self.is_in(value.trim_start_matches('.'));
        }
        // Without `Secure`, browsers refuse the other two.
        self.loses_tls
            && (name.eq_ignore_ascii_case("secure")
                || name.eq_ignore_ascii_case("partitioned")
                || (name.eq_ignore_ascii_case("samesite") && value.eq_ignore_ascii_case("none")))
    }

    fn is_in(&self, domain: &str) -> bool {
        if self.host.eq_ignore_ascii_case(domain) {
            return true;
        }
        let is_name = self.host.parse::<std::net::IpAddr>().is_err();
        is_name
            && self.host.len() > domain.len()
            && self.host.as_bytes()[self.host.len() - domain.len() - 1] == b'.'
            && self.host.as_bytes()[self.host.len() - domain.len()..].eq_ignore_ascii_case(domain.as_bytes())
    }
}

/// A cookie's name, where it is one that browsers take over HTTPS only.
pub(crate) fn https_only_name(cookie: &str) -> Option<&str> {
    let name = cookie.split(['=', ';']).next()?.trim();
    let lower = name.get(..9).or(name.get(..7))?.to_ascii_lowercase();
    (lower.starts_with("__host-") || lower == "__secure-").then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_browser_would_refuse_is_dropped() {
        let kept = None;
        for (host, loses_tls, cookie, expected) in [
            ("localhost", false, "sid=1; Path=/; HttpOnly", kept),
            ("localhost", false, "sid=1; Domain=shop.example; Path=/", Some("sid=1; Path=/")),
            ("www.shop.example", false, "sid=1; Domain=.Shop.example", kept),
            ("shop.example", false, "sid=1; Domain=shop.example", kept),
            ("myshop.example", false, "sid=1; domain=shop.example; x", Some("sid=1; x")),
            ("127.0.0.1", false, "sid=1; Domain=0.0.1", Some("sid=1")),
            ("localhost", true, "sid=1; Secure; SameSite=None; Partitioned; Path=/", Some("sid=1; Path=/")),
            ("localhost", true, "sid=1; SameSite=Lax; secure", Some("sid=1; SameSite=Lax")),
            ("localhost", false, "sid=1; Secure; SameSite=None", kept),
            ("localhost", true, "a=b=c", kept),
            ("localhost", true, "", kept),
        ] {
            let reader = CookieReader { host, loses_tls };
            assert_eq!(reader.rewrite(cookie).as_deref(), expected, "{host} {loses_tls} {cookie}");
        }
    }

    #[test]
    fn prefixed_names_are_seen() {
        assert_eq!(https_only_name("__Host-sid=1; Secure"), Some("__Host-sid"));
        assert_eq!(https_only_name("__secure-x=1"), Some("__secure-x"));
        assert_eq!(https_only_name("__hostess=1"), None);
        assert_eq!(https_only_name("é=1"), None);
    }
}
