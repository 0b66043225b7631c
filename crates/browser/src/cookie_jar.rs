//! The cookies that a server gave, and which of them a request carries.

use restage_model::{Headers, SetCookie};

/// A cookie, and where it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    path: String,
}

/// The cookies that a server gave to one user.
#[derive(Clone, Debug, Default)]
pub struct CookieJar {
    cookies: Vec<Cookie>,
}

impl CookieJar {
    /// Takes what a response to a request sets.
    pub fn receive(&mut self, request_path: &str, headers: &Headers) {
        for cookie in SetCookie::all(headers) {
            let path = cookie.path.unwrap_or_else(|| default_path(request_path).to_owned());
            self.cookies.retain(|c| !(c.name == cookie.name && c.path == path));
            if !cookie.removes {
                self.cookies.push(Cookie { name: cookie.name, value: cookie.value, path });
            }
        }
    }

    /// The value of a cookie.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.cookies.iter().rev().find(|c| c.name == name).map(|c| c.value.as_str())
    }

    /// The cookies for a request to `path`, in the order in which they were set.
    pub fn matching(&self, path: &str) -> Vec<&Cookie> {
        self.cookies.iter().filter(|c| path_matches(path, &c.path)).collect()
    }
}

/// The folder of the request's path (RFC 6265, 5.1.4).
fn default_path(request_path: &str) -> &str {
    let path = request_path.split('?').next().unwrap_or("/");
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(end) => &path[..end],
    }
}

fn path_matches(request: &str, cookie: &str) -> bool {
    let request = request.split('?').next().unwrap_or("/");
    request == cookie
        || request.strip_prefix(cookie).is_some_and(|rest| cookie.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Headers {
        [("set-cookie".to_owned(), text.to_owned())].into_iter().collect()
    }

    #[test]
    fn paths_scope_and_deletions_delete() {
        let mut jar = CookieJar::default();
        jar.receive("/admin/login", &set("a=1"));
        let sent = |jar: &CookieJar, path: &str| -> Vec<String> {
            jar.matching(path).into_iter().map(|c| format!("{}={}", c.name, c.value)).collect()
        };
        assert_eq!(sent(&jar, "/admin/x"), ["a=1"]);
        assert!(sent(&jar, "/administrator").is_empty());
        jar.receive("/admin/logout", &set("a=; Max-Age=0"));
        assert!(sent(&jar, "/admin/x").is_empty());
    }
}
