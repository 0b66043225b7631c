//! Everything passes, at once and unchanged, and is kept.

use std::io::Write;

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Frame, Incoming};
use tokio::net::TcpStream;

use crate::stage::{Stage, begin, full, get, send, sent_by_hand, settings, upstream};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_arrive_before_the_upstream_has_finished() {
    let (sender, body) = sent_by_hand();
    let body = std::sync::Mutex::new(Some(body));
    let body = std::sync::Arc::new(body);
    let stage = Stage::new(
        upstream(move |_| {
            let body = body.lock().unwrap().take().unwrap();
            async { Response::new(body) }
        })
        .await,
    );
    let mut response = begin(stage.addr, get("/stream")).await;
    for word in ["one", "two", "three"] {
        // The next word is sent only when this one has been seen.
        sender.send(Frame::data(Bytes::from(word))).await.unwrap();
        assert_eq!(response.frame().await.unwrap().unwrap().into_data().unwrap(), word);
    }
    drop(sender);
    assert!(response.frame().await.is_none());
    let exchange = stage.only().await;
    let (_, _, body) = exchange.response.unwrap();
    assert_eq!(body.bytes, b"onetwothree");
    assert_eq!(exchange.error, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_arrives_before_the_client_has_finished() {
    let (seen, mut echoed) = tokio::sync::mpsc::channel::<Bytes>(1);
    let stage = Stage::new(
        upstream(move |mut request: Request<Incoming>| {
            let seen = seen.clone();
            async move {
                while let Some(frame) = request.frame().await {
                    seen.send(frame.unwrap().into_data().unwrap()).await.unwrap();
                }
                Response::new(full("done"))
            }
        })
        .await,
    );
    let (sender, body) = sent_by_hand();
    let sending = tokio::spawn(begin(stage.addr, Request::post("/up").body(body).unwrap()));
    for word in ["one", "two"] {
        sender.send(Frame::data(Bytes::from(word))).await.unwrap();
        assert_eq!(echoed.recv().await.unwrap(), word);
    }
    drop(sender);
    let response = sending.await.unwrap();
    assert_eq!(response.collect().await.unwrap().to_bytes(), "done");
    let exchange = stage.only().await;
    assert_eq!(exchange.body.bytes, b"onetwo");
    assert_eq!(exchange.error, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn big_bodies_pass_whole_and_are_kept_up_to_the_limit() {
    let echo = |request: Request<Incoming>| async {
        Response::new(full(request.into_body().collect().await.unwrap().to_bytes()))
    };
    let addr = upstream(echo).await;
    let big: Bytes = (0..3_000_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<u8>>().into();

    let stage = Stage::new(addr);
    let request = Request::post("/big").body(Full::new(big.clone())).unwrap();
    assert!(send(stage.addr, request).await.1 == big);
    let exchange = stage.only().await;
    assert!(exchange.body.bytes == big && exchange.response.unwrap().2.bytes == big);

    let mut settings = settings(addr);
    settings.body_limit = 1_000_000;
    let stage = Stage::with(settings);
    let request = Request::post("/big").body(Full::new(big.clone())).unwrap();
    assert!(send(stage.addr, request).await.1 == big);
    let (tally, kept) = stage.end().await;
    assert_eq!(tally.cut_bodies, 2);
    for body in [&kept[0].body, &kept[0].response.as_ref().unwrap().2] {
        assert!(body.cut());
        assert_eq!(body.size, big.len() as u64);
        assert!(body.bytes == big[..1_000_000]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn encoded_bodies_are_not_touched() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&[b'x'; 10_000]).unwrap();
    let packed = encoder.finish().unwrap();
    let sent = packed.clone();
    let stage = Stage::new(
        upstream(move |_| {
            let body = full(sent.clone());
            async { Response::builder().header("content-encoding", "gzip").body(body).unwrap() }
        })
        .await,
    );
    let (parts, body) = send(stage.addr, get("/")).await;
    assert_eq!(parts.headers["content-encoding"], "gzip");
    assert_eq!(parts.headers["content-length"], packed.len().to_string());
    assert_eq!(body, packed);
    let (_, headers, body) = stage.only().await.response.unwrap();
    assert_eq!(headers.get("content-encoding"), Some("gzip"));
    assert_eq!(body.bytes, packed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trailers_pass() {
    let stage = Stage::new(
        upstream(|_| async {
            let (sender, body) = sent_by_hand();
            tokio::spawn(async move {
                sender.send(Frame::data(Bytes::from("body"))).await.unwrap();
                let trailers = [("x-sum".parse().unwrap(), "42".parse().unwrap())];
                sender.send(Frame::trailers(HeaderMap::from_iter(trailers))).await.unwrap();
            });
            Response::builder().header("trailer", "x-sum").body(body).unwrap()
        })
        .await,
    );
    let request = Request::get("/").header("te", "trailers").body(Full::<Bytes>::default()).unwrap();
    let collected = begin(stage.addr, request).await.collect().await.unwrap();
    assert_eq!(collected.trailers().unwrap()["x-sum"], "42");
    assert_eq!(stage.only().await.response.unwrap().2.bytes, b"body");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_goes_away() {
    let (sender, body) = sent_by_hand();
    let body = std::sync::Arc::new(std::sync::Mutex::new(Some(body)));
    let stage = Stage::new(
        upstream(move |_| {
            let body = body.lock().unwrap().take().unwrap();
            async { Response::new(body) }
        })
        .await,
    );
    let mut response = begin(stage.addr, get("/")).await;
    sender.send(Frame::data(Bytes::from("four"))).await.unwrap();
    assert!(response.frame().await.unwrap().is_ok());
    assert!(!response.body().is_end_stream());
    drop(response);
    // It is stored while the upstream has not ended.
    while stage.counts.tally().stored == 0 {
        tokio::task::yield_now().await;
    }
    drop(sender);
    let exchange = stage.only().await;
    assert_eq!(exchange.error.as_deref(), Some("the client went away after 4 bytes of the response"));
    assert_eq!(exchange.response.unwrap().2.bytes, b"four");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_requests_over_64_connections() {
    let stage = Stage::new(
        upstream(|request: Request<Incoming>| async move {
            Response::new(full(request.uri().path().to_owned().repeat(100)))
        })
        .await,
    );
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..64 {
        let addr = stage.addr;
        let share = 2000 / 64 + usize::from(client < 2000 % 64);
        clients.spawn(async move {
            let stream = TcpStream::connect(addr).await.unwrap();
            let io = hyper_util::rt::TokioIo::new(stream);
            let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
            tokio::spawn(connection);
            for n in 0..share {
                let path = format!("/{client}/{n}");
                let request = Request::get(&path).header("host", "h").body(Full::<Bytes>::default()).unwrap();
                sender.ready().await.unwrap();
                let response = sender.send_request(request).await.unwrap();
                assert_eq!(response.collect().await.unwrap().to_bytes(), path.repeat(100));
            }
        });
    }
    clients.join_all().await;
    let (tally, kept) = stage.end().await;
    assert_eq!((tally.seen, tally.stored, tally.not_stored), (2000, 2000, 0));
    for exchange in &kept {
        assert_eq!(exchange.response.as_ref().unwrap().2.bytes, exchange.uri.repeat(100).as_bytes());
    }
    let paths: std::collections::HashSet<_> = kept.iter().map(|e| &e.uri).collect();
    assert_eq!(paths.len(), 2000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_kept_whole_though_it_was_answered_before() {
    let stage = Stage::new(
        upstream(|request: Request<Incoming>| async move {
            tokio::spawn(request.into_body().collect());
            Response::new(full("early"))
        })
        .await,
    );
    let (sender, body) = sent_by_hand();
    let response = begin(stage.addr, Request::post("/up").body(body).unwrap()).await;
    assert_eq!(response.collect().await.unwrap().to_bytes(), "early");
    assert_eq!(stage.counts.tally().stored, 0);
    sender.send(Frame::data(Bytes::from("late"))).await.unwrap();
    drop(sender);
    while stage.counts.tally().stored == 0 {
        tokio::task::yield_now().await;
    }
    let exchange = stage.only().await;
    assert_eq!(exchange.body.bytes, b"late");
    assert_eq!(exchange.error, None);
    assert_eq!(exchange.response.unwrap().2.bytes, b"early");
}
