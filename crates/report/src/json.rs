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
//!   "fidelity": {"steps": 412, "as_recorded": 400, "sessions": [{
//!     "name": "s57", "steps": 9, "as_recorded": 4, "differing": [2, 3, 4, 5, 6],
//!     "left_at": {"step": 2, "method": "POST", "path": "/login", "what": "login-form", "says": "asks for a password, which …"},
//!     "cause": "refused-login", "explanation": "…", "remedy": "…"
//!   }]},
//!   "groups": [["s3", "s4"]],
//!   "weakened_by": {"C-WD": 35, "Flist": 2},
//!   "findings": [{"kind": "data", "steps": 34, "sessions": 9, "changes": ["a3f9c2", "0c11d2"]}],
//!   "changes": [{
//!     "id": "a3f9c2", "summary": "text \"$42\" became \"$21\"", "expected": "$42", "actual": "$21",
//!     "seen_by": "C-WD", "count": 9, "keys": ["GET /cart"],
//!     "example": {"session": "s57", "step": 4}, "steps": [{"session": "s57", "step": 4}],
//!     "aftermaths": ["s57"]
//!   }],
//!   "accepted": [{"id": "…", …, "reason": "the new design"}],
//!   "fail_on": null,
//!   "ignored": [{"id": "…", …, "rule": "GET /cart: text \"*\" became \"*\" (after \"Quote\")"}],
//!   "unused": {"accepted": ["0c11d2"], "rules": []},
//!   "masked": [{
//!     "place": "value of input[name=\"csrf\"]", "count": 380, "keys": ["GET /cart"], "aftermaths": 0,
//!     "example": {"session": "s1", "step": 2, "expected": "1f0c", "actual": "88ab"}
//!   }],
//!   "masked_share": {"text": 31, "tags": 4, "rows": 120, "pages": [{"key": "GET /stats", "text": 820, "tags": 100}]},
//!   "steps": [{
//!     "session": "s57", "step": 4, "key": "GET /cart", "mark": "fail",
//!     "method": "GET", "uri": "/cart", "origin": null, "oracle": "C-WD | N+I", "weakened": false,
//!     "expected_status": 200, "actual_status": 200, "took_us": 5120,
//!     "error": null, "stale": null,
//!     "differences": [{"seen_by": "C-WD", "kind": "text", "place": {"in": "text"}, "summary": "…", "expected": "…", "actual": "…"}],
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
//! judged got none. `findings` are what these come to for a person, the worst first: changes that are one thing, by their ids, that which tells most first; `steps` show any of them, and so many `sessions` left any of them behind. `changes` are those that fail; `count` is how many steps show one, `aftermaths` names the sessions that
//! left it behind. `groups` are the sessions that were replayed together; what they left behind stands with the first. `masked_share` says in thousandths how much is masked, and names the pages of which more than half is. `fidelity` is that of the run that is right, null where it was not measured; a session that kept to its path has a null `left_at` and no `cause`. `steps` holds those that fail, are stale, got no answer or are missing, or that differ in what is accepted or
//! ignored, and `aftermaths` likewise; [`json_of_all_steps`] holds every one.

use std::collections::BTreeMap;

use serde::ser::{Error, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use restage_model::{Aftermath, Change, Difference, Outcome, SettledChange, Step, StepAt};

use crate::{Mark, MaskedPart, Report, ReportSession, ReportStep};

/// The report, with the steps that need a look.
pub fn json<'r>(report: &'r Report<'r>) -> JsonReport<'r> {
    JsonReport { report, all: false }
}

/// The report, with all steps.
pub fn json_of_all_steps<'r>(report: &'r Report<'r>) -> JsonReport<'r> {
    JsonReport { report, all: true }
}

/// The report for programs, to be serialized. Sessions are read as they are written.
#[derive(Clone, Copy, Debug)]
pub struct JsonReport<'r> {
    report: &'r Report<'r>,
    /// Whether all steps are there, or those that need a look.
    all: bool,
}

