//! Which form was submitted, where many lead to one address: told apart by what they are before what they hold.

use super::*;

/// Six forms to one address, as old applications have them; hidden values as recorded or as in the next release.
fn six(stamp: &str, step: u32) -> Vec<String> {
    let form = |inside: &str| {
        format!(
            "<form method=post action=/index.php><input type=hidden name=stamp value={stamp}>\
             <input type=hidden name=step value={step}>{inside}</form>"
        )
    };
    vec![
        form("<input name=name><input name=mail><button>Save profile</button>"),
        form("<input name=street><input name=city><button>Save address</button>"),
        form("<input name=old type=password><input name=new type=password><button>Change password</button>"),
        form("<textarea name=text></textarea><button name=do value=comment>Comment</button>"),
        form("<input type=checkbox name=news><button name=do value=subscribe>Subscribe</button>"),
        form("<button name=do value=leave>Leave</button>"),
    ]
}

const SUBMISSIONS: [&str; 6] = [
    "name=Ada&mail=a%40b.example",
    "street=Main+St&city=Ulm",
    "old=a&new=b",
    "text=Hello&do=comment",
    "news=on&do=subscribe",
    "do=leave",
];

/// Catches: a hidden value that has changed makes another form of the page the one that is submitted.
#[test]
fn of_six_forms_to_one_address_each_is_known_by_its_fields_and_button() {
    let was = six("r1", 1).concat();
    let line = "POST /index.php from /index.php";
    // Changed, in another order, and so that each holds what the next one held.
    for (stamp, step, turn) in [("r2", 1, 0), ("r2", 2, 3), ("r1", 7, 5)] {
        let mut forms = six(stamp, step);
        forms.rotate_left(turn);
        let is = forms.concat();
        for typed in SUBMISSIONS {
            let prepared = sent(&[("GET /index.php", &was, &is)], line, &format!("stamp=r1&step=1&{typed}"));
            let body = String::from_utf8(prepared.body).unwrap();
            assert_eq!(body, format!("stamp={stamp}&step={step}&{typed}"));
            assert_eq!(prepared.stale, None);
        }
    }
}

/// Catches: a form that is gone is sent as one that is left, without what was typed.
#[test]
fn a_form_that_is_gone_is_stale_and_all_of_it_is_sent_as_recorded() {
    let was = six("r1", 1).concat();
    for (gone, typed) in SUBMISSIONS.iter().enumerate() {
        let mut left = six("r2", 2);
        left.remove(gone);
        let body = format!("stamp=r1&step=1&{typed}");
        let prepared =
            sent(&[("GET /index.php", &was, &left.concat())], "POST /index.php from /index.php", &body);
        assert_eq!(String::from_utf8(prepared.body).unwrap(), body);
        let why = prepared.stale.unwrap();
        assert_eq!(why, "the page of step 1 no longer has the form to /index.php", "{typed}");
    }
    // Its token is live all the same, where the page still has one.
    let with = |token: &str, forms: &[String]| {
        let field = format!("<input type=hidden name=stamp value={token}");
        forms.concat().replace("<input type=hidden name=stamp value=r1", &field)
    };
    let (was, is) = (with("0a1b2c3d4e5f", &six("r1", 1)), with("9f8e7d6c5b4a", &six("r1", 1)[1..]));
    let steps = [("GET /index.php", was.as_str(), is.as_str())];
    let prepared = sent(&steps, "POST /index.php", "stamp=0a1b2c3d4e5f&step=1&name=Ada&mail=x");
    assert_eq!(String::from_utf8(prepared.body).unwrap(), "stamp=9f8e7d6c5b4a&step=1&name=Ada&mail=x");
    assert!(prepared.stale.is_some());
}

