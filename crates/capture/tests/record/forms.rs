//! Requests and responses of every form, odd ones among them, byte by byte.

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::stage::{Stage, begin, full, get, send, upstream};

/// An upstream that answers every connection with these bytes, once it has read a request's head.
async fn canned(answer: &'static str) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            read_head(&mut stream).await;
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    addr
}

async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    String::from_utf8(head).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_without_bodies() {
    for (method, answer, status, length) in [
        ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n", 200, Some("1234")),
        ("HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 200, None),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n", 204, None),
        ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nEtag: \"a\"\r\n\r\n", 304, Some("99")),
        ("GET", "HTTP/1.1 304 Not Modified\r\nEtag: \"a\"\r\n\r\n", 304, None),
        ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 200, Some("0")),
    ] {
        let stage = Stage::new(canned(answer).await);
        let request = Request::builder().method(method).uri("/x").body(Full::default()).unwrap();
        let (parts, body) = send::<Full<Bytes>>(stage.addr, request).await;
        assert_eq!(parts.status, status, "{answer}");
        // hyper writes no length beside a 304, which may leave it out; what is kept has it.
        if status != 304 {
            let passed = parts.headers.get("content-length").map(|v| v.to_str().unwrap());
            assert_eq!(passed, length, "{answer}");
        }
        assert!(body.is_empty());
        let exchange = stage.only().await;
        assert_eq!(exchange.error, None, "{answer}");
        let (kept_status, headers, body) = exchange.response.unwrap();
        assert_eq!((kept_status, body.size), (status, 0));
        assert_eq!(headers.get("content-length"), length);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_upstreams_that_end_by_closing() {
    let stage = Stage::new(old_upstream().await);
    let (parts, body) = send(stage.addr, get("/")).await;
    assert_eq!((parts.status, &body[..]), (StatusCode::OK, &b"old"[..]));
    assert_eq!(parts.version, http::Version::HTTP_11);
    assert_eq!(stage.only().await.error, None);
}

async fn old_upstream() -> std::net::SocketAddr {
    canned_once("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold").await
}

/// Like [`canned`], and closes the connection after it.
async fn canned_once(answer: &'static str) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            read_head(&mut stream).await;
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        }
    });
    addr
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upstream_that_breaks_off() {
    let stage = Stage::new(canned_once("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").await);
    let response = begin(stage.addr, get("/")).await;
    assert!(response.collect().await.is_err());
    let (tally, kept) = stage.end().await;
    assert_eq!(tally.upstream_errors, 1);
    let error = kept[0].error.as_deref().unwrap();
    assert!(error.starts_with("the upstream broke off after 4 bytes"), "{error}");
    assert_eq!(kept[0].response.as_ref().unwrap().2.bytes, b"half");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upstream_that_is_down() {
    // A port that was free a moment ago.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    drop(listener);
    let stage = Stage::new(addr);
    let (parts, body) = send(stage.addr, get("/x?y=1")).await;
    assert_eq!(parts.status, StatusCode::BAD_GATEWAY);
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert!(body.starts_with("restage could not reach the upstream"), "{body}");
    assert!(body.contains("refused"), "{body}");
    let (tally, kept) = stage.end().await;
    assert_eq!(tally.upstream_errors, 1);
    assert!(kept[0].response.is_none());
    assert_eq!(kept[0].uri, "/x?y=1");
    assert!(kept[0].error.as_deref().unwrap().contains("refused"));
}

/// Sends raw bytes and reads until the other side closes.
async fn raw(addr: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Answers with the request's own head and body.
async fn mirror(request: Request<Incoming>) -> Response<crate::stage::AnyBody> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.unwrap();
    let trailers = body.trailers().cloned().unwrap_or_default();
    let mut text = format!("{} {}\n", parts.method, parts.uri);
    let mut fields: Vec<_> = fields(&parts.headers).chain(fields(&trailers)).collect();
    fields.sort();
    text += &fields.concat();
    text += "\n";
    text += std::str::from_utf8(&body.to_bytes()).unwrap();
    Response::new(full(text))
}

fn fields(headers: &HeaderMap) -> impl Iterator<Item = String> {
    headers.iter().map(|(n, v)| format!("{n}: {}\n", v.to_str().unwrap()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_every_form() {
    for (request, expected) in [
        // Chunked, and what concerns the connection only.
        (
            "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close, x-hop\r\nX-Hop: 1\r\n\
             X-End: 1\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            "POST /a\nhost: h\ntransfer-encoding: chunked\nx-end: 1\n\nabcde",
        ),
        // An unusual body.
        (
            "GET /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            "GET /a\nhost: h\ntransfer-encoding: chunked\n\nx",
        ),
        (
            "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi",
            "PUT /a\ncontent-length: 2\nhost: h\n\nhi",
        ),
        // The target's host has precedence.
        (
            "GET http://there/a?b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "GET /a?b\nhost: there\n\n",
        ),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "OPTIONS *\nhost: h\n\n"),
        (
            "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n",
            "GET /a\ncookie: a=1; b=2\nhost: h\n\n",
        ),
    ] {
        let stage = Stage::new(upstream(mirror).await);
        let answer = raw(stage.addr, request).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        assert_eq!(body, expected, "{request}");
        let exchange = stage.only().await;
        let line = format!("{} {}\n", exchange.method, exchange.uri);
        assert!(expected.starts_with(&line), "{line}");
        assert!(expected.ends_with(std::str::from_utf8(&exchange.body.bytes).unwrap()));
        assert_eq!(exchange.error, None);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_asks_before_it_sends() {
    let stage = Stage::new(upstream(mirror).await);
    let mut stream = TcpStream::connect(stage.addr).await.unwrap();
    let head = "POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(read_head(&mut stream).await, "HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"hi").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.ends_with("\r\n\r\nPOST /a\ncontent-length: 2\nhost: h\n\nhi"), "{answer}");
    assert_eq!(stage.only().await.body.bytes, b"hi");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connect_is_refused_and_not_seen() {
    let stage = Stage::new(upstream(mirror).await);
    let answer = raw(stage.addr, "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\nConnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
    assert_eq!(stage.end().await.0.seen, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_the_upstream_closed_is_not_the_clients_problem() {
    // Each connection answers once, says that it stays open, and is closed.
    let addr = canned_once("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let stage = Stage::new(addr);
    for _ in 0..50 {
        assert_eq!(send(stage.addr, get("/")).await.0.status, StatusCode::OK);
    }
    assert_eq!(stage.end().await.0.stored, 50);
}
