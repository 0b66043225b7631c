//! What the live page offers: redirects, links, forms.

use super::*;

#[test]
fn a_redirect_is_followed_where_it_leads_now() {
    let prepared = sent(&[("POST /add", "-> /note/17", "-> /note/18")], "GET /note/17", "");
    assert_eq!(prepared.uri, "/note/18");
    assert_eq!(prepared.substitutions[0].source, "step 1: where it redirects to");
    let stale = sent(&[("POST /add", "-> /note/17", "<p>wrong token")], "GET /note/17", "");
    assert_eq!(
        (stale.uri.as_str(), stale.stale.as_deref()),
        ("/note/17", Some("step 1 no longer redirects"))
    );
    let out = sent(&[("POST /add", "-> /x", "-> http://elsewhere/x")], "GET /x", "");
    assert!(out.uri == "/x" && out.stale.unwrap().contains("out of the application"));
}

#[test]
fn a_link_is_known_by_its_text_and_shape_before_its_address() {
    let was = "<a href=/order/5>Shoes</a><a href=/order/6>Hat</a><a href=/about>About</a>";
    let uri = |is: &str, wanted: &str| sent(&[("GET /orders", was, is)], &format!("GET {wanted}"), "").uri;
    // The ids have moved on by one: order 6 is the shoes now.
    let moved = "<a href=/order/6>Shoes</a><a href=/order/7>Hat</a>";
    assert_eq!(uri(moved, "/order/6"), "/order/7");
    // The order of the list has changed.
    assert_eq!(uri("<a href=/order/6>Hat</a><a href=/order/5>Shoes</a>", "/order/6"), "/order/6");
    // The text has changed, the address is still there.
    assert_eq!(uri("<a href=/order/6>Cap</a>", "/order/6"), "/order/6");
    // A link that leads astray is followed: the user would.
    assert_eq!(uri("<a href=/abuot>About</a>", "/about"), "/abuot");
    // Relative addresses and a base mean what they mean in a browser.
    assert_eq!(uri("<base href=/shop/><a href=about>About</a>", "/about"), "/shop/about");
}

/// Catches: the third revision of a page is asked for by the time it was recorded at, and is not there.
#[test]
fn links_that_differ_by_a_time_go_by_their_place_and_by_what_else_they_say() {
    let page = |a: u32, b: u32| {
        format!(
            "<a href='/w?id=x&rev={a}'>x</a><a href='/w?id=y&rev={a}'>x</a><a href='/w?id=x&rev={b}'>x</a>\
             <a href='/w?id=x&do=diff&rev={b}'>[2026/11/{b}]</a>"
        )
    };
    let uri = |wanted: &str, is: &str| {
        sent(&[("GET /w", &page(11, 12), is)], &format!("GET {wanted} from /w"), "").uri
    };
    let is = page(21, 22);
    assert_eq!(uri("/w?id=x&rev=12", &is), "/w?id=x&rev=22");
    assert_eq!(uri("/w?id=y&rev=11", &is), "/w?id=y&rev=21");
    assert_eq!(uri("/w?id=x&do=diff&rev=12", &is), "/w?id=x&do=diff&rev=22");
}

/// Catches: an image is asked for with the recorded token, and refused.
#[test]
fn what_a_page_shows_is_asked_for_where_the_live_page_has_it() {
    let page = |token: &str, now: u32| {
        format!("<img src='/i?tok={token}&f=a' alt=A><img src='/i?tok={token}&f=b'><img src='/t?id=1&{now}'>")
    };
    let visits = [("GET /p", &*page("105fda", 1_794_786_652), &*page("7c679d", 1_794_786_699))];
    let uri = |wanted: &str| sent(&visits, &format!("GET {wanted} from /p"), "").uri;
    assert_eq!(uri("/i?tok=105fda&f=b"), "/i?tok=7c679d&f=b");
    assert_eq!(uri("/t?id=1&1794786652"), "/t?id=1&1794786699");
    // A page that shows it no more is not at fault.
    let gone = sent(&[("GET /p", "<img src=/i?n=1>", "<p>")], "GET /i?n=1 from /p", "");
    assert_eq!((gone.uri.as_str(), gone.stale), ("/i?n=1", None));
}

#[test]
fn only_the_page_the_user_was_on_can_lack_a_link() {
    let was = "<a href=/a>A</a>";
    let gone = sent(&[("GET /", was, "<p>nothing")], "GET /a from /", "");
    assert_eq!(gone.stale.as_deref(), Some("the page of step 1 no longer has the link \"A\" to /a"));
    let typed = sent(&[("GET /", was, "<p>"), ("GET /b", "<p>", "<p>")], "GET /a from /b", "");
    assert_eq!((typed.uri.as_str(), typed.stale), ("/a", None));
}

#[test]
fn a_form_is_filled_in_as_the_user_did() {
    let was = "<form method=post action=/buy><input type=hidden name=token value=old><input name=count value=1>\
               <input name=note><select name=size><option value=3>Large<option value=4>Small</select></form>";
    let is = "<form method=post action=/buy><input type=hidden name=token value=new><input name=count value=2>\
              <input name=note><select name=size><option value=8>Small<option value=9>Large</select>\
              <input type=hidden name=extra value=e></form>";
    let prepared =
        sent(&[("GET /book", was, is)], "POST /buy from /book", "token=old&count=1&note=hi+there&size=4");
    // The token and what was left alone are the live page's, what was typed stays, a choice goes by its text,
    // and a field that is new is sent too.
    assert_eq!(String::from_utf8(prepared.body).unwrap(), "token=new&count=2&note=hi+there&size=8&extra=e");
    assert_eq!(prepared.stale, None);
}

