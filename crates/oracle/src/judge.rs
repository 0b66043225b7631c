//! Run + run → verdicts.

use std::collections::{HashMap, HashSet};

use restage_model::{Answer, BodyRef, Comparison, Key, Outcome, Received, Step, StepAt, Verdict};
use thiserror::Error;

use crate::changes::group_changes;
use crate::comparator::Comparator;
use crate::document::Document;
use crate::errors::new_errors;
use crate::expression::Oracle;
use crate::flist::{PageFlow, flow_differences};
use crate::rules::OracleRules;

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
}

impl Judged<'_> {
    fn key(&self, step: &Step) -> Key {
        let known = self.keys.get(&step.at).cloned();
        known.unwrap_or_else(|| Key::of(&step.sent.method, &step.sent.uri, ""))
    }
}

/// Compares two runs step by step. `tick` is called after each step.
///
/// Flist comes first: where the flow of pages differs, the pages' insides are not compared, but for errors that
/// the server prints into them (paper 4, section 5.2). A step whose
/// answers in `expected` and `check` differ is judged by the strictest comparators within the oracle that
/// saw no difference between them (paper 2, section 5's advice to testers). So are the other steps of its
/// key: noise is a page's nature, and two equal answers of a page with a random part are luck.
pub fn compare_runs(
    judged: Judged<'_>,
    bodies: &dyn BodySource,
    tick: &mut dyn FnMut(),
) -> Result<Comparison, JudgeError> {
    let index = |steps: &'_ [Step]| -> HashMap<StepAt, usize> {
        steps.iter().enumerate().map(|(i, s)| (s.at, i)).collect()
    };
    let (expected_name, expected) = judged.expected;
    let (actual_name, actual) = judged.actual;
    let actual_at = index(actual);
    let check_at = judged.check.map(index).unwrap_or_default();
    let mut noise =
        Noise::of(Comparator::ALL.iter().cloned().chain(judged.oracle.own_comparators()).collect());
    for step in expected {
        if let Some(check) = judged.check.and_then(|steps| check_at.get(&step.at).map(|&i| &steps[i])) {
            noise.learn(bodies, judged.key(step), step, check)?;
        }
    }
    let mut verdicts = Vec::with_capacity(expected.len());
    let mut missing = Vec::new();
    for step in expected {
        tick();
        match actual_at.get(&step.at) {
            Some(&is) => verdicts.push(judge_step(&judged, bodies, &noise, step, &actual[is])?),
            None => missing.push(step.at),
        }
    }
    let changes = group_changes(&verdicts, &[]);
    Ok(Comparison {
        expected: expected_name.to_owned(),
        actual: actual_name.to_owned(),
        oracle: judged.oracle.to_string(),
        verdicts,
        aftermaths: Vec::new(),
        changes,
        missing,
    })
}

fn judge_step(
    judged: &Judged<'_>,
    bodies: &dyn BodySource,
    noise: &Noise,
    expected: &Step,
    actual: &Step,
) -> Result<Verdict, JudgeError> {
    let key = judged.key(expected);
    let asked = judged.oracle.of(&key);
    let oracle = match noise.pages.get(&key) {
        Some(noisy) => asked.without(noisy),
        None => asked.clone(),
    };
    let flow_is_noisy = noise.flows.contains(&expected.at);
    let mut differences = Vec::new();
    if !flow_is_noisy {
        differences = flow_differences(&PageFlow::of(expected), &PageFlow::of(actual));
    }
    let same_flow = differences.is_empty() && !flow_is_noisy;
    let found = inside(bodies, expected, actual, |a, b| {
        // An error that the server prints is a fault wherever it shows, on a page of noise as on a page of its own.
        let mut found = new_errors(a.bytes(), b.bytes());
        if same_flow && oracle != Oracle::Nothing {
            found.extend(oracle.judge(a, b));
        }
        found
    })?;
    differences.extend(found);
    Ok(Verdict {
        at: expected.at,
        session: judged.sessions.get(expected.at.session as usize).cloned().unwrap_or_default(),
        key,
        outcome: if differences.is_empty() { Outcome::Pass } else { Outcome::Fail },
        weakened: flow_is_noisy || oracle != *asked,
        oracle: if flow_is_noisy { "nothing".to_owned() } else { oracle.to_string() },
        differences,
        accepted: Vec::new(),
        masked: Vec::new(),
        stale: actual.stale.clone(),
    })
}

/// What differs between two runs of the same version.
struct Noise {
    /// The comparators that are asked.
    comparators: Vec<Comparator>,
    /// Steps that led elsewhere.
    flows: HashSet<StepAt>,
    /// Which comparators saw a difference on a page.
    pages: HashMap<Key, Vec<Comparator>>,
}

impl Noise {
    fn of(comparators: Vec<Comparator>) -> Self {
        Self { comparators, flows: HashSet::new(), pages: HashMap::new() }
    }

