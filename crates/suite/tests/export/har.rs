//! HAR goes back in without loss.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use restage_model::{BodyRef, Exchange, Headers, Session};
use restage_suite::ExchangeSource;
use restage_suite::export::har;
use serde_json::Value;

use crate::memory::hard;

fn bytes(text: Option<&Value>, encoding: Option<&Value>) -> Vec<u8> {
    let text = text.and_then(Value::as_str).unwrap_or_default();
    match encoding.and_then(Value::as_str) {
        Some("base64") => STANDARD.decode(text).unwrap(),
        _ => text.as_bytes().to_vec(),
    }
}

fn headers(list: &Value) -> Headers {
    let mut headers = Headers::new();
    for field in list.as_array().unwrap() {
        headers.push_bytes(field["name"].as_str().unwrap(), field["value"].as_str().unwrap().as_bytes());
    }
    headers
}

/// Catches anything of an exchange that is not in the file: fields, bodies, times, the client, what went wrong.
#[test]
fn nothing_is_lost() {
    let memory = hard();
    let suite = memory.suite();
    let log: Value = serde_json::from_str(&har(&suite, &memory).unwrap()).unwrap();
    let log = &log["log"];
    assert_eq!(log["version"], "1.2");
    let sessions: Vec<Session> = serde_json::from_value(log["_restage"]["sessions"].clone()).unwrap();
    assert_eq!(sessions, suite.sessions);
    let entries = log["entries"].as_array().unwrap();
    assert_eq!(entries.len(), memory.exchanges.len());
    for (entry, exchange) in entries.iter().zip(&memory.exchanges) {
        check(entry, exchange, &|body| memory.body(body).unwrap());
    }
    assert_eq!(entries[0]["_restage"]["step"], 1);
    assert_eq!(entries[5]["_restage"]["step"], Value::Null);
}

fn check(entry: &Value, exchange: &Exchange, body: &dyn Fn(&BodyRef) -> Vec<u8>) {
    let (own, request) = (&entry["_restage"], &entry["request"]);
    assert_eq!(own["at"], exchange.at.0);
    assert_eq!(own["took"], exchange.took);
    assert_eq!(own["client"], exchange.client.as_str());
    assert_eq!(own["session"], "s1");
    assert_eq!(request["method"], exchange.request.method.as_str());
    assert_eq!(request["url"], format!("http://shop.test{}", exchange.request.uri));
    assert_eq!(headers(&request["headers"]), exchange.request.headers);
    let data = request.get("postData");
    let sent = bytes(data.and_then(|d| d.get("text")), data.and_then(|d| d.get("encoding")));
    assert_eq!(sent, body(&exchange.request.body));
    let response = &entry["response"];
    match &exchange.response {
        Some(answer) => {
            assert_eq!(response["status"], answer.status);
            assert_eq!(headers(&response["headers"]), answer.headers);
            let content = &response["content"];
            assert_eq!(bytes(content.get("text"), content.get("encoding")), body(&answer.body));
        }
        None => {
            assert_eq!(response["status"], 0);
            assert_eq!(own["error"], exchange.error.as_deref().unwrap());
        }
    }
}

/// Catches a field that is no UTF-8 and cannot be told from one that is.
#[test]
fn fields_of_any_bytes_are_kept() {
    let mut memory = hard();
    memory.exchanges[0].request.headers.push_bytes("x-raw", b"\xff\xe9");
    let log: Value = serde_json::from_str(&har(&memory.suite(), &memory).unwrap()).unwrap();
    let raw: Headers =
        serde_json::from_value(log["log"]["entries"][0]["_restage"]["raw_headers"].clone()).unwrap();
    assert_eq!(raw, memory.exchanges[0].request.headers);
}
