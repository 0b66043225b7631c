//! The sessionizer: a case for each rule, and what must hold of any traffic.

// Clippy's own exception for tests does not reach their helper functions.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use proptest::prelude::*;
use restage_capture::{By, LeaveOut, SessionRules, StaticClass, sessionize, sessionize_and_filter};
use restage_model::{BodyRef, Exchange, ExchangeId, Headers, Moment, Request, Response, Session};

/// One line of traffic: `minute client path [carried cookies] [> set cookies]`.
fn exchange(id: i64, line: &str) -> Exchange {
    let (asked, set) = line.split_once('>').unwrap_or((line, ""));
    let mut words = asked.splitn(4, ' ').map(str::trim);
    let minute: i64 = words.next().unwrap().parse().unwrap();
    let client = words.next().unwrap();
    let uri = words.next().unwrap();
    let cookies = words.next().unwrap_or_default();
    let (client, agent) = client.split_once('/').unwrap_or((client, "agent"));
    let mut headers = Headers::new();
    headers.push("user-agent", agent);
    if !cookies.is_empty() {
        headers.push("cookie", cookies);
    }
    let mut response = Headers::new();
    for cookie in set.split(',').map(str::trim).filter(|c| !c.is_empty()) {
        response.push("set-cookie", cookie);
    }
    Exchange {
        id: ExchangeId(id),
        at: Moment(minute * 60_000_000),
        took: 1,
        client: client.to_owned(),
        request: Request { method: "GET".into(), uri: uri.into(), headers, body: BodyRef::default() },
        response: Some(Response { status: 200, headers: response, body: BodyRef::default() }),
        error: None,
        imported: false,
        origin: restage_model::Origin::Recorded,
    }
}

fn traffic(lines: &[&str]) -> Vec<Exchange> {
    lines.iter().enumerate().map(|(n, line)| exchange(n as i64 + 1, line)).collect()
}

fn rules(by: &[&str]) -> SessionRules {
    SessionRules {
        by: by.iter().map(|b| b.parse().unwrap()).collect(),
        idle: Duration::from_secs(45 * 60),
        ..SessionRules::default()
    }
}

/// Sessions as lists of exchange numbers, left-out ones negative.
fn shape(sessions: &[Session]) -> Vec<Vec<i64>> {
    sessions
        .iter()
        .map(|session| {
            let kept = session.exchanges.iter().map(|id| id.0);
            kept.chain(session.left_out.iter().map(|id| -id.0)).collect()
        })
        .collect()
}

/// What it shows, the rules, the traffic, and the sessions expected.
type Case = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static [i64]]);

