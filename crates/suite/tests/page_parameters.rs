//! Which parameters are learnt to lead to different pages, on front controllers, wikis and shops in small.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::collections::HashMap;

use restage_model::{
    BodyId, BodyRef, Exchange, ExchangeId, Headers, KeyRules, Moment, Origin, Request, Response,
};
use restage_suite::{ExchangeSource, ParameterLearner, SourceError};

/// Exchanges in memory.
#[derive(Default)]
struct Traffic {
    exchanges: Vec<Exchange>,
    bodies: RefCell<HashMap<i64, Vec<u8>>>,
}

impl ExchangeSource for Traffic {
    fn exchange(&self, id: ExchangeId) -> Result<Exchange, SourceError> {
        Ok(self.exchanges[id.0 as usize].clone())
    }

    fn body(&self, body: &BodyRef) -> Result<Vec<u8>, SourceError> {
        Ok(body.id.map(|id| self.bodies.borrow()[&id.0].clone()).unwrap_or_default())
    }
}

impl Traffic {
    fn body_ref(&self, bytes: &str) -> BodyRef {
        if bytes.is_empty() {
            return BodyRef::default();
        }
        let id = self.bodies.borrow().len() as i64;
        self.bodies.borrow_mut().insert(id, bytes.as_bytes().to_vec());
        BodyRef { id: Some(BodyId(id)), size: bytes.len() as u64, cut: false }
    }

    fn add(&mut self, line: &str, sent: (&str, &str), status: u16, field: (&str, &str), page: &str) {
        let (method, uri) = line.split_once(' ').unwrap();
        let header = |(name, value): (&str, &str)| -> Headers {
            let pairs = [(name.to_owned(), value.to_owned())];
            pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect()
        };
        let exchange = Exchange {
            id: ExchangeId(self.exchanges.len() as i64),
            at: Moment(self.exchanges.len() as i64),
            took: 1,
            client: "127.0.0.1".to_owned(),
            request: Request {
                method: method.to_owned(),
                uri: uri.to_owned(),
                headers: header(("content-type", sent.0)),
                body: self.body_ref(sent.1),
            },
            response: Some(Response { status, headers: header(field), body: self.body_ref(page) }),
            error: None,
            imported: false,
            origin: Origin::default(),
        };
        self.exchanges.push(exchange);
    }

    fn get(&mut self, uri: &str, page: &str) {
        self.add(&format!("GET {uri}"), ("", ""), 200, ("content-type", "text/html"), page);
    }

    fn learnt(&self) -> Vec<String> {
        self.learnt_in(self.exchanges.iter())
    }

    fn learnt_in<'a>(&self, exchanges: impl Iterator<Item = &'a Exchange>) -> Vec<String> {
        let mut learner = ParameterLearner::new(KeyRules::default());
        for exchange in exchanges {
            learner.add(exchange, self).unwrap();
        }
        learner.learnt().iter().map(ToString::to_string).collect()
    }
}

/// A page in the frame that all pages of a site have.
fn framed(content: &str) -> String {
    format!(
        "<html><body><div id='top' class='header'><form class='search' action='/find'><input type='text' name='q'>\
         <button>Search</button></form><ul class='menu'><li class='item'>x</ul></div>\
         <div class='main'>{content}</div><div class='footer'>f</div></body></html>"
    )
}

fn article(title: &str, rest: &str) -> String {
    framed(&format!(
        "<h1 id='{title}'>{title}</h1><div class='article'><p class='lead'>{title}</p>{rest}</div>\
         <form class='section'><button name='part' value='1'>Edit section</button></form>"
    ))
}

fn edit(text: &str) -> String {
    framed(&format!(
        "<h1>Edit</h1><form id='editor' class='edit' method='post'><textarea name='text'>{text}</textarea>\
         <label>Summary</label><input type='text' name='summary'><input type='checkbox' name='minor'>\
         <button name='save'>Save</button></form>"
    ))
}

fn revisions(lines: usize) -> String {
    let lines: String = (0..lines)
        .map(|n| {
            format!(
                "<li class='revision'><input type='checkbox' name='rev{n}'><span class='date'>{n}</span></li>"
            )
        })
        .collect();
    framed(&format!(
        "<h1>Old</h1><form id='revisions'><ul class='revisions'>{lines}</ul><button>Compare</button></form>"
    ))
}