/// Catches: a form that is gone from her page is sent from an older page that still has it, unmarked; and where no page
/// is named that the request came from, nobody is told.
#[test]
fn an_older_page_does_not_stand_in_for_the_one_she_was_on() {
    let form = "<form method=post action=/save><input name=text><button>Save</button></form>";
    let steps = [("GET /a", form, form), ("GET /b", form, "<p>")];
    let prepared = sent(&steps, "POST /save from /b", "text=x");
    assert!(prepared.stale.unwrap().contains("step 2 no longer has the form"));
    let steps = [("GET /a", form, "<p>"), ("GET /ping", "{}", "{}")];
    let prepared = sent(&steps, "POST /save", "text=x");
    assert!(prepared.stale.unwrap().contains("step 1 no longer has the form"));
    let again = "<a href=/x>X</a>";
    let steps = [("GET /a", again, again), ("GET /b", again, "<p>")];
    assert!(sent(&steps, "GET /x from /b", "").stale.is_some());
}

/// Catches: looking at a record becomes a change to it.
#[test]
fn a_form_with_the_recorded_fields_and_many_more_is_another() {
    let view = "<form method=post action=/r><input type=hidden name=id value=5><button>Show</button></form>";
    let edit = "<form method=post action=/r><input type=hidden name=id value=5><input name=title value=T><input name=price \
                value=3><select name=state><option>on</select><button>Save</button></form>";
    let prepared = sent(&[("GET /r", view, edit)], "POST /r from /r", "id=5");
    assert_eq!((prepared.body.as_slice(), prepared.stale.is_some()), (&b"id=5"[..], true));
    // Even where the button is called the same.
    let same_button = edit.replace("Save", "Show");
    let prepared = sent(&[("GET /r", view, &same_button)], "POST /r from /r", "id=5");
    assert_eq!((prepared.body.as_slice(), prepared.stale.is_some()), (&b"id=5"[..], true));
    // One more field, or a token, is the next release.
    let more = view.replace("<button>", "<input type=hidden name=csrf value=0a1b2c3d4e5f><button>");
    let prepared = sent(&[("GET /r", view, &more)], "POST /r from /r", "id=5");
    assert_eq!((prepared.body.as_slice(), prepared.stale), (&b"id=5&csrf=0a1b2c3d4e5f"[..], None));
}

/// Catches: what a form is there for is overwritten by what another one is there for.
#[test]
fn a_word_in_a_hidden_field_decides_between_forms_that_look_alike() {
    let form = |action: &str, id: u32| {
        format!(
            "<form method=post action=/x><input type=hidden name=action value={action}>\
             <input type=hidden name=id value={id}><button>OK</button></form>"
        )
    };
    let was = form("approve", 5) + &form("reject", 5);
    let to = |is: &str, body: &str| {
        let prepared = sent(&[("GET /x", &was, is)], "POST /x from /x", body);
        (String::from_utf8(prepared.body).unwrap(), prepared.stale.is_some())
    };
    let turned = form("reject", 6) + &form("approve", 6);
    assert_eq!(to(&turned, "action=approve&id=5"), ("action=approve&id=6".to_owned(), false));
    assert_eq!(to(&turned, "action=reject&id=5"), ("action=reject&id=6".to_owned(), false));
    assert_eq!(to(&form("reject", 5), "action=approve&id=5"), ("action=approve&id=5".to_owned(), true));
    let another = form("archive", 5) + &form("reject", 5);
    assert_eq!(to(&another, "action=approve&id=5"), ("action=approve&id=5".to_owned(), true));
    // The recording shows on another page that it is another form's.
    let (start, stop) = (form("start", 5), form("stop", 5));
    let steps = [("GET /x?1", &*stop, &*stop), ("GET /x", &*start, &*stop)];
    let prepared = sent(&steps, "POST /x from /x", "action=start&id=5");
    assert_eq!((prepared.body.as_slice(), prepared.stale.is_some()), (&b"action=start&id=5"[..], true));
}

