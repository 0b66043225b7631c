//! The shapes of real applications, as their pages have them.

use super::*;

/// WordPress: nonces for its REST API, its `admin-ajax.php` and its links; a post made by a visit.
#[test]
fn wordpress() {
    let editor = |post: u32, nonce: &str, rest: &str| {
        format!(
            "<form name='post' action='post.php' method='post' id='post'>\
             <input type='hidden' id='_wpnonce' name='_wpnonce' value='{nonce}' />\
             <input type='hidden' name='_wp_http_referer' value='/wp-admin/post-new.php' />\
             <input type='hidden' id='post_ID' name='post_ID' value='{post}' /><input name='post_title' value=''></form>\
             <script id='wp-api-request-js-extra'>/* <![CDATA[ */\
             var wpApiSettings = {{\"root\":\"http:\\/\\/app\\/wp-json\\/\",\"nonce\":\"{rest}\",\"versionString\":\"wp\\/v2\\/\"}};\
             var autosaveL10n = {{\"autosaveInterval\":\"60\",\"blog_id\":\"1\"}};/* ]]> */</script>\
             <input type='hidden' id='samplepermalinknonce' name='samplepermalinknonce' value='{rest}9' />"
        )
    };
    let (was, is) = (editor(17, "ab12cd34ef", "0123abcdef"), editor(23, "11aa22bb33", "fedcba3210"));
    let steps = [("GET /wp-admin/post-new.php", was.as_str(), is.as_str())];
    let line = "POST /wp-admin/post.php from /wp-admin/post-new.php";
    let sent = body(
        &steps,
        line,
        "_wpnonce=ab12cd34ef&_wp_http_referer=%2Fwp-admin%2Fpost-new.php&post_ID=17&post_title=Hi",
    );
    assert_eq!(
        sent,
        "_wpnonce=11aa22bb33&_wp_http_referer=%2Fwp-admin%2Fpost-new.php&post_ID=23&post_title=Hi"
    );
    let ajax = "POST /wp-admin/admin-ajax.php from /wp-admin/post-new.php";
    assert_eq!(
        body(&steps, ajax, "action=sample-permalink&post_id=17&samplepermalinknonce=0123abcdef9&blog_id=1"),
        "action=sample-permalink&post_id=23&samplepermalinknonce=fedcba32109&blog_id=1"
    );
    assert_eq!(field(&steps, "x-wp-nonce", "0123abcdef"), "fedcba3210");
    let rest = sent_with(&steps, "GET /wp-json/wp/v2/users/me?_wpnonce=0123abcdef", &[], b"").0.uri;
    assert_eq!(rest, "/wp-json/wp/v2/users/me?_wpnonce=fedcba3210");
}

/// WordPress: an answer in XML, with a page in it.
#[test]
fn wordpress_admin_ajax() {
    let reply = |id: u32, nonce: &str| {
        format!(
            "# Content-Type: text/xml; charset=UTF-8\n<?xml version='1.0' encoding='UTF-8' standalone='yes'?><wp_ajax>\
             <response action='replyto-comment_{id}'><comment id='{id}' position='-1'><response_data><![CDATA[<tr id='comment-{id}'>\
             <td><a href='comment.php?c={id}&amp;action=trashcomment&amp;_wpnonce={nonce}'>Trash</a></td></tr>]]></response_data>\
             </comment></response></wp_ajax>"
        )
    };
    let (was, is) = (reply(16, "ab12cd34ef"), reply(19, "99aa88bb77"));
    let steps = [("POST /wp-admin/admin-ajax.php", was.as_str(), is.as_str())];
    assert_eq!(
        body(
            &steps,
            "POST /wp-admin/admin-ajax.php",
            "id=16&trash=1&action=delete-comment&_ajax_nonce=ab12cd34ef"
        ),
        "id=19&trash=1&action=delete-comment&_ajax_nonce=99aa88bb77"
    );
}

