//! Run + run → verdicts.

use std::collections::HashMap;

use restage_model::{
    BodyRef, Difference, Key, OldWording, Outcome, Step, StepAt, StepComparison, Unused, Verdict,
};
use thiserror::Error;

use crate::body::body_diff::insides;
use crate::body::format::Format;
use crate::diff::page_diff::told_alone;
use crate::judging::changes::{Which, group};
use crate::judging::inspection::{Inspection, Pages};
use crate::noise::profile::Profile;
use crate::noise::run::RunNoise;
use crate::oracles::expression::Oracle;
use crate::oracles::rules::OracleRules;
use crate::page::document::Document;

/// Where the bytes of stored bodies come from.
pub trait BodySource {
    /// A body's bytes.
    fn bytes(&self, body: &BodyRef) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>>;
}

/// Why runs could not be compared.
#[derive(Debug, Error)]
pub enum JudgeError {
    /// A body could not be read.
    #[error("step {} of session {}: {source}", at.step + 1, at.session + 1)]
    Body {
        /// The step.
        at: StepAt,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// What is to be judged.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The run that is right: its name and steps.
    pub expected: (&'a str, &'a [Step]),
    /// The same version once more, from the same snapshots: what differs there is noise.
    pub check: Option<&'a [Step]>,
    /// The run that is judged.
    pub actual: (&'a str, &'a [Step]),
    /// The name of the session at each place of the run.
    pub sessions: &'a [String],
    /// The key of each step of the expected run.
    pub keys: &'a HashMap<StepAt, Key>,
    /// By what.
    pub oracle: &'a OracleRules,
    /// What is known to vary; without it, the check alone says.
    pub profile: Option<&'a Profile>,
}

impl Judged<'_> {
    /// The key of a step.
    pub(crate) fn key(&self, step: &Step) -> Key {
        let known = self.keys.get(&step.at).cloned();
        known.unwrap_or_else(|| Key::of(&step.sent.method, &step.sent.uri, ""))
    }
}

/// Compares two runs step by step. `tick` is called after each step.
///
/// Flist comes first: where the flow of pages differs, the pages' insides are not compared, but for errors that
/// the server prints into them (paper 4, section 5.2). Parts that are known to vary are masked: those of the
/// profile, or else those in which `expected` and `check` differ. Where comparators see noise beside the masks, the page is
/// judged by the strictest within the oracle that saw none (paper 2, section 5's advice to testers), in all its steps:
/// noise is a page's nature, and two equal answers of a page with a random part are luck.
pub fn compare_runs(
    judged: Judged<'_>,
    bodies: &dyn BodySource,
    tick: &mut dyn FnMut(),
) -> Result<StepComparison, JudgeError> {
    let noise = RunNoise::learn(&judged, bodies)?;
    let JudgedSteps { verdicts, missing } = judge_steps(&noise, judged, bodies, tick)?;
    let changes = group(&verdicts, &[], Which::Failing);
    Ok(StepComparison {
        expected: judged.expected.0.to_owned(),
        actual: judged.actual.0.to_owned(),
        oracle: judged.oracle.to_string(),
        verdicts,
        aftermaths: Vec::new(),
        changes,
        accepted: Vec::new(),
        ignored: Vec::new(),
        unused: Unused::default(),
        missing,
    })
}

/// What is said of steps, before anything is made of it.
#[derive(Debug, Default)]
pub struct JudgedSteps {
    /// One a step that both runs have, in order.
    pub verdicts: Vec<Verdict>,
    /// The steps that the judged run lacks.
    pub missing: Vec<StepAt>,
}

/// The verdicts of [`compare_runs`] where the noise is known already: of the runs `expected` and `check`, with this profile.
pub fn judge_steps(
    noise: &RunNoise,
    judged: Judged<'_>,
    bodies: &dyn BodySource,
    tick: &mut dyn FnMut(),
) -> Result<JudgedSteps, JudgeError> {
    let expected = judged.expected.1;
    let actual_at: HashMap<StepAt, &Step> = judged.actual.1.iter().map(|s| (s.at, s)).collect();
    let mut found = JudgedSteps { verdicts: Vec::with_capacity(expected.len()), missing: Vec::new() };
    for step in expected {
        tick();
        match actual_at.get(&step.at) {
            Some(is) => found.verdicts.push(judge_step(&judged, bodies, noise, step, is)?),
            None => found.missing.push(step.at),
        }
    }
    Ok(found)
}

