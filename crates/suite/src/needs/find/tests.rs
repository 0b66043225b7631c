use restage_state::StateChange;

use super::*;

fn row(done: Done, table: &str, key: &str, values: &[(&str, &str)]) -> StateChange {
    StateChange {
        file: "shop.db".to_owned(),
        table: Some(table.to_owned()),
        done,
        key: key.to_owned(),
        values: owned_pairs(values),
    }
}

fn owned_pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn step(line: &str, params: &[(&str, &str)], text: &str) -> ObservedStep {
    let (method, path) = line.split_once(' ').unwrap();
    ObservedStep {
        method: method.to_owned(),
        path: path.to_owned(),
        params: owned_pairs(params),
        cookies: Vec::new(),
        text: text.to_owned(),
    }
}

fn session(name: &str, writes: Vec<StateChange>, steps: Vec<ObservedStep>) -> Observed {
    Observed { session: name.to_owned(), writes, steps }
}

fn told(sessions: &[Observed]) -> Vec<String> {
    find_needs(sessions).all.iter().map(ToString::to_string).collect()
}

fn registers() -> Observed {
    session(
        "s1",
        vec![row(Done::Added, "users", "12", &[("id", "12"), ("name", "anna"), ("role", "member")])],
        vec![
            step("GET /register", &[], "Register"),
            step("POST /register", &[("user", "anna"), ("password", "secret")], "Welcome anna"),
        ],
    )
}

/// Catches: a session that logs in with an account that nobody registered before it.
#[test]
fn who_logs_in_needs_who_registered() {
    let logs_in = || vec![step("POST /login", &[("user", "anna"), ("password", "secret")], "Welcome anna")];
    let stranger = session(
        "s3",
        Vec::new(),
        vec![step("POST /login", &[("user", "old"), ("password", "x")], "Welcome")],
    );
    assert_eq!(
        told(&[registers(), session("s2", Vec::new(), logs_in()), stranger]),
        ["s2 needs s1: it logs in as \"anna\", an account that s1 registered (users, row 12)"]
    );
    // One that tries before there is such an account needs nobody.
    assert_eq!(told(&[session("s0", Vec::new(), logs_in()), registers()]), [""; 0]);
}

/// Catches: an id in an address or a parameter, a foreign key, a row that is changed: each alone is enough.
#[test]
fn rows_are_known_by_ids() {
    let places = session(
        "s2",
        vec![row(Done::Added, "orders", "40", &[("id", "40"), ("status", "open")])],
        vec![step("POST /checkout", &[], "Thank you")],
    );
    let cases: Vec<(Vec<StateChange>, ObservedStep, &str)> = vec![
        (vec![], step("GET /order/40", &[], ""), "it asks for /order/40, which s2 made (orders, row 40)"),
        (
            vec![],
            step("GET /order", &[("id", "40")], ""),
            "it asks for /order, which s2 made (orders, row 40)",
        ),
        (vec![], step("GET /x", &[("order_id", "40")], ""), "it asks for /x, which s2 made (orders, row 40)"),
        (
            vec![row(Done::Added, "order_lines", "7", &[("id", "7"), ("order_id", "40")])],
            step("POST /x", &[], ""),
            "it writes order_id of order_lines, of what s2 added (orders, row 40)",
        ),
        (
            vec![row(Done::Changed, "orders", "40", &[("status", "sent")])],
            step("POST /x", &[], ""),
            "it changes what s2 wrote (orders, row 40)",
        ),
        (
            vec![row(Done::Removed, "orders", "40", &[("status", "open")])],
            step("POST /x", &[], ""),
            "it removes what s2 wrote (orders, row 40)",
        ),
    ];
    for (writes, asked, why) in cases {
        let later = session("s9", writes, vec![asked]);
        assert_eq!(told(&[places.clone(), later]), [format!("s9 needs s2: {why}")]);
    }
    // Book 40 is another thing, and so is the quantity.
    let book = session("s9", vec![], vec![step("GET /book/40", &[("quantity", "40")], "40 left")]);
    assert_eq!(told(&[places, book]), [""; 0]);
}

/// Catches: words of the application, and what was there before, taken for somebody's own.
#[test]
fn texts_are_somebodys_only_where_they_wrote_them_first() {
    let writes = |key: &str, title: &str| {
        vec![row(Done::Added, "orders", key, &[("status", "delivered"), ("title", title)])]
    };
    let buys = |name: &str, key: &str| {
        session(
            name,
            writes(key, "The Old Book"),
            vec![step("GET /book/1", &[], "The Old Book $5"), step("POST /buy", &[], "bought")],
        )
    };
    let looks = session("s3", Vec::new(), vec![step("GET /", &[], "The Old Book, delivered")]);
    assert_eq!(told(&[buys("s1", "1"), looks.clone()]), [""; 0], "it was shown before it was written");
    let reviews = session(
        "s2",
        vec![row(Done::Added, "ratings", "4", &[("comment", "Too many  pages,\nbut good ones")])],
        vec![
            step("GET /book/1", &[], "The Old Book"),
            step("POST /rate", &[("comment", "Too many  pages,\nbut good ones")], "thanks"),
        ],
    );
    let reads =
        session("s4", Vec::new(), vec![step("GET /book/1", &[], "x\n Too many pages, but good ones")]);
    assert_eq!(
        told(&[reviews, looks, reads]),
        [
            "s4 needs s2: its step 1 shows \"Too many pages, but good ones\", which s2 wrote first (comment of ratings, row 4)"
        ]
    );
}

/// Catches: a counter that all sessions write makes each need all before it.
#[test]
fn what_everybody_writes_nobody_needs() {
    let visits = |name: &str| {
        session(name, vec![row(Done::Changed, "counter", "1", &[("n", "5")])], vec![step("GET /", &[], "")])
    };
    let sessions: Vec<Observed> = ["s1", "s2", "s3", "s4", "s5"].map(visits).into_iter().collect();
    assert_eq!(told(&sessions), [""; 0]);
    let mut some = sessions[..2].to_vec();
    some.extend((6..12).map(|n| session(&format!("s{n}"), Vec::new(), Vec::new())));
    assert_eq!(told(&some).len(), 1);
}

#[test]
fn files_and_cookies() {
    let file = |done| StateChange {
        file: "uploads/kitten.png".to_owned(),
        table: None,
        done,
        key: String::new(),
        values: Vec::new(),
    };
    let uploads = session(
        "s1",
        vec![file(Done::Added), row(Done::Added, "tokens", "1", &[("token", "deadbeefcafe")])],
        vec![step("POST /upload", &[], "")],
    );
    let views = session("s2", Vec::new(), vec![step("GET /files/kitten.png", &[], "")]);
    let removes = session("s3", vec![file(Done::Removed)], vec![step("POST /remove", &[], "")]);
    let mut returns = session("s4", Vec::new(), vec![step("GET /", &[], "")]);
    returns.steps[0].cookies = owned_pairs(&[("remember", "deadbeefcafe")]);
    assert_eq!(
        told(&[uploads, views, removes, returns]),
        [
            "s2 needs s1: it asks for /files/kitten.png, which s1 made (uploads/kitten.png)",
            "s3 needs s1: it removes what s1 wrote (uploads/kitten.png)",
            "s4 needs s1: it sends the cookie remember, which s1 was given (token of tokens, row 1)",
        ]
    );
}