fn wiki() -> Traffic {
    let mut wiki = Traffic::default();
    wiki.get("/doku.php?id=start", &article("start", "<ul class='list'><li class='level'>x</ul>"));
    wiki.get(
        "/doku.php?id=wiki:syntax",
        &article(
            "syntax",
            "<table class='inline'><tr class='row0'><th>a<th>b</table><pre class='code'>x</pre>",
        ),
    );
    wiki.get("/doku.php?id=start&do=edit", &edit("a"));
    wiki.get("/doku.php?id=start&do=revisions", &revisions(3));
    wiki
}

/// Catches: pages of a front controller under one key; and what is written in a wiki taken for pages of the application.
#[test]
fn what_is_done_to_an_article_is_a_page_and_which_article_is_not() {
    assert_eq!(wiki().learnt(), ["/doku.php?do"]);
}

/// Catches: a learner that goes by the order of traffic.
#[test]
fn the_order_of_traffic_does_not_matter() {
    let wiki = wiki();
    assert_eq!(wiki.learnt_in(wiki.exchanges.iter().rev()), ["/doku.php?do"]);
}

/// Catches: what was learnt that is taken back by more traffic, and articles that become pages by their number.
#[test]
fn more_traffic_takes_nothing_back() {
    let mut wiki = wiki();
    for n in 0..25u8 {
        let id = format!("note_{}{}", char::from(b'a' + n), char::from(b'a' + n / 2));
        wiki.get(&format!("/doku.php?id={id}"), &article(&id, &format!("<p class='kind{n}'>x")));
        wiki.get(&format!("/doku.php?id={id}&do=edit"), &edit(&id));
        wiki.get(&format!("/doku.php?id={id}&do=revisions"), &revisions(usize::from(n % 5)));
    }
    assert_eq!(wiki.learnt(), ["/doku.php?do"]);
    let mut rules = KeyRules::default();
    rules.parameters.learnt = vec!["/doku.php?do".parse().unwrap()];
    let mut learner = ParameterLearner::new(rules);
    for exchange in &wiki.exchanges {
        learner.add(exchange, &wiki).unwrap();
    }
    assert!(learner.learnt().is_empty(), "known already");
}

/// Catches: content that differs in structure, on a site with nothing else, taken for different pages.
#[test]
fn what_differs_in_content_alone_is_data() {
    // Articles alone: nothing says what is frame.
    let mut wiki = Traffic::default();
    wiki.get("/wiki.php?id=one", &article("one", "<table class='wide'><tr class='odd'><th>a</table>"));
    wiki.get(
        "/wiki.php?id=two",
        &article("two", "<pre class='code'>x</pre><ol class='steps'><li class='step'></ol>"),
    );
    assert_eq!(wiki.learnt(), [""; 0]);
    // A shop: some are sold out, some have sizes.
    let mut shop = Traffic::default();
    let item = |rest: &str| {
        framed(&format!("<h1 class='name'>x</h1><span class='price'>3</span><p class='text'>y</p>{rest}"))
    };
    let buy = "<form class='buy'><input name='quantity' type='number'><button>Buy</button></form>";
    let sizes = "<form class='sized'><select name='size'><option>S</select><label>Size</label><button>Choose</button></form>";
    let gone = "<div class='sold-out'>gone</div><form class='notify'><input type='email' name='mail'><button>Tell me</button></form>";
    for (id, rest) in [("apple", buy), ("pear", gone), ("shirt", sizes), ("plum", buy), ("fig", buy)] {
        shop.get(&format!("/item.php?id={id}"), &item(rest));
    }
    assert_eq!(shop.learnt(), [""; 0], "items alone");
    shop.get("/", &framed("<h2 class='welcome'>Welcome</h2>"));
    assert_eq!(shop.learnt(), [""; 0], "items and a front page");
    // A search whose words are typed.
    let mut search = Traffic::default();
    search.get("/", &framed("<p class='hello'>x"));
    let found = "<ol class='found'><li class='hit'><form class='add'><button>Add</button><input name='n' type='number'></form></ol>";
    let none = "<p class='none'>no</p><form class='wish'><label>Wish</label><textarea name='wish'></textarea><button>Send</button></form>";
    search.get("/find?q=dune", &framed(found));
    search.get("/find?q=xyzzy", &framed(none));
    search.get("/find?q=emma", &framed(none));
    assert_eq!(search.learnt(), [""; 0], "searches");
    // Many values are data, however different.
    let mut many = Traffic::default();
    many.get("/", &framed(""));
    for n in 0..100u8 {
        let name = format!("{}{}", char::from(b'a' + n % 26), char::from(b'a' + n / 26));
        let page = framed(&format!(
            "<form id='f{name}'><input name='a{name}'><input name='b{name}'><button>{name}</button></form>"
        ));
        many.get(&format!("/index.php?page={name}"), &page);
    }
    assert_eq!(many.learnt(), [""; 0], "too many");
}

