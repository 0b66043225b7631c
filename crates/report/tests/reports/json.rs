//! The report for programs.

use restage_report::{Report, json, json_of_all_steps};
use serde_json::json as value;

use crate::shop::{HOSTILE, faulty};

#[test]
fn changes_counts_and_steps() {
    let shop = faulty();
    let report = Report::gather(&shop.store, &shop.expected, &shop.actual, shop.comparison.clone()).unwrap();
    let json = json(&report);
    assert_eq!(json["passes"], false);
    assert_eq!(
        json["counts"],
        value!({
            "sessions": 8, "steps": 64, "failing_sessions": 5, "failing": 10, "weakened": 3, "stale": 1,
            "unanswered": 1, "missing": 1, "changes": 5
        })
    );
    let change = &json["changes"][0];
    assert_eq!(change["count"], 6);
    assert_eq!(change["example"], value!({ "session": "s1", "step": 3 }));
    assert_eq!(change["steps"].as_array().unwrap().len(), 6);
    assert_eq!(change["keys"], value!(["GET /cart"]));
    // The six carts, the stale, the unanswered, the missing, and the last session's three.
    assert_eq!(json["steps"].as_array().unwrap().len(), 12);
    assert_eq!(json["steps"][6]["mark"], "stale");
    assert_eq!(json["steps"][6]["substitutions"][0]["live"], HOSTILE);
    assert_eq!(json["steps"][7]["error"], "connection refused");
    assert_eq!(json["steps"][7]["actual_status"], serde_json::Value::Null);
    assert_eq!(json["steps"][8]["mark"], "missing");
    assert_eq!(json_of_all_steps(&report)["steps"].as_array().unwrap().len(), 65);
}
