//! Pairs of recorded and live answers: those that are the same to a user, and those that are not.

#![allow(clippy::unwrap_used)]

use restage_model::{Departure, Headers, Key};
use restage_oracle::{KnownAnswer, RunNoise, Varying, departure};

fn compared(kind: &str, was: (u16, &str, &str), is: (u16, &str, &str)) -> Option<Departure> {
    let headers = |location: &str| -> Headers {
        let fields =
            [("content-type", kind), ("location", location)].into_iter().filter(|(_, v)| !v.is_empty());
        fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let (recorded, live) = (headers(was.1), headers(is.1));
    let answer = |status, headers, host, body: &'static str| KnownAnswer {
        status,
        headers,
        host: Some(host),
        body: Some(body.as_bytes()),
        cut: false,
    };
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let noise = RunNoise::default();
    departure(
        &answer(was.0, &recorded, "shop.example", leak(was.2)),
        &answer(is.0, &live, "127.0.0.1:4711", leak(is.2)),
        &Varying::new(&noise, None),
        &Key::of("GET", "/", ""),
        &|_| true,
    )
}

fn page(was: &str, is: &str) -> Option<Departure> {
    compared("text/html", (200, "", was), (200, "", is))
}

fn json(was: &str, is: &str) -> Option<Departure> {
    compared("application/json", (200, "", was), (200, "", is))
}

