//! Values that scripts send along: from metas, scripts, JSON, XML, text, header fields, cookies.

use super::*;

const OLD: &str = "0a1b2c3d4e5f";
const NEW: &str = "9f8e7d6c5b4a";

/// A step whose answer holds a token somewhere; with the recorded one, and with the live one.
fn held(answer: &str) -> (String, String) {
    (answer.replace("TOKEN", OLD), answer.replace("TOKEN", NEW))
}

/// Catches: a token is known in some kinds of answers only.
#[test]
fn a_token_is_found_wherever_an_answer_holds_it() {
    for (answer, source) in [
        ("<meta name=csrf-token content=TOKEN><p>", "step 1: meta csrf-token"),
        ("<script>var cfg = {\"token\": \"TOKEN\"};</script>", "step 1: script cfg.token"),
        ("<div data-token=TOKEN></div>", "step 1: data-token of div"),
        ("<a href='/x?tok=TOKEN'>x</a>", "step 1: link to /x?tok: parameter tok"),
        ("{\"auth\": {\"token\": \"TOKEN\"}}", "step 1: JSON $.auth.token"),
        (
            "{\"html\": \"<form action=/s method=post><input type=hidden name=t value=TOKEN></form>\"}",
            "step 1: JSON $.html: field t of the form to /s",
        ),
        ("# Content-Type: text/xml\n<r><nonce>TOKEN</nonce></r>", "step 1: XML /r/nonce"),
        ("# Content-Type: text/plain\ntoken=TOKEN", "step 1: text after \"token\""),
        ("# X-CSRF-Token: TOKEN\n<p>", "step 1: header x-csrf-token"),
        ("# Set-Cookie: t=TOKEN; path=/\n<p>", "cookie t"),
        ("-> /next?token=TOKEN", "step 1: redirect: parameter token"),
        ("-> /next#access_token=TOKEN&x=1", "step 1: redirect: fragment access_token"),
    ] {
        let (was, is) = held(answer);
        let steps = [("GET /", was.as_str(), is.as_str())];
        let prepared = sent(&steps, "POST /api", &format!("csrf={OLD}&text=0a1b"));
        assert_eq!(String::from_utf8(prepared.body).unwrap(), format!("csrf={NEW}&text=0a1b"), "{answer}");
        assert_eq!(prepared.substitutions[0].source, source);
        assert!(!prepared.substitutions[0].why.is_empty());
        assert_eq!(field(&steps, "x-csrf-token", OLD), NEW, "{answer}");
        assert_eq!(
            json(&steps, "POST /api", &format!("{{\"t\":\"{OLD}\"}}")),
            format!("{{\"t\":\"{NEW}\"}}")
        );
        assert_eq!(
            sent(&steps, &format!("DELETE /api/{OLD}?k={OLD}"), "").uri,
            format!("/api/{NEW}?k={NEW}")
        );
    }
}

/// Catches: the header of a double submit is not the cookie's value that is sent with it.
#[test]
fn a_cookie_sent_twice_is_the_same_twice() {
    let laravel = |iv: &str| format!("# Set-Cookie: XSRF-TOKEN=eyJpdiI6I{iv}%3D%3D; path=/\n<p>");
    let (was, is) = (laravel("kFtOThK"), laravel("jE2Mzg0"));
    let steps = [("GET /", was.as_str(), is.as_str())];
    let fields = [("cookie", "XSRF-TOKEN=eyJpdiI6IkFtOThK%3D%3D"), ("x-xsrf-token", "eyJpdiI6IkFtOThK==")];
    let (prepared, headers) = sent_with(&steps, "POST /api", &fields, b"");
    assert_eq!(headers.get("cookie"), Some("XSRF-TOKEN=eyJpdiI6IjE2Mzg0%3D%3D"));
    assert_eq!(headers.get("x-xsrf-token"), Some("eyJpdiI6IjE2Mzg0=="));
    assert_eq!(prepared.substitutions[0].source, "cookie XSRF-TOKEN, percent-decoded");
    // Quoted, and signed: the header has what stands before the signature.
    for (was, is, sent, expected) in [
        ("\"0a1b2c3d4e5f\"", "\"9f8e7d6c5b4a\"", OLD, NEW),
        ("0a1b2c3d4e5f|77aa88bb99", "9f8e7d6c5b4a|11cc22dd33", OLD, NEW),
        ("0a1b2c3d4e5f.77aa88bb99", "9f8e7d6c5b4a.11cc22dd33", OLD, NEW),
        ("0a1b2c3d4e5f", "9f8e7d6c5b4a", OLD, NEW),
    ] {
        let set = |value: &str| format!("# Set-Cookie: c={value}; path=/\n<p>");
        let (before, now) = (set(was), set(is));
        let steps = [("GET /", before.as_str(), now.as_str())];
        let cookie = format!("c={was}");
        let (_, headers) = sent_with(&steps, "POST /api", &[("cookie", &cookie), ("csrf-token", sent)], b"");
        assert_eq!(headers.get("csrf-token"), Some(expected), "{was}");
    }
}

