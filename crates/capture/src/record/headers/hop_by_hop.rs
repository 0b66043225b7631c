//! Header fields that concern one connection only and are not passed on (RFC 9110, 7.6.1).

use http::header::{CONNECTION, TE, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderMap, HeaderName, HeaderValue, Version};

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
const PROXY_CONNECTION: HeaderName = HeaderName::from_static("proxy-connection");

/// Removes what concerns this connection only. `TE: trailers` stays: trailers are passed on.
pub(crate) fn strip(headers: &mut HeaderMap) {
    if headers.contains_key(CONNECTION) {
        let named: Vec<HeaderName> = tokens(headers, &CONNECTION)
            .filter_map(|token| HeaderName::try_from(token).ok())
            // A request is nothing without its host, whatever a client says.
            .filter(|name| name != http::header::HOST && *name != TE)
            .collect();
        for name in named {
            headers.remove(name);
        }
        headers.remove(CONNECTION);
    }
    for name in [KEEP_ALIVE, PROXY_CONNECTION, TRANSFER_ENCODING, UPGRADE] {
        headers.remove(name);
    }
    if headers.contains_key(TE) {
        let trailers = tokens(headers, &TE).any(|token| token.eq_ignore_ascii_case("trailers"));
        headers.remove(TE);
        if trailers {
            headers.insert(TE, HeaderValue::from_static("trailers"));
        }
    }
}

/// What a request asks its connection to become, where it does. HTTP/2 by this way (`h2c`) is not
/// passed on: the answer would be in a protocol that is spoken with each side apart.
pub(crate) fn upgrade(headers: &HeaderMap, version: Version) -> Option<HeaderValue> {
    if version != Version::HTTP_11 {
        return None;
    }
    let protocol = headers.get(UPGRADE)?;
    let asked = tokens(headers, &CONNECTION).any(|token| token.eq_ignore_ascii_case("upgrade"));
    (asked && !protocol.as_bytes().eq_ignore_ascii_case(b"h2c")).then(|| protocol.clone())
}

/// Puts an upgrade back that [`strip`] removed.
pub(crate) fn ask_upgrade(headers: &mut HeaderMap, protocol: HeaderValue) {
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, protocol);
}

fn tokens<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers.get_all(name).iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        fields.iter().map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_static(v))).collect()
    }

    #[test]
    fn what_connection_names_goes_with_it() {
        let mut fields = headers(&[
            ("host", "a"),
            ("connection", "close, X-Trace, host"),
            ("x-trace", "1"),
            ("keep-alive", "timeout=5"),
            ("te", "gzip, trailers"),
            ("transfer-encoding", "chunked"),
            ("x-kept", "1"),
        ]);
        strip(&mut fields);
        assert_eq!(fields, headers(&[("host", "a"), ("te", "trailers"), ("x-kept", "1")]));
    }

    #[test]
    fn only_an_upgrade_that_can_be_passed_on_is_one() {
        let websocket = headers(&[("connection", "keep-alive, Upgrade"), ("upgrade", "websocket")]);
        assert_eq!(upgrade(&websocket, Version::HTTP_11).unwrap(), "websocket");
        assert!(upgrade(&websocket, Version::HTTP_10).is_none());
        let h2c = headers(&[("connection", "Upgrade, HTTP2-Settings"), ("upgrade", "h2c")]);
        assert!(upgrade(&h2c, Version::HTTP_11).is_none());
        assert!(upgrade(&headers(&[("upgrade", "websocket")]), Version::HTTP_11).is_none());
    }
}
