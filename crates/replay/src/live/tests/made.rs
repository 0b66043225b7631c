//! Steps that nobody recorded, and steps of several sessions in a row.

use restage_model::Origin;

use super::*;

const NOTES: &str = "<form method=post action=/add><input type=hidden name=token value=aaaa1111bbbb2222cccc><input name=text></form>";
const LIVE_NOTES: &str = "<form method=post action=/add><input type=hidden name=token value=dddd3333eeee4444ffff><input name=text></form>";
const OTHER_TOKEN: &str = "9999aaaa8888bbbb7777";

fn generated() -> Origin {
    Origin::Generated { by: "generate".to_owned(), why: String::new(), from: Vec::new() }
}

fn edited() -> Origin {
    Origin::Edited { of: ExchangeId(1), by: "repair".to_owned(), why: String::new() }
}

/// A step: its request line and body, where it comes from, and of which session it is.
struct Made<'a>(&'a str, &'a str, Origin, usize);

impl Made<'_> {
    fn recorded(&self, answered: &str) -> Recorded {
        let Self(line, body, origin, part) = self;
        let mut made = recorded(request(line, &[]), body.as_bytes(), answered);
        if origin.is_generated() {
            made = Recorded::new(
                Exchange { response: None, ..made.exchange },
                made.body,
                Page::default(),
                ResponseBody::Here(Vec::new()),
            );
        }
        made.exchange.origin = origin.clone();
        made.part = *part;
        made
    }
}