/// Catches: a login's token is sent as it was recorded, since `Authorization` is no field of the application's own.
#[test]
fn a_bearer_token_is_the_one_of_the_live_login() {
    let (was, is) = held("{\"access_token\":\"eyTOKEN.abc-def.x9\",\"expires\":3600}");
    let steps = [("POST /login", was.as_str(), is.as_str())];
    let sent = |value: &str| field(&steps, "authorization", value);
    assert_eq!(sent(&format!("Bearer ey{OLD}.abc-def.x9")), format!("Bearer ey{NEW}.abc-def.x9"));
    assert_eq!(
        sent(&format!("Token token=\"ey{OLD}.abc-def.x9\"")),
        format!("Token token=\"ey{NEW}.abc-def.x9\"")
    );
    assert_eq!(sent("Basic dXNlcjpwYXNzd29yZDE="), "Basic dXNlcjpwYXNzd29yZDE=");
}

/// Catches: a cookie that a script made of a page's token is sent as recorded.
#[test]
fn a_cookie_that_a_script_set_is_made_of_the_live_page() {
    let (was, is) = held("<meta name=t content=TOKEN>");
    let fields = [("cookie", "t=0a1b2c3d4e5f; theme=dark")];
    let (_, headers) = sent_with(&[("GET /", &was, &is)], "GET /x", &fields, b"");
    assert_eq!(headers.get("cookie"), Some("t=9f8e7d6c5b4a; theme=dark"));
}

