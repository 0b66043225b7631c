//! What goes on when the recorder stops.

use bytes::Bytes;
use http::Response;
use http_body_util::BodyExt;
use hyper::body::Frame;

use crate::stage::{Stage, begin, get, sent_by_hand, upstream};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_does_not_end_is_broken_off_and_kept() {
    let (sender, body) = sent_by_hand();
    let body = std::sync::Arc::new(std::sync::Mutex::new(Some(body)));
    let stage = Stage::new(
        upstream(move |_| {
            let body = body.lock().unwrap().take().unwrap();
            async { Response::builder().header("content-type", "text/event-stream").body(body).unwrap() }
        })
        .await,
    );
    let mut response = begin(stage.addr, get("/events")).await;
    sender.send(Frame::data(Bytes::from("data: 1\n\n"))).await.unwrap();
    assert!(response.frame().await.unwrap().is_ok());
    let exchange = stage.only().await;
    assert_eq!(exchange.error.as_deref(), Some("the recording ended after 9 bytes of the response"));
    assert_eq!(exchange.response.unwrap().2.bytes, b"data: 1\n\n");
    drop(sender);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_in_time_is_whole() {
    let (sender, body) = sent_by_hand();
    let body = std::sync::Arc::new(std::sync::Mutex::new(Some(body)));
    let stage = Stage::new(
        upstream(move |_| {
            let body = body.lock().unwrap().take().unwrap();
            async { Response::new(body) }
        })
        .await,
    );
    let addr = stage.addr;
    let mut response = begin(addr, get("/")).await;
    sender.send(Frame::data(Bytes::from("one"))).await.unwrap();
    assert!(response.frame().await.unwrap().is_ok());
    let ending = tokio::spawn(stage.only());
    // It stops when it takes no more connections.
    while tokio::net::TcpStream::connect(addr).await.is_ok() {
        tokio::task::yield_now().await;
    }
    sender.send(Frame::data(Bytes::from("two"))).await.unwrap();
    drop(sender);
    assert_eq!(response.collect().await.unwrap().to_bytes(), "two");
    let exchange = ending.await.unwrap();
    assert_eq!(exchange.error, None);
    assert_eq!(exchange.response.unwrap().2.bytes, b"onetwo");
}
