//! Host rewriting: the application and the recorder go by different hosts.
//!
//! A client speaks to the recorder's address. The application is sent a `Host` by the
//! [`HostRule`], and what else of the request names the recorder (`Origin`, `Referer`) is made to
//! agree with it, or checks against forged requests would fail. On the way back, whatever names the
//! application (`Location`, …) is made to name the recorder, or the client would leave it. Bodies
//! are never changed.

use std::net::IpAddr;

use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_LOCATION, HOST, LOCATION, ORIGIN, REFERER, REFRESH, SET_COOKIE,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::record::headers::cookie_rewriting::{CookieReader, https_only_name};
use crate::record::settings::HostRule;

const ALT_SVC: HeaderName = HeaderName::from_static("alt-svc");
const STRICT_TRANSPORT_SECURITY: HeaderName = HeaderName::from_static("strict-transport-security");

/// How the application and the recorder are called, as far as it is the same for all requests.
#[derive(Debug)]
pub(crate) struct HostPlan {
    /// `http` or `https`: how clients speak to the recorder.
    pub(crate) client_scheme: &'static str,
    /// The recorder's address, for clients that do not say what they called it.
    pub(crate) listener: HeaderValue,
    /// `http` or `https`: how the recorder speaks to the application.
    pub(crate) upstream_scheme: &'static str,
    /// The application's host and port, as in its URL.
    pub(crate) upstream: Authority,
    /// The `Host` that is sent; the client's own where there is none.
    pub(crate) sent: Option<HeaderValue>,
    /// Whether the application is told of the client's scheme.
    pub(crate) forwarded: bool,
}

impl HostPlan {
    /// The host a client used: a request's target has precedence over its `Host`.
    pub(crate) fn client_host(&self, uri: &Uri, headers: &HeaderMap) -> HeaderValue {
        let target = uri.authority().and_then(|a| {
            let host = a.as_str().rsplit('@').next().unwrap_or_default();
            HeaderValue::from_str(host).ok()
        });
        target.or_else(|| headers.get(HOST).cloned()).unwrap_or_else(|| self.listener.clone())
    }

    /// The hosts of one request, whose client used that one.
    pub(crate) fn rewriting<'a>(&'a self, client_host: &'a HeaderValue) -> HostRewriting<'a> {
        let client = client_host.to_str().unwrap_or_default();
        let app = self.sent.as_ref().map_or(client, |sent| sent.to_str().unwrap_or_default());
        // An application that is told of the client's scheme answers by it.
        let told = self.sent.is_none() && self.forwarded;
        HostRewriting {
            client_scheme: self.client_scheme,
            client,
            app_scheme: if told { self.client_scheme } else { self.upstream_scheme },
            app,
            upstream_scheme: self.upstream_scheme,
            upstream: self.upstream.as_str(),
        }
    }
}

/// The `Host` a rule sends to an upstream; `None` for the client's own.
pub(crate) fn sent_host(rule: &HostRule, upstream: &Authority) -> Result<Option<HeaderValue>, String> {
    let named = |name: &str| {
        let authority = name.parse::<Authority>().map_err(|_| name.to_owned())?;
        HeaderValue::from_str(authority.as_str()).map(Some).map_err(|_| name.to_owned())
    };
    let local = is_local(upstream.host());
    match rule {
        HostRule::Preserve => Ok(None),
        HostRule::Auto if local => Ok(None),
        HostRule::Auto | HostRule::Upstream => named(upstream.as_str()),
        HostRule::Named(name) => named(name),
    }
}

fn is_local(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
        || host.to_ascii_lowercase().ends_with(".localhost")
}

/// The hosts of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostRewriting<'a> {
    client_scheme: &'a str,
    client: &'a str,
    app_scheme: &'a str,
    app: &'a str,
    upstream_scheme: &'a str,
    upstream: &'a str,
}

/// What became of the hosts that a response names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RewrittenHosts {
    /// Where the client is sent instead of the application's own address.
    pub(crate) location: Option<String>,
    /// A cookie that the client will not take.
    pub(crate) refused_cookie: Option<String>,
}