fn judge_step(
    judged: &Judged<'_>,
    bodies: &dyn BodySource,
    noise: &RunNoise,
    expected: &Step,
    actual: &Step,
) -> Result<Verdict, JudgeError> {
    let found = Inspection::of(judged, bodies, noise, expected, actual)?;
    let asked = judged.oracle.of(&found.key);
    let oracle = asked.without(&found.page.noisy);
    let inside = if oracle == Oracle::Nothing { None } else { found.pages() };
    let Pages { read, masked: covered, share } = inside.unwrap_or_default();
    let (differs, old_wording) = read.map_or_else(Default::default, |(was, is)| {
        let differs = insides(&oracle, &was, &is, judged.oracle.json);
        let old_wording = if differs.is_empty() { Vec::new() } else { old_wording(&oracle, &was, &is) };
        (differs, old_wording)
    });
    let differences: Vec<Difference> =
        [found.flow, found.headers, found.errors, differs].into_iter().flatten().collect();
    Ok(Verdict {
        at: expected.at,
        session: judged.sessions.get(expected.at.session as usize).cloned().unwrap_or_default(),
        key: found.key,
        outcome: if differences.is_empty() { Outcome::Pass } else { Outcome::Fail },
        weakened: found.flow_varies || oracle != *asked,
        oracle: if found.flow_varies { "nothing".to_owned() } else { oracle.to_string() },
        differences,
        accepted: Vec::new(),
        ignored: Vec::new(),
        masked: found.masked.into_iter().chain(covered).collect(),
        masked_share: share,
        stale: actual.stale.clone(),
        old_wording,
    })
}

