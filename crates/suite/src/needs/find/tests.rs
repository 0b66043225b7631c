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

/// Catches: of the moves of a game, only the last is needed; and a game of which most sessions are moves taken for a counter.
#[test]
fn every_earlier_move_of_a_game_is_needed() {
    let begins = || {
        session(
            "s1",
            vec![row(Done::Added, "games", "3", &[("id", "3"), ("board", "rnbqkbnr"), ("turn", "white")])],
            vec![step("POST /games", &[("opponent", "bo")], "Game 3")],
        )
    };
    // Each move is a row of its own, or changes the game's.
    let adds = |name: &str, key: &str, to: &str| {
        session(
            name,
            vec![row(Done::Added, "moves", key, &[("id", key), ("game_id", "3"), ("to", to)])],
            vec![step("GET /games/3", &[], "board"), step("POST /games/3/move", &[("to", to)], "moved")],
        )
    };
    let changes = |name: &str, board: &str| {
        session(
            name,
            vec![row(Done::Changed, "games", "3", &[("board", board)])],
            vec![step("POST /move", &[("game", "3"), ("to", "e4")], "moved")],
        )
    };
    let needed = |sessions: &[Observed], by: &str| -> Vec<String> {
        find_needs(sessions).needed_by([by]).into_iter().map(str::to_owned).collect()
    };
    let added = [
        begins(),
        adds("s2", "1", "e4"),
        adds("s3", "2", "e5"),
        adds("s4", "3", "f4"),
        adds("s5", "4", "ef"),
    ];
    assert_eq!(needed(&added, "s5"), ["s1", "s2", "s3", "s4"]);
    let changed =
        [begins(), changes("s2", "a1"), changes("s3", "b2x"), changes("s4", "c3x"), changes("s5", "d4x")];
    assert_eq!(needed(&changed, "s5"), ["s1", "s2", "s3", "s4"]);
    // Who only looks at it needs them, too.
    let mut watched = changed.to_vec();
    watched.push(session("s6", Vec::new(), vec![step("GET /game", &[("id", "3")], "board")]));
    assert_eq!(needed(&watched, "s6"), ["s1", "s2", "s3", "s4", "s5"]);
    // A game that was there before the recording.
    assert_eq!(needed(&changed[1..], "s5"), ["s2", "s3", "s4"]);
}

/// Catches: who orders a book needs all who ordered it before, and what one has done is taken for a chain.
#[test]
fn parts_of_ones_own_are_no_chain() {
    let adds_book = session(
        "s1",
        vec![row(Done::Added, "books", "5", &[("id", "5"), ("title", "A")])],
        vec![step("POST /books", &[("title", "A")], "")],
    );
    let orders = |name: &str, key: &str| {
        session(
            name,
            vec![
                row(Done::Added, "orders", key, &[("id", key), ("user_id", "12")]),
                row(Done::Added, "order_lines", key, &[("id", key), ("order_id", key), ("book_id", "5")]),
            ],
            vec![step("POST /order", &[("book", "5")], "thanks")],
        )
    };
    let told = told(&[registers(), adds_book, orders("s2", "40"), orders("s3", "41")]);
    assert!(!told.iter().any(|need| need.starts_with("s3 needs s2")), "{told:?}");
    assert!(told.iter().any(|need| need.starts_with("s3 needs s1:")), "{told:?}");
}

/// Catches: a last name that equals a login, a search for a word that is a login, and a page that is called like one.
#[test]
fn a_word_is_meant_only_where_the_field_is_of_its_kind() {
    let registers = session(
        "s1",
        vec![row(Done::Added, "users", "12", &[("id", "12"), ("login", "johnson"), ("role", "member")])],
        vec![step("POST /register", &[("username", "johnson"), ("password", "x")], "Welcome johnson")],
    );
    let last_name = session(
        "s2",
        vec![row(Done::Added, "owners", "7", &[("id", "7"), ("last_name", "johnson")])],
        vec![step("POST /owners/new", &[("lastName", "johnson")], "Owner johnson")],
    );
    let registers_too = session(
        "s3",
        vec![row(Done::Added, "users", "13", &[("id", "13"), ("login", "jo"), ("last_name", "johnson")])],
        vec![step(
            "POST /register",
            &[("username", "jo"), ("lastName", "johnson"), ("password", "x")],
            "Hi jo johnson",
        )],
    );
    let searches =
        session("s4", Vec::new(), vec![step("GET /search", &[("q", "johnson")], "johnson: 1 found")]);
    let visits = session("s5", Vec::new(), vec![step("GET /streets/johnson", &[], "a street")]);
    let logs_in = session(
        "s6",
        Vec::new(),
        vec![step("POST /login", &[("user", "johnson"), ("password", "x")], "Welcome")],
    );
    let all = [registers.clone(), last_name.clone(), registers_too, searches, visits, logs_in.clone()];
    let account = "s6 needs s1: it logs in as \"johnson\", an account that s1 registered (users, row 12)";
    assert_eq!(told(&all), [account]);
    // The login counts also where the word was somebody's last name first.
    assert_eq!(told(&[last_name, registers, logs_in]), [account]);
}

/// Catches: ids in queries and bodies that are not found: of JSON, of several rows, in a field's name, or under a name that says
/// nothing.
#[test]
fn ids_in_queries_and_bodies() {
    let places = session(
        "s2",
        vec![row(Done::Added, "orders", "40", &[("id", "40"), ("status", "open")])],
        vec![step("POST /checkout", &[], "Thank you"), step("GET /view.php", &[("o", "40")], "Order")],
    );
    for (asked, is_need) in [
        (step("POST /api", &[("order.id", "40")], ""), true),
        (step("POST /api", &[("order[id]", "40")], ""), true),
        (step("POST /orders/close", &[("ids[]", "40")], ""), true),
        (step("POST /x", &[("orderIds", "39,40")], ""), true),
        (step("POST /orders", &[("delete[40]", "on")], ""), true),
        (step("GET /view.php", &[("o", "40")], ""), true),
        (step("GET /other.php", &[("o", "40")], ""), false),
        (step("GET /view.php", &[("page", "40")], ""), false),
        (step("POST /cart", &[("quantity", "40")], ""), false),
    ] {
        let said = format!("{asked:?}");
        let told = told(&[places.clone(), session("s9", vec![], vec![asked])]);
        let expected = if is_need { 1 } else { 0 };
        assert_eq!(told.len(), expected, "{said}: {told:?}");
    }
}