impl HostRewriting<'_> {
    /// Makes a request's fields name the application.
    pub(crate) fn request(&self, headers: &mut HeaderMap) {
        for name in [ORIGIN, REFERER] {
            rewrite(headers, &name, |url| self.for_app(url));
        }
    }

    /// Makes a response's fields name the recorder.
    pub(crate) fn response(&self, headers: &mut HeaderMap) -> RewrittenHosts {
        let mut rewritten = RewrittenHosts::default();
        rewrite(headers, &LOCATION, |url| {
            rewritten.location = self.for_client(url);
            rewritten.location.clone()
        });
        rewrite(headers, &CONTENT_LOCATION, |url| self.for_client(url));
        rewrite(headers, &REFRESH, |refresh| {
            let at = refresh.to_ascii_lowercase().find("url=")? + 4;
            Some(format!("{}{}", &refresh[..at], self.for_client(&refresh[at..])?))
        });
        rewrite(headers, &ACCESS_CONTROL_ALLOW_ORIGIN, |origin| self.for_client(origin));
        if headers.contains_key(SET_COOKIE) {
            self.cookies(headers, &mut rewritten);
        }
        // Other ways to the application lead around the recorder, and a promise of HTTPS made for
        // the application's host must not bind the recorder's.
        headers.remove(ALT_SVC);
        headers.remove(STRICT_TRANSPORT_SECURITY);
        rewritten
    }

    /// The page that was asked for, as the client calls it.
    pub(crate) fn client_url(&self, uri: &Uri) -> String {
        let path = uri.path_and_query().map_or("/", |p| p.as_str());
        format!("{}://{}{path}", self.client_scheme, self.client)
    }

    /// `Forwarded` and its forerunners.
    pub(crate) fn forward(&self, headers: &mut HeaderMap, client: IpAddr) {
        let client = client.to_canonical();
        let quoted = match client {
            IpAddr::V4(v4) => v4.to_string(),
            IpAddr::V6(v6) => format!("\"[{v6}]\""),
        };
        let element = format!("for={quoted};host=\"{}\";proto={}", self.client, self.client_scheme);
        append(headers, HeaderName::from_static("forwarded"), &element);
        append(headers, HeaderName::from_static("x-forwarded-for"), &client.to_string());
        for (name, value) in [("x-forwarded-host", self.client), ("x-forwarded-proto", self.client_scheme)] {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }

    fn cookies(&self, headers: &mut HeaderMap, rewritten: &mut RewrittenHosts) {
        let loses_tls = self.client_scheme == "http" && self.upstream_scheme == "https";
        let reader = CookieReader { host: host_of(self.client), loses_tls };
        if let http::header::Entry::Occupied(mut cookies) = headers.entry(SET_COOKIE) {
            for value in cookies.iter_mut() {
                let Ok(cookie) = std::str::from_utf8(value.as_bytes()) else { continue };
                if self.client_scheme == "http" && rewritten.refused_cookie.is_none() {
                    rewritten.refused_cookie = https_only_name(cookie).map(str::to_owned);
                }
                if let Some(new) =
                    reader.rewrite(cookie).and_then(|c| HeaderValue::try_from(c.into_bytes()).ok())
                {
                    *value = new;
                }
            }
        }
    }

    fn for_app(&self, url: &str) -> Option<String> {
        let url = NamedUrl::split(url)?;
        let scheme = url.scheme?;
        if bare(url.authority, scheme) != bare(self.client, self.client_scheme) {
            return None;
        }
        url.renamed(self.app_scheme, self.app)
    }

    fn for_client(&self, url: &str) -> Option<String> {
        let url = NamedUrl::split(url)?;
        let named = bare(url.authority, url.scheme.unwrap_or(self.app_scheme));
        let is_app = named == bare(self.app, self.app_scheme)
            || named == bare(self.upstream, self.upstream_scheme)
            // Behind TLS, an application that is not told of it names its own port without it.
            || named == bare(self.client, self.client_scheme);
        if !is_app {
            return None;
        }
        url.renamed(self.client_scheme, self.client)
    }
}

/// A URL that names a host, in parts.
struct NamedUrl<'a> {
    scheme: Option<&'a str>,
    authority: &'a str,
    rest: &'a str,
}

impl<'a> NamedUrl<'a> {
    fn split(url: &'a str) -> Option<Self> {
        let url = url.trim();
        let (scheme, after) = match url.strip_prefix("//") {
            Some(after) => (None, after),
            None => {
                let (scheme, after) = url.split_once("://")?;
                let known = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
                (Some(known.then_some(scheme)?), after)
            }
        };
        let end = after.find(['/', '?', '#', '\\']).unwrap_or(after.len());
        let (authority, rest) = after.split_at(end);
        (!authority.is_empty()).then_some(Self { scheme, authority, rest })
    }

    /// The same page elsewhere; `None` where it is there already.
    fn renamed(&self, scheme: &str, authority: &str) -> Option<String> {
        let there = self.authority.eq_ignore_ascii_case(authority)
            && self.scheme.is_none_or(|s| s.eq_ignore_ascii_case(scheme));
        (!there).then(|| match self.scheme {
            Some(_) => format!("{scheme}://{authority}{}", self.rest),
            None => format!("//{authority}{}", self.rest),
        })
    }
}

/// An authority without its scheme's own port, comparable. The names of this machine are one:
/// an application on `127.0.0.1:8080` that calls itself `localhost:8080` is still that one.
fn bare(authority: &str, scheme: &str) -> String {
    let own = if scheme.eq_ignore_ascii_case("https") { ":443" } else { ":80" };
    let authority = authority.strip_suffix(own).unwrap_or(authority).to_ascii_lowercase();
    let host = host_of(&authority);
    if matches!(host, "127.0.0.1" | "::1") {
        let port = authority.rsplit_once(':').map_or("", |(_, port)| port);
        let port =
            if port.bytes().all(|b| b.is_ascii_digit()) && !authority.ends_with(']') { port } else { "" };
        return if port.is_empty() { "localhost".to_owned() } else { format!("localhost:{port}") };
    }
    authority
}

/// A host without its port and brackets.
fn host_of(authority: &str) -> &str {
    if let Some((host, _)) = authority.strip_prefix('[').and_then(|a| a.split_once(']')) {
        return host;
    }
    authority.rsplit_once(':').map_or(authority, |(host, _)| host)
}

fn rewrite(headers: &mut HeaderMap, name: &HeaderName, change: impl FnOnce(&str) -> Option<String>) {
    let Some(value) = headers.get_mut(name) else { return };
    let Ok(text) = std::str::from_utf8(value.as_bytes()) else { return };
    if let Some(new) = change(text).and_then(|text| HeaderValue::try_from(text.into_bytes()).ok()) {
        *value = new;
    }
}

fn append(headers: &mut HeaderMap, name: HeaderName, element: &str) {
    let before = headers.get(&name).and_then(|v| v.to_str().ok());
    let all = before.map_or_else(|| element.to_owned(), |before| format!("{before}, {element}"));
    if let Ok(value) = HeaderValue::from_str(&all) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
#[path = "host_rewriting_tests.rs"]
mod tests;