/// Catches: alarms where a user would see no difference.
#[test]
fn these_are_as_recorded() {
    let account = |token: &str, order: u32, date: &str, ago: &str| {
        format!(
            "<title>Account (order {order})</title><h1>Hello, Ann</h1><p>Last seen {date}, {ago}. Your number is {order}.</p>\
             <ul class=orders><li><a href=/orders/{order}>Order {order}</a> of {date}</ul>\
             <form action=/save/{order} method=post><input type=hidden name=csrf value={token}><input name=mail></form>\
             <script>var now = '{date}', token = '{token}';</script>"
        )
    };
    let was = account("9f86d081884c7d659a2feaa0c55ad015", 17, "5 October 2026", "3 minutes ago");
    let is = account("60303ae22b998861bce3b28f33eec1be", 2041, "18 November 2026", "just now");
    assert_eq!(page(&was, &is), None);
    // One sentence of many is another one, and everything else is there.
    let body =
        "<h1>News of the town</h1><p>The bridge will be closed for repairs all through the summer.</p>";
    assert_eq!(page(&format!("{body}<p>Try our cakes!</p>"), &format!("{body}<p>Try new bread!</p>")), None);
    // Lists grow.
    assert_eq!(
        page("<h1>All</h1><ul><li>ann<li>bob</ul>", "<h1>All</h1><ul><li>ann<li>bob<li>cid</ul>"),
        None
    );
    for (was, is) in [
        (
            r#"{"id": 17, "name": "Ann", "at": "2026-10-05T10:00:00Z"}"#,
            r#"{"id": 9, "name": "Ann", "at": "2026-11-18T04:00:00Z"}"#,
        ),
        (
            r#"{"token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.abc123def456"}"#,
            r#"{"token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjJ9.zzz999yyy888"}"#,
        ),
        (
            r#"{"rows": [{"id": 1, "text": "milk"}]}"#,
            r#"{"rows": [{"id": 5, "text": "milk"}, {"id": 6, "text": "milk"}]}"#,
        ),
        (r#"{"by": {"17": {"n": "x"}}, "next": null}"#, r#"{"by": {"99": {"n": "x"}}}"#),
        (
            r#"{"error": null, "errors": [], "ok": true}"#,
            r#"{"error": null, "errors": [], "ok": true, "n": 3}"#,
        ),
    ] {
        assert_eq!(json(was, is), None, "{was} {is}");
    }
    for (was, is) in [
        ((303, "/orders/17", ""), (303, "/orders/2041", "")),
        ((302, "http://shop.example/", "moved"), (303, "http://127.0.0.1:4711/", "see other")),
        ((304, "", ""), (200, "", "<h1>The page</h1>")),
        ((206, "", "part"), (200, "", "the whole of it")),
        ((404, "", "<h1>Nothing here</h1>"), (404, "", "<h1>Nothing here</h1>")),
        ((500, "", "<h1>Oops 1</h1>"), (500, "", "<h1>Sorry</h1>")),
    ] {
        assert_eq!(compared("text/html", was, is), None, "{was:?} {is:?}");
    }
    assert_eq!(
        compared("text/xml", (200, "", "<a><b>milk</b></a>"), (200, "", "<a><b>milk</b><b>eggs</b></a>")),
        None
    );
    assert_eq!(compared("image/png", (200, "", "one"), (200, "", "two")), None);
}

/// Catches: another page that passes for the recorded one.
#[test]
fn these_are_not() {
    let chrome =
        "<title>Shop</title><p>Fine goods since the old days, delivered to every door of the town</p>";
    let with = |body: &str| format!("{chrome}{body}");
    let login = "<form action=/login method=post><input name=user><input type=password name=pass></form>";
    let rows = "<table><tbody><tr><td>milk<tr><td>eggs</table>";
    for (was, is, says) in [
        (with("<p>Welcome"), with(login), "asks for a password"),
        ("<p>Welcome ann".to_owned(), "<p>Wrong password".to_owned(), "words are missing"),
        ("<title>My account</title>x".to_owned(), "<title>Log in</title>x".to_owned(), "title \"Log in\""),
        (with("<h1>Your orders</h1>"), with("<h1>Nothing found</h1>"), "heading \"Your orders\""),
        (with("<form method=post action=/pay><input name=card></form>"), with(""), "form POST /pay"),
        (with(rows), with("<p>none"), "0 entries"),
        // One of two entries, in many words that are still there.
        (
            with("<h1>All</h1><ul><li>Opening hours<li>Who has seen my umbrella</ul>"),
            with("<h1>All</h1><ul><li>Opening hours</ul>"),
            "umbrella",
        ),
        (with("<ul class=all><li>a<li>b</ul>"), with("<ul class=all></ul>"), "0 entries"),
        ("ok".to_owned(), "ok, but you must confirm this first".to_owned(), "were not there"),
        (
            "<p>fine".to_owned(),
            "<b>Fatal error</b>:  Uncaught Error: no database in <b>/srv/index.php</b> on line <b>7</b>"
                .to_owned(),
            "printed an error",
        ),
        ("<p>fine".to_owned(), String::new(), "empty answer"),
    ] {
        let found = page(&was, &is).map(|d| d.to_string()).unwrap_or_default();
        assert!(found.contains(says), "{was} → {is}: {found}");
    }
    for (was, is, says) in [
        (r#"{"ok": true}"#, r#"{"ok": false}"#, "$.ok is false"),
        (r#"{"user": {"name": "Ann"}}"#, r#"{"user": null}"#, "$.user"),
        (r#"{"rows": [{"t": "milk"}]}"#, r#"{"rows": []}"#, "0 entries in $.rows"),
        (
            r#"{"data": {"me": {"id": 1}}}"#,
            r#"{"data": {"me": {"id": 1}}, "errors": [{"message": "no"}]}"#,
            "$.errors",
        ),
        (r#"{"status": "welcome"}"#, r#"{"status": "denied"}"#, "words are missing"),
        (r#"{"a": 1}"#, "no JSON at all", "not JSON"),
    ] {
        let found = json(was, is).map(|d| d.to_string()).unwrap_or_default();
        assert!(found.contains(says), "{was} → {is}: {found}");
    }
    for (was, is, says) in [
        ((303, "/account", ""), (303, "/login", ""), "redirects to /login"),
        ((303, "/account", ""), (200, "", "<p>Wrong"), "no redirect"),
        ((200, "", "<p>x"), (302, "/login", ""), "was no redirect"),
        ((200, "", "<p>x"), (404, "", "<p>x"), "status 404"),
        ((302, "/?page=list", ""), (302, "/?page=login", ""), "page=login"),
    ] {
        let found = compared("text/html", was, is).map(|d| d.to_string()).unwrap_or_default();
        assert!(found.contains(says), "{was:?} → {is:?}: {found}");
    }
}
