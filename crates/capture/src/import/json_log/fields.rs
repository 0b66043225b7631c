//! The fields of a JSON log, by the names that servers and their users give them.

use serde_json::{Map, Value};

/// What a field says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldMeaning {
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
const NAMES: &[(&str, FieldMeaning)] = &[
    ("time", FieldMeaning::Time),
    ("timeiso8601", FieldMeaning::Time),
    ("timelocal", FieldMeaning::Time),
    ("timestamp", FieldMeaning::Time),
    ("@timestamp", FieldMeaning::Time),
    ("msec", FieldMeaning::Time),
    ("ts", FieldMeaning::Time),
    ("startutc", FieldMeaning::Began),
    ("date", FieldMeaning::Time),
    ("remoteaddr", FieldMeaning::Client),
    ("remoteip", FieldMeaning::Client),
    ("remotehost", FieldMeaning::Client),
    ("clientip", FieldMeaning::Client),
    ("clienthost", FieldMeaning::Client),
    ("client", FieldMeaning::Client),
    ("ip", FieldMeaning::Client),
    ("xforwardedfor", FieldMeaning::Forwarded),
    ("httpxforwardedfor", FieldMeaning::Forwarded),
    ("remoteuser", FieldMeaning::User),
    ("clientusername", FieldMeaning::User),
    ("request", FieldMeaning::RequestLine),
    ("requestline", FieldMeaning::RequestLine),
    ("requestmethod", FieldMeaning::Method),
    ("method", FieldMeaning::Method),
    ("verb", FieldMeaning::Method),
    ("requesturi", FieldMeaning::Uri),
    ("requesturl", FieldMeaning::Uri),
    ("uri", FieldMeaning::Uri),
    ("url", FieldMeaning::Uri),
    ("requestpath", FieldMeaning::Uri),
    ("path", FieldMeaning::Path),
    ("args", FieldMeaning::Query),
    ("query", FieldMeaning::Query),
    ("querystring", FieldMeaning::Query),
    ("requestbody", FieldMeaning::Body),
    ("body", FieldMeaning::Body),
    ("status", FieldMeaning::Status),
    ("statuscode", FieldMeaning::Status),
    ("response", FieldMeaning::Status),
    ("downstreamstatus", FieldMeaning::Status),
    ("bodybytessent", FieldMeaning::Size),
    ("bytessent", FieldMeaning::Size),
    ("bytes", FieldMeaning::Size),
    ("size", FieldMeaning::Size),
    ("downstreamcontentsize", FieldMeaning::Size),
    ("requesttime", FieldMeaning::Took),
    ("duration", FieldMeaning::Took),
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
pub(super) enum LogField {
    /// It says this of the exchange.
    Says(FieldMeaning),
    /// It is this header of the request.
    Request(String),
    /// It is this header of the response.
    Response(String),
}

/// Where a field of this name belongs; none where that is not known.
pub(super) fn log_field(name: &str) -> Option<LogField> {
    let bare: String =
        name.chars().filter(|c| !matches!(c, '_' | '-' | '.')).map(|c| c.to_ascii_lowercase()).collect();
    if let Some((_, said)) = NAMES.iter().find(|(known, _)| *known == bare) {
        return Some(LogField::Says(*said));
    }
    if let Some((_, header)) = REQUEST_HEADERS.iter().find(|(known, _)| *known == bare) {
        return Some(LogField::Request((*header).to_owned()));
    }
    if let Some((_, header)) = RESPONSE_HEADERS.iter().find(|(known, _)| *known == bare) {
        return Some(LogField::Response((*header).to_owned()));
    }
    let header = |prefix: &str| {
        let rest = name.get(prefix.len()..).filter(|_| name[..prefix.len()].eq_ignore_ascii_case(prefix))?;
        (!rest.is_empty()).then(|| rest.replace('_', "-").to_ascii_lowercase())
    };
    // nginx's names: $sent_http_location, $upstream_http_…, $http_accept_language.
    if let Some(name) = header_of(&header, &["sent_http_", "upstream_http_", "downstream_"]) {
        return Some(LogField::Response(name));
    }
    header_of(&header, &["http_", "request_"]).map(LogField::Request)
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
        assert_eq!(log_field("http_user_agent"), Some(LogField::Request("user-agent".to_owned())));
        assert_eq!(log_field("http_accept_language"), Some(LogField::Request("accept-language".to_owned())));
        assert_eq!(log_field("sent_http_set_cookie"), Some(LogField::Response("set-cookie".to_owned())));
        assert_eq!(log_field("RemoteAddr"), Some(LogField::Says(FieldMeaning::Client)));
        assert_eq!(log_field("request_time"), Some(LogField::Says(FieldMeaning::Took)));
        assert_eq!(log_field("pid"), None);
        assert_eq!(log_field("http_"), None);
        assert_eq!(log_field("é"), None);
    }
}