/// The last of some steps, as it is sent; each with its answers, as recorded and live.
fn last_sent(steps: &[(Made<'_>, &str, &str)]) -> Prepared {
    let (mut visits, mut jar) = (Vec::new(), SessionCookies::default());
    let mut last = Prepared::default();
    for (n, (made, was, is)) in steps.iter().enumerate() {
        let step = made.recorded(was);
        last = live_request(&step, &visits, &jar, None).0;
        let live = answer(is);
        jar.receive(&last.uri, &live.1);
        crate::live::visit::visited(&mut visits, Visit::new(n + 1, Arc::new(step), &last.uri, Some(live)));
    }
    last
}

fn text(prepared: &Prepared) -> &str {
    std::str::from_utf8(&prepared.body).unwrap()
}

const LIVE: &str = "token=dddd3333eeee4444ffff&text=x";

/// Catches a generated request with a token that the live application never gave.
#[test]
fn a_generated_request_has_the_live_token_of_the_page_before() {
    let post = format!("token={OTHER_TOKEN}&text=x");
    let add = || Made("POST /add", &post, generated(), 0);
    let recorded = Made("GET /notes", "", Origin::Recorded, 0);
    let sent = last_sent(&[(recorded, NOTES, LIVE_NOTES), (add(), "", "")]);
    assert_eq!(text(&sent), LIVE);
    let made = Made("GET /notes", "", generated(), 0);
    let sent = last_sent(&[(made, "", LIVE_NOTES), (add(), "", "")]);
    assert_eq!(text(&sent), LIVE);
    assert!(sent.substitutions[0].why.contains("not recorded with that page"), "{:?}", sent.substitutions);
}

/// Catches a token made up for what was recorded: there, what no page held was typed.
#[test]
fn a_recorded_request_keeps_what_no_page_held() {
    let post = format!("note={OTHER_TOKEN}");
    let page = "<a href='/x?note=dddd3333eeee4444ffff'>x</a>";
    let notes = Made("GET /notes", "", Origin::Recorded, 0);
    let add = Made("POST /other", &post, Origin::Recorded, 0);
    assert_eq!(text(&last_sent(&[(notes, page, page), (add, "", "")])), post);
}

/// Catches an edit that loses the live values of what was left as it was.
#[test]
fn an_edited_request_has_the_live_values_of_what_was_edited() {
    let notes = || Made("GET /notes", "", Origin::Recorded, 0);
    let edit = |line| Made(line, "token=aaaa1111bbbb2222cccc&text=x", edited(), 0);
    let sent = last_sent(&[(notes(), NOTES, LIVE_NOTES), (edit("POST /add"), "", "")]);
    assert_eq!(text(&sent), LIVE);
    // The form is at another address now, which the recorded page does not have.
    let moved = LIVE_NOTES.replace("/add", "/new");
    let sent = last_sent(&[(notes(), NOTES, &moved), (edit("POST /new"), "", "")]);
    assert_eq!((sent.uri.as_str(), text(&sent), &sent.stale), ("/new", LIVE, &None));
    // What follows it goes where the live answer leads.
    let steps = [
        (notes(), NOTES, LIVE_NOTES),
        (edit("POST /add"), "-> /note/7", "-> /note/9"),
        (Made("GET /note/7", "", Origin::Recorded, 0), "", ""),
    ];
    assert_eq!(last_sent(&steps).uri, "/note/9");
}

/// Catches an address that is typed, as nothing leads to it any more, and counts as stale for that.
#[test]
fn an_edited_request_that_names_no_page_needs_no_link() {
    let list = || Made("GET /notes", "", Origin::Recorded, 0);
    let note = |origin| Made("GET /note/7", "", origin, 0);
    let link = "<a href=/note/7>seven</a>";
    let recorded = last_sent(&[(list(), link, "<p>by a script</p>"), (note(Origin::Recorded), "", "")]);
    assert!(recorded.stale.is_some());
    let typed = last_sent(&[(list(), link, "<p>by a script</p>"), (note(edited()), "", "")]);
    assert_eq!((typed.uri.as_str(), &typed.stale), ("/note/7", &None));
}

/// Catches a token that was good once, and is sent after the page was asked for again.
#[test]
fn a_recorded_request_has_the_token_of_the_page_that_was_generated_in_between() {
    let notes = Made("GET /notes", "", Origin::Recorded, 0);
    let again = Made("GET /notes", "", generated(), 0);
    let add = Made("POST /add", "token=aaaa1111bbbb2222cccc&text=x", Origin::Recorded, 0);
    let newer = LIVE_NOTES.replace("dddd3333", "eeee5555");
    let sent = last_sent(&[(notes, NOTES, LIVE_NOTES), (again, "", &newer), (add, "", "")]);
    assert_eq!(text(&sent), "token=eeee5555eeee4444ffff&text=x");
    assert!(sent.substitutions[0].source.starts_with("step 2: "), "{:?}", sent.substitutions);
}

/// Catches a user who goes on as another one did, with that one's token.
#[test]
fn steps_of_another_session_have_the_token_of_the_page_that_they_join() {
    let post = format!("token={OTHER_TOKEN}&text=x");
    let notes = Made("GET /notes", "", Origin::Recorded, 0);
    let add = Made("POST /add from /notes", &post, Origin::Recorded, 1);
    let sent = last_sent(&[(notes, NOTES, LIVE_NOTES), (add, "", "")]);
    assert_eq!((text(&sent), &sent.stale), (LIVE, &None));
}

/// Catches a generated request for what the live application did not make.
#[test]
fn a_generated_request_follows_a_live_redirect_of_its_shape() {
    let add = || Made("POST /add", "text=x", generated(), 0);
    let then = |line| (Made(line, "", generated(), 0), "", "");
    let uri = |line| last_sent(&[(add(), "", "-> /note/9"), then(line)]).uri;
    assert_eq!(uri("GET /note/1"), "/note/9");
    assert_eq!(uri("GET /notes"), "/notes");
    assert_eq!(uri("POST /note/1"), "/note/1");
}

/// Catches: a request that was made for a form sends the hidden values of the day on which it was made, or those of another row.
#[test]
fn a_made_request_has_the_hidden_values_of_the_live_form() {
    let form = |id: &str, extra: &str| {
        format!(
            "<form method=post action=/order/{id}/confirm><input type=hidden name=order value={id}>{extra}<button>Yes</button></form>"
        )
    };
    let confirm = || Made("POST /order/3/confirm", "order=3", generated(), 0);
    let page = || Made("GET /checkout", "", Origin::Recorded, 0);
    let sent =
        last_sent(&[(page(), "", &form("9", "<input type=hidden name=step value=2>")), (confirm(), "", "")]);
    assert_eq!((sent.uri.as_str(), text(&sent)), ("/order/9/confirm", "order=9&step=2"));
    let rows = [form("9", ""), form("3", "")].concat();
    let sent = last_sent(&[(page(), "", &rows), (confirm(), "", "")]);
    assert_eq!((sent.uri.as_str(), text(&sent)), ("/order/3/confirm", "order=3"));
    let rows = [form("9", ""), form("8", "")].concat();
    let sent = last_sent(&[(page(), "", &rows), (confirm(), "", "")]);
    assert_eq!((sent.uri.as_str(), text(&sent)), ("/order/3/confirm", "order=3"), "none of them is meant");
    let link = "<a href=/order/9>Your order</a>";
    let order = Made("GET /order/3", "", generated(), 0);
    assert_eq!(last_sent(&[(page(), "", link), (order, "", "")]).uri, "/order/9");
}

/// Catches: a page that was put before a redirect, and the request behind it is sent where nothing leads any more.
#[test]
fn what_follows_a_step_that_was_put_in_between_is_not_stale() {
    let notes = || Made("GET /notes", "", Origin::Recorded, 0);
    let add = || Made("POST /add", "text=x", Origin::Recorded, 0);
    let confirm = "<form method=post action=/sure><button>Yes</button></form>";
    let steps = |then: Origin| {
        vec![
            (notes(), NOTES, LIVE_NOTES),
            (add(), "-> /note/7", confirm),
            (Made("POST /sure", "", generated(), 0), "", "-> /note/9"),
            (Made("GET /note/7", "", then, 0), "", ""),
        ]
    };
    let sent = last_sent(&steps(Origin::Recorded));
    assert_eq!((sent.uri.as_str(), &sent.stale), ("/note/9", &None));
    let sent = last_sent(&steps(edited()));
    assert_eq!((sent.uri.as_str(), &sent.stale), ("/note/9", &None));
    // The answer leads elsewhere now, and somebody goes on from there.
    let steps = [
        (notes(), NOTES, LIVE_NOTES),
        (add(), "-> /account", "-> /"),
        (Made("GET /", "", generated(), 0), "", "<a href=/account>x</a>"),
        (Made("GET /account", "", Origin::Recorded, 0), "", ""),
    ];
    let sent = last_sent(&steps);
    assert_eq!((sent.uri.as_str(), &sent.stale), ("/account", &None));
}