/// Catches: an item is removed that stands where the right one stood.
#[test]
fn a_rows_form_is_known_by_its_id_and_then_by_the_text_beside_it() {
    let cart = |rows: &[(u32, &str)]| {
        let row = |(id, name): &(u32, &str)| {
            format!(
                "<tr><td>{name}<td><form method=post action=/cart><input type=hidden name=item value={id}>\
                 <button name=do value=remove>Remove</button></form></tr>"
            )
        };
        format!("<table>{}</table>", rows.iter().map(row).collect::<String>())
    };
    let was = cart(&[(5, "Shoes"), (6, "Hat"), (7, "Tie")]);
    let to = |rows: &[(u32, &str)]| {
        let prepared = sent(&[("GET /cart", &was, &cart(rows))], "POST /cart from /cart", "item=6&do=remove");
        (String::from_utf8(prepared.body).unwrap(), prepared.stale.is_some())
    };
    let item = |id: u32| (format!("item={id}&do=remove"), false);
    assert_eq!(to(&[(7, "Tie"), (6, "Hat"), (5, "Shoes")]), item(6));
    assert_eq!(to(&[(9, "Tie"), (8, "Hat"), (4, "Shoes")]), item(8));
    assert_eq!(to(&[(6, "Shoes"), (7, "Hat"), (8, "Tie")]), item(7), "moved on by one");
    assert_eq!(to(&[(5, "Shoes"), (6, "Cap"), (7, "Tie")]), item(6), "called otherwise now");
    assert_eq!(to(&[(9, "Hat")]), item(9), "the others are gone");
    assert_eq!(to(&[(5, "Shoes"), (7, "Tie")]), ("item=6&do=remove".to_owned(), true), "gone");
    assert_eq!(to(&[(9, "Belt")]), ("item=6&do=remove".to_owned(), true), "another is left");
    assert_eq!(to(&[(5, "Shoes"), (7, "Tie"), (8, "Belt")]), ("item=6&do=remove".to_owned(), true));
    // With the id in the address.
    let by_path = |text: &str| {
        let path = text.replace("action=/cart><input type=hidden name=item value=", "action=/cart/");
        path.replace("><button", " ><button")
    };
    let (was, is) = (by_path(&was), by_path(&cart(&[(7, "Tie"), (6, "Hat")])));
    let prepared = sent(&[("GET /cart", &was, &is)], "POST /cart/6 from /cart", "do=remove");
    assert_eq!((prepared.uri.as_str(), prepared.stale), ("/cart/6", None));
}

/// Catches: one button of a form is sent as another.
#[test]
fn the_button_that_was_clicked_is_sent() {
    let form = |buttons: &str| {
        format!(
            "<form method=post action=/a><input name=t><input type=submit name=op value=Save>{buttons}</form>"
        )
    };
    let delete = "<input type=submit name=op value=Delete>";
    let to = |was: &str, is: &str, body: &str| {
        let prepared = sent(&[("GET /a", was, is)], "POST /a from /a", body);
        (String::from_utf8(prepared.body).unwrap(), prepared.stale)
    };
    let (both, one) = (form(delete), form(""));
    assert_eq!(to(&both, &both, "t=x&op=Delete"), ("t=x&op=Delete".to_owned(), None));
    let gone = Some("the form of step 1 no longer has the button \"Delete\"".to_owned());
    assert_eq!(to(&both, &one, "t=x&op=Delete"), ("t=x&op=Delete".to_owned(), gone));
    let renamed = one.replace("Save", "Store");
    assert_eq!(to(&one, &renamed, "t=x&op=Save"), ("t=x&op=Store".to_owned(), None));
    // A button that sends the form elsewhere.
    let elsewhere = |to: &str| form(&format!("<button formaction={to}>Preview</button>"));
    let prepared = sent(&[("GET /a", &elsewhere("/p/1"), &elsewhere("/p/2"))], "POST /p/1 from /a", "t=x");
    assert_eq!(
        (prepared.uri.as_str(), prepared.body.as_slice(), prepared.stale),
        ("/p/2", &b"t=x"[..], None)
    );
    let prepared = sent(&[("GET /a", &elsewhere("/p/1"), &one)], "POST /p/1 from /a", "t=x");
    assert_eq!((prepared.uri.as_str(), prepared.stale.is_some()), ("/p/1", true));
    // An image sends where it was clicked.
    let image = "<form method=post action=/a><input name=t><input type=image name=go alt=Go></form>\
                 <form method=post action=/a><input name=t><input name=u></form>";
    assert_eq!(to(image, image, "t=x&go.x=3&go.y=4"), ("t=x&go.x=3&go.y=4".to_owned(), None));
}

