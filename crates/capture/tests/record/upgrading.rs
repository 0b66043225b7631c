//! Connections that become something else.

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::stage::{AnyBody, Stage, begin, full, upstream};

/// Becomes an echo.
async fn echo(mut request: Request<Incoming>) -> Response<AnyBody> {
    if !request.headers().contains_key("upgrade") {
        return Response::builder().status(400).body(full("")).unwrap();
    }
    tokio::spawn(async move {
        let upgraded = hyper::upgrade::on(&mut request).await.unwrap();
        let (mut read, mut write) = tokio::io::split(TokioIo::new(upgraded));
        tokio::io::copy(&mut read, &mut write).await.unwrap();
    });
    Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header("connection", "Upgrade")
        .header("upgrade", "echo")
        .body(full(""))
        .unwrap()
}

fn ask() -> Request<Full<Bytes>> {
    let request = Request::get("/ws").header("connection", "keep-alive, Upgrade").header("upgrade", "echo");
    request.body(Full::default()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_pass_both_ways_and_stopping_closes() {
    let stage = Stage::new(upstream(echo).await);
    let response = begin(stage.addr, ask()).await;
    assert_eq!(response.status(), StatusCode::SWITCHING_PROTOCOLS);
    assert_eq!(response.headers()["upgrade"], "echo");
    let mut stream = TokioIo::new(hyper::upgrade::on(response).await.unwrap());
    for word in ["one", "three"] {
        stream.write_all(word.as_bytes()).await.unwrap();
        let mut back = vec![0; word.len()];
        stream.read_exact(&mut back).await.unwrap();
        assert_eq!(back, word.as_bytes());
    }
    let (tally, kept) = stage.end().await;
    assert_eq!((tally.upgrades, tally.stored), (1, 1));
    let (status, headers, _) = kept[0].response.as_ref().unwrap();
    assert_eq!((*status, headers.get("upgrade")), (101, Some("echo")));
    assert_eq!(kept[0].headers.get("upgrade"), Some("echo"));
    assert_eq!(stream.read(&mut [0; 8]).await.unwrap_or(0), 0);
}