/// Catches: front controllers in small that are not found: no classes, a list beside a form, a first page without the
/// parameter.
#[test]
fn small_front_controllers_are_found() {
    let page =
        |content: &str| format!("<html><body><a href='?page=list'>List</a><h1>x</h1>{content}</body></html>");
    let mut app = Traffic::default();
    app.get("/index.php", &page("<p>Welcome"));
    app.get(
        "/index.php?page=list",
        &page("<table><tr><th>Title<th>Author</th><th>Price</th></tr></table><label>Sort</label>"),
    );
    app.get(
        "/index.php?page=contact",
        &page("<form method=post><label>Your name</label><input name=name><textarea name=message></textarea><button>Send</button></form>"),
    );
    app.get(
        "/index.php?page=login",
        &page("<form method=post><label>User</label><input name=user><input type=password name=pass><button>Log in</button></form>"),
    );
    assert_eq!(app.learnt(), ["/index.php?page"]);
}

/// Catches: pages that are small and share something with a large one, each something else, taken for one page with it.
#[test]
fn small_pages_that_share_with_a_large_one_are_not_one() {
    let mut wiki = Traffic::default();
    let part = |name: &str| {
        (0..6)
            .map(|n| format!("<div class='{name}-{}'>", ["a", "b", "c", "d", "e", "f"][n]))
            .collect::<String>()
    };
    let form = |name: &str| {
        format!(
            "<form id='{name}'><input name='{name}-one'><textarea name='{name}-two'></textarea><button>{name}</button></form>"
        )
    };
    let large = format!("{}{}{}{}", part("list"), part("filter"), part("foot"), form("compare"));
    for title in ["Crane", "Ferry", "Lantern"] {
        wiki.get(&format!("/index.php?title={title}"), &article(title, ""));
        wiki.get(&format!("/index.php?title={title}&action=edit"), &framed(&form("edit")));
    }
    wiki.get("/index.php?title=Crane&action=history", &framed(&large));
    wiki.get("/index.php?title=Crane&action=info", &framed(&format!("{}<p class='note'>", part("list"))));
    wiki.get("/index.php?title=Ferry&action=history", &framed(&large));
    wiki.get("/index.php?title=Ferry&action=watch", &framed(&format!("{}{}", part("filter"), form("watch"))));
    wiki.get("/index.php?title=Lantern&action=protect", &framed(&form("protect")));
    assert_eq!(wiki.learnt(), ["/index.php?action"]);
}

/// Catches: front controllers that are posted to: forms, JSON, and redirects.
#[test]
fn actions_in_bodies_are_learnt() {
    let mut app = Traffic::default();
    let form = "application/x-www-form-urlencoded";
    for (body, to) in [
        ("action=add&item=3", "/cart"),
        ("action=checkout&item=", "/orders/17"),
        ("action=add&item=4", "http://shop.example/cart"),
    ] {
        app.add("POST /do.php", (form, body), 302, ("location", to), "");
    }
    // Back where one came from, or where one asked to go, is no page of its own.
    for (lang, to) in [("lang=de&back=%2Fcart", "/cart"), ("lang=en&back=%2Fbooks", "/books")] {
        app.add("POST /lang", (form, lang), 302, ("location", to), "");
    }
    for (body, answer) in [
        ("{\"method\": \"list\"}", "{\"items\": [{\"title\": 1, \"price\": 2}], \"total\": 1}"),
        ("{\"method\": \"whoami\"}", "{\"user\": {\"name\": 1, \"mail\": 2}}"),
        ("{\"method\": \"about\"}", "{\"version\": 1, \"build\": 2, \"licence\": 3}"),
    ] {
        app.add("POST /rpc", ("application/json", body), 200, ("content-type", "application/json"), answer);
    }
    assert_eq!(app.learnt(), ["/do.php?action", "/rpc?method"]);
}

/// Catches: learning from logs, which have no pages.
#[test]
fn what_has_no_body_teaches_nothing() {
    let mut log = Traffic::default();
    for value in ["edit", "revisions", "login"] {
        log.add(&format!("GET /doku.php?do={value}"), ("", ""), 200, ("content-type", "text/html"), "");
    }
    assert_eq!(log.learnt(), [""; 0]);
}