/// Catches: two forms with the same fields, of which the first is taken.
#[test]
fn forms_are_told_apart_by_name_and_button_alone() {
    let form = |name: &str, button: &str| {
        format!(
            "<form method=post action=/f {name}><input name=q><button name=b value={button}>{button}</button></form>"
        )
    };
    let was = form("name=books", "Books") + &form("name=films", "Films");
    let is = form("name=films", "Films") + &form("name=books", "Books");
    let prepared = sent(&[("GET /f", &was, &is)], "POST /f from /f", "q=x&b=Films");
    assert_eq!(prepared.substitutions, []);
    let prepared = sent(&[("GET /f", &was, &form("name=books", "Books"))], "POST /f from /f", "q=x&b=Films");
    assert_eq!((prepared.body.as_slice(), prepared.stale.is_some()), (&b"q=x&b=Films"[..], true));
}

/// Catches: a quantity is given to another row, or dropped.
#[test]
fn fields_with_an_id_in_their_name_are_those_of_the_same_row() {
    let cart = |ids: &[u32]| {
        let fields: String = ids.iter().map(|id| format!("<input name=qty[{id}] value=1>")).collect();
        format!("<form method=post action=/cart>{fields}<button>Update</button></form>")
    };
    let to = |is: &[u32]| {
        let steps = [("GET /cart", &*cart(&[17, 18]), &*cart(is))];
        let prepared = sent(&steps, "POST /cart from /cart", "qty%5B17%5D=1&qty%5B18%5D=3");
        (String::from_utf8(prepared.body).unwrap(), prepared.stale.is_some())
    };
    let body = |a: u32, b: u32| format!("qty%5B{a}%5D=1&qty%5B{b}%5D=3");
    assert_eq!(to(&[18, 17]), (body(17, 18), false));
    assert_eq!(to(&[21, 22]), (body(21, 22), false));
    assert_eq!(to(&[17, 22]), (body(17, 22), false));
    assert_eq!(to(&[17]), ("qty%5B17%5D=1".to_owned(), true));
}

