//! Who sees a difference: all comparators at once, as the judge would ask each of them.

use std::collections::HashMap;

use restage_model::{Difference, Key, Step, StepAt};

use crate::body::body_diff::differ_inside;
use crate::comparators::comparator::Comparator;
use crate::judging::inspection::Inspection;
use crate::judging::judge::{BodySource, JudgeError, Judged};
use crate::noise::run::RunNoise;
use crate::oracles::expression::Oracle;

/// What is seen in a step, with the masks on.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// The step.
    pub at: StepAt,
    /// Its key.
    pub key: Key,
    /// Whether it leads now here, now there on the same version: then only printed errors count.
    pub flow_varies: bool,
    /// Where it leads.
    pub flow: Vec<Difference>,
    /// The headers that do not vary by themselves.
    pub headers: Vec<Difference>,
    /// Errors that the server prints.
    pub errors: Vec<Difference>,
    /// Those of the 22 comparators that see a difference inside, where the flow is the same.
    pub seen_by: Vec<Comparator>,
    /// Those that see the page vary on the same version, beside the masks.
    pub noisy: Vec<Comparator>,
}

impl Sighting {
    /// Whether the step fails by an oracle over the 22 comparators, as [`compare_runs`](crate::compare_runs) says.
    pub fn fails(&self, oracle: &Oracle) -> bool {
        let around = [&self.flow, &self.headers, &self.errors];
        around.iter().any(|found| !found.is_empty())
            || oracle.without(&self.noisy).holds(&|comparator| self.seen_by.contains(comparator))
    }
}

/// What is seen in each step of two runs, where the noise is known: of the runs `expected` and `check`, with this profile.
/// The oracle in `judged` says how headers and JSON are compared, and nothing else.
pub fn sightings(
    noise: &RunNoise,
    judged: Judged<'_>,
    bodies: &dyn BodySource,
) -> Result<Vec<Sighting>, JudgeError> {
    let actual: HashMap<StepAt, &Step> = judged.actual.1.iter().map(|s| (s.at, s)).collect();
    let mut out = Vec::with_capacity(judged.expected.1.len());
    for step in judged.expected.1 {
        let Some(is) = actual.get(&step.at) else { continue };
        let found = Inspection::of(&judged, bodies, noise, step, is)?;
        let seen_by = found.pages().and_then(|pages| pages.read).map_or_else(Vec::new, |(was, is)| {
            let json = judged.oracle.json;
            let seen = |c: &&Comparator| differ_inside(&Oracle::One((*c).clone()), &was, &is, json);
            Comparator::ALL.iter().filter(seen).cloned().collect()
        });
        out.push(Sighting {
            at: step.at,
            flow_varies: found.flow_varies,
            noisy: found.page.noisy.clone(),
            seen_by,
            key: found.key,
            flow: found.flow,
            headers: found.headers,
            errors: found.errors,
        });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use restage_model::Outcome;

    use super::*;
    use crate::judging::judge::compare_runs;
    use crate::judging::judge::tests::{Pages, run};

    /// Catches a judge that asks otherwise than the comparators are asked here: masks that one of them has not, noise
    /// that one of them forgets.
    #[test]
    fn what_is_seen_is_what_the_judge_says() {
        let pages = Pages(vec![
            "<p>a<input value=1>",
            "<p>a<input value=2>",
            "<p>b<input value=1>",
            "<p>a<input value=1 name>",
            "<p>a<input value=1><b>Warning</b>:  Undefined variable $x in <b>/srv/a.php</b> on line <b>1</b>",
        ]);
        let expected = run("/x", &[0, 0, 3, 0, 0]);
        let actual = run("/x", &[1, 2, 0, 4, 0]);
        let checks = [None, Some([0, 0, 3, 0, 0]), Some([1, 0, 3, 0, 0]), Some([0, 0, 0, 0, 0])];
        let mut failing = 0;
        for check in checks {
            let check = check.map(|pages| run("/x", &pages));
            for oracle in ["C-WD | N+I", "D", "T & C", "2 of (N, N+U, N+F)"] {
                let oracle: Oracle = oracle.parse().unwrap();
                let judged = Judged {
                    expected: ("e", &expected),
                    check: check.as_deref(),
                    actual: ("a", &actual),
                    sessions: &[],
                    keys: &HashMap::new(),
                    oracle: &oracle.clone().into(),
                    profile: None,
                };
                let said = compare_runs(judged, &pages, &mut || {}).unwrap().verdicts;
                let noise = RunNoise::learn(&judged, &pages).unwrap();
                let seen = sightings(&noise, judged, &pages).unwrap();
                for (said, seen) in said.iter().zip(&seen) {
                    assert_eq!(said.outcome == Outcome::Fail, seen.fails(&oracle), "{oracle} {seen:?}");
                    failing += usize::from(seen.fails(&oracle));
                }
            }
        }
        assert!(failing > 20, "{failing}");
    }
}
