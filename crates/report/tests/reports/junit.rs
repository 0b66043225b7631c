//! The report for CI systems.

use quick_junit::{NonSuccessKind, Report as Junit, TestCaseStatus};
use restage_report::{Report, junit};

use crate::shop::{faulty, settled};

fn written(report: &Report<'_>) -> String {
    let mut out = Vec::new();
    junit(report, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_suite_a_session_and_a_case_a_step() {
    let shop = faulty();
    let report = shop.report();
    let xml = written(&report);
    let read = Junit::deserialize_from_str(&xml).unwrap();
    assert_eq!((read.tests, read.failures, read.errors), (65, 9, 2));
    assert_eq!(read.test_suites.len(), 8);
    let case = &read.test_suites[0].test_cases[2];
    assert_eq!(case.name.as_str(), "step 3 GET /cart");
    assert_eq!(case.classname.as_ref().unwrap().as_str(), "s1");
    assert_eq!(case.time.unwrap().as_millis(), 6);
    let TestCaseStatus::NonSuccess { kind, message, description, .. } = &case.status else {
        panic!("{case:?}")
    };
    assert_eq!(*kind, NonSuccessKind::Failure);
    assert_eq!(message.as_ref().unwrap().as_str(), "text \"Total $42.00\" became \"Total $21.00\"");
    assert!(description.as_ref().unwrap().contains("expected: Total $42.00"));
    let stale = &read.test_suites[3].test_cases[1];
    assert!(stale.system_out.as_ref().unwrap().starts_with("stale: the live page no longer offers"));
}

#[test]
fn what_a_session_left_behind_is_a_case_and_what_is_accepted_passes() {
    let shop = settled();
    let report = shop.report();
    let read = Junit::deserialize_from_str(&written(&report)).unwrap();
    assert_eq!((read.tests, read.failures, read.errors), (69, 12, 2));
    let case = read.test_suites[0].test_cases.last().unwrap();
    assert_eq!((case.name.as_str(), case.classname.as_ref().unwrap().as_str()), ("state and log", "s1"));
    let TestCaseStatus::NonSuccess { message, description, .. } = &case.status else { panic!("{case:?}") };
    assert!(message.as_ref().unwrap().contains("order 5: total 21"));
    assert!(description.as_ref().unwrap().contains("seen by:  State"));
    let passing = read.test_suites[2].test_cases.last().unwrap();
    assert!(matches!(passing.status, TestCaseStatus::Success { .. }));
    assert!(passing.system_out.as_ref().unwrap().starts_with("accepted: text \"Books\""));
}

#[test]
fn well_formed_whatever_the_pages_hold() {
    let shop = settled();
    let report = shop.report();
    let xml = written(&report);
    assert!(!xml.contains("<script") && !xml.contains("]]>"));
    assert!(xml.chars().all(|c| c == '\n' || c >= ' ' && c != '\u{fffe}' && c != '\u{ffff}'));
    assert!(xml.contains("␛[31m␀"));
}