/// MediaWiki: what an edit needs depends on the page that the form was opened from; tokens end in `+\`.
#[test]
fn mediawiki() {
    let edit = |start: &str, rev: u32, token: &str| {
        format!(
            "<form method=post action='/index.php?title=A&amp;action=submit' id=editform>\
             <input type=hidden value='{start}' name=wpStarttime /><input type=hidden value='{start}' name=wpEdittime />\
             <input type=hidden value='{rev}' name=parentRevId /><textarea name=wpTextbox1>\nold\n</textarea>\
             <input type=hidden value='{token}+\\' name=wpEditToken /><input type=submit name=wpSave value=Save /></form>\
             <script>(RLQ=window.RLQ||[]).push(function(){{mw.loader.implement(\"user.tokens@12s5i\",function($,jQuery,require,module)\
             {{mw.user.tokens.set({{\"patrolToken\":\"{token}+\\\\\",\"watchToken\":\"{token}w+\\\\\",\"csrfToken\":\"{token}+\\\\\"}});}});}});</script>"
        )
    };
    let (was, is) =
        (edit("20261115120000", 17, "0123456789abcdef"), edit("20261116080000", 23, "fedcba9876543210"));
    let steps = [("GET /index.php?title=A&action=edit", was.as_str(), is.as_str())];
    let line = "POST /index.php?title=A&action=submit from /index.php?title=A&action=edit";
    let sent = body(
        &steps,
        line,
        "wpStarttime=20261115120000&wpEdittime=20261115120000&parentRevId=17&wpTextbox1=new&wpEditToken=0123456789abcdef%2B%5C&wpSave=Save",
    );
    assert_eq!(
        sent,
        "wpStarttime=20261116080000&wpEdittime=20261116080000&parentRevId=23&wpTextbox1=new&wpEditToken=fedcba9876543210%2B%5C&wpSave=Save"
    );
    // A script's call: the token of another purpose is another one.
    let api = "POST /api.php from /index.php?title=A&action=edit";
    assert_eq!(
        body(&steps, api, "action=watch&titles=A&token=0123456789abcdefw%2B%5C"),
        "action=watch&titles=A&token=fedcba9876543210w%2B%5C"
    );
    // An edit by a script: its base is the revision that it asked for.
    let base = |rev: u32, time: &str, touched: &str| {
        format!(
            "{{\"query\":{{\"pages\":{{\"3\":{{\"pageid\":3,\"title\":\"B\",\"touched\":\"{touched}\",\"revisions\":[{{\"revid\":{rev},\"timestamp\":\"{time}\"}}]}}}}}}}}"
        )
    };
    let (was, is) = (
        base(3, "2026-11-15T12:00:00Z", "2026-11-15T12:00:00Z"),
        base(6, "2026-11-16T08:00:00Z", "2026-11-16T09:09:09Z"),
    );
    let steps = [("GET /api.php?prop=revisions", was.as_str(), is.as_str())];
    assert_eq!(
        body(&steps, "POST /api.php", "pageid=3&baserevid=3&basetimestamp=2026-11-15T12%3A00%3A00Z&minor=3"),
        "pageid=3&baserevid=6&basetimestamp=2026-11-16T08%3A00%3A00Z&minor=3"
    );
    // A token asked for.
    let tokens = |t: &str| {
        format!("{{\"batchcomplete\":\"\",\"query\":{{\"tokens\":{{\"csrftoken\":\"{t}+\\\\\"}}}}}}")
    };
    let (was, is) = (tokens("00ff00ff00ff"), tokens("11ee11ee11ee"));
    let steps = [("GET /api.php?action=query&meta=tokens", was.as_str(), is.as_str())];
    assert_eq!(body(&steps, "POST /api.php", "token=00ff00ff00ff%2B%5C"), "token=11ee11ee11ee%2B%5C");
}

/// Django: the cookie and the field are different texts for one secret; a script sends the cookie.
#[test]
fn django() {
    let page = |cookie: &str, field: &str| {
        format!(
            "# Set-Cookie: csrftoken={cookie}; Path=/; SameSite=Lax\n<form method=post><input type=hidden \
             name=csrfmiddlewaretoken value={field}><input name=q></form>"
        )
    };
    let (was, is) = (page("Aa1Bb2Cc3Dd4", "Xx1Yy2Zz3Ww4Vv5"), page("Qq9Rr8Ss7Tt6", "Mm9Nn8Oo7Pp6Uu5"));
    let steps = [("GET /polls/1/", was.as_str(), is.as_str())];
    assert_eq!(
        body(&steps, "POST /polls/1/ from /polls/1/", "csrfmiddlewaretoken=Xx1Yy2Zz3Ww4Vv5&q=a"),
        "csrfmiddlewaretoken=Mm9Nn8Oo7Pp6Uu5&q=a"
    );
    let fields = [("cookie", "csrftoken=Aa1Bb2Cc3Dd4"), ("x-csrftoken", "Aa1Bb2Cc3Dd4")];
    let (_, headers) = sent_with(&steps, "POST /api/vote from /polls/1/", &fields, b"");
    assert_eq!(headers.get("x-csrftoken"), Some("Qq9Rr8Ss7Tt6"));
}

