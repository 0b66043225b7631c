//! The report for programs.
//!
//! A stable format: fields are added, never renamed. Steps are counted from 1, sessions are named.
//!
//! ```json
//! {
//!   "expected": "baseline-1", "actual": "test-1", "oracle": "C-WD | N+I", "passes": false,
//!   "counts": {"sessions": 40, "steps": 412, "failing_sessions": 7, "failing": 12, "aftermaths": 40,
//!              "failing_aftermaths": 1, "weakened": 37, "stale": 1, "unanswered": 0, "missing": 0, "changes": 3,
//!              "accepted": {"distinct": 2, "steps": 31, "aftermaths": 0}, "ignored": {…}, "masked": {…}},
//!   "weakened_by": {"C-WD": 35, "Flist": 2},
//!   "changes": [{
//!     "id": "a3f9c2", "summary": "text \"$42\" became \"$21\"", "expected": "$42", "actual": "$21",
//!     "seen_by": "C-WD", "count": 9, "keys": ["GET /cart"],
//!     "example": {"session": "s57", "step": 4}, "steps": [{"session": "s57", "step": 4}],
//!     "aftermaths": ["s57"]
//!   }],
//!   "accepted": [{"id": "…", …, "reason": "the new design"}],
//!   "ignored": [{"id": "…", …, "rule": "GET /cart: text \"*\" became \"*\" (after \"Quote\")"}],
//!   "unused": {"accepted": ["0c11d2"], "rules": []},
//!   "masked": [{
//!     "place": "value of input[name=\"csrf\"]", "count": 380, "keys": ["GET /cart"], "aftermaths": 0,
//!     "example": {"session": "s1", "step": 2, "expected": "1f0c", "actual": "88ab"}
//!   }],
//!   "steps": [{
//!     "session": "s57", "step": 4, "key": "GET /cart", "mark": "fail",
//!     "method": "GET", "uri": "/cart", "origin": null, "oracle": "C-WD | N+I", "weakened": false,
//!     "expected_status": 200, "actual_status": 200, "took_us": 5120,
//!     "error": null, "stale": null,
//!     "differences": [{"seen_by": "C-WD", "summary": "…", "expected": "…", "actual": "…"}],
//!     "accepted": [], "ignored": [], "masked": [{"place": "…", "expected": "…", "actual": "…"}],
//!     "substitutions": [{"target": "…", "recorded": "…", "live": "…", "source": "…", "why": "…"}]
//!   }],
//!   "aftermaths": [{"session": "s57", "outcome": "fail", "differences": […], "accepted": [], "ignored": [], "masked": []}]
//! }
//! ```
//!
//! `mark` is one of `pass`, `weakened`, `ignored`, `accepted`, `stale`, `fail`, `unanswered`, `missing`: the worst that can
//! be said of the step. `origin` is null for a recorded request, else it says who made it of what: `{"kind": "edited", "of": 17, "by":
//! "repair", "why": "the link moved"}`, `{"kind": "generated", "by": …, "why": …, "from": […]}`. A status is null where there was no answer, `error` says why the run that is
//! judged got none. `changes` are those that fail; `count` is how many steps show one, `aftermaths` names the sessions that
//! left it behind. `steps` holds those that fail, are stale, got no answer or are missing, or that differ in what is accepted or
//! ignored, and `aftermaths` likewise; [`json_of_all_steps`] holds every one.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use restage_model::{Aftermath, Change, Outcome, SettledChange, Step, StepAt};

use crate::{Mark, MaskedPart, Report, ReportSession, ReportStep};

/// The report, with the steps that need a look.
pub fn json(report: &Report<'_>) -> Value {
    value(
        report,
        |step| step.mark() > Mark::Weakened,
        |after| after.outcome == Outcome::Fail || !after.accepted.is_empty() || !after.ignored.is_empty(),
    )
}

/// The report, with all steps.
pub fn json_of_all_steps(report: &Report<'_>) -> Value {
    value(report, |_| true, |_| true)
}

