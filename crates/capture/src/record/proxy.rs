//! What happens to a request: it is made the application's, sent, and its response given back.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use http::header::{CONTENT_LENGTH, CONTENT_TYPE, COOKIE, EXPECT, HOST, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, Version, request};
use hyper::body::{Body, Incoming};
use hyper::upgrade::OnUpgrade;
use hyper_util::client::legacy;

use crate::record::body::{RequestBody, ResponseBody};
use crate::record::headers::hop_by_hop;
use crate::record::headers::{HostPlan, HostRewriting};
use crate::record::notice::Notice;
use crate::record::recording::Recording;
use crate::record::storing::intake::Intake;
use crate::record::upgrade::Upgrades;
use crate::record::upstream::{Upstream, explain, was_closed};

/// What a recorder's connections share.
#[derive(Debug)]
pub(crate) struct Proxy {
    pub(crate) intake: Arc<Intake>,
    pub(crate) upstream: Upstream,
    pub(crate) plan: HostPlan,
    pub(crate) upgrades: Upgrades,
}

impl Proxy {
    /// Answers a client's request with the application's response.
    pub(crate) async fn answer(
        self: Arc<Self>,
        client: IpAddr,
        mut request: Request<Incoming>,
    ) -> Response<ResponseBody> {
        if request.method() == Method::CONNECT {
            let text = "restage records one application and is no proxy for others\n".to_owned();
            return own(StatusCode::METHOD_NOT_ALLOWED, text);
        }
        let (method, uri) = (request.method().clone(), request.uri().clone());
        let mut recording = Recording::begin(self.intake.clone(), client, method, uri);
        self.intake.queue.room().await;

        let protocol = hop_by_hop::upgrade(request.headers(), request.version());
        let client_side = protocol.is_some().then(|| hyper::upgrade::on(&mut request));
        let (mut parts, body) = request.into_parts();
        let client_host = self.plan.client_host(&parts.uri, &parts.headers);
        let hosts = self.plan.rewriting(&client_host);
        self.make_applications(&mut parts.headers, &hosts, &client_host, client);
        if let Some(protocol) = protocol {
            hop_by_hop::ask_upgrade(&mut parts.headers, protocol);
        }
        let asked = Asked { method: parts.method.clone(), uri: parts.uri.clone() };
        let response = self.send(parts, body, client_side.is_some(), &mut recording).await;
        match response {
            Ok(response) => self.pass(response, client_side, &asked, &hosts, recording),
            Err(response) => {
                let (status, why) = response;
                self.refuse(status, why, recording)
            }
        }
    }

    /// Makes a request's fields those the application is to see.
    fn make_applications(
        &self,
        headers: &mut HeaderMap,
        hosts: &HostRewriting<'_>,
        client_host: &HeaderValue,
        client: IpAddr,
    ) {
        hop_by_hop::strip(headers);
        join_cookies(headers);
        // The recorder asks for the body itself, by reading it.
        if headers.get(EXPECT).is_some_and(|e| e.as_bytes().eq_ignore_ascii_case(b"100-continue")) {
            headers.remove(EXPECT);
        }
        hosts.request(headers);
        if self.plan.forwarded {
            hosts.forward(headers, client);
        }
        headers.insert(HOST, self.plan.sent.as_ref().unwrap_or(client_host).clone());
    }

    /// Sends a request; or says how to answer where there is no response.
    async fn send(
        &self,
        parts: request::Parts,
        body: Incoming,
        upgrading: bool,
        recording: &mut Recording,
    ) -> Result<Response<Incoming>, (StatusCode, String)> {
        recording.request(parts.headers.clone());
        let path = parts.uri.path_and_query().cloned();
        let host = parts.headers.get(HOST).map(HeaderValue::as_bytes);
        let uri = path.and_then(|path| self.upstream.uri(path, host));
        let uri = uri.ok_or_else(|| (StatusCode::BAD_REQUEST, "the request has no path".to_owned()))?;

        let empty = body.is_end_stream();
        let mut headers = parts.headers;
        let body = if empty {
            RequestBody::empty()
        } else {
            if !headers.contains_key(CONTENT_LENGTH) {
                // Said, because it is not expected of every method.
                headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
            }
            RequestBody::new(body, recording.upload())
        };
        let again = (empty && parts.method.is_safe()).then(|| (parts.method.clone(), uri.clone()));
        let sent = self.upstream.send(outgoing(parts.method, uri, headers, body), upgrading).await;
        let error = match (sent, again) {
            (Ok(response), _) => return Ok(response),
            (Err(error), Some((method, uri))) if was_closed(&error) => {
                let request = outgoing(method, uri, recording.sent_headers(), RequestBody::empty());
                match self.upstream.send(request, upgrading).await {
                    Ok(response) => return Ok(response),
                    Err(error) => error,
                }
            }
            (Err(error), _) => error,
        };
        Err(self.no_response(&error, recording))
    }