/// How the first format told what those comparators see whose edits are told otherwise now.
fn old_wording(oracle: &Oracle, expected: &Document<'_>, actual: &Document<'_>) -> Vec<OldWording> {
    if expected.format != Format::Html || actual.format != Format::Html {
        return Vec::new();
    }
    let mut failing = oracle.failing(expected, actual);
    failing.retain(|c| c.features().bytes || c.features().interleaved || c.features().closing);
    let told = failing.iter().flat_map(|comparator| told_alone(comparator, expected, actual));
    told.map(|d| OldWording { seen_by: d.seen_by_all(), sentence: d.to_string() }).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use restage_model::{Answer, BodyId, ExchangeId, Headers, Received, Sent};

    use super::*;

    /// Pages by number; a body's id is its place.
    pub(crate) struct Pages(pub(crate) Vec<&'static str>);

    impl BodySource for Pages {
        fn bytes(&self, body: &BodyRef) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
            Ok(self.0[body.id.unwrap().0 as usize].as_bytes().to_vec())
        }
    }

    pub(crate) fn run(uri: &str, pages: &[i64]) -> Vec<Step> {
        let headers: Headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
        let body = |id| BodyRef { id: Some(BodyId(id)), size: 1, cut: false };
        pages
            .iter()
            .enumerate()
            .map(|(n, &page)| Step {
                at: StepAt { session: 0, step: n as u32 },
                exchange: ExchangeId(1),
                origin: restage_model::Origin::Recorded,
                sent: Sent {
                    method: "GET".to_owned(),
                    uri: uri.to_owned(),
                    headers: Headers::new(),
                    body: BodyRef::default(),
                },
                answer: Answer::Received(Received {
                    status: 200,
                    headers: headers.clone(),
                    body: body(page),
                }),
                substitutions: Vec::new(),
                stale: None,
                took: 0,
            })
            .collect()
    }

    fn compare(expected: &[i64], check: Option<&[i64]>, actual: &[i64]) -> StepComparison {
        compare_by(&"C-WD | N+I".parse::<Oracle>().unwrap().into(), expected, check, actual)
    }

    fn compare_by(
        oracle: &OracleRules,
        expected: &[i64],
        check: Option<&[i64]>,
        actual: &[i64],
    ) -> StepComparison {
        let pages = Pages(vec![
            "<p>a<input value=1>",
            "<p>a<input value=2>",
            "<p>b<input value=1>",
            "<p>a<input value=1><hr>",
            "<p>a<input value=2><b>Warning</b>:  Undefined variable $x in <b>/srv/cart.php</b> on line <b>12</b>",
            "<p>a<input value=1 name>",
        ]);
        let (expected, actual) = (run("/x", expected), run("/x", actual));
        let check = check.map(|pages| run("/x", pages));
        let judged = Judged {
            expected: ("e", &expected),
            check: check.as_deref(),
            actual: ("a", &actual),
            sessions: &["s1".to_owned()],
            keys: &HashMap::new(),
            oracle,
            profile: None,
        };
        compare_runs(judged, &pages, &mut || {}).unwrap()
    }

    fn fails(comparison: &StepComparison) -> Vec<bool> {
        comparison.verdicts.iter().map(|v| v.outcome == Outcome::Fail).collect()
    }

    #[test]
    fn without_noise_the_oracle_asked_for_judges() {
        assert_eq!(fails(&compare(&[0, 0, 0], Some(&[0, 0, 0]), &[0, 1, 2])), [false, true, true]);
    }

    #[test]
    fn what_varies_is_masked_in_all_steps_of_the_page_and_told() {
        // The value changed on the first step: it is not looked at on any of the page's steps, and the text is.
        let comparison = compare(&[0, 0, 0], Some(&[1, 0, 0]), &[0, 1, 2]);
        assert_eq!(fails(&comparison), [false, false, true]);
        assert!(comparison.verdicts.iter().all(|v| !v.weakened && v.oracle == "C-WD | N+I"));
        let masked = &comparison.verdicts[1].masked;
        assert_eq!(masked.len(), 1);
        assert_eq!((masked[0].expected.as_str(), masked[0].actual.as_str()), ("1", "2"));
        assert!(masked[0].place.starts_with("value of p > input"), "{}", masked[0].place);
    }

    #[test]
    fn a_page_on_which_no_part_can_be_masked_is_judged_by_what_is_not_noisy() {
        // An attribute that comes and goes is no value that varies.
        let comparison = compare(&[5, 5, 5], Some(&[0, 5, 5]), &[5, 0, 2]);
        assert_eq!(fails(&comparison), [false, false, true]);
        assert!(comparison.verdicts.iter().all(|v| v.weakened), "{:?}", comparison.verdicts[0].oracle);
    }

    #[test]
    fn an_error_that_the_server_prints_fails_the_noisiest_page() {
        // Every comparator is noisy here.
        let comparison = compare(&[0, 0], Some(&[2, 3]), &[4, 0]);
        assert_eq!(fails(&comparison), [true, false]);
        let difference = &comparison.verdicts[0].differences[0];
        assert_eq!(difference.seen_by, ["Errors"]);
        let told = difference.to_string();
        assert!(told.contains("Undefined variable $x in /srv/cart.php line 12"), "{told}");
    }

    #[test]
    fn the_same_difference_twice_is_one_change_and_a_run_that_ended_early_is_told() {
        let comparison = compare(&[0, 0, 0], None, &[3, 3]);
        assert_eq!(comparison.changes.len(), 1);
        assert_eq!(comparison.changes[0].steps.len(), 2);
        assert_eq!(comparison.missing, [StepAt { session: 0, step: 2 }]);
        assert!(!comparison.passes());
    }

    #[test]
    fn a_page_is_judged_by_its_rule() {
        let rules = |key: &str| OracleRules {
            rules: vec![(crate::KeyPattern::new(key), "C-WD".parse().unwrap())],
            ..OracleRules::from("N+I".parse::<Oracle>().unwrap())
        };
        let comparison = compare_by(&rules("GET /x*"), &[0, 0], None, &[1, 2]);
        assert_eq!(fails(&comparison), [false, true]);
        assert!(comparison.verdicts.iter().all(|v| v.oracle == "C-WD" && !v.weakened));
        assert_eq!(comparison.oracle, "N+I (and 1 rule by key)");
        assert_eq!(fails(&compare_by(&rules("POST *"), &[0, 0], None, &[1, 2])), [true, false]);
    }
}