#[test]
fn each_rule() {
    const NAMED: &[&str] = &["cookie:sid"];
    const FOUND: &[&str] = &["cookie", "ip+agent"];
    let cases: &[Case] = &[
        (
            "random values of an unknown name, one of which came out as a number",
            FOUND,
            &[
                "0 a / > NOTESID=3f25a4e04f8911d39a0c0305e82c3301",
                "1 a / > NOTESID=81250420478911039200030578203301",
                "2 a /x NOTESID=81250420478911039200030578203301",
                "3 a /x NOTESID=3f25a4e04f8911d39a0c0305e82c3301",
                "4 a / > NOTESID=9d0e7c1f5b3a48e2a6f4d8b17c5e2a90",
                "5 a /x NOTESID=9d0e7c1f5b3a48e2a6f4d8b17c5e2a90",
            ],
            &[&[1, 4], &[2, 3], &[5, 6]],
        ),
        (
            "two users by their cookies",
            NAMED,
            &["0 a / > sid=1", "0 a / > sid=2", "1 a /x sid=1", "1 a /x sid=2", "2 a /y sid=1"],
            &[&[1, 3, 5], &[2, 4]],
        ),
        (
            "an id that is given anew",
            NAMED,
            &["0 a / > sid=1", "1 a /login sid=1 > sid=2", "2 a /x sid=2", "3 a /y sid=1"],
            &[&[1, 2, 3, 4]],
        ),
        (
            "a deletion binds nothing",
            NAMED,
            &[
                "0 a / > sid=1",
                "0 b / > sid=2",
                "1 a /out sid=1 > sid=deleted; Max-Age=0",
                "1 b /out sid=2 > sid=deleted; Max-Age=0",
                "2 a /x sid=deleted",
            ],
            &[&[1, 3], &[2, 4], &[5]],
        ),
        (
            "a long pause ends a session",
            NAMED,
            &["0 a / > sid=1", "45 a /x sid=1", "91 a /y sid=1", "92 a /z sid=1"],
            &[&[1, 2], &[3, 4]],
        ),
        (
            "a cookie from before the recording",
            NAMED,
            &["0 a /x sid=1", "1 a /y sid=1", "1 a /y sid=2"],
            &[&[1, 2], &[3]],
        ),
        (
            "shoppers at one place whose first answers set their cookies",
            NAMED,
            &[
                "0 a / > sid=1",
                "0 a / > sid=2",
                "0 a / > sid=3",
                "1 a /x sid=2",
                "1 a /x sid=1",
                "1 a /x sid=3",
            ],
            &[&[1, 5], &[2, 4], &[3, 6]],
        ),
        (
            "one who was here before the cookie",
            NAMED,
            &["0 a /", "1 a /about", "2 a /login > sid=1", "3 a /x sid=1"],
            &[&[1, 2, 3, 4]],
        ),
        (
            "another place's cookie is another user's",
            NAMED,
            &["0 a /", "1 b /login > sid=1", "2 a/other /login > sid=2", "3 a /login > sid=3"],
            &[&[1, 4], &[2], &[3]],
        ),
        ("too late to be the one who was here", NAMED, &["0 a /", "46 a /login > sid=1"], &[&[1], &[2]]),
        (
            "without a cookie where one was given: somebody else",
            NAMED,
            &["0 a / > sid=1", "1 a /", "2 a /x sid=1", "3 a /login > sid=2", "4 a /y sid=2"],
            &[&[1, 3], &[2, 4, 5]],
        ),
        (
            "without a cookie: images go with the only session of the place",
            NAMED,
            &["0 a / > sid=1", "1 a /logo.png", "2 a /x sid=1"],
            &[&[1, 3, -2]],
        ),
        (
            "without a cookie after it was taken back: the only session of the place",
            NAMED,
            &["0 a / > sid=1", "1 a /out sid=1 > sid=; Max-Age=0", "2 a /"],
            &[&[1, 2, 3]],
        ),
        (
            "without a cookie that is for another path: the only session of the place",
            NAMED,
            &["0 a /app > sid=1; Path=/app", "1 a /", "2 a /app/x sid=1"],
            &[&[1, 2, 3]],
        ),
        (
            "without a cookie: not when two could be meant",
            NAMED,
            &["0 a / > sid=1", "0 a / > sid=2", "1 a /x.png", "2 a /x.png", "3 a /x sid=1"],
            &[&[1, 5], &[2], &[-3, -4]],
        ),
        (
            "without a cookie: one of two has ended",
            NAMED,
            &["0 a / > sid=1", "40 a / > sid=2", "50 a /x.png"],
            &[&[1], &[2, -3]],
        ),
        (
            "without a cookie: one that went on elsewhere is open here, too",
            NAMED,
            &["0 a / > sid=1", "1 a / > sid=2", "40 b /x sid=1", "50 a / > sid=3", "51 a /x.png"],
            &[&[1, 3], &[2], &[4], &[-5]],
        ),
        (
            "without a cookie: one that went on elsewhere is the only one open here",
            NAMED,
            &["0 a / > sid=1", "1 a / > sid=2", "40 b /x sid=1", "50 a /x.png"],
            &[&[1, 3, -4], &[2]],
        ),
        (
            "without any cookies: address and agent",
            FOUND,
            &["0 a /", "0 b /", "1 a /x", "1 a/firefox /x", "60 a /y"],
            &[&[1, 3], &[2], &[4], &[5]],
        ),
        ("the address alone", &["ip"], &["0 a /", "1 a/firefox /x", "1 b /"], &[&[1, 2], &[3]]),
        (
            "what comes after the place is not asked",
            &["ip", "cookie:sid"],
            &["0 a / sid=1", "1 a / sid=2"],
            &[&[1, 2]],
        ),
        (
            "the first rule that an exchange has",
            &["cookie:a", "cookie:b"],
            &["0 x / > b=1", "1 x / b=1 > a=1", "2 x / a=1; b=1", "3 x / a=2; b=1"],
            &[&[1, 2, 3], &[4]],
        ),
        (
            "session cookies are found: PHP",
            FOUND,
            &[
                "0 a / > PHPSESSID=aaaaaaaaaaaaaaaaaaaaaaaaaa; path=/",
                "0 a / > PHPSESSID=bbbbbbbbbbbbbbbbbbbbbbbbbb; path=/",
                "1 a /x PHPSESSID=aaaaaaaaaaaaaaaaaaaaaaaaaa; lang=en",
                "1 a /x lang=en; PHPSESSID=bbbbbbbbbbbbbbbbbbbbbbbbbb",
            ],
            &[&[1, 3], &[2, 4]],
        ),
        (
            "session cookies are found: any of several",
            FOUND,
            &[
                "0 a / > wiki_session=aaaaaaaaaaaaaaaaaaaa",
                "0 a / > wiki_session=bbbbbbbbbbbbbbbbbbbb",
                "1 a /login wiki_session=aaaaaaaaaaaaaaaaaaaa > DW0123456789abcdef0123456789abcdef=xxxxxxxxxxxxxxxx; Max-Age=9999",
                "2 a /x DW0123456789abcdef0123456789abcdef=xxxxxxxxxxxxxxxx",
                "3 a /x wiki_session=bbbbbbbbbbbbbbbbbbbb",
            ],
            &[&[1, 3, 4], &[2, 5]],
        ),
        (
            "session cookies are found: Django, whose session begins at login",
            FOUND,
            &[
                "0 a / > csrftoken=aaaaaaaaaaaaaaaaaaaaaaaa; Max-Age=31449600",
                "0 a / > csrftoken=bbbbbbbbbbbbbbbbbbbbbbbb; Max-Age=31449600",
                "1 a /login csrftoken=bbbbbbbbbbbbbbbbbbbbbbbb > sessionid=xxxxxxxxxxxxxxxxxxxxxxxx; Max-Age=1209600, csrftoken=cccccccccccccccccccccccc; Max-Age=31449600",
                "1 a /login csrftoken=aaaaaaaaaaaaaaaaaaaaaaaa > sessionid=yyyyyyyyyyyyyyyyyyyyyyyy; Max-Age=1209600",
                "2 a /x sessionid=xxxxxxxxxxxxxxxxxxxxxxxx; csrftoken=cccccccccccccccccccccccc",
                "2 a /x sessionid=yyyyyyyyyyyyyyyyyyyyyyyy",
            ],
            &[&[1, 4, 6], &[2, 3, 5]],
        ),
        (
            "session cookies are found: WordPress, which has none before login",
            FOUND,
            &[
                "0 a /",
                "1 a /wp-login.php > wordpress_test_cookie=WP%20Cookie%20check",
                "2 a /wp-login.php wordpress_test_cookie=WP%20Cookie%20check > wordpress_logged_in_0123=admin%7C1700000000%7Cabcdef",
                "3 a /wp-admin wordpress_logged_in_0123=admin%7C1700000000%7Cabcdef",
                "3 b /",
            ],
            &[&[1, 2, 3, 4], &[5]],
        ),
        (
            "session cookies are found: carried, and never set",
            FOUND,
            &[
                "0 a / ttrss_sid=aaaaaaaaaaaaaaaa",
                "0 a / ttrss_sid=bbbbbbbbbbbbbbbb",
                "1 a /x ttrss_sid=aaaaaaaaaaaaaaaa",
            ],
            &[&[1, 3], &[2]],
        ),
        (
            "an id is known by its value, whatever its name",
            FOUND,
            &[
                "0 a / > who=4f1c9a2b7e6d5c3b, theme=dark-colours-2-of-3",
                "0 a / > who=8d2e4b6a1c3f5e7d, theme=dark-colours-2-of-3",
                "1 a /x who=4f1c9a2b7e6d5c3b; theme=dark-colours-2-of-3",
                "1 a /y who=8d2e4b6a1c3f5e7d; theme=dark-colours-2-of-3",
            ],
            &[&[1, 3], &[2, 4]],
        ),
        (
            "a value given to everyone tells nobody apart",
            FOUND,
            &[
                "0 a / > session_hint=aaaaaaaaaaaaaaaaaaaa",
                "0 b / > session_hint=aaaaaaaaaaaaaaaaaaaa",
                "1 a / session_hint=aaaaaaaaaaaaaaaaaaaa",
                "1 b / session_hint=aaaaaaaaaaaaaaaaaaaa",
            ],
            &[&[1, 3], &[2, 4]],
        ),
        (
            "static content is left out",
            FOUND,
            &["0 a /a.css", "0 a /", "0 a /logo.PNG", "0 a /app.js?v=1", "0 a /x.woff2", "1 b /only.ico"],
            &[&[2, -1, -3, -4, -5], &[-6]],
        ),
    ];
    for (what, by, lines, expected) in cases {
        let exchanges = traffic(lines);
        assert_eq!(shape(&sessionize(&exchanges, &rules(by))), *expected, "{what}");
    }
}

