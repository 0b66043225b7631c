//! The report for programs.

use restage_report::{json, json_of_all_steps};
use serde_json::json as value;

use crate::shop::{HOSTILE, faulty, settled};

#[test]
fn changes_counts_and_steps() {
    let shop = faulty();
    let report = shop.report();
    let json = serde_json::to_value(json(&report)).unwrap();
    assert_eq!(json["passes"], false);
    let nowhere = value!({ "distinct": 0, "steps": 0, "aftermaths": 0 });
    assert_eq!(
        json["counts"],
        value!({
            "sessions": 8, "steps": 64, "failing_sessions": 5, "failing": 10, "aftermaths": 0,
            "failing_aftermaths": 0, "weakened": 3, "stale": 1, "unanswered": 1, "missing": 1, "changes": 5, "findings": 5,
            "accepted": nowhere, "ignored": nowhere, "masked": nowhere
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
    assert_eq!(
        serde_json::to_value(json_of_all_steps(&report)).unwrap()["steps"].as_array().unwrap().len(),
        65
    );
}

#[test]
fn what_fails_nothing_is_there_too() {
    let shop = settled();
    let report = shop.report();
    let json = serde_json::to_value(json(&report)).unwrap();
    assert_eq!(json["counts"]["accepted"], value!({ "distinct": 1, "steps": 1, "aftermaths": 1 }));
    assert_eq!(json["counts"]["masked"], value!({ "distinct": 2, "steps": 11, "aftermaths": 4 }));
    assert_eq!(json["changes"][1]["aftermaths"], value!(["s1", "s14"]));
    let accepted = &json["accepted"][0];
    assert_eq!((&accepted["id"], &accepted["aftermaths"]), (&value!("c00001"), &value!(["s57"])));
    assert!(accepted["reason"].as_str().unwrap().starts_with("the new name"));
    assert!(json["ignored"][0]["rule"].as_str().unwrap().starts_with("GET /: text"));
    assert_eq!(json["unused"]["accepted"], value!(["dddddd"]));
    let masked = &json["masked"][0];
    assert_eq!((&masked["count"], &masked["example"]["step"]), (&value!(11), &value!(3)));
    assert_eq!(masked["example"]["expected"], "a2");
    assert_eq!(json["aftermaths"].as_array().unwrap().len(), 4, "s57 differs in what is accepted");
    // The two steps that differ and pass are listed, those that are only masked are not.
    let steps = json["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 14);
    assert_eq!(
        steps
            .iter()
            .filter(|s| s["mark"] == "accepted" && s["accepted"][0]["actual"] == "Books & more")
            .count(),
        1
    );
    let all = serde_json::to_value(json_of_all_steps(&report)).unwrap();
    let step =
        all["steps"].as_array().unwrap().iter().find(|s| s["session"] == "s101" && s["step"] == 3).unwrap();
    assert_eq!(step["masked"][1]["expected"], "a3");
}
