//! Steps that are judged wrongly, each with what was seen in it and what is masked: for whoever improves the masks.

use std::collections::BTreeMap;

use restage_model::{Outcome, Verdict};

use crate::judging::TestResult;

/// Says which steps pass though they should fail, and the other way round; the same thing on many steps once. `shows`
/// tells for each step whether it should fail.
pub fn wrongly(said: &TestResult, shows: impl IntoIterator<Item = bool>) -> Vec<String> {
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    for (verdict, shows) in said.verdicts.iter().zip(shows) {
        let fails = verdict.outcome == Outcome::Fail;
        if fails != shows {
            *told.entry(told_of(verdict, fails)).or_default() += 1;
        }
    }
    told.into_iter().map(|(what, steps)| format!("{}: {steps} × {what}", said.comparison.actual)).collect()
}

fn told_of(verdict: &Verdict, fails: bool) -> String {
    let key = &verdict.key;
    if fails {
        let what: Vec<String> = verdict.differences.iter().map(ToString::to_string).collect();
        return format!("{key} fails: {}", what.join("; "));
    }
    let masked: Vec<String> =
        verdict.masked.iter().map(|m| format!("{}: {} → {}", m.place, m.expected, m.actual)).collect();
    format!("{key} passes by {}, masked: {}", verdict.oracle, masked.join("; "))
}
