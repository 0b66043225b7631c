//! The summary at a prompt.

use restage_model::MaskedShare;
use restage_report::{json, terminal, terminal_at_most};

use crate::shop::{Shop, faulty, page, settled, visit};

fn printed(shop: &Shop, colour: bool, entries: usize) -> String {
    let report = shop.report();
    let mut out = Vec::new();
    terminal_at_most(&report, &mut out, colour, entries).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn what_changed() {
    let expected = "\
5 changes in 10 of 64 steps (5 of 8 sessions)
expected: baseline-1 (app baseline)   actual: test-1 (app default)   oracle: C-WD | N+I
3 steps are noisy and judged by less: 3 by N-SL

1  text: GET /cart  —  6 steps in 3 sessions                                [a3f9c0]
   text \"Total $42.00\" became \"Total $21.00\"
   seen by C-WD · first in s1 step 3

2  text: GET /checkout  —  1 step in 1 session                              [a3f9c1]
   text \"status 200\" became \"no answer\"
   seen by C-WD · first in s80 step 3

and 3 more: see the report

stale: the live page no longer offers what was used: 1 step
   s80 step 2  POST /login  —  the live page no longer offers the form `login`

no answer: 1 step
   s80 step 3  GET /checkout  —  connection refused

missing: 1 step
   s80 step 4  GET /orders  —  not in test-1
";
    assert_eq!(printed(&faulty(), false, 2), expected);
}

#[test]
fn what_fails_nothing_is_counted_and_what_sessions_left_behind_is_told() {
    let text = printed(&settled(), false, 20);
    let head = "\
7 changes in 10 of 64 steps and in what 3 of 4 sessions left behind (5 of 8 sessions)
expected: baseline-1 (app baseline)   actual: test-1 (app default)   oracle: C-WD | N+I
3 steps are noisy and judged by less: 3 by N-SL
accepted: 1 change in 1 step and after 1 session
ignored: 1 change in 1 step
masked: 2 parts in 11 steps and after 4 sessions, varying on the trusted version too

1  text: GET /cart";
    assert!(text.starts_with(head), "{text}");
    for change in [
        "
2  text: the state after 2 sessions                                         [b00001]
   text \"order 5: total 42\" became \"order 5: total 21\"
   seen by State · first after s1
",
        "
7  text: the log of 1 session                                               [b00002]
   text \"\" became \"PHP Warning: no index\"
   seen by Errors · first in the log of s80
",
    ] {
        assert!(text.contains(change), "{text}");
    }
    assert!(!text.contains("Books & more") && !text.contains("csrf"), "it stays short: {text}");
}

#[test]
fn where_all_that_differs_is_accepted() {
    let mut shop = Shop::new();
    shop.session(0, "s1", vec![visit("/", page("home"))]);
    let accepted = settled().comparison.accepted;
    shop.sessions[0].verdicts[0].accepted.push(accepted[0].change.difference.clone());
    shop.comparison.accepted = accepted;
    let text = printed(&shop, false, 20);
    assert!(text.starts_with("1 step in 1 session: no differences but what is accepted\n"), "{text}");
    assert!(text.ends_with("\naccepted: 1 change in 1 step\n"), "{text}");
}

#[test]
fn nothing_foreign_reaches_the_terminal_and_colour_is_asked_for() {
    let mut shop = settled();
    // A sentence has no control characters of its own; what stands beside it may.
    shop.comparison.changes[0].difference.seen_by = vec!["\u{1b}[31m\0\u{202e}".to_owned()];
    let plain = printed(&shop, false, 20);
    assert!(plain.contains("alert(2)") && plain.contains("␛[31m␀"), "{plain}");
    assert!(!plain.contains('\u{1b}') && !plain.contains('\0') && !plain.contains('\u{202e}'));
    let coloured = printed(&faulty(), true, 20);
    assert!(coloured.contains("\u{1b}[1m") && !coloured.contains("\u{1b}[31m\0"));
}

#[test]
fn no_differences() {
    let mut shop = Shop::new();
    let mut noisy = visit("/news", page("news"));
    noisy.weakened = true;
    shop.session(0, "s1", vec![visit("/", page("home")), noisy]);
    let report = shop.report();
    let mut out = Vec::new();
    terminal(&report, &mut out, false).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "2 steps in 1 session: no differences (1 step is noisy and judged by less: 1 by N-SL)\nexpected: baseline-1 (app baseline)   actual: test-1 (app default)   oracle: C-WD | N+I\n"
    );
}

/// Catches: a page of which next to nothing is looked at, and a report that is green and silent about it.
#[test]
fn a_page_that_is_mostly_masked_is_warned_of_by_name() {
    let mut shop = Shop::new();
    let stats = page("<p>7</p>");
    shop.session(0, "s1", vec![visit("/", page("<h1>Books</h1>")), visit("/stats", stats)]);
    let quiet = printed(&shop, false, 20);
    assert!(!quiet.contains("masked share"), "{quiet}");
    shop.sessions[0].verdicts[1].masked_share = MaskedShare { text: 820, tags: 100 };
    let text = printed(&shop, false, 20);
    assert!(
        text.contains("masked share: 41 % of the text, 5 % of the tags, 0 % of the rows that differ"),
        "{text}"
    );
    let warning = "warning: GET /stats is mostly masked: 82 % of its text and 10 % of its tags";
    assert!(text.contains(warning), "{text}");
    let report = shop.report();
    let json = serde_json::to_value(json(&report)).unwrap();
    assert_eq!(json["masked_share"]["text"], 410);
    assert_eq!(json["masked_share"]["pages"][0]["key"], "GET /stats");
}