/// Rails: a token in a meta element, another in each form, an id in the path that a redirect gave.
#[test]
fn rails() {
    let page = |id: u32, meta: &str, form: &str| {
        format!(
            "<meta name=\"csrf-token\" content=\"{meta}==\" /><form action=\"/articles/{id}\" method=\"post\">\
             <input type=\"hidden\" name=\"_method\" value=\"delete\" /><input type=\"hidden\" name=\"authenticity_token\" value=\"{form}==\" /></form>\
             <a data-method=\"delete\" data-remote=\"true\" href=\"/articles/{id}\">Destroy</a>"
        )
    };
    let (was, is) = (page(7, "aB3/x+9kQw2E", "cD4/y+8lRt5U"), page(8, "zY1/p+2mNv6O", "wX2/q+3nMb7P"));
    let steps = [
        ("POST /articles", "-> http://app/articles/7", "-> http://app/articles/8"),
        ("GET /articles/7", was.as_str(), is.as_str()),
    ];
    let form = sent(
        &steps,
        "POST /articles/7 from /articles/7",
        "_method=delete&authenticity_token=cD4%2Fy%2B8lRt5U%3D%3D",
    );
    assert_eq!(form.uri, "/articles/8");
    assert_eq!(
        String::from_utf8(form.body).unwrap(),
        "_method=delete&authenticity_token=wX2%2Fq%2B3nMb7P%3D%3D"
    );
    let fields = [("x-csrf-token", "aB3/x+9kQw2E=="), ("content-type", "application/json")];
    let (prepared, headers) = sent_with(&steps, "DELETE /articles/7 from /articles/7", &fields, b"");
    assert_eq!((prepared.uri.as_str(), headers.get("x-csrf-token")), ("/articles/8", Some("zY1/p+2mNv6O==")));
}

/// tt-rss: one token for all calls, given by a JSON that the page asks for; JSON called a page.
#[test]
fn tt_rss() {
    let params = |token: &str| {
        format!(
            "# Content-Type: text/html\n{{\"init-params\":{{\"csrf_token\":\"{token}\",\"default_view_mode\":\"adaptive\",\"max_feed_id\":7}}}}"
        )
    };
    let (was, is) = (params("60a1b2c3d4e5f6"), params("71f6e5d4c3b2a1"));
    let steps = [("POST /backend.php", was.as_str(), is.as_str())];
    assert_eq!(
        body(&steps, "POST /backend.php", "op=rpc&method=mark&id=7&csrf_token=60a1b2c3d4e5f6"),
        "op=rpc&method=mark&id=7&csrf_token=71f6e5d4c3b2a1"
    );
}

/// Shaarli: a new token on every page, in forms and links; short names for links, given by a redirect.
#[test]
fn shaarli() {
    let page = |token: &str| {
        format!(
            "<input type=hidden name=token value={token} id=token><form method=POST action=/admin/shaare name=linkform>\
             <input name=lf_title value=T><input type=hidden name=token value={token}></form>\
             <a href='/admin/shaare/delete?id=3&amp;token={token}'>Delete</a>"
        )
    };
    let old = ["aa11bb22cc33dd44ee55", "ff66aa77bb88cc99dd00"];
    let new = ["1234aaaa5678bbbb9012", "cccc3456dddd7890eeee"];
    let pages: Vec<String> = [old[0], new[0], old[1], new[1]].iter().map(|t| page(t)).collect();
    let steps = [("GET /a", &*pages[0], &*pages[1]), ("GET /b", &*pages[2], &*pages[3])];
    assert_eq!(
        body(&steps, "POST /admin/shaare from /a", &format!("lf_title=T&token={}", old[0])),
        format!("lf_title=T&token={}", new[0])
    );
    assert_eq!(
        sent(&steps, &format!("GET /admin/shaare/delete?id=3&token={} from /b", old[1]), "").uri,
        format!("/admin/shaare/delete?id=3&token={}", new[1])
    );
    let made = [("POST /admin/shaare", "-> /shaare/hWhrYg", "-> /shaare/kQz7Lm")];
    assert_eq!(sent(&made, "GET /shaare/hWhrYg?key=1", "").uri, "/shaare/kQz7Lm?key=1");
}
