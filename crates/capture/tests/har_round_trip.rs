//! What `restage export --to har` writes comes back as it was; what others wrote keeps what the format has.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;
use restage_capture::{FileTally, ImportSettings, Input, StoredExchanges, import};
use restage_model::{Captured, CapturedBody, Exchange, ExchangeId, Headers, Moment, Session, Suite, SuiteId};
use restage_store::Store;
use restage_suite::export::har;
use serde_json::{Value, json};

fn store(folder: &Path, name: &str) -> Store {
    Store::open_or_create(&folder.join(name)).unwrap()
}

/// All that a store has, as a suite of one session.
fn suite(store: &Store) -> Suite {
    let exchanges = store.exchanges().unwrap();
    let session = Session {
        name: "s1".to_owned(),
        by: "ip+agent".to_owned(),
        client: "10.0.0.7".to_owned(),
        from: Moment(0),
        to: Moment(0),
        exchanges: exchanges.iter().map(|e| e.id).collect(),
        left_out: Vec::new(),
        joined: Vec::new(),
        fresh: false,
    };
    Suite {
        id: SuiteId(1),
        name: "all".to_owned(),
        created: Moment(0),
        origin: "recorded".to_owned(),
        sessions: vec![session],
    }
}

fn written(store: &Store) -> String {
    har(&suite(store), &StoredExchanges(store)).unwrap()
}

fn read(store: &mut Store, folder: &Path, text: &str) -> FileTally {
    let file = folder.join("exported.har");
    std::fs::write(&file, text).unwrap();
    import(store, &Input::File(file), &ImportSettings::default()).unwrap()
}