impl Serialize for JsonReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (report, comparison) = (self.report, &self.report.comparison);
        let weakened: BTreeMap<&str, usize> =
            comparison.weaker_oracles.iter().map(|(oracle, n)| (oracle.as_str(), *n)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("expected", &comparison.expected)?;
        map.serialize_entry("actual", &comparison.actual)?;
        map.serialize_entry("oracle", &comparison.oracle)?;
        map.serialize_entry("passes", &comparison.passes())?;
        map.serialize_entry("counts", &report.counts)?;
        map.serialize_entry("fidelity", &report.fidelity)?;
        map.serialize_entry("groups", &report.groups)?;
        map.serialize_entry("weakened_by", &weakened)?;
        let changes: Vec<Value> = comparison.changes.iter().map(|c| change(report, c)).collect();
        map.serialize_entry("findings", &comparison.findings)?;
        map.serialize_entry("fail_on", &comparison.fail_on)?;
        map.serialize_entry("changes", &changes)?;
        map.serialize_entry("accepted", &settled(report, &comparison.accepted, "reason"))?;
        map.serialize_entry("ignored", &settled(report, &comparison.ignored, "rule"))?;
        map.serialize_entry("unused", &comparison.unused)?;
        let parts: Vec<Value> = report.masked.iter().map(|part| masked(report, part)).collect();
        map.serialize_entry("masked", &parts)?;
        map.serialize_entry("masked_share", &report.masked_shares)?;
        map.serialize_entry(
            "steps",
            &Sessions { report, of: |session: &ReportSession| self.steps(session) },
        )?;
        map.serialize_entry(
            "aftermaths",
            &Sessions { report, of: |session: &ReportSession| self.aftermath(session) },
        )?;
        map.end()
    }
}

impl JsonReport<'_> {
    fn steps(&self, session: &ReportSession) -> Vec<Value> {
        let shown = |s: &&ReportStep| self.all || s.mark() > Mark::Weakened;
        session.steps.iter().filter(shown).map(|s| step(session, s)).collect()
    }

    fn aftermath(&self, session: &ReportSession) -> Vec<Value> {
        let shown = |after: &&Aftermath| {
            let differs = !after.accepted.is_empty() || !after.ignored.is_empty();
            self.all || after.outcome == Outcome::Fail || differs
        };
        session.aftermath.as_ref().filter(shown).map(aftermath).into_iter().collect()
    }
}

/// A list of what each session gives, made one session at a time.
struct Sessions<'r, F> {
    report: &'r Report<'r>,
    of: F,
}

impl<F: Fn(&ReportSession) -> Vec<Value>> Serialize for Sessions<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for overview in &self.report.sessions {
            let session = self.report.read(overview.ordinal).map_err(S::Error::custom)?;
            for value in (self.of)(&session) {
                list.serialize_element(&value)?;
            }
        }
        list.end()
    }
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
        "differences": differences(&aftermath.differences),
        "accepted": differences(&aftermath.accepted),
        "ignored": differences(&aftermath.ignored),
        "masked": aftermath.masked,
    })
}

fn change(report: &Report<'_>, change: &Change) -> Value {
    let places: Vec<Value> = change.steps.iter().map(|at| place(report, *at)).collect();
    json!({
        "id": change.id,
        "summary": change.summary(),
        "at_once": change.at_once,
        "kind": change.difference.kind(),
        "place": change.difference.place,
        "expected": change.difference.expected(),
        "actual": change.difference.actual(),
        "seen_by": change.difference.seen_by_all(),
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
    let session = report.session_of(at).map(|session| &session.name);
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
        "differences": differences(verdict.map_or(&[], |v| &v.differences)),
        "accepted": differences(verdict.map_or(&[], |v| &v.accepted)),
        "ignored": differences(verdict.map_or(&[], |v| &v.ignored)),
        "masked": verdict.map_or(&[][..], |v| &v.masked),
        "substitutions": step.actual.as_ref().map_or(&[][..], |s| &s.substitutions),
    })
}

fn status(step: Option<&Step>) -> Option<u16> {
    step.and_then(|s| s.answer.received()).map(|r| r.status)
}

/// Differences as every command prints them.
pub fn differences(all: &[Difference]) -> Vec<Value> {
    let one = |difference: &Difference| {
        json!({
            "id": difference.change_id(),
            "seen_by": difference.seen_by_all(),
            "kind": difference.kind(),
            "place": difference.place,
            "summary": difference.to_string(),
            "expected": difference.expected(),
            "actual": difference.actual(),
        })
    };
    all.iter().map(one).collect()
}