#[test]
fn a_session_says_who_and_when() {
    let exchanges = traffic(&["0 a /logo.png", "1 a /", "2 a /login > sid=1", "9 b /"]);
    let sessions = sessionize(&exchanges, &rules(&["cookie:sid", "ip"]));
    let first = &sessions[0];
    assert_eq!((first.name.as_str(), first.by.as_str(), first.client.as_str()), ("s1", "cookie:sid", "a"));
    assert_eq!((first.from, first.to), (Moment(0), Moment(120_000_000)));
    assert_eq!((sessions[1].name.as_str(), sessions[1].by.as_str()), ("s4", "ip"));
}

#[test]
fn a_header_tells_users_apart() {
    let mut exchanges = traffic(&["0 a /", "0 a /", "1 b /"]);
    for (exchange, user) in exchanges.iter_mut().zip(["ann", "bob", "ann"]) {
        exchange.request.headers.push("X-User", user);
    }
    let sessions = sessionize(&exchanges, &rules(&["header:X-User"]));
    assert_eq!(shape(&sessions), [vec![1, 3], vec![2]]);
    assert_eq!(sessions[0].by, "header:x-user");
}

#[test]
fn what_is_answered_decides_before_what_is_wanted_and_named() {
    for (content_type, wanted, path, expected) in [
        (Some("image/svg+xml"), None, "/", Some(StaticClass::Image)),
        (Some("text/html; charset=utf-8"), Some("image"), "/logo.png", Some(StaticClass::Image)),
        (Some("text/html; charset=utf-8"), Some("image"), "/index.php?job=17", None),
        (Some("text/html"), Some("script"), "/missing.js", Some(StaticClass::Script)),
        (Some("text/html"), Some("document"), "/view/app.js", None),
        (Some("text/html"), None, "/missing.js", Some(StaticClass::Script)),
        (Some("text/html"), None, "/missing.css", Some(StaticClass::Style)),
        (Some("text/html"), None, "/File:photo.png", None),
        (Some("text/html"), None, "/page", None),
        (Some("Text/CSS"), None, "/x", Some(StaticClass::Style)),
        (Some("application/x-javascript"), None, "/x", Some(StaticClass::Script)),
        (Some("font/woff2"), None, "/x", Some(StaticClass::Font)),
        (Some("application/json"), Some("empty"), "/data.js", None),
        (None, Some("script"), "/x", Some(StaticClass::Script)),
        (None, Some("document"), "/x.js", None),
        (None, None, "/a.b/x", None),
        (None, None, "/a/x.min.js?v=1.2", Some(StaticClass::Script)),
    ] {
        let mut exchange = exchange(1, &format!("0 a {path}"));
        if let Some(wanted) = wanted {
            exchange.request.headers.push("sec-fetch-dest", wanted);
        }
        if let Some(content_type) = content_type {
            exchange.response.as_mut().unwrap().headers.push("content-type", content_type);
        }
        assert_eq!(StaticClass::of(&exchange), expected, "{content_type:?} {wanted:?} {path}");
    }
}