/// Catches: what a browser leaves out, or what stands outside of the form, makes a form another.
#[test]
fn what_a_browser_leaves_out_is_no_reason_and_what_stands_outside_is_sent() {
    let page = |token: &str| {
        format!(
            "<form method=post action=/o id=f><input type=hidden name=t value={token}><input type=checkbox name=c>\
             <input type=radio name=r value=1><select name=m multiple><option>x</select><input name=off disabled>\
             <input type=file name=up></form><form method=post action=/o><input name=t><input name=z></form>\
             <input form=f name=late value={token}><textarea form=f name=note></textarea>"
        )
    };
    let (was, is) = (page("0a1b2c3d4e5f"), page("9f8e7d6c5b4a"));
    let steps = [("GET /o", was.as_str(), is.as_str())];
    let sent_body = body(&steps, "POST /o from /o", "t=0a1b2c3d4e5f&late=0a1b2c3d4e5f&note=hi");
    assert_eq!(sent_body, "t=9f8e7d6c5b4a&late=9f8e7d6c5b4a&note=hi");
    let part = |name: &str, value: &str| {
        format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let parts = |token: &str| {
        let file =
            "--B\r\nContent-Disposition: form-data; name=\"up\"; filename=\"a\"\r\n\r\n\x01\r\n--B--\r\n";
        part("t", token) + &part("late", token) + &part("note", "hi") + file
    };
    let fields = [("content-type", "multipart/form-data; boundary=B")];
    let (prepared, _) = sent_with(&steps, "POST /o from /o", &fields, parts("0a1b2c3d4e5f").as_bytes());
    assert_eq!(String::from_utf8(prepared.body).unwrap(), parts("9f8e7d6c5b4a"));
}

/// Catches: a choice that is gone is made of the one that stands in its place.
#[test]
fn a_choice_that_is_gone_is_not_another() {
    let form = |values: [&str; 2]| {
        let radio: String = values.iter().map(|v| format!("<input type=radio name=r value={v}>")).collect();
        let options: String = values.iter().map(|v| format!("<option value={v}>{v}</option>")).collect();
        format!("<form method=post action=/d>{radio}<select name=s>{options}</select></form>")
    };
    let to = |is: [&str; 2]| {
        let steps = [("GET /d", &*form(["approve", "reject"]), &*form(is))];
        let prepared = sent(&steps, "POST /d from /d", "r=approve&s=approve");
        (String::from_utf8(prepared.body).unwrap(), prepared.stale.is_some())
    };
    assert_eq!(to(["reject", "approve"]), ("r=approve&s=approve".to_owned(), false));
    for is in [["reject", "archive"], ["archive", "reject"]] {
        assert_eq!(to(is), ("r=approve&s=approve".to_owned(), true), "{is:?}");
    }
}

/// Catches: a search is sent by another form of the page that is sent by GET.
#[test]
fn a_search_is_the_form_with_its_fields() {
    let was = "<form action=/s><input type=hidden name=in value=all><input name=q><button>Search</button></form>\
               <form action=/s><input name=q><select name=sort><option>a<option>b</select></form>";
    let is = "<form action=/s><input name=q><select name=sort><option>a<option>b</select></form>\
              <form action=/s><input type=hidden name=in value=books><input name=q><button>Search</button></form>";
    let uri = |wanted: &str, is: &str| {
        let prepared = sent(&[("GET /", was, is)], &format!("GET {wanted} from /"), "");
        (prepared.uri, prepared.stale.is_some())
    };
    assert_eq!(uri("/s?in=all&q=cat", is), ("/s?in=books&q=cat".to_owned(), false));
    assert_eq!(uri("/s?q=cat&sort=b", is), ("/s?q=cat&sort=b".to_owned(), false));
    let left =
        "<form action=/s><input type=hidden name=in value=all><input name=q><button>Search</button></form>";
    assert_eq!(uri("/s?q=cat&sort=b", left), ("/s?q=cat&sort=b".to_owned(), true));
}

/// Catches: a form without a field is another one without a field.
#[test]
fn forms_without_fields_are_known_by_their_address_and_button() {
    let form = |to: &str, text: &str| format!("<form method=post action={to}><button>{text}</button></form>");
    let was = form("/u?do=leave", "Leave") + &form("/u?do=join", "Join");
    let is = form("/u?do=join", "Join") + &form("/u?do=leave", "Leave");
    let to = |is: &str, line: &str| {
        let prepared = sent(&[("GET /u", &was, is)], &format!("POST {line} from /u"), "");
        (prepared.uri, prepared.stale.is_some())
    };
    assert_eq!(to(&is, "/u?do=join"), ("/u?do=join".to_owned(), false));
    assert_eq!(to(&form("/u?do=join", "Join"), "/u?do=leave"), ("/u?do=leave".to_owned(), true));
}

/// Catches: closing becomes opening again, since that is the only form that is left.
#[test]
fn a_form_of_one_button_is_what_the_button_says() {
    let form = |to: &str| {
        format!(
            "<form method=post action=/i><input type=hidden name=t value=0a1b2c3d4e5f><input type=hidden name=id value=5>\
             <button name=do value={to}>{to}</button></form>"
        )
    };
    let body = "t=0a1b2c3d4e5f&id=5&do=close";
    let prepared = sent(&[("GET /i", &form("close"), &form("reopen"))], "POST /i from /i", body);
    assert_eq!((prepared.body.as_slice(), prepared.stale.is_some()), (body.as_bytes(), true));
}

/// Catches: a token that is a field's name is sent as recorded, as Joomla has it.
#[test]
fn a_field_that_is_called_by_a_token_has_the_live_token() {
    let page = |token: &str| {
        format!(
            "<form method=post action=/j><input name=text><input type=hidden name={token} value=1></form>"
        )
    };
    let (old, new) = ("3f2504e04f8941d39a0c0305e82c3301", "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d");
    let (was, is) = (page(old), page(new));
    let prepared = sent(&[("GET /j", &was, &is)], "POST /j from /j", &format!("text=x&{old}=1"));
    assert_eq!((prepared.body, prepared.stale), (format!("text=x&{new}=1").into_bytes(), None));
}

/// Catches: what is left takes the place of what is gone, where buttons, ids or addresses have the row's name in them.
#[test]
fn forms_that_name_their_row_are_known_by_it() {
    let forms: [&dyn Fn(&str) -> String; 4] = [
        &|row| {
            format!("<form method=post action=/c><button name=rm value={row}>Remove {row}</button></form>")
        },
        &|row| {
            format!(
                "<form method=post action=/c><input type=hidden name=n value={row}><button>Remove {row}</button></form>"
            )
        },
        &|row| {
            format!(
                "<form method=post action=/c id=remove-{row}><input type=hidden name=n value={row}><button>x</button></form>"
            )
        },
        &|row| {
            format!(
                "<form method=post action='/c?rm={row}'><input type=hidden name=n value={row}><button>x</button></form>"
            )
        },
    ];
    for (kind, form) in forms.iter().enumerate() {
        let page = |rows: &[&str]| rows.iter().map(|row| form(row)).collect::<String>();
        let was = page(&["shoes", "hat"]);
        let (line, body) = match kind {
            0 => ("POST /c from /c", "rm=shoes"),
            3 => ("POST /c?rm=shoes from /c", "n=shoes"),
            _ => ("POST /c from /c", "n=shoes"),
        };
        for (now, stale) in [
            (&["hat", "shoes"][..], false),
            (&["hat", "tie"], true),
            (&["tie", "hat"], true),
            (&["tie"], true),
        ] {
            let prepared = sent(&[("GET /c", &was, &page(now))], line, body);
            assert_eq!(String::from_utf8(prepared.body).unwrap(), body, "{kind} {now:?}");
            assert_eq!(prepared.stale.is_some(), stale, "{kind} {now:?}");
        }
    }
}

/// Catches: a form above and below a list, of which the next release has one.
#[test]
fn the_same_form_twice_is_one() {
    let form =
        "<form method=post action=/p><input type=hidden name=page value=2><button>Next</button></form>";
    let prepared = sent(&[("GET /p", &form.repeat(2), form)], "POST /p from /p", "page=2");
    assert_eq!(prepared.stale, None);
}

/// Catches: a script's request that has a name in common with a form is sent as that form, or told to be stale.
#[test]
fn what_a_script_sends_to_the_same_address_is_no_form() {
    let form = "<form method=post action=/x><input type=hidden name=action value=save><input type=hidden name=id value=5>\
                <input name=title><input name=text></form>";
    let more = form.replace("</form>", "<input type=hidden name=csrf value=0a1b2c3d4e5f></form>");
    for is in [more.as_str(), "<p>"] {
        let prepared = sent(&[("GET /x", form, is)], "POST /x from /x", "action=vote&id=5&value=up");
        let body = String::from_utf8(prepared.body).unwrap();
        assert_eq!((body.as_str(), prepared.stale), ("action=vote&id=5&value=up", None));
    }
}

/// Catches: a hidden word is believed before what is written on the button.
#[test]
fn a_button_comes_before_a_hidden_word() {
    let form = |kind: &str, button: &str| {
        format!(
            "<form method=post action=/f><input type=hidden name=kind value={kind}><input name=text>\
             <button>{button}</button></form>"
        )
    };
    let was = form("note", "Comment") + &form("alarm", "Report");
    let to = |is: &str| {
        let prepared = sent(&[("GET /f", &was, is)], "POST /f from /f", "kind=note&text=x");
        (String::from_utf8(prepared.body).unwrap(), prepared.stale.is_some())
    };
    let swapped = form("note", "Report") + &form("alarm", "Comment");
    assert_eq!(to(&swapped), ("kind=alarm&text=x".to_owned(), false));
    let renamed = form("remark", "Comment") + &form("warning", "Report");
    assert_eq!(to(&renamed), ("kind=remark&text=x".to_owned(), false));
    assert_eq!(to(&form("alarm", "Report")), ("kind=note&text=x".to_owned(), true));
    // Where both are others, the form is another.
    let (was, is) = (form("note", "Comment"), form("alarm", "Report"));
    let prepared = sent(&[("GET /f", &was, &is)], "POST /f from /f", "kind=note&text=x");
    assert_eq!((prepared.body.as_slice(), prepared.stale.is_some()), (&b"kind=note&text=x"[..], true));
}
