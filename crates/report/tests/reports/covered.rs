//! Reports that others get to see: without what the application drew, and otherwise as they are.

use restage_model::{Difference, Headers, Masked, Place, Substitution};
use restage_redact::{Cover, Redactor, Rules, StandIns, Texts};
use restage_report::{Report, html, junit};

use crate::shop::{Shop, Visit, page, visit};

/// What the two runs were given.
const TOKENS: [&str; 2] = ["8f3ac1d2e4b5a697", "1b9d77c0aa52fe31"];

fn shop_page(token: &str, total: &str) -> String {
    format!(
        "<h1>Cart</h1><form><input type=hidden name=csrf value={token}></form><p>Total {total}, key {token}</p><p>Thank you</p>"
    )
}

/// A cart whose total is wrong, on pages with a token.
fn shop() -> Shop {
    let text = |token: &str, total: &str| format!("Total {total}, key {token}");
    let cart = Visit {
        request: ("GET", "/cart?csrf=1b9d77c0aa52fe31"),
        differences: vec![
            Difference::changed(
                "C-WD",
                Place::Text { after: None },
                text(TOKENS[0], "$42.00"),
                text(TOKENS[1], "$21.00"),
            ),
            Difference::changed(
                "JSON",
                Place::Json { path: format!("$.carts[\"{}\"].id", TOKENS[1]) },
                TOKENS[0],
                TOKENS[1],
            ),
        ],
        actual: page(&shop_page(TOKENS[1], "$21.00")),
        substitutions: vec![Substitution {
            target: "query parameter csrf".to_owned(),
            recorded: TOKENS[0].to_owned(),
            live: TOKENS[1].to_owned(),
            source: "step 1".to_owned(),
            why: String::new(),
        }],
        ..visit("/cart", page(&shop_page(TOKENS[0], "$42.00")))
    };
    let mut shop = Shop::new();
    shop.session(0, "s1", vec![visit("/", page("<h1>Books</h1>")), cart]);
    let masked = Masked {
        place: "value of input[name=\"csrf\"]".to_owned(),
        expected: TOKENS[0].to_owned(),
        actual: TOKENS[1].to_owned(),
    };
    shop.sessions[0].verdicts[1].masked.push(masked);
    shop
}

/// A cover that has read both pages.
fn cover() -> Cover {
    let mut redactor = Redactor::showing(Rules::default(), StandIns::of_text("a key"));
    for token in TOKENS {
        redactor.redact_texts(&mut Texts {
            uri: &mut "/cart".to_owned(),
            headers: &mut Headers::new(),
            body: &mut Vec::new(),
            response: Some((&mut Headers::new(), &mut shop_page(token, "$42.00").into_bytes())),
        });
    }
    Cover::new(redactor)
}

/// The formats that are written to files.
fn formats(report: &Report<'_>) -> [String; 2] {
    let mut xml = Vec::new();
    junit(report, &mut xml).unwrap();
    [html(report).unwrap(), String::from_utf8(xml).unwrap()]
}

/// Catches: a token in one of the many places that a report quotes; two stand-ins for one token, so that pages that are alike are
/// marked as if they differed, or lines that belong together stand apart.
#[test]
fn nothing_but_tokens_is_another_in_a_report_for_others() {
    let shop = shop();
    let cover = cover();
    let plain = formats(&shop.report());
    let runs = (&shop.expected, &shop.actual);
    let report =
        Report::gather_covered(&shop.store, runs, shop.counted(), &shop.sessions, Some(&cover)).unwrap();
    for (plain, covered) in plain.into_iter().zip(formats(&report)) {
        let mut expected = plain;
        for token in TOKENS {
            assert!(expected.contains(token) && !covered.contains(token), "{token}: {covered}");
            expected = expected.replace(token, &cover.text(token).unwrap());
        }
        assert_eq!(covered, expected);
    }
}
