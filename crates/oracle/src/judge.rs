//! Run + run → verdicts.

use std::collections::HashMap;

use restage_model::{Answer, BodyRef, Comparison, Key, Outcome, Received, Step, StepAt, Verdict};
use thiserror::Error;

use crate::changes::group;
use crate::comparator::Comparator;
use crate::document::Document;
use crate::expression::Oracle;
use crate::flist::{PageFlow, flow_differences};

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
    pub oracle: &'a Oracle,
}

/// Compares two runs step by step. `tick` is called after each step.
///
/// Flist comes first: where the flow of pages differs, the pages' insides are not compared. A step whose
/// answers in `expected` and `check` differ is judged by the strictest comparators within the oracle that
/// saw no difference between them (paper 2, section 5's advice to testers).
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
    let mut verdicts = Vec::with_capacity(expected.len());
    let mut missing = Vec::new();
    for step in expected {
        tick();
        let Some(&is) = actual_at.get(&step.at) else {
            missing.push(step.at);
            continue;
        };
        let check = judged.check.and_then(|steps| check_at.get(&step.at).map(|&i| &steps[i]));
        verdicts.push(judge_step(&judged, bodies, step, check, &actual[is])?);
    }
    let changes = group(&verdicts);
    Ok(Comparison {
        expected: expected_name.to_owned(),
        actual: actual_name.to_owned(),
        oracle: judged.oracle.to_string(),
        verdicts,
        changes,
        missing,
    })
}

fn judge_step(
    judged: &Judged<'_>,
    bodies: &dyn BodySource,
    expected: &Step,
    check: Option<&Step>,
    actual: &Step,
) -> Result<Verdict, JudgeError> {
    let noise = match check {
        Some(check) => noise(bodies, expected, check)?,
        None => Noise::default(),
    };
    let oracle = if noise.comparators.is_empty() {
        judged.oracle.clone()
    } else {
        judged.oracle.without(&noise.comparators)
    };
    let mut differences = Vec::new();
    if !noise.flow {
        differences = flow_differences(&flow(expected), &flow(actual));
    }
    if differences.is_empty() && oracle != Oracle::Nothing && !noise.flow {
        differences = inside(bodies, expected, actual, |a, b| oracle.judge(a, b))?;
    }
    let outcome = if differences.is_empty() { Outcome::Pass } else { Outcome::Fail };
    let session = judged.sessions.get(expected.at.session as usize).cloned().unwrap_or_default();
    let key = judged
        .keys
        .get(&expected.at)
        .cloned()
        .unwrap_or_else(|| Key::of(&expected.sent.method, &expected.sent.uri, ""));
    Ok(Verdict {
        at: expected.at,
        session,
        key,
        outcome,
        weakened: noise.flow || oracle != *judged.oracle,
        oracle: if noise.flow { "nothing".to_owned() } else { oracle.to_string() },
        differences,
        stale: actual.stale.clone(),
    })
}

#[derive(Default)]
struct Noise {
    flow: bool,
    comparators: Vec<Comparator>,
}

fn noise(bodies: &dyn BodySource, expected: &Step, check: &Step) -> Result<Noise, JudgeError> {
    let flow = !flow_differences(&flow(expected), &flow(check)).is_empty();
    let comparators = inside(bodies, expected, check, |a, b| {
        Comparator::ALL.iter().copied().filter(|c| c.differs(a, b)).collect()
    })?;
    Ok(Noise { flow, comparators })
}

/// Compares two steps' pages, where both have one and they are not the same bytes.
fn inside<T: Default>(
    bodies: &dyn BodySource,
    a: &Step,
    b: &Step,
    compare: impl FnOnce(&Document, &Document) -> T,
) -> Result<T, JudgeError> {
    let (Answer::Received(x), Answer::Received(y)) = (&a.answer, &b.answer) else { return Ok(T::default()) };
    if x.body.id == y.body.id {
        return Ok(T::default());
    }
    Ok(compare(&document(bodies, a.at, x)?, &document(bodies, b.at, y)?))
}

fn document(bodies: &dyn BodySource, at: StepAt, received: &Received) -> Result<Document, JudgeError> {
    let bytes = bodies.bytes(&received.body).map_err(|source| JudgeError::Body { at, source })?;
    Ok(Document::of(&received.headers, &bytes))
}

fn flow(step: &Step) -> PageFlow {
    PageFlow::of(step)
}
