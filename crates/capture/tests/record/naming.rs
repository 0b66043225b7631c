//! The names on both sides of the recorder, end to end; the cases are in `names_tests.rs`.

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use restage_capture::{HostRule, Notice};

use crate::stage::{Stage, full, get, send, settings, upstream};

/// Redirects to itself under the host it was asked for.
async fn redirects(request: Request<Incoming>) -> Response<crate::stage::AnyBody> {
    let host = request.headers()["host"].to_str().unwrap();
    let origin = request.headers().get("origin").map_or("", |o| o.to_str().unwrap());
    Response::builder()
        .status(302)
        .header("location", format!("http://{host}/next"))
        .header("set-cookie", format!("sid=1; Domain={}; Path=/", host.split(':').next().unwrap()))
        .header("x-origin", origin)
        .body(full(""))
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_side_sees_its_own_names() {
    let addr = upstream(redirects).await;
    let mut settings = settings(addr);
    settings.host = HostRule::Named("shop.example".to_owned());
    let stage = Stage::with(settings);
    let here = format!("http://{}", stage.addr);
    let request = Request::post("/a").header("origin", &here).header("referer", format!("{here}/form"));
    let (parts, _) = send(stage.addr, request.body(Full::<Bytes>::default()).unwrap()).await;
    assert_eq!(parts.headers["location"], format!("{here}/next"));
    assert_eq!(parts.headers["set-cookie"], "sid=1; Path=/");
    assert_eq!(parts.headers["x-origin"], "http://shop.example");

    let exchange = stage.only().await;
    assert_eq!(exchange.headers.get("host"), Some("shop.example"));
    assert_eq!(exchange.headers.get("origin"), Some("http://shop.example"));
    assert_eq!(exchange.headers.get("referer"), Some("http://shop.example/form"));
    assert_eq!(exchange.headers.get("x-forwarded-for"), None);
    let (_, headers, _) = exchange.response.unwrap();
    assert_eq!(headers.get("location"), Some("http://shop.example/next"));
    assert_eq!(headers.get("set-cookie"), Some("sid=1; Domain=shop.example; Path=/"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clients_host_is_kept_for_a_local_upstream() {
    let mut settings = settings(upstream(redirects).await);
    settings.forwarded = true;
    let stage = Stage::with(settings);
    let (parts, _) = send(stage.addr, get("/a")).await;
    assert_eq!(parts.headers["location"], format!("http://{}/next", stage.addr));
    let host = stage.addr.to_string();
    let exchange = stage.only().await;
    assert_eq!(exchange.headers.get("host"), Some(host.as_str()));
    assert_eq!(exchange.headers.get("x-forwarded-for"), Some("127.0.0.1"));
    assert_eq!(exchange.client, "127.0.0.1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_is_warned_of_once() {
    let addr = upstream(|request: Request<Incoming>| async move {
        let location = format!("http://base.example{}", request.uri().path());
        Response::builder().status(301).header("location", location).body(full("")).unwrap()
    })
    .await;
    let mut settings = settings(addr);
    settings.host = HostRule::Named("base.example".to_owned());
    let stage = Stage::with(settings);
    for _ in 0..3 {
        send(stage.addr, get("/a")).await;
    }
    let url = format!("http://{}/a", stage.addr);
    let location = "http://base.example/a".to_owned();
    assert_eq!(*stage.notices.lock().unwrap(), [Notice::RedirectLoop { url, location }]);
    stage.end().await;
}