    fn learn(
        &mut self,
        bodies: &dyn BodySource,
        key: Key,
        step: &Step,
        check: &Step,
    ) -> Result<(), JudgeError> {
        if !flow_differences(&PageFlow::of(step), &PageFlow::of(check)).is_empty() {
            self.flows.insert(step.at);
            return Ok(());
        }
        let seen: Vec<Comparator> = inside(bodies, step, check, |a, b| {
            self.comparators.iter().filter(|c| c.differs(a, b)).cloned().collect()
        })?;
        if !seen.is_empty() {
            let known = self.pages.entry(key).or_default();
            known.extend(seen.into_iter().filter(|c| !known.contains(c)).collect::<Vec<_>>());
        }
        Ok(())
    }
}

/// Compares two steps' pages, where both have one and they are not the same bytes.
fn inside<T: Default>(
    bodies: &dyn BodySource,
    a: &Step,
    b: &Step,
    compare: impl FnOnce(&Document<'_>, &Document<'_>) -> T,
) -> Result<T, JudgeError> {
    let (Answer::Received(x), Answer::Received(y)) = (&a.answer, &b.answer) else { return Ok(T::default()) };
    if x.body.id == y.body.id {
        return Ok(T::default());
    }
    let (expected, actual) = (bytes(bodies, a.at, x)?, bytes(bodies, b.at, y)?);
    Ok(compare(&Document::of(&x.headers, &expected), &Document::of(&y.headers, &actual)))
}

fn bytes(bodies: &dyn BodySource, at: StepAt, received: &Received) -> Result<Vec<u8>, JudgeError> {
    bodies.bytes(&received.body).map_err(|source| JudgeError::Body { at, source })
}

#[cfg(test)]
mod tests {
    use restage_model::{BodyId, ExchangeId, Headers, Sent};

    use super::*;

    /// Pages by number; a body's id is its place.
    struct Pages(Vec<&'static str>);

    impl BodySource for Pages {
        fn bytes(&self, body: &BodyRef) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
            Ok(self.0[body.id.unwrap().0 as usize].as_bytes().to_vec())
        }
    }

    fn run(uri: &str, pages: &[i64]) -> Vec<Step> {
        let headers: Headers = [("content-type".to_owned(), "text/html".to_owned())].into_iter().collect();
        let body = |id| BodyRef { id: Some(BodyId(id)), size: 1, cut: false };
        pages
            .iter()
            .enumerate()
            .map(|(n, &page)| Step {
                at: StepAt { session: 0, step: n as u32 },
                exchange: ExchangeId(1),
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

    fn compare(expected: &[i64], check: Option<&[i64]>, actual: &[i64]) -> Comparison {
        compare_by(&"C-WD | N+I".parse::<Oracle>().unwrap().into(), expected, check, actual)
    }

    fn compare_by(
        oracle: &OracleRules,
        expected: &[i64],
        check: Option<&[i64]>,
        actual: &[i64],
    ) -> Comparison {
        let pages = Pages(vec![
            "<p>a<input value=1>",
            "<p>a<input value=2>",
            "<p>b<input value=1>",
            "<p>a<input value=1><hr>",
            "<p>a<input value=2><b>Warning</b>:  Undefined variable $x in <b>/srv/cart.php</b> on line <b>12</b>",
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
        };
        compare_runs(judged, &pages, &mut || {}).unwrap()
    }

    fn fails(comparison: &Comparison) -> Vec<bool> {
        comparison.verdicts.iter().map(|v| v.outcome == Outcome::Fail).collect()
    }

    #[test]
    fn without_noise_the_oracle_asked_for_judges() {
        assert_eq!(fails(&compare(&[0, 0, 0], Some(&[0, 0, 0]), &[0, 1, 2])), [false, true, true]);
    }

    #[test]
    fn a_noisy_page_is_judged_by_what_is_not_noisy_in_all_its_steps() {
        // N+I saw the value change on the first step: it is not asked on any of the page's steps.
        let comparison = compare(&[0, 0, 0], Some(&[1, 0, 0]), &[0, 1, 2]);
        assert_eq!(fails(&comparison), [false, false, true]);
        assert!(comparison.verdicts.iter().all(|v| v.weakened && v.oracle == "C-WD | N+U"));
    }

    #[test]
    fn an_error_that_the_server_prints_fails_the_noisiest_page() {
        // Every comparator is noisy here.
        let comparison = compare(&[0, 0], Some(&[2, 3]), &[4, 0]);
        assert_eq!(fails(&comparison), [true, false]);
        let difference = &comparison.verdicts[0].differences[0];
        assert_eq!(difference.seen_by, "Errors");
        assert!(
            difference.summary.contains("Undefined variable $x in /srv/cart.php line 12"),
            "{}",
            difference.summary
        );
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
            default: "N+I".parse().unwrap(),
        };
        let comparison = compare_by(&rules("GET /x*"), &[0, 0], None, &[1, 2]);
        assert_eq!(fails(&comparison), [false, true]);
        assert!(comparison.verdicts.iter().all(|v| v.oracle == "C-WD" && !v.weakened));
        assert_eq!(comparison.oracle, "N+I (and 1 rule by key)");
        assert_eq!(fails(&compare_by(&rules("POST *"), &[0, 0], None, &[1, 2])), [true, false]);
    }
}