/// An exchange with the bytes of its bodies, and without their numbers in the store.
fn whole(store: &Store, exchange: Exchange) -> (Exchange, Vec<u8>, Option<Vec<u8>>) {
    let mut bare = exchange.clone();
    bare.request.body.id = None;
    if let Some(response) = &mut bare.response {
        response.body.id = None;
    }
    let answer = exchange.response.map(|response| store.body(&response.body).unwrap());
    (bare, store.body(&exchange.request.body).unwrap(), answer)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn body() -> impl Strategy<Value = CapturedBody> {
    let bytes = prop_oneof![
        Just(Vec::new()),
        proptest::collection::vec(any::<u8>(), 0..20),
        any::<String>().prop_map(String::into_bytes),
        "[a-zü=&%]{0,12}".prop_map(String::into_bytes),
        Just(gzip(b"hello")),
    ];
    let missing = prop_oneof![4 => Just(0), 1 => 1u64..1000];
    (bytes, missing).prop_map(|(bytes, missing)| CapturedBody { size: bytes.len() as u64 + missing, bytes })
}

fn headers() -> impl Strategy<Value = Headers> {
    let name = prop_oneof![
        select(vec![
            "host",
            "cookie",
            "set-cookie",
            "content-type",
            "content-length",
            "content-encoding",
            "location",
            "transfer-encoding",
            "x-name",
            ":path",
        ])
        .prop_map(str::to_owned),
        "[a-z][a-z-]{0,8}",
    ];
    let value = prop_oneof![
        select(vec![
            "",
            "gzip",
            "identity",
            "gzip, br",
            "text/html",
            "3",
            "a=b; c=d",
            "/elsewhere",
            "two\nlines"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        "[ -~ü]{0,12}".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..6),
    ];
    proptest::collection::vec((name, value), 0..5).prop_map(|fields| {
        let mut headers = Headers::new();
        fields.iter().for_each(|(name, value)| headers.push_bytes(name, value));
        headers
    })
}

fn exchange() -> impl Strategy<Value = Captured> {
    let uri = prop_oneof![
        select(vec![
            "/",
            "*",
            "/a?b=c&b=d",
            "/ü?x=%zz",
            "//double",
            "http://other.test/x",
            "shop.test:443",
            "/a#b"
        ])
        .prop_map(str::to_owned),
        "/[ -~ü]{0,12}",
    ];
    let said = select(vec![None, Some("the client hung up".to_owned()), Some(String::new())]);
    let any_answer = (select(vec![100u16, 200, 302, 404, 599, 999]), headers(), body());
    // A packed file that was packed once more on its way, and a page that packing made longer.
    let packed = select(vec![gzip(&gzip(&[0; 200_000])), gzip(b"x")]).prop_map(|bytes| {
        let headers = [("content-encoding".to_owned(), "gzip".to_owned())].into_iter().collect();
        (200, headers, CapturedBody { size: bytes.len() as u64, bytes })
    });
    let answer = proptest::option::of(prop_oneof![3 => any_answer, 1 => packed]);
    (
        // Many of one moment.
        (0i64..3, any::<u32>(), select(vec!["10.0.0.1", "10.0.0.2", "::1", ""])),
        (select(vec!["GET", "POST", "PROPFIND"]), uri, headers(), body()),
        answer,
        said,
    )
        .prop_map(|((at, took, client), (method, uri, headers, body), response, error)| Captured {
            at: Moment(1_794_799_314_231_168 + at),
            took: u64::from(took),
            client: client.to_owned(),
            method: method.to_owned(),
            uri,
            headers,
            body,
            response,
            error,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Catches: anything of an exchange that is lost or made up on the way through a file: fields, their order and bytes, bodies that are no
    /// text, packed or cut, the client, moments, notes, names; an exchange that is taken for another.
    #[test]
    fn what_was_recorded_comes_back(mut batch in proptest::collection::vec(exchange(), 1..6), again in any::<bool>()) {
        if again {
            // Somebody clicked twice: two exchanges that nothing but their order tells apart.
            batch.extend(batch.clone());
        }
        let folder = tempfile::tempdir().unwrap();
        let mut recorded = store(folder.path(), "recorded.db");
        recorded.append(&batch).unwrap();
        let text = written(&recorded);
        let mut fresh = store(folder.path(), "fresh.db");
        let tally = read(&mut fresh, folder.path(), &text);
        prop_assert_eq!((tally.added, tally.unread, tally.passed_over), (batch.len() as u64, 0, 0));
        let all = |store: &Store| -> Vec<_> {
            store.exchanges().unwrap().into_iter().map(|exchange| whole(store, exchange)).collect()
        };
        prop_assert_eq!(all(&fresh), all(&recorded));
        prop_assert_eq!(written(&fresh), text.clone());
        // Where it came from, there is nothing new in it.
        prop_assert_eq!(read(&mut recorded, folder.path(), &text).added, 0);
    }
}

/// Catches: an exchange that is lost, or that another is lost for, where its name is taken already.
#[test]
fn names_that_are_taken_are_given_anew() {
    let folder = tempfile::tempdir().unwrap();
    let page = |uri: &str| Captured {
        at: Moment(7),
        took: 1,
        client: "10.0.0.1".to_owned(),
        method: "GET".to_owned(),
        uri: uri.to_owned(),
        headers: Headers::new(),
        body: CapturedBody::default(),
        response: Some((200, Headers::new(), CapturedBody::default())),
        error: None,
    };
    let mut first = store(folder.path(), "first.db");
    first.append(&[page("/a"), page("/b")]).unwrap();
    let mut second = store(folder.path(), "second.db");
    second.append(&[page("/c")]).unwrap();
    assert_eq!(read(&mut second, folder.path(), &written(&first)).added, 2);
    let there = |store: &Store| -> Vec<(i64, String)> {
        store.exchanges().unwrap().into_iter().map(|e| (e.id.0, e.request.uri)).collect()
    };
    assert_eq!(there(&second), [(1, "/c".to_owned()), (2, "/a".to_owned()), (3, "/b".to_owned())]);
    assert!(second.exchanges().unwrap().iter().all(|e| !e.imported), "they were recorded");
    // The same again, one entry less: nothing new, though none has its old name.
    first.remove_exchanges(&[ExchangeId(2)]).unwrap();
    assert_eq!(read(&mut second, folder.path(), &written(&first)).added, 0);
}

/// Catches: what the format has, and other programs wrote, lost on the way through the store.
#[test]
fn what_others_wrote_keeps_what_the_format_has() {
    let entry = |n: u32, request: Value, response: Value| {
        json!({
            "pageref": "page_1", "startedDateTime": format!("2026-11-16T08:00:00.{n:03}Z"), "time": 12.345 + f64::from(n),
            "request": request, "response": response, "cache": {}, "serverIPAddress": "192.0.2.1", "connection": "17",
            "timings": { "blocked": 1.5, "dns": -1, "connect": -1, "send": 0.1, "wait": 10.2, "receive": 0.545, "ssl": -1, "_queued": 0.9 },
            "_initiator": { "type": "other" }, "_priority": "VeryHigh", "_resourceType": "document",
        })
    };
    let request = |method: &str, url: &str, more: Value| {
        let mut request = json!({
            "method": method, "url": url, "httpVersion": "http/2.0", "headersSize": -1, "bodySize": 0, "queryString": [], "cookies": [],
            "headers": [{ "name": "Host", "value": "shop.test" }, { "name": "Cookie", "value": "id=1" }, { "name": "X-Ü", "value": "ü" }],
        });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let response = |status: u16, text: &str, more: Value| {
        let mut content =
            json!({ "size": text.len(), "mimeType": "text/html", "text": text, "_transferred": 3 });
        content.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({
            "status": status, "statusText": "OK", "httpVersion": "http/2.0", "cookies": [], "redirectURL": "", "headersSize": -1, "bodySize": 9,
            "headers": [{ "name": "content-type", "value": "text/html" }], "content": content, "_transferSize": 99,
        })
    };
    let form =
        json!({ "bodySize": 3, "postData": { "mimeType": "text/plain", "text": "a=b", "params": [] } });
    let entries = [
        entry(1, request("GET", "http://shop.test/a?b=c", json!({})), response(200, "<p>Zoë</p>", json!({}))),
        entry(2, request("POST", "http://shop.test/b", form), response(303, "", json!({}))),
        entry(
            3,
            request("GET", "http://shop.test/c", json!({})),
            response(200, "/wA=", json!({ "encoding": "base64", "size": 2 })),
        ),
    ];
    let text = json!({ "log": { "version": "1.2", "creator": { "name": "browser", "version": "1" }, "pages": [], "entries": entries } });
    let folder = tempfile::tempdir().unwrap();
    let mut store = store(folder.path(), "s.db");
    assert_eq!(read(&mut store, folder.path(), &text.to_string()).added, 3);
    let back: Value = serde_json::from_str(&written(&store)).unwrap();
    let back = back["log"]["entries"].as_array().unwrap();
    for (was, is) in entries.iter().zip(back) {
        let moment = |entry: &Value| -> jiff::Timestamp {
            entry["startedDateTime"].as_str().unwrap().parse().unwrap()
        };
        assert_eq!(moment(is), moment(was));
        assert_eq!(is["time"], was["time"]);
        for field in ["method", "url"] {
            assert_eq!(is["request"][field], was["request"][field]);
        }
        let post = |entry: &Value| entry["request"]["postData"]["text"].clone();
        assert_eq!(post(is), post(was));
        assert_eq!(is["response"]["status"], was["response"]["status"]);
        for field in ["size", "mimeType", "text", "encoding"] {
            assert_eq!(is["response"]["content"][field], was["response"]["content"][field], "{field}");
        }
        for side in ["request", "response"] {
            let fields = |entry: &Value| -> Vec<(String, Value)> {
                let list = entry[side]["headers"].as_array().unwrap().iter();
                list.map(|f| (f["name"].as_str().unwrap().to_ascii_lowercase(), f["value"].clone())).collect()
            };
            assert!(fields(was).iter().all(|field| fields(is).contains(field)), "{is}");
        }
    }
}
