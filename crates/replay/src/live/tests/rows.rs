//! Links of rows, and the ids in what a click runs: of many alike, the one of the same row.

use super::*;

fn list(rows: &[(u32, &str)]) -> String {
    let row = |(id, name): &(u32, &str)| format!("<li><b>{name}</b> <a href='/edit?id={id}'>Edit</a></li>");
    format!("<ul>{}</ul>", rows.iter().map(row).collect::<String>())
}

/// Catches: another row's link is followed, since it stands where the right one stood.
#[test]
fn of_many_links_with_the_same_text_the_one_with_the_same_id_is_meant() {
    let was = list(&[(5, "Shoes"), (6, "Hat"), (7, "Tie")]);
    let to = |rows: &[(u32, &str)]| {
        let prepared = sent(&[("GET /list", &was, &list(rows))], "GET /edit?id=6 from /list", "");
        (prepared.uri, prepared.stale.is_some())
    };
    let id = |id: u32| (format!("/edit?id={id}"), false);
    let gone = ("/edit?id=6".to_owned(), true);
    assert_eq!(to(&[(7, "Tie"), (6, "Hat"), (5, "Shoes")]), id(6));
    assert_eq!(to(&[(4, "Belt"), (5, "Shoes"), (6, "Hat")]), id(6));
    assert_eq!(to(&[(15, "Shoes"), (17, "Tie"), (16, "Hat")]), id(16));
    assert_eq!(to(&[(5, "Shoes"), (9, "Hat"), (7, "Tie")]), id(9));
    assert_eq!(to(&[(5, "Shoes"), (7, "Tie")]), gone);
    assert_eq!(to(&[(5, "Shoes"), (7, "Tie"), (8, "Belt")]), gone);
    assert_eq!(to(&[(5, "Shoes"), (8, "Belt"), (7, "Tie")]), gone);
    let told = sent(&[("GET /list", &was, &list(&[(5, "Shoes")]))], "GET /edit?id=6 from /list", "");
    assert_eq!(told.stale.unwrap(), "the page of step 1 no longer has the link \"Edit\" to /edit?id=6");
}

/// Catches: a name in the address, which nobody draws anew, is another's.
#[test]
fn a_name_in_an_address_is_no_id_that_is_drawn_anew() {
    let page =
        |names: &[&str]| names.iter().map(|n| format!("<a href='/e?id={n}'>Edit</a>")).collect::<String>();
    let was = page(&["crane", "ferry"]);
    let to = |is: &str| sent(&[("GET /w", &was, is)], "GET /e?id=crane from /w", "");
    assert!(to(&page(&["ferry", "tower"])).stale.is_some());
    assert!(to(&page(&["tower", "ferry"])).stale.is_some());
    assert_eq!(to(&page(&["ferry", "crane"])).stale, None);
}

/// Catches: a row's token hides its id.
#[test]
fn a_rows_link_has_its_live_token() {
    let page = |rows: &[(u32, &str)]| -> String {
        rows.iter()
            .map(|(id, t)| format!("<p>Row <a href='/del?id={id}&amp;tok={t}'>Delete</a></p>"))
            .collect()
    };
    let was = page(&[(5, "aa11bb22cc"), (6, "bb22cc33dd")]);
    let is = page(&[(6, "1111aaaa22"), (5, "2222bbbb33"), (4, "3333cccc44")]);
    let line = "GET /del?id=6&tok=bb22cc33dd from /l";
    assert_eq!(sent(&[("GET /l", &was, &is)], line, "").uri, "/del?id=6&tok=1111aaaa22");
    let gone = sent(&[("GET /l", &was, &page(&[(5, "2222bbbb33")]))], line, "");
    assert!(gone.stale.is_some());
}

/// Catches: a picture without a text is all that is known of a link.
#[test]
fn an_image_and_a_text_to_the_same_place_are_one_link() {
    let row = |id: u32, name: &str| {
        format!(
            "<div><a href=/b/{id}><img src=/i/{id}.png></a><a href=/b/{id}>{name}</a><a href=/b/{id}>More</a></div>"
        )
    };
    let was = row(5, "Shoes") + &row(6, "Hat");
    let to = |is: &str, line: &str| sent(&[("GET /s", &was, is)], line, "");
    let moved = row(6, "Shoes") + &row(7, "Hat") + &row(8, "Tie");
    assert_eq!(to(&moved, "GET /b/6 from /s").uri, "/b/7");
    assert_eq!(to(&moved, "GET /b/5 from /s").uri, "/b/6");
    // The picture is gone, and the text has another case: still the same place.
    assert_eq!(to("<a href=/b/6>HAT</a>", "GET /b/6 from /s").stale, None);
    assert!(to(&row(5, "Shoes"), "GET /b/6 from /s").stale.is_some());
}

