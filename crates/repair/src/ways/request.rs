//! Requests that nobody recorded, as they are written.

use restage_browser::request_uri;
use restage_model::{Exchange, ExchangeId, Headers, Moment, NewRequest, Params};
use restage_site::FormTarget;
use url::Url;

use crate::live::LiveStep;

/// Who makes them.
pub(crate) const BY: &str = "repair";
/// What the parts of a form are divided by.
const BOUNDARY: &str = "----restage3e81c5a97b";
/// Header fields of a recorded request that say how the browser is, not what it wants.
const BROWSERS_OWN: &[&str] = &[
    "accept",
    "accept-encoding",
    "accept-language",
    "host",
    "user-agent",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
];

/// What a form sends, and how.
pub(super) struct FormBody {
    pub(super) uri: String,
    pub(super) content_type: Option<String>,
    pub(super) body: Vec<u8>,
}

impl FormBody {
    /// The submission of a form. `old` is the recorded body, in parts, where it has files.
    pub(super) fn of(target: &FormTarget<'_>, params: &Params, old: Option<(&Headers, &[u8])>) -> Self {
        if target.method == "GET" {
            let mut url: Url = target.url.clone();
            url.set_query(Some(&params.encode()).filter(|query| !query.is_empty()).map(String::as_str));
            return Self { uri: request_uri(&url), content_type: None, body: Vec::new() };
        }
        let uri = request_uri(&target.url);
        if !target.form.multipart {
            let content_type = Some("application/x-www-form-urlencoded".to_owned());
            return Self { uri, content_type, body: params.encode().into_bytes() };
        }
        let in_parts = old.and_then(|(headers, body)| {
            let parts = restage_model::Multipart::parse(headers, body)?;
            Some((headers.get("content-type")?.to_owned(), parts.with(params)))
        });
        let (content_type, body) = in_parts
            .unwrap_or_else(|| (format!("multipart/form-data; boundary={BOUNDARY}"), parts_of(params)));
        Self { uri, content_type: Some(content_type), body }
    }
}

fn parts_of(params: &Params) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in params.pairs() {
        let name = name.replace('"', "%22").replace(['\r', '\n'], " ");
        let head = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n");
        for bytes in [head.as_bytes(), value.as_bytes(), b"\r\n"] {
            body.extend_from_slice(bytes);
        }
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

/// A recorded request, to be changed, that comes from a page.
pub(super) fn edited(of: &Exchange, body: Vec<u8>, page: &LiveStep, why: &str) -> NewRequest {
    let mut request = NewRequest::edited(of, body, BY, why);
    request.headers.remove("content-length");
    request.headers.set("referer", page.referer());
    request
}

/// A recorded request that comes from no page: its address is typed.
pub(crate) fn without_referer(of: &Exchange, body: Vec<u8>, uri: String, why: &str) -> NewRequest {
    let mut request = NewRequest::edited(of, body, BY, why);
    request.headers.remove("referer");
    request.uri = uri;
    request
}

/// A request that nobody made, by the browser that made another one, right after a step.
pub(crate) fn generated(
    like: &Exchange,
    after: Moment,
    method: &str,
    uri: &str,
    why: &str,
    from: &[ExchangeId],
) -> NewRequest {
    let mut request = NewRequest::generated(Moment(after.0 + 1), method, uri, BY, why, from);
    request.client.clone_from(&like.client);
    for (name, value) in like.request.headers.iter().filter(|(name, _)| BROWSERS_OWN.contains(name)) {
        request.headers.push(name, value);
    }
    request
}
