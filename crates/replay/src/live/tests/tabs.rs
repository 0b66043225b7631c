//! Two tabs of one session: each request goes by its own page, not by the latest.

use super::*;

fn form(token: &str, id: u32) -> String {
    format!(
        "<form method=post action=/save><input type=hidden name=token value={token}>\
         <input type=hidden name=id value={id}><input name=text></form>"
    )
}

/// Catches: of two pages with the same form, the token of the latest is sent, which belongs to the other tab.
#[test]
fn a_form_is_the_one_of_the_page_it_was_opened_from() {
    let (a, b) = (form("aa11bb22cc", 1), form("bb22cc33dd", 2));
    let (live_a, live_b) = (form("1111aaaa22", 1), form("2222bbbb33", 2));
    let steps = [("GET /edit/1", &*a, &*live_a), ("GET /edit/2", &*b, &*live_b)];
    let first = "token=aa11bb22cc&id=1&text=x";
    assert_eq!(body(&steps, "POST /save from /edit/1", first), "token=1111aaaa22&id=1&text=x");
    assert_eq!(body(&steps, "POST /save", first), "token=1111aaaa22&id=1&text=x", "without a referer");
    assert_eq!(
        body(&steps, "POST /save from /edit/2", "token=bb22cc33dd&id=2&text=y"),
        "token=2222bbbb33&id=2&text=y"
    );
}

/// Catches: the same page opened twice, and the form of the first is sent with the token of the second.
#[test]
fn the_same_page_opened_twice_is_known_by_its_token() {
    let (a, b) = (form("aa11bb22cc", 1), form("bb22cc33dd", 1));
    let (live_a, live_b) = (form("1111aaaa22", 1), form("2222bbbb33", 1));
    let steps = [("GET /edit", &*a, &*live_a), ("GET /edit", &*b, &*live_b)];
    let sent = |token: &str| body(&steps, "POST /save from /edit", &format!("token={token}&id=1&text=x"));
    assert_eq!(sent("aa11bb22cc"), "token=1111aaaa22&id=1&text=x");
    assert_eq!(sent("bb22cc33dd"), "token=2222bbbb33&id=1&text=x");
    let prepared = super::sent(&steps, "POST /save from /edit", "token=aa11bb22cc&id=1&text=x");
    assert_eq!(prepared.substitutions[0].source, "step 1: hidden field token of form 1");
}

/// Catches: a script's token comes from the latest page, where the request names another.
#[test]
fn a_scripts_token_is_the_one_of_the_page_it_runs_in() {
    let page = |token: &str| format!("<meta name=csrf content={token}>");
    // The recorded session had one token, and the live one has a new one on each page.
    let (was, first, second) = (page("aa11bb22cc"), page("1111aaaa22"), page("2222bbbb33"));
    let steps = [("GET /one", &*was, &*first), ("GET /two", &*was, &*second)];
    assert_eq!(body(&steps, "POST /api from /one", "t=aa11bb22cc"), "t=1111aaaa22");
    assert_eq!(body(&steps, "POST /api from /two", "t=aa11bb22cc"), "t=2222bbbb33");
    assert_eq!(body(&steps, "POST /api", "t=aa11bb22cc"), "t=2222bbbb33");
}

/// Catches: of two redirects to one address, both requests that follow are taken for the same, or one for typed.
#[test]
fn each_redirect_is_followed_once() {
    let steps = [
        ("POST /add from /a", "-> /list?n=1", "-> /list?n=5"),
        ("POST /add from /b", "-> /list?n=1", "-> /list?n=6"),
        ("GET /list?n=1 from /a", "<p>", "<p>"),
    ];
    assert_eq!(sent(&steps[..2], "GET /list?n=1 from /a", "").uri, "/list?n=5");
    assert_eq!(sent(&steps, "GET /list?n=1 from /b", "").uri, "/list?n=6");
    // All are followed: this one was typed.
    let followed = [("POST /add", "-> /list", "-> /other"), ("GET /list", "<p>", "<p>")];
    assert_eq!(sent(&followed, "GET /list", "").uri, "/list");
}

/// Catches: a link with a token is looked for on the latest page only.
#[test]
fn a_link_is_the_one_of_its_own_page() {
    let page = |token: &str| format!("<a href='/delete?tok={token}'>Delete</a>");
    let (a, b) = (page("aa11bb22cc"), page("bb22cc33dd"));
    let (live_a, live_b) = (page("1111aaaa22"), page("2222bbbb33"));
    let steps = [("GET /p", &*a, &*live_a), ("GET /p", &*b, &*live_b)];
    assert_eq!(sent(&steps, "GET /delete?tok=aa11bb22cc from /p", "").uri, "/delete?tok=1111aaaa22");
    assert_eq!(sent(&steps, "GET /delete?tok=bb22cc33dd from /p", "").uri, "/delete?tok=2222bbbb33");
}