/// Catches: an id that a click hands to a script is sent as recorded.
#[test]
fn ids_in_script_calls_are_live_values() {
    let rows = |handler: &str, rows: &[(u32, &str)]| -> String {
        let row = |(id, name): &(u32, &str)| {
            format!("<tr><td>{name}<td>{}</tr>", handler.replace("ID", &id.to_string()))
        };
        format!("<table>{}</table>", rows.iter().map(row).collect::<String>())
    };
    for handler in [
        "<a href='#' onclick=\"reply('accepted', '', ID)\">Yes</a><a href='#' onclick=\"reply('declined', '', ID)\">No</a>",
        "<button onclick=\"return reply('accepted', '', 'ID');\">Yes</button>",
        "<a href=\"javascript:reply('accepted', '', ID)\">Yes</a>",
        "<a href=\"javascript:void(reply(%27accepted%27,%20%27%27,%20ID))\">Yes</a>",
        "<button onclick=\"if (confirm('Really?')) reply('accepted', '', ID); return false\">Yes</button>",
    ] {
        let was = rows(handler, &[(17, "Ball"), (18, "Tea")]);
        let is = rows(handler, &[(30, "Tea"), (29, "Ball"), (28, "Walk")]);
        let steps = [("GET /calendar", was.as_str(), is.as_str())];
        let form = "answer=accepted&comment=&id=17";
        let prepared = sent(&steps, "POST /index.php from /calendar", form);
        assert_eq!(String::from_utf8(prepared.body).unwrap(), "answer=accepted&comment=&id=29", "{handler}");
        assert_eq!(prepared.substitutions[0].source, "step 1: script call reply argument 3", "{handler}");
        assert_eq!(
            json(&steps, "POST /api from /calendar", "{\"id\":18,\"a\":\"accepted\"}"),
            "{\"id\":30,\"a\":\"accepted\"}"
        );
        assert_eq!(
            sent(&steps, "POST /reply/17/accepted from /calendar", "").uri,
            "/reply/29/accepted",
            "{handler}"
        );
        assert_eq!(
            sent(&steps, "GET /reply.php?event=18&answer=accepted from /calendar", "").uri,
            "/reply.php?event=30&answer=accepted"
        );
        // What happens to be the same number is another's.
        let typed = "count=17&page=18";
        assert_eq!(body(&steps, "POST /index.php from /calendar", typed), typed, "{handler}");
    }
    // The function says what it is about.
    let page = |id: u32| format!("<p onclick='openInvoice({id})'>x</p><script>loadCustomer({id}4);</script>");
    let (was, is) = (page(17), page(21));
    let steps = [("GET /home", was.as_str(), is.as_str())];
    assert_eq!(sent(&steps, "GET /invoices/17 from /home", "").uri, "/invoices/21");
    assert_eq!(sent(&steps, "GET /ajax?customer_id=174 from /home", "").uri, "/ajax?customer_id=214");
    assert_eq!(sent(&steps, "GET /users/17 from /home", "").uri, "/users/17");
    assert_eq!(sent(&steps, "GET /ajax?uid=17&user_id=17 from /home", "").uri, "/ajax?uid=21&user_id=17");
    // A row that is gone is not another's.
    let call = "<a onclick=\"drop(ID)\">x</a>";
    let steps =
        [("GET /l", &*rows(call, &[(17, "Ball"), (18, "Tea")]), &*rows(call, &[(18, "Tea"), (19, "Walk")]))];
    let prepared = sent(&steps, "POST /drop from /l", "id=17");
    assert_eq!(prepared.body, b"id=17");
    let why =
        "the answer of step 1 no longer has script call drop argument 1, which was sent as form field id";
    assert_eq!(prepared.stale.as_deref(), Some(why));
}

/// Catches: a script that takes a row's id from a link, an attribute or an address takes another row's.
#[test]
fn what_scripts_take_from_a_row_is_that_rows() {
    let rows = |inside: &str, rows: &[(u32, &str)]| -> String {
        rows.iter()
            .map(|(id, name)| format!("<li>{name} {}</li>", inside.replace("ID", &id.to_string())))
            .collect()
    };
    for inside in [
        "<a data-method=delete href=/articles/ID>Destroy</a>",
        "<button data-article-id=ID>Destroy</button>",
        "<button onclick='destroy({article: {id: ID}})'>Destroy</button>",
        "<button onclick=\"send('/articles/ID')\">Destroy</button>",
        "<button onclick=\"location.href = '/articles/ID'\">Destroy</button>",
    ] {
        let was = rows(inside, &[(5, "Shoes"), (6, "Hat"), (7, "Tie")]);
        let to = |now: &[(u32, &str)]| {
            let steps = [("GET /articles", was.as_str(), &*rows(inside, now))];
            let prepared = sent(&steps, "POST /articles/6 from /articles", "_method=delete");
            assert!(prepared.stale.is_none() || now.iter().all(|(_, name)| *name != "Hat"), "{inside}");
            prepared.uri
        };
        assert_eq!(to(&[(7, "Tie"), (6, "Hat"), (5, "Shoes")]), "/articles/6", "{inside}");
        assert_eq!(to(&[(17, "Tie"), (16, "Hat"), (15, "Shoes")]), "/articles/16", "{inside}");
        assert_eq!(to(&[(5, "Shoes"), (9, "Hat")]), "/articles/9", "{inside}");
        assert_eq!(to(&[(5, "Shoes"), (7, "Tie"), (8, "Belt")]), "/articles/6", "gone: {inside}");
    }
}
