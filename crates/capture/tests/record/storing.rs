//! A store that fails, is slow, or works again: the traffic goes on, and the counts add up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use http::{Response, StatusCode};
use restage_capture::{Notice, SinkFailure};

use crate::stage::{Stage, failure, full, get, send, settings, upstream};

async fn pages() -> std::net::SocketAddr {
    upstream(|_| async { Response::new(full(vec![b'x'; 10_000])) }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_never_works() {
    for kind in [SinkFailure::Full, SinkFailure::Busy, SinkFailure::Other] {
        let mut settings = settings(pages().await);
        // Room for a few exchanges only.
        settings.queue_bytes = 100_000;
        let stage = Stage::failing(settings, move |_| Err(failure(kind, "it fails")));
        for _ in 0..40 {
            assert_eq!(send(stage.addr, get("/")).await.0.status, StatusCode::OK);
        }
        let notices = stage.notices.clone();
        let (tally, _) = stage.end().await;
        assert_eq!((tally.seen, tally.stored, tally.not_stored), (40, 0, 40), "{tally:?}");
        assert_eq!(tally.reasons[0].0, "it fails");
        let why = "it fails".to_owned();
        let fails =
            notices.lock().unwrap().iter().filter(|n| **n == Notice::StoreFails { why: why.clone() }).count();
        let lost =
            notices.lock().unwrap().iter().filter(|n| **n == Notice::NotStored { why: why.clone() }).count();
        assert_eq!((fails, lost), (1, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_works_again() {
    for kind in [SinkFailure::Full, SinkFailure::Busy] {
        let works = Arc::new(AtomicBool::new(false));
        let tries = Arc::new(AtomicU64::new(0));
        let (asked, tried) = (works.clone(), tries.clone());
        let stage = Stage::failing(settings(pages().await), move |_| {
            tried.fetch_add(1, Ordering::SeqCst);
            if asked.load(Ordering::SeqCst) { Ok(()) } else { Err(failure(kind, "no room")) }
        });
        for _ in 0..20 {
            assert_eq!(send(stage.addr, get("/")).await.0.status, StatusCode::OK);
        }
        while tries.load(Ordering::SeqCst) < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(stage.counts.tally().stored, 0);
        works.store(true, Ordering::SeqCst);
        while stage.counts.tally().stored < 20 {
            tokio::task::yield_now().await;
        }
        let notices = stage.notices.clone();
        let (tally, _) = stage.end().await;
        assert_eq!((tally.seen, tally.stored), (20, 20));
        let told = notices.lock().unwrap().clone();
        assert_eq!(told, [Notice::StoreFails { why: "no room".to_owned() }, Notice::StoreWorks]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_bad_exchange_is_lost_alone() {
    let stage = Stage::failing(settings(pages().await), |batch| {
        let bad = batch.iter().any(|exchange| exchange.uri == "/bad");
        if bad { Err(failure(SinkFailure::Other, "bad exchange")) } else { Ok(()) }
    });
    for path in ["/a", "/bad", "/b", "/c", "/bad", "/d"] {
        send(stage.addr, get(path)).await;
    }
    let (tally, kept) = stage.end().await;
    assert_eq!((tally.seen, tally.stored, tally.not_stored), (6, 4, 2));
    assert_eq!(tally.reasons, [("bad exchange".to_owned(), 2)]);
    let mut paths: Vec<_> = kept.iter().map(|e| e.uri.as_str()).collect();
    paths.sort();
    assert_eq!(paths, ["/a", "/b", "/c", "/d"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_wait_for_a_slow_store_and_none_is_lost() {
    let (go, gate) = mpsc::channel::<()>();
    let arrived = Arc::new(AtomicU64::new(0));
    let count = arrived.clone();
    let addr = upstream(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Response::new(full(vec![b'x'; 10_000])) }
    })
    .await;
    let mut settings = settings(addr);
    settings.queue_bytes = 1;
    // Appends only when told to.
    let stage = Stage::failing(settings, move |_| {
        gate.recv().unwrap();
        Ok(())
    });
    send(stage.addr, get("/first")).await;
    // The queue is full now: the second is not passed on until the first is stored.
    let second = tokio::spawn(send(stage.addr, get("/second")));
    while stage.counts.tally().seen < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(arrived.load(Ordering::SeqCst), 1);
    go.send(()).unwrap();
    second.await.unwrap();
    assert_eq!(arrived.load(Ordering::SeqCst), 2);
    go.send(()).unwrap();
    let (tally, _) = stage.end().await;
    assert_eq!((tally.seen, tally.stored), (2, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stuck_store_does_not_stop_the_traffic() {
    let (go, gate) = mpsc::channel::<()>();
    let mut settings = settings(pages().await);
    settings.queue_bytes = 1;
    let stage = Stage::failing(settings, move |_| {
        // Until the test has seen every answer.
        let _ = gate.recv();
        Ok(())
    });
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..8 {
        clients.spawn(send(stage.addr, get("/")));
    }
    for (parts, _) in clients.join_all().await {
        assert_eq!(parts.status, StatusCode::OK);
    }
    drop(go);
    let (tally, _) = stage.end().await;
    assert_eq!(tally.seen, 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_store_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("restage.db");
    let store = restage_store::Store::open_or_create(&path).unwrap();
    let recorder = restage_capture::Recorder::bind(settings(pages().await), store).unwrap();
    let addr = recorder.local_addr();
    let counts = recorder.counts();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let run = tokio::spawn(recorder.run(stopped));
    for _ in 0..10 {
        send(addr, get("/page")).await;
    }
    // Stored while it goes on, not only at its end.
    while counts.tally().stored < 10 {
        tokio::task::yield_now().await;
    }
    stop.send(()).unwrap();
    assert_eq!(run.await.unwrap().stored, 10);
    let store = restage_store::Store::open(&path).unwrap();
    let exchanges = store.exchanges().unwrap();
    assert_eq!(exchanges.len(), 10);
    assert_eq!(exchanges[9].request.uri, "/page");
    assert_eq!(exchanges[9].response.as_ref().unwrap().body.size, 10_000);
}