/// Catches: an upload that is dropped as a script, since that is what its address or its answer looks like.
#[test]
fn an_action_is_never_left_out_for_its_looks() {
    for (method, content_type, kept) in [
        ("POST", Some("application/javascript"), true),
        ("POST", None, true),
        ("PUT", Some("image/png"), true),
        ("DELETE", Some("text/css"), true),
        ("GET", Some("application/javascript"), false),
        ("HEAD", None, false),
    ] {
        let mut exchanges = traffic(&["0 a /", "0 a /uploads.js"]);
        exchanges[1].request.method = method.to_owned();
        if let Some(content_type) = content_type {
            exchanges[1].response.as_mut().unwrap().headers.push("content-type", content_type);
        }
        let expected = if kept { [1, 2] } else { [1, -2] };
        assert_eq!(shape(&sessionize(&exchanges, &rules(&["ip"]))), [expected], "{method} {content_type:?}");
    }
    // And a session with one is no session of static pages, whatever is listed.
    let mut exchanges = traffic(&["0 a /about"]);
    exchanges[0].request.method = "POST".to_owned();
    let mut listed = rules(&["ip"]);
    listed.leave_out.static_pages.push("/about".into());
    assert_eq!(sorted(&exchanges, &listed).0, [[1]]);
}

/// Catches: a script, a style or a picture that is not there, taken for a page since the answer is one; and a page that a user
/// asked for, taken for a script since its address ends like one.
#[test]
fn what_is_missing_and_answered_as_a_page_is_no_page() {
    let answered = |path: &str, status: u16, accept: Option<&str>| {
        let mut exchange = exchange(1, &format!("0 a {path}"));
        let response = exchange.response.as_mut().unwrap();
        response.status = status;
        response.headers.push("content-type", "text/html; charset=utf-8");
        if let Some(accept) = accept {
            exchange.request.headers.push("accept", accept);
        }
        StaticClass::of(&exchange)
    };
    assert_eq!(answered("/missing.js", 404, None), Some(StaticClass::Script));
    assert_eq!(answered("/missing.js?v=3", 200, Some("*/*")), Some(StaticClass::Script));
    assert_eq!(
        answered("/missing.png", 404, Some("image/avif,image/webp,*/*;q=0.8")),
        Some(StaticClass::Image)
    );
    for (path, status) in [("/view/app.js", 200), ("/view/app.js", 404), ("/page", 404)] {
        assert_eq!(answered(path, status, Some("text/html,application/xhtml+xml,*/*;q=0.8")), None, "{path}");
    }
    assert_eq!(answered("/wiki/File:Photo.png", 200, Some("*/*")), None, "a page about a picture");
}