/// Catches: of a list of revisions, those ticked are sent by the time they had when recorded.
#[test]
fn boxes_and_choices_that_hold_a_time_go_by_their_place_or_text() {
    let page = |t: [u32; 3]| {
        let boxes: String = t.iter().map(|t| format!("<input type=checkbox name=r[] value={t}>")).collect();
        let choices: String = t.iter().map(|t| format!("<option value={t}>1{t}:00 ada</option>")).collect();
        format!("<form method=post action=/d>{boxes}<select name=s>{choices}</select></form>")
    };
    let (was, is) = (page([13, 12, 11]), page([23, 22, 21]));
    let prepared = sent(&[("GET /r", &was, &is)], "POST /d from /r", "r%5B%5D=13&r%5B%5D=11&s=12");
    assert_eq!(String::from_utf8(prepared.body).unwrap(), "r%5B%5D=23&r%5B%5D=21&s=22");
    assert_eq!(prepared.stale, None);
    // With one more of them, nobody knows which was meant.
    let more = is.replace("<select", "<input type=checkbox name=r[] value=20><select");
    let stale = sent(&[("GET /r", &was, &more)], "POST /d from /r", "r%5B%5D=13&s=12").stale;
    assert_eq!(
        stale.as_deref(),
        Some("the form of step 1 no longer has the field `r[]` with the value \"13\"")
    );
}

/// Catches: a text that nobody touched is taken for typed, since browsers send `\r\n` for the page's `\n`.
#[test]
fn an_untouched_text_of_many_lines_is_the_live_pages() {
    let page = |text: &str| {
        format!("<form method=post action=/e><textarea name=t>\n{text}</textarea><input name=s></form>")
    };
    let sent_body = |body: &str| {
        let visits = [("GET /e", &*page("one\ntwo\n"), &*page("one\ntwo\nthree\n"))];
        String::from_utf8(sent(&visits, "POST /e from /e", body).body).unwrap()
    };
    assert_eq!(sent_body("t=one%0D%0Atwo%0D%0A&s=x"), "t=one%0D%0Atwo%0D%0Athree%0D%0A&s=x");
    assert_eq!(sent_body("t=one%0Atwo%0A&s=x"), "t=one%0Atwo%0Athree%0A&s=x");
    assert_eq!(sent_body("t=one%0D%0A2%0D%0A&s=x"), "t=one%0D%0A2%0D%0A&s=x");
}

#[test]
fn what_a_form_no_longer_has_is_not_sent_and_told() {
    let was = "<form method=post action=/r><input name=name><input name=phone></form>";
    let is = "<form method=post action=/r><input name=name></form>";
    let prepared = sent(&[("GET /r", was, is)], "POST /r from /r", "name=a&phone=1");
    assert_eq!(String::from_utf8(prepared.body).unwrap(), "name=a");
    assert_eq!(prepared.stale.as_deref(), Some("the form of step 1 no longer has the field `phone`"));
}

#[test]
fn of_many_forms_alike_the_one_with_the_same_values_is_meant() {
    let form = |book: u32, token: &str| {
        format!(
            "<form method=post action=/cart><input type=hidden name=t value={token}><input type=hidden name=book value={book}></form>"
        )
    };
    let was: String = [5, 6, 7].iter().map(|b| form(*b, "old")).collect();
    // The list is in another order now.
    let is: String = [7, 5, 6].iter().map(|b| form(*b, "new")).collect();
    let prepared = sent(&[("GET /list", &was, &is)], "POST /cart from /list", "t=old&book=6");
    assert_eq!(String::from_utf8(prepared.body).unwrap(), "t=new&book=6");
}

/// Catches: a link that happens to have a parameter in common with a form is sent as the form, with the recorded id.
#[test]
fn a_link_is_no_submission_of_a_form_that_would_send_more_or_less() {
    let page = |rev: u32| {
        format!(
            "<form action=/w><input type=hidden name=id value=x><select name=do><option>a</select></form>\
             <a href='/w?id=x&rev={rev}'>old</a><a href='/w?do=a&id=x&rev={rev}'>older</a>"
        )
    };
    let uri =
        |wanted: &str| sent(&[("GET /w", &page(11), &page(12))], &format!("GET {wanted} from /w"), "").uri;
    assert_eq!(uri("/w?id=x&rev=11"), "/w?id=x&rev=12");
    assert_eq!(uri("/w?do=a&id=x&rev=11"), "/w?do=a&id=x&rev=12");
    assert_eq!(uri("/w?id=x&do=a"), "/w?id=x&do=a");
    // Typed: it is no choice of the form.
    let typed = sent(&[("GET /w", &page(11), &page(12))], "GET /w?id=x&do=raw", "");
    assert_eq!((typed.uri.as_str(), typed.stale), ("/w?id=x&do=raw", None));
}

#[test]
fn a_get_form_and_a_form_that_changed_its_address() {
    let was = "<form action=/search><input type=hidden name=k value=1><input name=q></form>";
    let is = "<form action=/find><input type=hidden name=k value=2><input name=q></form>";
    let prepared = sent(&[("GET /", was, is)], "GET /search?k=1&q=cat from /", "");
    assert_eq!(prepared.uri, "/find?k=2&q=cat");
}
