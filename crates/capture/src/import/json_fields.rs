//! The fields of a JSON log, by the names that servers and their users give them.

use serde_json::{Map, Value};

/// What a field says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// When it was logged: at its end.
    Time,
    /// When it began.
    Began,
    Client,
    /// The client that a proxy told of: before the one that connected.
    Forwarded,
    User,
    /// `GET / HTTP/1.1`.
    RequestLine,
    Method,
    /// Path and query.
    Uri,
    /// The path alone.
    Path,
    Query,
    Body,
    Status,
    Size,
    /// Seconds, or with a unit.
    Took,
}

/// Lower case, without what separates words: `remote_addr`, `remoteAddr` and `Remote-Addr` are one.
const NAMES: &[(&str, Said)] = &[
    ("time", Said::Time),
    ("timeiso8601", Said::Time),
    ("timelocal", Said::Time),
    ("timestamp", Said::Time),
    ("@timestamp", Said::Time),
    ("msec", Said::Time),
    ("ts", Said::Time),
    ("startutc", Said::Began),
    ("date", Said::Time),
    ("remoteaddr", Said::Client),
    ("remoteip", Said::Client),
    ("remotehost", Said::Client),
    ("clientip", Said::Client),
    ("clienthost", Said::Client),
    ("client", Said::Client),
    ("ip", Said::Client),
    ("xforwardedfor", Said::Forwarded),
    ("httpxforwardedfor", Said::Forwarded),
    ("remoteuser", Said::User),
    ("clientusername", Said::User),
    ("request", Said::RequestLine),
    ("requestline", Said::RequestLine),
    ("requestmethod", Said::Method),
    ("method", Said::Method),
    ("verb", Said::Method),
    ("requesturi", Said::Uri),
    ("requesturl", Said::Uri),
    ("uri", Said::Uri),
    ("url", Said::Uri),
    ("requestpath", Said::Uri),
    ("path", Said::Path),
    ("args", Said::Query),
    ("query", Said::Query),
    ("querystring", Said::Query),
    ("requestbody", Said::Body),
    ("body", Said::Body),
    ("status", Said::Status),
    ("statuscode", Said::Status),
    ("response", Said::Status),
    ("downstreamstatus", Said::Status),
    ("bodybytessent", Said::Size),
    ("bytessent", Said::Size),
    ("bytes", Said::Size),
    ("size", Said::Size),
    ("downstreamcontentsize", Said::Size),
    ("requesttime", Said::Took),
    ("duration", Said::Took),
];

/// Request headers that have names of their own in logs.
const REQUEST_HEADERS: &[(&str, &str)] = &[
    ("referer", "referer"),
    ("referrer", "referer"),
    ("useragent", "user-agent"),
    ("agent", "user-agent"),
    ("cookie", "cookie"),
    ("cookies", "cookie"),
    ("contenttype", "content-type"),
    ("requestcontenttype", "content-type"),
    ("host", "host"),
    ("requesthost", "host"),
    ("servername", "host"),
    ("vhost", "host"),
];

/// Response headers that have.
const RESPONSE_HEADERS: &[(&str, &str)] =
    &[("responsecontenttype", "content-type"), ("setcookie", "set-cookie"), ("location", "location")];

/// Where a field of a log belongs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It says this of the exchange.
    Says(Said),
    /// It is this header of the request.
    Request(String),
    /// It is this header of the response.
    Response(String),
}

/// Where a field of this name belongs; none where that is not known.
pub(super) fn place(name: &str) -> Option<Place> {
    let bare: String =
        name.chars().filter(|c| !matches!(c, '_' | '-' | '.')).map(|c| c.to_ascii_lowercase()).collect();
    if let Some((_, said)) = NAMES.iter().find(|(known, _)| *known == bare) {
        return Some(Place::Says(*said));
    }
    if let Some((_, header)) = REQUEST_HEADERS.iter().find(|(known, _)| *known == bare) {
        return Some(Place::Request((*header).to_owned()));
    }
    if let Some((_, header)) = RESPONSE_HEADERS.iter().find(|(known, _)| *known == bare) {
        return Some(Place::Response((*header).to_owned()));
    }
    let header = |prefix: &str| {
        let rest = name.get(prefix.len()..).filter(|_| name[..prefix.len()].eq_ignore_ascii_case(prefix))?;
        (!rest.is_empty()).then(|| rest.replace('_', "-").to_ascii_lowercase())
    };
    // nginx's names: $sent_http_location, $upstream_http_…, $http_accept_language.
    if let Some(name) = header_of(&header, &["sent_http_", "upstream_http_", "downstream_"]) {
        return Some(Place::Response(name));
    }
    header_of(&header, &["http_", "request_"]).map(Place::Request)
}

fn header_of(header: &dyn Fn(&str) -> Option<String>, prefixes: &[&str]) -> Option<String> {
    prefixes.iter().find_map(|prefix| header(prefix))
}

/// The fields of an object, and of objects in it that are known to hold some (Caddy's `request`), as name and value.
pub(super) fn flat(object: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut all = Vec::with_capacity(object.len());
    for (name, value) in object {
        match value {
            Value::Object(inner) => {
                let prefix = match name.to_ascii_lowercase().as_str() {
                    "headers" | "request_headers" => "http_",
                    "resp_headers" | "response_headers" => "sent_http_",
                    _ => "",
                };
                all.extend(flat(inner).into_iter().map(|(name, value)| (format!("{prefix}{name}"), value)));
            }
            _ => all.push((name.clone(), value)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches: a header of the response taken for the request's.
    #[test]
    fn names_of_servers() {
        assert_eq!(place("http_user_agent"), Some(Place::Request("user-agent".to_owned())));
        assert_eq!(place("http_accept_language"), Some(Place::Request("accept-language".to_owned())));
        assert_eq!(place("sent_http_set_cookie"), Some(Place::Response("set-cookie".to_owned())));
        assert_eq!(place("RemoteAddr"), Some(Place::Says(Said::Client)));
        assert_eq!(place("request_time"), Some(Place::Says(Said::Took)));
        assert_eq!(place("pid"), None);
        assert_eq!(place("http_"), None);
        assert_eq!(place("é"), None);
    }
}
