//! The cookies of a replayed session: the live server's in place of those that were recorded.

use std::collections::HashSet;

use restage_browser::{Cookie, CookieJar};
use restage_model::{Headers, SetCookie, Substitution, cookie_pairs};

use crate::live::history::{LiveValue, SentCookie};

/// The cookies of one replayed session.
#[derive(Debug, Default)]
pub(crate) struct SessionCookies {
    live: CookieJar,
    /// The names that the recorded server set in this session: their recorded values are stale.
    set_when_recorded: HashSet<String>,
}

impl SessionCookies {
    /// Takes what a live response sets.
    pub(crate) fn receive(&mut self, request_path: &str, headers: &Headers) {
        self.live.receive(request_path, headers);
    }

    /// Notes what the recorded response set.
    pub(crate) fn note_recorded(&mut self, headers: &Headers) {
        self.set_when_recorded.extend(SetCookie::all(headers).map(|c| c.name));
    }

    /// Notes names that the recorded server sets.
    pub(crate) fn note_names<'n>(&mut self, names: impl IntoIterator<Item = &'n String>) {
        self.set_when_recorded.extend(names.into_iter().cloned());
    }

    /// Goes on with other live cookies.
    pub(crate) fn replace(&mut self, live: CookieJar) {
        self.live = live;
    }

    /// What the live server gave.
    pub(crate) fn live(&self) -> &CookieJar {
        &self.live
    }

    /// The live value of a cookie.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.live.value(name)
    }

    /// The cookies for a request to `path`.
    ///
    /// A cookie the recorded server set in this session comes from the live server. One that a script made of what a
    /// page held is made of what the live page holds, as `script` finds it. One the browser had from before is sent as
    /// `before` has it, the header that the trusted run sent at this step; where there is none, as recorded.
    pub(crate) fn of_request(
        &self,
        path: &str,
        recorded: Option<&str>,
        before: Option<&str>,
        script: &dyn Fn(&str, &str) -> Option<LiveValue>,
    ) -> RequestCookies {
        let mut cookies = RequestCookies::default();
        let recorded: Vec<(&str, &str)> = recorded.map(|r| cookie_pairs(r).collect()).unwrap_or_default();
        let matching: Vec<&Cookie> = self.live.matching(path);
        for &(name, value) in &recorded {
            let live = matching.iter().rev().find(|c| c.name == name);
            let found = |live: &str, source: &str, why: &str| {
                Some(LiveValue { live: live.to_owned(), source: source.to_owned(), why: why.to_owned() })
            };
            let sent = match live {
                Some(cookie) => {
                    found(&cookie.value, "the live server's set-cookie", "cookies are the server's")
                }
                None if self.set_when_recorded.contains(name) => None,
                None => script(name, value).or_else(|| {
                    let carried = before.and_then(|b| cookie_pairs(b).find(|(n, _)| *n == name));
                    let sent = carried.map_or(value, |(_, v)| v);
                    found(sent, "the trusted run, from before this session", "no recorded answer set it")
                }),
            };
            let Some(sent) = sent else { continue };
            if sent.live != value {
                cookies.substitutions.push(Substitution {
                    target: format!("cookie {name}"),
                    recorded: value.to_owned(),
                    live: sent.live.clone(),
                    source: sent.source,
                    why: sent.why,
                });
            }
            let (name, recorded) = (name.to_owned(), value.to_owned());
            cookies.sent.push(SentCookie { name, recorded, live: sent.live });
        }
        for cookie in matching {
            if !cookies.sent.iter().any(|c| c.name == cookie.name) {
                let (name, live) = (cookie.name.clone(), cookie.value.clone());
                cookies.sent.push(SentCookie { name, recorded: String::new(), live });
            }
        }
        cookies
    }
}

/// The cookies of one request.
#[derive(Debug, Default)]
pub(crate) struct RequestCookies {
    /// Those that are sent.
    pub(crate) sent: Vec<SentCookie>,
    /// Those that differ from the recorded ones.
    pub(crate) substitutions: Vec<Substitution>,
}

impl RequestCookies {
    /// The header field; none where there are no cookies.
    pub(crate) fn header(&self) -> Option<String> {
        let pairs: Vec<String> = self.sent.iter().map(|c| format!("{}={}", c.name, c.live)).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Headers {
        [("set-cookie".to_owned(), text.to_owned())].into_iter().collect()
    }

    fn header(
        jar: &SessionCookies,
        path: &str,
        recorded: Option<&str>,
        before: Option<&str>,
    ) -> Option<String> {
        jar.of_request(path, recorded, before, &|_, _| None).header()
    }

    #[test]
    fn live_values_take_the_place_of_recorded_ones() {
        let mut jar = SessionCookies::default();
        jar.note_recorded(&set("sid=old; Path=/"));
        jar.receive("/login", &set("sid=new; Path=/"));
        let cookies = jar.of_request("/cart", Some("theme=dark; sid=old"), None, &|_, _| None);
        assert_eq!(cookies.header().as_deref(), Some("theme=dark; sid=new"));
        assert_eq!(cookies.substitutions.len(), 1);
    }

    #[test]
    fn a_cookie_the_live_server_did_not_set_is_not_made_up() {
        let mut jar = SessionCookies::default();
        jar.note_recorded(&set("sid=old"));
        assert_eq!(header(&jar, "/", Some("sid=old"), None), None);
    }

    #[test]
    fn a_cookie_from_before_the_session_is_the_trusted_runs() {
        let jar = SessionCookies::default();
        assert_eq!(header(&jar, "/", Some("sid=old"), Some("sid=theirs")).as_deref(), Some("sid=theirs"));
        assert_eq!(header(&jar, "/", Some("sid=old"), None).as_deref(), Some("sid=old"));
    }
}
