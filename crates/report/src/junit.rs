//! The report for CI systems: a test suite a session, a test case a step.
//!
//! A step that fails is a failure with its differences as text; one that got no answer or that only
//! one run has is an error, as JUnit tells the two apart. A stale step says so in its output, and so does one that
//! differs in what is accepted or ignored. What a session left behind is one more test case.

use std::io::Write;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use restage_model::{Aftermath, Difference, Outcome};

use crate::plain::{harmless, one_line, shortened};
use crate::{Report, ReportError, ReportSession, ReportStep};

/// How much of a value a failure quotes: CI systems show it all, at once.
const ROOM: usize = 2_000;

/// What ends the report.
const END: &str = "</testsuites>";

/// Writes the report as JUnit XML, a session at a time.
pub fn junit(report: &Report<'_>, out: &mut dyn Write) -> Result<(), ReportError> {
    let mut counts = SuiteCounts::default();
    // The totals come first, so that every session is read twice and none is kept.
    for session in &report.sessions {
        counts.add(&suite(report, &report.read(session.ordinal)?));
    }
    let mut all = Junit::new("restage");
    all.set_time(Duration::from_micros(report.took));
    (all.tests, all.failures, all.errors) = (counts.tests, counts.failures, counts.errors);
    let empty = all.to_string()?;
    out.write_all(
        empty.strip_suffix('\n').and_then(|text| text.strip_suffix(END)).unwrap_or(&empty).as_bytes(),
    )?;
    for session in &report.sessions {
        let mut one = Junit::new("restage");
        one.add_test_suite(suite(report, &report.read(session.ordinal)?));
        let text = one.to_string()?;
        let from = text.find("<testsuite ").unwrap_or_default();
        let to = text.rfind(END).unwrap_or(text.len());
        write!(out, "    {}", &text[from..to])?;
    }
    writeln!(out, "{END}")?;
    Ok(())
}

#[derive(Default)]
struct SuiteCounts {
    tests: usize,
    failures: usize,
    errors: usize,
}

impl SuiteCounts {
    fn add(&mut self, suite: &TestSuite) {
        self.tests += suite.tests;
        self.failures += suite.failures;
        self.errors += suite.errors;
    }
}

fn suite(report: &Report<'_>, session: &ReportSession) -> TestSuite {
    let name = one_line(&session.name);
    let mut suite = TestSuite::new(&name);
    suite.add_property(Property::new("expected", one_line(&report.comparison.expected)));
    suite.add_property(Property::new("actual", one_line(&report.comparison.actual)));
    suite.add_property(Property::new("oracle", one_line(&report.comparison.oracle)));
    let mut took = 0;
    for step in &session.steps {
        suite.add_test_case(case(report, &name, step));
        took += step.actual.as_ref().map_or(0, |s| s.took);
    }
    if let Some(aftermath) = &session.aftermath {
        suite.add_test_case(aftermath_case(&name, aftermath));
    }
    suite.set_time(Duration::from_micros(took));
    suite
}

fn case(report: &Report<'_>, session: &str, step: &ReportStep) -> TestCase {
    let (method, uri) = step.request();
    let name = format!("step {} {}", step.number(), one_line(&format!("{method} {uri}")));
    let mut case = TestCase::new(name, status(report, step));
    case.set_classname(session);
    if let Some(actual) = &step.actual {
        case.set_time(Duration::from_micros(actual.took));
    }
    if let Some(verdict) = step.verdict.as_ref().filter(|v| v.weakened) {
        let oracle = one_line(&verdict.oracle);
        case.add_property(Property::new("weaker oracle, because the step is noisy", oracle));
    }
    let stale = step.stale().map(|why| format!("stale: {}\n", harmless(why)));
    let settled = step.verdict.as_ref().map(|v| settled(&v.accepted, &v.ignored));
    let origin = step.origin().map(|origin| format!("{}\n", one_line(&origin.to_string())));
    let out = [origin, stale, settled].into_iter().flatten().collect::<String>();
    if !out.is_empty() {
        case.set_system_out(out.trim_end());
    }
    case
}

/// The test case on what a session left behind.
fn aftermath_case(session: &str, aftermath: &Aftermath) -> TestCase {
    let status = if aftermath.outcome == Outcome::Fail {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status
            .set_type("difference")
            .set_message(shortened(&one_line(&message(&aftermath.differences)), 300));
        status.set_description(told(&aftermath.differences));
        status
    } else {
        TestCaseStatus::success()
    };
    let mut case = TestCase::new("state and log", status);
    case.set_classname(session);
    let out = settled(&aftermath.accepted, &aftermath.ignored);
    if !out.is_empty() {
        case.set_system_out(out.trim_end());
    }
    case
}

/// What differs and fails nothing, a line each.
fn settled(accepted: &[Difference], ignored: &[Difference]) -> String {
    let line = |how: &'static str| {
        move |d: &Difference| format!("{how}: {}\n", shortened(&one_line(&d.to_string()), 300))
    };
    accepted.iter().map(line("accepted")).chain(ignored.iter().map(line("ignored"))).collect()
}

fn message(differences: &[Difference]) -> String {
    match differences {
        [] => "the oracle says it fails".to_owned(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{} (and {} more)", first, rest.len()),
    }
}

fn status(report: &Report<'_>, step: &ReportStep) -> TestCaseStatus {
    let (kind, name, message) = match (&step.verdict, step.unanswered()) {
        (None, _) => {
            let lacks = if step.actual.is_some() { &report.expected } else { &report.actual };
            (NonSuccessKind::Error, "missing", format!("the run {} lacks this step", lacks.name))
        }
        (Some(_), _) if !step.fails() => return TestCaseStatus::success(),
        (Some(_), Some(why)) => (NonSuccessKind::Error, "unanswered", format!("no answer: {why}")),
        (Some(verdict), None) => (NonSuccessKind::Failure, "difference", message(&verdict.differences)),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name).set_message(shortened(&one_line(&message), 300));
    status.set_description(description(step));
    status
}

fn description(step: &ReportStep) -> String {
    let Some(verdict) = &step.verdict else { return String::new() };
    format!("judged by {}\n{}", one_line(&verdict.oracle), told(&verdict.differences))
}

fn told(differences: &[Difference]) -> String {
    let mut text = String::new();
    for difference in differences {
        text.push_str(&format!(
            "\n{}\n  expected: {}\n  actual:   {}\n  seen by:  {}\n",
            shortened(&one_line(&difference.to_string()), ROOM),
            shortened(&harmless(difference.expected()), ROOM),
            shortened(&harmless(difference.actual()), ROOM),
            one_line(&difference.seen_by_all()),
        ));
    }
    text
}
