//! Sessions told apart in little memory are those that are told with all exchanges at hand.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

mod reference;

use std::time::Duration;

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use restage_capture::{SessionRules, StaticClass, sessionize_and_filter};
use restage_model::{BodyRef, Exchange, ExchangeId, Headers, Moment, Request, Response};

const AGENTS: &[&str] = &["Mozilla/5.0", "Mozilla/5.0 (Googlebot/2.1)", "curl/8", ""];
const PATHS: &[&str] =
    &["/", "/a", "/a?x=1", "/b.html", "/c/d", "/i.png", "/i.png?q", "/robots.txt", "/health", "*"];
const COOKIES: &[&str] = &[
    "sid=1",
    "sid=2",
    "sid=",
    "theme=dark",
    "PHPSESSID=a1b2c3d4e5f6a7b8c9d0",
    "PHPSESSID=ffb2c3d4e5f6a7b8c9d0",
    "mine=0a1b2c3d4e5f60718293",
    "mine=1a1b2c3d4e5f60718293",
    "long=0a1b2c3d4e5f607182930a1b2c3d4e5f607182930a1b2c3d4e5f607182930a1b2c3d4e5f60718293",
];
const ENDS: &[&str] = &["", "", "; Path=/", "; Path=/c", "; Max-Age=0", "; Max-Age=900"];
const RULES: &[&[&str]] = &[
    &["cookie", "ip+agent"],
    &["cookie"],
    &["cookie:sid", "ip"],
    &["cookie:sid", "cookie"],
    &["user", "cookie", "ip"],
    &["header:x-user", "cookie:mine", "header:x-user"],
    &["ip", "cookie"],
    &["user"],
];

fn rules() -> impl Strategy<Value = SessionRules> {
    (select(RULES), 1u64..90, any::<[bool; 5]>()).prop_map(
        |(by, idle, [bots, hosts, classes, invalid, listed])| {
            let mut rules = SessionRules {
                by: by.iter().map(|b| b.parse().unwrap()).collect(),
                idle: Duration::from_secs(60 * idle),
                bots,
                ..SessionRules::default()
            };
            if hosts {
                rules.hosts.push("shop.example".to_owned());
            }
            if classes {
                rules.leave_out.classes = vec![StaticClass::Style];
            }
            rules.leave_out.invalid = invalid;
            if listed {
                rules.leave_out.paths.push("/health".into());
                rules.leave_out.static_pages.push("/c/*".into());
            }
            rules
        },
    )
}

/// Traffic of all kinds, out of order.
fn traffic() -> impl Strategy<Value = Vec<Exchange>> {
    let request = (select(&["GET", "GET", "GET", "HEAD", "POST"]), select(PATHS), select(AGENTS), 0u8..3);
    let headers = subsequence(
        vec![
            ("host", "shop.example:80"),
            ("host", "other.example"),
            ("referer", "/"),
            ("x-user", "ann"),
            ("x-user", " "),
            ("authorization", "Basic abc"),
        ],
        0..2,
    );
    let answer = weighted(0.9, (select(&[200u16, 200, 404, 304, 101]), 0u8..4, 0u64..200));
    let set = vec((select(COOKIES), select(ENDS)), 0..2);
    let one = (request, headers, vec(select(COOKIES), 0..3), answer, set, 0i64..300, any::<bool>());
    vec(one, 0..40).prop_map(|all| {
        let ids = (1..).map(ExchangeId);
        ids.zip(all)
            .map(|(id, ((method, uri, agent, client), headers, cookies, answer, set, minute, imported))| {
                let mut asked: Headers =
                    headers.into_iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
                asked.push("user-agent", agent);
                cookies.into_iter().for_each(|cookie| asked.push("cookie", cookie));
                let response = answer.map(|(status, kind, size)| {
                    let mut headers = Headers::new();
                    set.into_iter().for_each(|(c, end)| headers.push("set-cookie", format!("{c}{end}")));
                    if kind == 1 {
                        headers.push("last-modified", "x");
                        headers.push("accept-ranges", "bytes");
                    } else if kind == 2 {
                        headers.push("content-type", "image/png");
                    }
                    Response { status, headers, body: BodyRef { id: None, size, cut: false } }
                });
                Exchange {
                    id,
                    at: Moment(minute * 60_000_000),
                    took: 1,
                    client: ["10.0.0.1", "ann@10.0.0.1", "10.0.0.2"][client as usize].to_owned(),
                    request: Request {
                        method: method.to_owned(),
                        uri: uri.to_owned(),
                        headers: asked,
                        body: BodyRef::default(),
                    },
                    response,
                    error: None,
                    imported,
                    origin: restage_model::Origin::Recorded,
                }
            })
            .collect()
    })
}

/// Traffic as hasty as a bot's, but for some of it.
fn haste() -> impl Strategy<Value = Vec<Exchange>> {
    (traffic(), 55usize..70, 200_000i64..1_200_000, any::<bool>()).prop_map(|(mut all, n, pause, person)| {
        let Some(mut like) = all.pop() else { return all };
        like.imported = true;
        like.request.method = "GET".to_owned();
        like.request.headers = [("user-agent".to_owned(), "Mozilla/5.0".to_owned())].into_iter().collect();
        like.response = None;
        for step in 0..n {
            let mut next = like.clone();
            next.id = ExchangeId(1000 + step as i64);
            next.at = Moment(like.at.0 + pause * step as i64);
            next.request.uri = format!("/p{step}");
            if person && step == n / 2 {
                next.request.headers.push("referer", "/");
            }
            all.push(next);
        }
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Catches: exchanges in other sessions, sessions left out for other reasons, names and moments that differ, where
    /// only a few bytes of each exchange are remembered.
    #[test]
    fn the_same_sessions_as_with_all_exchanges_at_hand(
        exchanges in prop_oneof![3 => traffic(), 1 => haste()],
        rules in rules(),
    ) {
        let (expected, found) = (reference::sessionize_and_filter(&exchanges, &rules), sessionize_and_filter(&exchanges, &rules));
        prop_assert_eq!(&found.sessions, &expected.sessions);
        prop_assert_eq!(&found.left_out, &expected.left_out);
    }
}