/// Catches: numbers become strings, keys change their order, untouched parts their spelling.
#[test]
fn json_keeps_its_bytes_but_for_what_is_live() {
    let steps = [
        ("POST /api/posts", r#"{"id": 17, "slug": "a"}"#, r#"{"id": 18, "slug": "a"}"#),
        (
            "GET /api/posts/17/notes",
            r#"{"notes":[{"id":5,"text":"x"},{"id":6,"text":"y"}]}"#,
            r#"{"notes":[{"id":9,"text":"y"},{"id":8,"text":"x"}]}"#,
        ),
    ];
    let body = r#"{ "z": 1.50, "post": {"id": 17}, "postId":"17", "text":"caf\u00e9 17", "count": 17, "noteIds":[6,5] }"#;
    assert_eq!(
        json(&steps, "PUT /api/save", body),
        r#"{ "z": 1.50, "post": {"id": 18}, "postId":"18", "text":"caf\u00e9 17", "count": 17, "noteIds":[9,8] }"#
    );
    assert_eq!(json(&steps, "PUT /api/save", "{\"z\":1}"), "{\"z\":1}");
    // A string in place of a number is quoted.
    let uuid = [("POST /api/posts", r#"{"id": 17}"#, r#"{"id": "x9k2m7q4w1"}"#)];
    assert_eq!(json(&uuid, "POST /api/posts/save", "{\"postId\":17}"), "{\"postId\":\"x9k2m7q4w1\"}");
}

/// Catches: an id that the application gave when recorded is asked for, where the live one gave another.
#[test]
fn ids_in_paths_and_parameters_come_from_redirects_and_answers() {
    let redirect =
        [("POST /post", "-> /post/17/edit", "-> /post/18/edit"), ("GET /post/17/edit", "<p>", "<p>")];
    assert_eq!(sent(&redirect, "POST /post/17/publish", "").uri, "/post/18/publish");
    assert_eq!(sent(&redirect, "GET /post/17.json", "").uri, "/post/18.json");
    assert_eq!(body(&redirect, "POST /ajax", "post_id=17&n=17&menu_id=17"), "post_id=18&n=17&menu_id=17");
    let named = [("GET /post-new.php", "-> post.php?post=17&action=edit", "-> post.php?post=18&action=edit")];
    assert_eq!(sent(&named, "GET /preview.php?post=17&page=17", "").uri, "/preview.php?post=18&page=17");
    let created = [("POST /api/orders", "{\"id\":41,\"total\":41}", "{\"id\":52,\"total\":41}")];
    assert_eq!(sent(&created, "DELETE /api/orders/41", "").uri, "/api/orders/52");
    assert_eq!(
        sent(&created, "DELETE /api/users/41", "").uri,
        "/api/users/41",
        "another thing of the same number"
    );
    let linked = [("GET /", "{\"next\":\"http:\\/\\/app\\/p\\/17?k=1\"}", "{\"next\":\"/p/19?k=2\"}")];
    assert_eq!(sent(&linked, "GET /p/17?k=1", "").uri, "/p/19?k=2");
    let page = [("GET /", "<article data-post-id=17></article>", "<article data-post-id=18></article>")];
    assert_eq!(sent(&page, "POST /posts/17/like", "").uri, "/posts/18/like");
}

/// Catches: a short or common value is replaced because it happens to be equal to something on a page.
#[test]
fn what_was_typed_stays_whatever_a_page_holds() {
    let was = "<script>var page = 1, lang = 'en', total = 17;</script><input name=q value=17><a href=/book/17>17</a>\
               <b data-quantity=17 data-count=17></b><meta name=year content=2026>";
    let is = was.replace("17", "23").replace("'en'", "'de'").replace("= 1,", "= 2,").replace("2026", "2027");
    let steps = [("GET /", was, is.as_str())];
    let typed = "page=1&lang=en&q=17&quantity=17&total=17&year=2026&user_id=17";
    assert_eq!(body(&steps, "POST /x", typed), typed);
    let typed = r#"{"page":1,"lang":"en","quantity":17,"total":17,"items":[17],"user":{"id":17}}"#;
    assert_eq!(json(&steps, "POST /x", typed), typed);
    assert_eq!(sent(&steps, "GET /list?page=17&year=2026", "").uri, "/list?page=17&year=2026");
    // A field of a form that the user filled in is the user's, even with what looks like a token.
    let form = "<form method=post action=/f><input name=note><input type=hidden name=k value=TOKEN></form>";
    let (was, is) = held(form);
    let typed = format!("note={OLD}&k={OLD}");
    assert_eq!(body(&[("GET /", &was, &is)], "POST /f from /", &typed), format!("note={OLD}&k={NEW}"));
}

/// Catches: a hidden field that a script filled in, and a field that a script added, are sent as recorded.
#[test]
fn what_a_script_put_into_a_form_is_traced_further() {
    let form = "<form method=post action=/f><input type=hidden name=nonce value=''><input name=text></form>";
    let (was, is) = held("{\"nonce\":\"TOKEN\"}");
    let steps = [("GET /", form, form), ("GET /nonce", was.as_str(), is.as_str())];
    let sent = body(&steps, "POST /f from /", &format!("nonce={OLD}&text=hi&again={OLD}"));
    assert_eq!(sent, format!("nonce={NEW}&text=hi&again={NEW}"));
    // JSON in a parameter.
    let sent = body(&steps, "POST /g", &format!("data=%7B%22n%22%3A%22{OLD}%22%7D"));
    assert_eq!(sent, format!("data=%7B%22n%22%3A%22{NEW}%22%7D"));
}

/// Catches: a token that the live page no longer holds, and nobody is told.
#[test]
fn a_token_that_is_gone_is_told_with_its_place() {
    let (was, _) = held("<script>var cfg = {\"nonce\":\"TOKEN\"}</script>");
    let steps = [("GET /", was.as_str(), "<p>Please log in")];
    let prepared = sent(&steps, "POST /api", &format!("n={OLD}"));
    assert_eq!(
        prepared.stale.as_deref(),
        Some("the answer of step 1 no longer has script cfg.nonce, which was sent as form field n")
    );
    let (prepared, _) = sent_with(&steps, "POST /api", &[("x-nonce", OLD)], b"");
    assert!(prepared.stale.unwrap().ends_with("which was sent as header x-nonce"));
    // One that another answer still holds is no loss.
    let (first, now) = held("<meta name=nonce content=TOKEN>");
    let steps = [("GET /a", first.as_str(), now.as_str()), ("GET /", was.as_str(), "<p>")];
    let prepared = sent(&steps, "POST /api", &format!("n={OLD}"));
    assert_eq!((prepared.stale, prepared.body), (None, format!("n={NEW}").into_bytes()));
}

/// Catches: an upload whose token is live and whose file is not what was recorded.
#[test]
fn an_upload_has_the_live_token_and_the_files_own_bytes() {
    let (was, is) = held("<script>var up = {\"nonce\":\"TOKEN\"}</script>");
    let part = |token: &str| {
        let head = format!(
            "--B\r\nContent-Disposition: form-data; name=\"_wpnonce\"\r\n\r\n{token}\r\n--B\r\nContent-Disposition: form-data; \
             name=\"async-upload\"; filename=\"a;b.bin\"\r\nContent-Type: image/png\r\n\r\n"
        );
        [head.as_bytes(), b"\x00\xff\r\n--\r\n", OLD.as_bytes(), b"\r\n--B--\r\n"].concat()
    };
    let fields = [("content-type", "multipart/form-data; boundary=B")];
    let (prepared, headers) =
        sent_with(&[("GET /upload.php", &was, &is)], "POST /async-upload.php", &fields, &part(OLD));
    assert_eq!(prepared.body, part(NEW));
    assert_eq!(headers.get("content-length"), Some(part(NEW).len().to_string().as_str()));
}

/// Catches: what the user typed comes back on a page, wrong, and is sent as that page has it.
#[test]
fn what_the_user_sent_first_is_the_users_own() {
    let steps = [
        ("POST /register?name=alice2024x", "{\"name\":\"alice2024x\"}", "{\"name\":\"alice2024\"}"),
        ("GET /profile", "<b data-name=alice2024x></b>", "<b data-name=alice2024></b>"),
    ];
    assert_eq!(json(&steps, "POST /login", "{\"name\":\"alice2024x\"}"), "{\"name\":\"alice2024x\"}");
    // One that a page held before it was first sent is the page's, however often it was sent.
    let (was, is) = held("<meta name=t content=TOKEN>");
    let steps = [("GET /", was.as_str(), is.as_str()), ("GET /a?t=0a1b2c3d4e5f", "<p>", "<p>")];
    assert_eq!(body(&steps, "POST /b", "t=0a1b2c3d4e5f"), "t=9f8e7d6c5b4a");
}

/// Catches: a cookie from before the session is searched for on every page, and taken from one that happens to show it.
#[test]
fn a_cookie_from_before_is_no_scripts() {
    let jar = SessionCookies::default();
    let first =
        recorded(request("GET /", &[("cookie", "id=0a1b2c3d4e5f")]), b"", "<b data-id=0a1b2c3d4e5f></b>");
    let live = answer("<b data-id=9f8e7d6c5b4a></b>");
    let visits = [Visit::new(1, Arc::new(first), "/", Some(live))];
    let next = recorded(request("GET /x", &[("cookie", "id=0a1b2c3d4e5f")]), b"", "");
    let (_, headers) = live_request(&next, &visits, &jar, None);
    assert_eq!(headers.get("cookie"), Some("id=0a1b2c3d4e5f"));
}
