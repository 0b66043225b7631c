//! The cookies that the live server gave, sent as a browser sends them.

use std::collections::HashSet;

use restage_model::{Headers, SetCookie, Substitution, cookie_pairs};

#[derive(Clone, Debug)]
struct Cookie {
    name: String,
    value: String,
    path: String,
}

/// The cookies of one replayed session.
#[derive(Debug, Default)]
pub(crate) struct Jar {
    live: Vec<Cookie>,
    /// The names that the recorded server set in this session: their recorded values are stale.
    set_when_recorded: HashSet<String>,
}

impl Jar {
    /// Takes what a live response sets.
    pub(crate) fn receive(&mut self, request_path: &str, headers: &Headers) {
        for cookie in SetCookie::all(headers) {
            let path = cookie.path.unwrap_or_else(|| default_path(request_path).to_owned());
            self.live.retain(|c| !(c.name == cookie.name && c.path == path));
            if !cookie.removes {
                self.live.push(Cookie { name: cookie.name, value: cookie.value, path });
            }
        }
    }

    /// Notes what the recorded response set.
    pub(crate) fn note_recorded(&mut self, headers: &Headers) {
        self.set_when_recorded.extend(SetCookie::all(headers).map(|c| c.name));
    }

    /// The live value of a cookie.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.live.iter().rev().find(|c| c.name == name).map(|c| c.value.as_str())
    }

    /// The cookie header for a request to `path`, and which values differ from the recorded ones.
    ///
    /// A cookie the recorded server set in this session comes from the live server. One the browser had
    /// from before (an earlier session, a script) is sent as `before` has it, the header that the trusted
    /// run sent at this step; where there is none, as recorded.
    pub(crate) fn header(
        &self,
        path: &str,
        recorded: Option<&str>,
        before: Option<&str>,
    ) -> (Option<String>, Vec<Substitution>) {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        let mut substitutions = Vec::new();
        let recorded: Vec<(&str, &str)> = recorded.map(|r| cookie_pairs(r).collect()).unwrap_or_default();
        let matching: Vec<&Cookie> = self.live.iter().filter(|c| path_matches(path, &c.path)).collect();
        for &(name, value) in &recorded {
            let live = matching.iter().rev().find(|c| c.name == name);
            let (sent, source) = match live {
                Some(cookie) => (Some(cookie.value.as_str()), "the live server's set-cookie"),
                None if self.set_when_recorded.contains(name) => (None, ""),
                None => {
                    let carried = before.and_then(|b| cookie_pairs(b).find(|(n, _)| *n == name));
                    (Some(carried.map_or(value, |(_, v)| v)), "the trusted run, from before this session")
                }
            };
            let Some(sent) = sent else { continue };
            pairs.push((name, sent));
            if sent != value {
                substitutions.push(Substitution {
                    target: format!("cookie {name}"),
                    recorded: value.to_owned(),
                    live: sent.to_owned(),
                    source: source.to_owned(),
                });
            }
        }
        for cookie in matching {
            if !pairs.iter().any(|(name, _)| *name == cookie.name) {
                pairs.push((&cookie.name, &cookie.value));
            }
        }
        let header = pairs.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join("; ");
        ((!header.is_empty()).then_some(header), substitutions)
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
    fn live_values_take_the_place_of_recorded_ones() {
        let mut jar = Jar::default();
        jar.note_recorded(&set("sid=old; Path=/"));
        jar.receive("/login", &set("sid=new; Path=/"));
        let (header, substitutions) = jar.header("/cart", Some("theme=dark; sid=old"), None);
        assert_eq!(header.as_deref(), Some("theme=dark; sid=new"));
        assert_eq!(substitutions.len(), 1);
    }

    #[test]
    fn a_cookie_the_live_server_did_not_set_is_not_made_up() {
        let mut jar = Jar::default();
        jar.note_recorded(&set("sid=old"));
        assert_eq!(jar.header("/", Some("sid=old"), None).0, None);
    }

    #[test]
    fn a_cookie_from_before_the_session_is_the_trusted_runs() {
        let jar = Jar::default();
        assert_eq!(jar.header("/", Some("sid=old"), Some("sid=theirs")).0.as_deref(), Some("sid=theirs"));
        assert_eq!(jar.header("/", Some("sid=old"), None).0.as_deref(), Some("sid=old"));
    }

    #[test]
    fn paths_scope_and_deletions_delete() {
        let mut jar = Jar::default();
        jar.receive("/admin/login", &set("a=1"));
        assert_eq!(jar.header("/admin/x", None, None).0.as_deref(), Some("a=1"));
        assert_eq!(jar.header("/administrator", None, None).0, None);
        jar.receive("/admin/logout", &set("a=; Max-Age=0"));
        assert_eq!(jar.header("/admin/x", None, None).0, None);
    }
}
