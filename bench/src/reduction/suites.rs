//! A suite reduced in every way.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use restage_capture::StoredExchanges;
use restage_model::{KeyRules, Suite};
use restage_store::Store;
use restage_suite::reduce::{
    Coverage, Requirement, RequirementNames, Technique, Ties, reduce, session_requirements,
};

use crate::Trouble;

/// How often HGS draws among equals, as in the paper.
const DRAWS: u64 = 100;

/// A suite that was made of another.
#[derive(Clone, Debug)]
pub struct ReducedSuite {
    /// As in the paper: `HGS-key`.
    pub name: String,
    /// The places of its sessions.
    pub kept: Vec<usize>,
    /// How many requests it has; of the suites that were drawn most often, where they were drawn.
    pub requests: usize,
    /// On average of all that were drawn.
    pub requests_on_average: Option<f64>,
}

/// A suite reduced in every way; the first is the suite itself.
pub fn reduced_suites(store: &Store, suite: &Suite) -> Result<Vec<ReducedSuite>, Trouble> {
    let every_other = Technique::EveryNth(NonZeroUsize::MIN.saturating_add(1));
    let plans = [
        (every_other, Requirement::Key, "Mod2"),
        (Technique::Hgs, Requirement::Values, "HGS-values"),
        (Technique::Hgs, Requirement::Params, "HGS-params"),
        (Technique::Hgs, Requirement::KeyPairs, "HGS-key-pairs"),
        (Technique::Hgs, Requirement::Key, "HGS-key"),
        (Technique::Greedy, Requirement::Key, "Greedy-key"),
        (Technique::Concept, Requirement::Values, "Con-values"),
        (Technique::Concept, Requirement::KeyPairs, "Con-key-pairs"),
        (Technique::Concept, Requirement::Key, "Con-key"),
    ];
    let requests = |kept: &[usize]| kept.iter().map(|&s| suite.sessions[s].exchanges.len()).sum::<usize>();
    let all: Vec<usize> = (0..suite.sessions.len()).collect();
    let original = ReducedSuite {
        name: "Orig".to_owned(),
        requests: requests(&all),
        kept: all,
        requests_on_average: None,
    };
    let mut suites = vec![original];
    for (technique, kind, name) in plans {
        let coverage = coverage(store, suite, kind)?;
        let (kept, requests_on_average) = if technique == Technique::Hgs {
            let mut drawn: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
            for seed in 0..DRAWS {
                *drawn.entry(reduce(&coverage, technique, Ties::Seed(seed))).or_default() += 1;
            }
            let sum: u64 = drawn.iter().map(|(kept, times)| requests(kept) as u64 * times).sum();
            let mode =
                drawn.into_iter().max_by_key(|(_, times)| *times).map_or_else(Vec::new, |(kept, _)| kept);
            (mode, Some(sum as f64 / DRAWS as f64))
        } else {
            (reduce(&coverage, technique, Ties::First), None)
        };
        suites.push(ReducedSuite {
            name: name.to_owned(),
            requests: requests(&kept),
            kept,
            requests_on_average,
        });
    }
    Ok(suites)
}

fn coverage(store: &Store, suite: &Suite, kind: Requirement) -> Result<Coverage, Trouble> {
    let (mut names, mut coverage) = (RequirementNames::default(), Coverage::new());
    for session in &suite.sessions {
        let met =
            session_requirements(&StoredExchanges(store), &session.exchanges, kind, &KeyRules::default())?;
        coverage.push(&names.set(met.iter().map(String::as_str)));
    }
    Ok(coverage)
}