    fn no_response(&self, error: &legacy::Error, recording: &Recording) -> (StatusCode, String) {
        if let Some(why) = recording.upload_failure() {
            return (StatusCode::BAD_REQUEST, why);
        }
        let upstream = format!("{}://{}", self.upstream.scheme, self.upstream.authority);
        let did = if error.is_connect() { "could not reach" } else { "got no response from" };
        (StatusCode::BAD_GATEWAY, format!("restage {did} the upstream {upstream}: {}", explain(error)))
    }

    /// Gives the application's response to the client.
    fn pass(
        &self,
        mut response: Response<Incoming>,
        client_side: Option<OnUpgrade>,
        asked: &Asked,
        hosts: &HostRewriting<'_>,
        mut recording: Recording,
    ) -> Response<ResponseBody> {
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            let Some(client_side) = client_side else {
                let why = "the upstream switched protocols without being asked to".to_owned();
                return self.refuse(StatusCode::BAD_GATEWAY, why, recording);
            };
            self.upgrades.join(client_side, hyper::upgrade::on(&mut response));
            self.intake.counts.upgrades.fetch_add(1, Ordering::Relaxed);
            recording.response(response.status(), response.headers().clone());
            recording.finish();
            let (parts, _) = response.into_parts();
            let mut response = Response::new(ResponseBody::empty());
            *response.status_mut() = parts.status;
            *response.headers_mut() = parts.headers;
            return response;
        }
        let (mut parts, body) = response.into_parts();
        hop_by_hop::strip(&mut parts.headers);
        recording.response(parts.status, parts.headers.clone());
        let location = parts.headers.get(http::header::LOCATION).cloned();
        let rewritten = hosts.response(&mut parts.headers);
        if let Some(to) = rewritten.location
            && asked.method == Method::GET
            && to == hosts.client_url(&asked.uri)
        {
            let location = location.map(|l| String::from_utf8_lossy(l.as_bytes()).into_owned());
            self.intake.tell_once("redirect loop", || Notice::RedirectLoop {
                url: to,
                location: location.unwrap_or_default(),
            });
        }
        if let Some(name) = rewritten.refused_cookie {
            self.intake.tell_once(&name, || Notice::PrefixedCookie { name: name.clone() });
        }
        // The version is each connection's own.
        parts.version = Version::HTTP_11;
        Response::from_parts(parts, ResponseBody::passed(body, recording))
    }

    fn refuse(&self, status: StatusCode, why: String, recording: Recording) -> Response<ResponseBody> {
        if status == StatusCode::BAD_GATEWAY {
            self.intake.tell_once("unreachable", || Notice::UpstreamUnreachable { why: why.clone() });
            recording.fail_upstream(why.clone());
        } else {
            recording.fail(why.clone());
        }
        own(status, why + "\n")
    }
}

/// What a client asked for.
struct Asked {
    method: Method,
    uri: Uri,
}

fn outgoing(method: Method, uri: Uri, headers: HeaderMap, body: RequestBody) -> Request<RequestBody> {
    let mut request = Request::new(body);
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    request
}

fn own(status: StatusCode, text: String) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::text(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        let allow = HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH");
        response.headers_mut().insert(http::header::ALLOW, allow);
    }
    response
}

/// HTTP/2 clients may split their cookies; applications want one field.
fn join_cookies(headers: &mut HeaderMap) {
    let mut all = headers.get_all(COOKIE).iter();
    if all.next().is_none() || all.next().is_none() {
        return;
    }
    let joined =
        headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect::<Vec<_>>().join(&b"; "[..]);
    if let Ok(value) = HeaderValue::from_bytes(&joined) {
        headers.insert(COOKIE, value);
    }
}
