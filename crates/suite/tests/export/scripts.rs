//! Scripts carry tokens, and spell what is hard to spell.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};

use restage_model::{ExchangeId, Origin};
use restage_suite::export::{Format, Script, ValueSource, export};

use crate::memory::{TOKEN, hard};

fn written(format: Format) -> String {
    let memory = hard();
    let mut files = export(&memory.suite(), &memory, format).unwrap();
    assert_eq!(files.len(), 1);
    files.remove(0).text
}

/// Catches a token that is sent as recorded though the live page holds it, and one that is taken from the wrong place.
#[test]
fn tokens_come_from_where_they_came() {
    let memory = hard();
    let script = Script::of(&memory.suite(), &memory).unwrap();
    assert_eq!(script.base, "http://shop.test");
    let steps = &script.sessions[0].steps;
    assert_eq!(steps[0].captures[0].place, ValueSource::Input("csrf".to_owned(), 0));
    assert_eq!(steps[2].captures[0].place, ValueSource::Json(vec!["deep".to_owned(), "key".to_owned()]));
    assert!(steps[2].notes[0].contains("x-token"), "{:?}", steps[2].notes);
    assert_eq!(steps[3].uri.recorded(), "/next?k=fedcba98765432100123&x=1");
    assert_eq!(steps.len(), 5, "what is left out of a replay is no step");
}

/// Catches values that hurl would read as its own.
#[test]
fn hurl() {
    let text = written(Format::Hurl);
    for line in [
        "csrf_1: xpath \"string((//input[@name='csrf'])[1]/@value)\"",
        "csrf: {{csrf_1}}",
        "name: O'Hara \"\\u{7b}\\u{7b}x}}\" \\# \\\\",
        "text: a\\r\\nb",
        "POST {{base}}/login?next=%2F%23x",
        "k_3: jsonpath \"$['deep']['key']\"",
        "GET {{base}}/next?k={{k_3}}&x=1",
        "base64,/wAK;",
        "HTTP 303",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    assert!(!text.contains(TOKEN));
}

/// Catches a script that the shell reads otherwise, or that sends something else: it is run by the real curl.
#[test]
fn curl() {
    let (address, asked) = server();
    let file = std::env::temp_dir().join(format!("restage-export-{}.sh", std::process::id()));
    std::fs::write(&file, written(Format::Curl)).unwrap();
    let output = std::process::Command::new("sh")
        .arg(&file)
        .env("BASE", format!("http://{address}"))
        .output()
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let said = "s1 step 2: status 303 became 200\ns1 step 5: status 000 became 200\n";
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()), (Some(1), said));
    let asked: Vec<Vec<u8>> = asked.try_iter().collect();
    let text: Vec<String> = asked.iter().map(|a| String::from_utf8_lossy(a).into_owned()).collect();
    assert_eq!(text.len(), 5);
    assert!(text[0].contains("User-Agent: Zoë's \"browser\"\r\n"), "{}", text[0]);
    let form = format!("csrf={TOKEN}&name=O%27Hara%20%22%7B%7Bx%7D%7D%22%20%23%20%5C&text=a%0D%0Ab&empty=");
    assert!(
        text[1].starts_with("POST /login?next=%2F%23x HTTP/1.1\r\n")
            && text[1].replace('+', "%20").ends_with(&form),
        "{}",
        text[1]
    );
    assert!(text[2].ends_with("\r\n\r\n{\"a\": \"it's\"}"), "{}", text[2]);
    assert!(asked[4].ends_with(b"\r\n\r\n\xff\x00\n"), "{}", text[4]);
}

/// A server that answers 200 to everything, and what it is asked.
fn server() -> (SocketAddr, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = Vec::new();
            let mut buffer = [0; 4096];
            while !is_whole(&asked) {
                match stream.read(&mut buffer) {
                    Ok(0) | Err(_) => break,
                    Ok(n) => asked.extend_from_slice(&buffer[..n]),
                }
            }
            let _ = sender.send(asked);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
    });
    (address, receiver)
}

fn is_whole(asked: &[u8]) -> bool {
    let text: String = asked.iter().map(|&b| char::from(b)).collect();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.to_ascii_lowercase();
    let length =
        length.split_once("content-length: ").map_or("0", |(_, l)| l.split('\r').next().unwrap_or("0"));
    body.chars().count() >= length.parse().unwrap()
}

/// Catches scripts that are no JavaScript, where there is something to ask.
#[test]
fn javascript() {
    for (format, name) in [(Format::K6, "k6.mjs"), (Format::Playwright, "playwright.cjs")] {
        let text = written(format);
        assert!(text.contains("const csrf_1 = "), "{text}");
        assert!(text.contains("\"/next?k=\" + encodeURIComponent(k_3) + \"&x=1\""), "{text}");
        assert!(text.contains("O'Hara \\\"{{x}}\\\" # \\\\"), "{text}");
        assert!(!text.contains(TOKEN));
        let file = std::env::temp_dir().join(format!("restage-export-{}-{name}", std::process::id()));
        std::fs::write(&file, &text).unwrap();
        let checked = std::process::Command::new("node").arg("--check").arg(&file).output();
        std::fs::remove_file(&file).unwrap();
        // Without node there is nobody to ask.
        if let Ok(checked) = checked {
            assert!(checked.status.success(), "{}\n{text}", String::from_utf8_lossy(&checked.stderr));
        }
    }
}

/// Catches a script that passes a made request off as a recorded one, or checks an answer that nobody ever got.
#[test]
fn what_nobody_recorded_is_said_above_its_step() {
    let mut memory = hard();
    let (by, why) = ("repair".to_owned(), "the form\nmoved".to_owned());
    memory.exchanges[1].origin = Origin::Edited { of: ExchangeId(1), by, why };
    let (by, why, from) = ("generate".to_owned(), "never asked for".to_owned(), Vec::new());
    memory.exchanges[2].origin = Origin::Generated { by, why, from };
    memory.exchanges[2].response = None;
    for format in [Format::Hurl, Format::Curl, Format::K6, Format::Playwright] {
        let text = export(&memory.suite(), &memory, format).unwrap().remove(0).text;
        for said in ["edited by repair: the form moved", "generated: never asked for"] {
            assert!(text.lines().any(|line| line.trim().ends_with(said)), "{format}: {said}\n{text}");
        }
        assert_eq!(text.contains("send 3 any"), format == Format::Curl);
    }
}
