//! The summary at a prompt.

use restage_report::{Report, terminal, terminal_at_most};

use crate::shop::{Shop, faulty, page, visit};

fn printed(shop: &Shop, colour: bool, entries: usize) -> String {
    let report = Report::gather(&shop.store, &shop.expected, &shop.actual, shop.comparison.clone()).unwrap();
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

1  GET /cart  —  6 steps in 3 sessions                                      [a3f9c0]
   text \"Total $42.00\" became \"Total $21.00\"
   seen by C-WD · first in s1 step 3

2  GET /checkout  —  1 step in 1 session                                    [a3f9c1]
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
fn nothing_foreign_reaches_the_terminal_and_colour_is_asked_for() {
    let plain = printed(&faulty(), false, 20);
    assert!(plain.contains("alert(2)") && plain.contains("␛[31m␀"));
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
    let report = Report::gather(&shop.store, &shop.expected, &shop.actual, shop.comparison.clone()).unwrap();
    let mut out = Vec::new();
    terminal(&report, &mut out, false).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "2 steps in 1 session: no differences (1 step is noisy and judged by less: 1 by N-SL)\nexpected: baseline-1 (app baseline)   actual: test-1 (app default)   oracle: C-WD | N+I\n"
    );
}