fn value(
    report: &Report<'_>,
    shown: impl Fn(&ReportStep) -> bool,
    shown_after: impl Fn(&Aftermath) -> bool,
) -> Value {
    let comparison = &report.comparison;
    let steps: Vec<Value> =
        report.steps().filter(|(_, step)| shown(step)).map(|(session, s)| step(session, s)).collect();
    let aftermaths = comparison.aftermaths.iter().filter(|after| shown_after(after));
    json!({
        "expected": comparison.expected,
        "actual": comparison.actual,
        "oracle": comparison.oracle,
        "passes": comparison.passes(),
        "counts": report.counts,
        "weakened_by": report.comparison.weaker_oracles().into_iter().collect::<BTreeMap<_, _>>(),
        "changes": comparison.changes.iter().map(|c| change(report, c)).collect::<Vec<_>>(),
        "accepted": settled(report, &comparison.accepted, "reason"),
        "ignored": settled(report, &comparison.ignored, "rule"),
        "unused": comparison.unused,
        "masked": report.masked.iter().map(|part| masked(report, part)).collect::<Vec<_>>(),
        "steps": steps,
        "aftermaths": aftermaths.map(aftermath).collect::<Vec<_>>(),
    })
}

fn settled(report: &Report<'_>, changes: &[SettledChange], why: &str) -> Vec<Value> {
    let value = |settled: &SettledChange| {
        let mut value = change(report, &settled.change);
        value[why] = json!(settled.why);
        value
    };
    changes.iter().map(value).collect()
}

fn masked(report: &Report<'_>, part: &MaskedPart) -> Value {
    let mut example = part.first.map_or_else(|| json!({}), |at| place(report, at));
    example["expected"] = json!(part.example.expected);
    example["actual"] = json!(part.example.actual);
    json!({
        "place": part.example.place,
        "count": part.steps,
        "keys": part.keys,
        "aftermaths": part.aftermaths,
        "example": example,
    })
}

fn aftermath(aftermath: &Aftermath) -> Value {
    json!({
        "session": aftermath.session,
        "outcome": aftermath.outcome,
        "differences": aftermath.differences,
        "accepted": aftermath.accepted,
        "ignored": aftermath.ignored,
        "masked": aftermath.masked,
    })
}

fn change(report: &Report<'_>, change: &Change) -> Value {
    let places: Vec<Value> = change.steps.iter().map(|at| place(report, *at)).collect();
    json!({
        "id": change.id,
        "summary": change.summary,
        "expected": change.difference.expected,
        "actual": change.difference.actual,
        "seen_by": change.difference.seen_by,
        "count": change.steps.len(),
        "keys": change.keys,
        "example": places.first(),
        "steps": places,
        "aftermaths": change
            .sessions
            .iter()
            .map(|ordinal| report.session(*ordinal).map(|session| &session.name))
            .collect::<Vec<_>>(),
    })
}

fn place(report: &Report<'_>, at: StepAt) -> Value {
    let session = report.find(at).map(|(session, _)| &session.name);
    json!({ "session": session, "step": at.step + 1 })
}

fn step(session: &ReportSession, step: &ReportStep) -> Value {
    let (method, uri) = step.request();
    let verdict = step.verdict.as_ref();
    json!({
        "session": session.name,
        "step": step.number(),
        "key": step.page(),
        "mark": step.mark().name(),
        "method": method,
        "uri": uri,
        "origin": step.origin(),
        "oracle": verdict.map(|v| &v.oracle),
        "weakened": verdict.is_some_and(|v| v.weakened),
        "expected_status": status(step.expected.as_ref()),
        "actual_status": status(step.actual.as_ref()),
        "took_us": step.actual.as_ref().map(|s| s.took),
        "error": step.unanswered(),
        "stale": step.stale(),
        "differences": verdict.map_or(&[][..], |v| &v.differences),
        "accepted": verdict.map_or(&[][..], |v| &v.accepted),
        "ignored": verdict.map_or(&[][..], |v| &v.ignored),
        "masked": verdict.map_or(&[][..], |v| &v.masked),
        "substitutions": step.actual.as_ref().map_or(&[][..], |s| &s.substitutions),
    })
}

fn status(step: Option<&Step>) -> Option<u16> {
    step.and_then(|s| s.answer.received()).map(|r| r.status)
}
