//! `restage generate`: sequences that cover a map that somebody drew.

use crate::prints::assert_prints;
use crate::support::{project, run, stdout};

/// A shop: everything but the help page leads somewhere; an admin's page that nothing leads to.
const SHOP: &str = r#"{"home": "home", "nodes": [{"id": "home", "dynamic": false}, {"id": "search"}, {"id": "book"}, {"id": "cart"}, {"id": "checkout"},
    {"id": "help", "dynamic": false}, {"id": "admin"}], "edges": [{"from": "home", "to": "search"}, {"from": "search", "to": "book"},
    {"from": "book", "to": "cart"}, {"from": "cart", "to": "home"}, {"from": "search", "to": "cart"}, {"from": "cart", "to": "checkout"},
    {"from": "home", "to": "help"}, {"from": "admin", "to": "home", "label": "Back"}]}"#;

#[test]
fn for_people_and_what_is_wrong() {
    let folder = project(&[
        ("shop.json", SHOP),
        ("none.json", r#"{"nodes": [], "edges": []}"#),
        ("bad.json", r#"{"nodes": [{"id": 1}], "edges": [{"from": 1, "to": 2}]}"#),
    ]);
    let folder = folder.path();
    assert_prints!(folder, ["generate", "--map", "shop.json"]);
    assert_prints!(folder, ["generate", "--map", "shop.json", "--by", "all-edges"]);
    assert_prints!(folder, ["generate", "--map", "shop.json", "--max-length", "3"]);
    assert_prints!(folder, ["generate", "--map", "none.json"]);
    assert_prints!(folder, ["generate", "--map", "bad.json"]);
    assert_prints!(folder, ["generate", "--map", "nowhere.json"]);
}

/// Catches: ids that come out otherwise than they went in, or a cover that is not complete.
#[test]
fn for_programs() {
    let folder = project(&[(
        "ring.json",
        r#"{"nodes": [{"id": 1}, {"id": 2}, {"id": "3"}], "edges": [{"from": 1, "to": 2}, {"from": 2, "to": "3"}, {"from": "3", "to": 1}]}"#,
    )]);
    let output = run(folder.path(), &["generate", "--map", "ring.json", "--json"]);
    let printed: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(printed["sequences"], serde_json::json!([[1, 2, "3", 1, 2, "3"]]));
    assert_eq!(printed["coverage"]["pairs"], 9);
    assert_eq!(printed["coverage"]["pairs_covered"], 9);
}
