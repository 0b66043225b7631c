//! The ways to judge a run against the baseline. Each says, step by step, by which oracles it fails.

use std::collections::{HashMap, HashSet};

use restage_model::{Key, Outcome, Run, StepAt, Verdict};
use restage_oracle::{Comparator, Oracle};
use restage_store::Store;

use crate::Trouble;
use crate::judging::{judge, keys};
use crate::seen::{Seen, SeenStep, seen};

/// What `restage test` judges by.
const DEFAULT: &str = "C-WD | N+I";

/// A run beside its baseline.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// Where both are.
    pub store: &'a Store,
    /// The run that is right.
    pub baseline: &'a Run,
    /// The run that is judged.
    pub run: &'a Run,
}

/// A way to judge a run: what an oracle of each one comparator says of its steps. A union says what any of its
/// members says. What each watcher sees on its own is worked out once for all ways.
#[derive(Clone, Debug)]
pub enum Judging {
    /// Each comparator on its own, as in paper 2.
    Alone,
    /// As `restage test` does: the flow of pages and printed errors count always, and the baseline's check says
    /// what is noise.
    Checked(KnownNoise),
}

impl Judging {
    /// By whom each step of a run fails, given what each watcher sees there.
    pub fn verdicts(&self, beside: Beside<'_>, steps: &[SeenStep]) -> Result<Vec<Seen>, Trouble> {
        match self {
            Self::Alone => Ok(steps.iter().map(|step| step.seen).collect()),
            Self::Checked(noise) => {
                let verdicts: Vec<Seen> = steps.iter().map(|step| noise.verdict(step)).collect();
                self.agree_with_test(beside, &verdicts)?;
                Ok(verdicts)
            }
        }
    }

    /// Who judges beside any comparator.
    pub fn always(&self) -> Seen {
        match self {
            Self::Alone => Seen::NONE,
            Self::Checked(_) => Seen::FLOW | Seen::ERRORS,
        }
    }

    /// An error where what was worked out from single comparators is not what `restage test` says.
    fn agree_with_test(&self, beside: Beside<'_>, verdicts: &[Seen]) -> Result<(), Trouble> {
        let Beside { store, baseline, run } = beside;
        let oracle: Oracle = DEFAULT.parse()?;
        let by = Seen::of(&oracle.comparators()) | self.always();
        let said = judge(store, baseline, run, &oracle)?.verdicts;
        let agree = |(said, seen): (&Verdict, &Seen)| (said.outcome == Outcome::Fail) == seen.meets(by);
        if said.len() == verdicts.len() && said.iter().zip(verdicts).all(agree) {
            return Ok(());
        }
        Err(format!("{}: not what `restage test --oracle '{DEFAULT}'` says", run.name).into())
    }
}

/// What differs between two runs of the same version, as `compare_runs` learns it.
#[derive(Clone, Debug)]
pub struct KnownNoise {
    keys: HashMap<StepAt, Key>,
    flows: HashSet<StepAt>,
    /// For each page with noise: who judges in place of each comparator.
    instead: HashMap<Key, Vec<Seen>>,
}

impl KnownNoise {
    /// Learns from a baseline and its check.
    pub fn of(store: &Store, baseline: &Run) -> Result<Self, Trouble> {
        let check = store.run(baseline.check.ok_or("the baseline has no check")?)?;
        Ok(Self::learn(&seen(store, baseline, &check)?, keys(&store.steps(baseline.id)?)))
    }

    fn learn(steps: &[SeenStep], keys: HashMap<StepAt, Key>) -> Self {
        let mut flows = HashSet::new();
        let mut noisy: HashMap<Key, Seen> = HashMap::new();
        for step in steps {
            if step.seen.meets(Seen::FLOW) {
                flows.insert(step.at);
            } else if let Some(key) = keys.get(&step.at) {
                let known = noisy.entry(key.clone()).or_default();
                *known = *known | step.seen;
            }
        }
        let instead = noisy.into_iter().map(|(key, noisy)| (key, instead_of(noisy))).collect();
        Self { keys, flows, instead }
    }

    fn verdict(&self, step: &SeenStep) -> Seen {
        let errors = if step.seen.meets(Seen::ERRORS) { Seen::ERRORS } else { Seen::NONE };
        if self.flows.contains(&step.at) {
            return errors;
        }
        if step.seen.meets(Seen::FLOW) {
            return Seen::FLOW | errors;
        }
        match self.keys.get(&step.at).and_then(|key| self.instead.get(key)) {
            None => step.seen,
            Some(instead) => instead
                .iter()
                .enumerate()
                .filter(|(_, judges)| step.seen.meets(**judges))
                .fold(errors, |failing, (comparator, _)| failing | Seen::by(comparator)),
        }
    }
}

/// Who judges in place of each comparator, where some are noisy.
fn instead_of(noisy: Seen) -> Vec<Seen> {
    let noisy: Vec<Comparator> = noisy.comparators().cloned().collect();
    let weaker = |comparator: &Comparator| Oracle::One(comparator.clone()).without(&noisy);
    Comparator::ALL.iter().map(|comparator| Seen::of(&weaker(comparator).comparators())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(number: u32, seen: &[&str]) -> SeenStep {
        let seen = seen.iter().fold(Seen::NONE, |all, id| all | Seen::named(id));
        SeenStep { at: StepAt { session: 0, step: number }, shows: true, seen }
    }

    /// Catches a noisy comparator that goes on judging, and one that is silenced although less of it is quiet.
    #[test]
    fn what_is_noisy_gives_way_to_what_is_below_it() {
        let page = Key::of("GET", "/x", "");
        let keys: HashMap<_, _> = (0..3).map(|n| (StepAt { session: 0, step: n }, page.clone())).collect();
        let noise = KnownNoise::learn(&[step(0, &["N+I", "D"]), step(1, &["Flist"])], keys);
        let steps = [
            step(0, &["N+I", "D"]),
            step(0, &["N+U", "N+I"]),
            step(1, &["Flist", "C", "Errors"]),
            step(2, &["Flist", "C"]),
        ];
        let verdicts = steps.map(|step| noise.verdict(&step));
        assert_eq!(verdicts[0], Seen::NONE);
        assert!(verdicts[1].meets(Seen::named("N+I")) && verdicts[1].meets(Seen::named("N+U")));
        assert!(!verdicts[1].meets(Seen::named("C-WD")));
        assert_eq!(verdicts[2..], [Seen::ERRORS, Seen::FLOW]);
    }
}