#[test]
fn an_upgraded_connection_is_not_replayed() {
    let mut exchanges = traffic(&["0 a /", "0 a /socket"]);
    exchanges[1].response.as_mut().unwrap().status = 101;
    assert_eq!(shape(&sessionize(&exchanges, &rules(&["ip"]))), [[1, -2]]);
}

#[test]
fn what_is_left_out_can_be_chosen() {
    let exchanges = traffic(&["0 a /logo.png", "0 a /health", "0 a /x"]);
    let mut rules = rules(&["ip"]);
    rules.leave_out = LeaveOut::nothing();
    assert_eq!(shape(&sessionize(&exchanges, &rules)), [[1, 2, 3]]);
    rules.leave_out.paths.push("/hea*".into());
    assert_eq!(shape(&sessionize(&exchanges, &rules)), [[1, 3, -2]]);
}

#[test]
fn the_defaults() {
    let rules = SessionRules::default();
    assert_eq!(rules.by, [By::Cookie(None), By::IpAgent]);
    assert_eq!(rules.idle, Duration::from_secs(2700));
    assert_eq!(rules.leave_out.classes, StaticClass::ALL);
}

/// Any traffic: few clients, cookies and minutes, so that they meet.
fn any_traffic() -> impl Strategy<Value = Vec<Exchange>> {
    let cookie = || proptest::option::of(0..4_u8);
    let one = (0..200_i64, 0..3_u8, 0..2_u8, cookie(), cookie(), any::<bool>());
    proptest::collection::vec(one, 0..60).prop_map(|lines| {
        let lines: Vec<String> = lines
            .into_iter()
            .map(|(minute, client, agent, carried, set, looks)| {
                let path = if looks { "/x.png" } else { "/x" };
                let carried = carried.map_or(String::new(), |c| format!(" sid={c}"));
                let set = set.map_or(String::new(), |s| format!(" > sid={s}"));
                format!("{minute} {client}/{agent} {path}{carried}{set}")
            })
            .collect();
        traffic(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    })
}

proptest! {
    #[test]
    fn every_exchange_is_in_one_session_in_order(exchanges in any_traffic()) {
        let rules = rules(&["cookie:sid", "ip+agent"]);
        let sessions = sessionize(&exchanges, &rules);
        let mut all: Vec<i64> = sessions.iter()
            .flat_map(|s| s.exchanges.iter().chain(&s.left_out)).map(|id| id.0).collect();
        all.sort_unstable();
        prop_assert_eq!(all, (1..=exchanges.len() as i64).collect::<Vec<_>>());
        let at = |id: &ExchangeId| (exchanges[id.0 as usize - 1].at, *id);
        for session in &sessions {
            prop_assert!(session.exchanges.is_sorted_by_key(at));
            prop_assert!(session.left_out.is_sorted_by_key(at));
            let mut both: Vec<_> = session.exchanges.iter().chain(&session.left_out).map(at).collect();
            both.sort_unstable();
            let (first, last) = (both.first().unwrap(), both.last().unwrap());
            prop_assert_eq!((&session.name, session.from), (&format!("s{}", first.1.0), first.0));
            prop_assert_eq!(session.to, last.0);
            prop_assert!(both.windows(2).all(|w| w[1].0.since(w[0].0) <= 45 * 60_000_000));
        }
        prop_assert!(sessions.is_sorted_by_key(|s| s.from));
    }

    #[test]
    fn users_with_cookies_do_not_disturb_each_other(
        requests in proptest::collection::vec((0..5_usize, 0..300_i64), 1..80)
    ) {
        // Each user's first answer sets the cookie that all later requests carry.
        let mut requests = requests;
        requests.sort_by_key(|(_, minute)| *minute);
        let mut met = [false; 5];
        let exchanges: Vec<Exchange> = requests.iter().enumerate().map(|(n, (user, minute))| {
            let known = std::mem::replace(&mut met[*user], true);
            let cookie = if known { format!(" sid={user}") } else { format!(" > sid={user}") };
            exchange(n as i64 + 1, &format!("{minute} a /x{cookie}"))
        }).collect();
        let rules = rules(&["cookie:sid", "ip+agent"]);
        let mut alone: Vec<Session> = (0..5).flat_map(|user| {
            let own = exchanges.iter().zip(&requests).filter(move |(_, (u, _))| *u == user);
            sessionize(own.map(|(e, _)| e), &rules)
        }).collect();
        alone.sort_by_key(|s| (s.from, s.exchanges[0]));
        prop_assert_eq!(sessionize(&exchanges, &rules), alone);
    }
}

/// Catches: a wiki that updates its search index by an image on each page finds nothing in a replay.
#[test]
fn an_image_of_one_pixel_with_a_query_is_a_call_and_replayed() {
    let image = |uri: &str, size: u64| {
        let mut exchange = exchange(1, &format!("0 a {uri}"));
        let response = exchange.response.as_mut().unwrap();
        response.headers.push("content-type", "image/gif");
        response.body.size = size;
        exchange
    };
    for (uri, size, left_out) in [
        ("/tasks.php?id=start&1794786652", 42, false),
        ("/spacer.gif", 42, true),
        ("/thumb.php?id=7", 2_000, true),
        ("/thumb.php?id=7", 0, true),
    ] {
        assert_eq!(rules(&["cookie"]).leave_out.takes(&image(uri, size)), left_out, "{uri} of {size} bytes");
    }
}

/// The same traffic, as if it were imported, with statuses.
fn imported(lines: &[(&str, u16)]) -> Vec<Exchange> {
    let mut exchanges = traffic(&lines.iter().map(|(line, _)| *line).collect::<Vec<_>>());
    for (exchange, (_, status)) in exchanges.iter_mut().zip(lines) {
        exchange.imported = true;
        exchange.response.as_mut().unwrap().status = *status;
    }
    exchanges
}

/// What is kept, and why what is not is not.
fn sorted(exchanges: &[Exchange], rules: &SessionRules) -> (Vec<Vec<i64>>, Vec<String>) {
    let sorted = sessionize_and_filter(exchanges, rules);
    let why = sorted.left_out.iter().map(|(s, reason)| format!("{}: {reason}", s.name)).collect();
    (shape(&sorted.sessions), why)
}

/// Catches: what no application answered replayed; what one person was answered on left out; recorded traffic filtered.
#[test]
fn imported_requests_that_nobody_was_answered_on_are_left_out() {
    let lines = [
        ("0 a /", 200),
        ("1 a /wp-login.php", 404),
        ("2 a /order/9", 404),
        ("0 b /order/9", 200),
        ("1 b /members", 403),
        ("0 c /phpmyadmin/", 404),
    ];
    let mut exchanges = imported(&lines);
    let (kept, why) = sorted(&exchanges, &rules(&["ip"]));
    assert_eq!(kept, [vec![1, 3, -2], vec![4, 5]]);
    assert_eq!(why, ["s6: never answered with success"]);
    let mut keep = rules(&["ip"]);
    keep.leave_out.invalid = false;
    assert_eq!(sorted(&exchanges, &keep).0.len(), 3, "it can be brought back");
    exchanges.iter_mut().for_each(|e| e.imported = false);
    assert_eq!(sorted(&exchanges, &rules(&["ip"])).0, [vec![1, 2, 3], vec![4, 5], vec![6]]);
}

/// Catches: crawlers in the suite; people taken for crawlers; bots that cannot be kept.
#[test]
fn bots_are_left_out_unless_they_are_wanted() {
    let mut lines = vec![
        ("0 a/Mozilla/5.0(compatible;Googlebot/2.1) /", 200),
        ("0 b/Mozilla/5.0 /", 200),
        ("0 c/curl /robots.txt", 404),
        ("0 c/curl /x", 200),
    ];
    let paths: Vec<String> = (0..80).map(|i| format!("1 d/Mozilla/5.0 /p{i}")).collect();
    lines.extend(paths.iter().map(|p| (p.as_str(), 200)));
    let exchanges = imported(&lines);
    let (kept, why) = sorted(&exchanges, &rules(&["ip+agent"]));
    assert_eq!(kept, [[2]]);
    assert_eq!(why.len(), 3);
    assert!(why.iter().all(|w| w.contains("bot: ")), "{why:?}");
    let all = SessionRules { bots: true, ..rules(&["ip+agent"]) };
    assert_eq!(sorted(&exchanges, &all).0.len(), 4);
}

/// Catches: sessions that never reach the application in the suite, and mixed ones that lose their static pages.
#[test]
fn sessions_of_nothing_but_static_pages_are_left_out() {
    let mut exchanges = imported(&[("0 a /about.html", 200), ("0 b /about.html", 200), ("1 b /cart", 200)]);
    for exchange in exchanges.iter_mut().filter(|e| e.request.uri == "/about.html") {
        let headers = &mut exchange.response.as_mut().unwrap().headers;
        headers.push("last-modified", "x");
        headers.push("accept-ranges", "bytes");
    }
    assert_eq!(
        sorted(&exchanges, &rules(&["ip"])),
        (vec![vec![2, 3]], vec!["s1: nothing but static pages".to_owned()])
    );
    let mut listed = rules(&["ip"]);
    listed.leave_out.static_pages.push("/cart".into());
    assert!(sorted(&exchanges, &listed).0.is_empty());
}

/// Catches: requests to other hosts in the suite; lines out of order that begin sessions of their own; the user that a
/// log names not told from others.
#[test]
fn hosts_users_and_lines_out_of_order() {
    let mut exchanges =
        imported(&[("2 ann@a /3", 200), ("0 ann@a /1", 200), ("1 ann@b /2", 200), ("1 bob@a /x", 200)]);
    assert_eq!(sorted(&exchanges, &rules(&["user"])).0, [vec![2, 3, 1], vec![4]]);
    exchanges[0].request.headers.push("host", "other.example");
    exchanges[1].request.headers.push("host", "shop.example:8080");
    exchanges[2].request.uri = "https://cdn.example/x".to_owned();
    let own = SessionRules { hosts: vec!["Shop.example".to_owned()], ..rules(&["user"]) };
    assert_eq!(sorted(&exchanges, &own).0, [vec![2, -3, -1], vec![4]]);
}
