//! The ways to judge a run against the baseline. Each says, step by step, by which oracles it fails.

use restage_model::{Outcome, Run, Verdict};
use restage_oracle::{Comparator, Oracle, OracleRules, Sighting};
use restage_store::Store;

use super::score_tables::default_oracle;
use crate::Trouble;
use crate::judging::{Against, TestResult};
use crate::seen::{Seen, SeenStep};

/// A way to judge a run: what an oracle of each one comparator says of its steps. A union says what any of its
/// members says. What each watcher sees on its own is worked out once for all ways.
#[derive(Debug)]
pub enum Judging {
    /// Each comparator on its own, as in paper 2.
    Alone,
    /// As `restage test` does: the flow of pages, headers and printed errors count always, and the baseline's check or
    /// what `restage calibrate` has learnt says what is noise.
    Test(Box<Against>),
}

impl Judging {
    /// By whom each step of a run fails, given what each watcher sees there.
    pub fn verdicts(&self, store: &Store, run: &Run, steps: &[SeenStep]) -> Result<Vec<Seen>, Trouble> {
        let against = match self {
            Self::Alone => return Ok(steps.iter().map(|step| step.seen).collect()),
            Self::Test(against) => against,
        };
        let sightings = against.sightings(store, run)?;
        let rules = against.rules()?;
        let said = against.judge(store, run, &rules)?.verdicts;
        agree(&sightings, &said, &rules).map_err(|e| format!("{}: {e}", run.name))?;
        let own = |said: &Verdict| match said.outcome {
            Outcome::Fail if against.calibrated.is_some() => Seen::OWN,
            _ => Seen::NONE,
        };
        Ok(sightings.iter().zip(&said).map(|(step, said)| verdict(step) | own(said)).collect())
    }

    /// What `restage test` says by the oracle that a user of this way has; nothing where that is not asked.
    pub fn comparison(&self, store: &Store, run: &Run) -> Result<Option<TestResult>, Trouble> {
        let Self::Test(against) = self else { return Ok(None) };
        Ok(Some(against.judge(store, run, &against.rules()?)?))
    }

    /// The oracle that a user of this way has, unless another is asked for.
    pub fn usual(&self) -> Seen {
        match self {
            Self::Test(against) if against.calibrated.is_some() => Seen::OWN,
            Self::Alone | Self::Test(_) => default_oracle(),
        }
    }

    /// Who judges beside any comparator.
    pub fn always(&self) -> Seen {
        match self {
            Self::Alone => Seen::NONE,
            Self::Test(_) => Seen::FLOW | Seen::ERRORS | Seen::HEADERS,
        }
    }
}

/// By whom a step fails: each comparator as the only one asked, which gives way where it is noisy.
fn verdict(step: &Sighting) -> Seen {
    let around = [(&step.flow, Seen::FLOW), (&step.errors, Seen::ERRORS), (&step.headers, Seen::HEADERS)];
    let mut seen =
        around.iter().filter(|(found, _)| !found.is_empty()).fold(Seen::NONE, |all, (_, by)| all | *by);
    let judges = Seen::of(&step.seen_by);
    for (place, comparator) in Comparator::ALL.iter().enumerate() {
        let instead = Oracle::One(comparator.clone()).without(&step.noisy);
        if judges.meets(Seen::of(&instead.comparators())) {
            seen = seen | Seen::by(place);
        }
    }
    seen
}

/// An error where what was worked out from single comparators is not what `restage test` says.
fn agree(sightings: &[Sighting], said: &[Verdict], rules: &OracleRules) -> Result<(), Trouble> {
    let agree = |(seen, said): (&Sighting, &Verdict)| {
        (said.outcome == Outcome::Fail) == seen.fails(rules.of(&seen.key)) && said.at == seen.at
    };
    match sightings.iter().zip(said).position(|pair| !agree(pair)) {
        None if sightings.len() == said.len() => Ok(()),
        None => Err(format!("{} steps, and `restage test` has {}", sightings.len(), said.len()).into()),
        Some(at) => Err(format!("{}: not what `restage test` says by {rules}", said[at].key).into()),
    }
}

#[cfg(test)]
mod tests {
    use restage_model::{Difference, Key, Place, StepAt};

    use super::*;

    fn step(seen_by: &[&str], noisy: &[&str], flow: bool) -> Sighting {
        let named =
            |ids: &[&str]| ids.iter().filter_map(|id| Comparator::named(id)).collect::<Vec<Comparator>>();
        let differs = Difference::changed("Flist", Place::Status, "200", "404");
        Sighting {
            at: StepAt { session: 0, step: 0 },
            key: Key::of("GET", "/x", ""),
            flow_varies: false,
            flow: if flow { vec![differs] } else { Vec::new() },
            headers: Vec::new(),
            errors: Vec::new(),
            seen_by: named(seen_by),
            noisy: named(noisy),
        }
    }

    /// Catches a noisy comparator that goes on judging, and one that is silenced although less of it is quiet.
    #[test]
    fn what_is_noisy_gives_way_to_what_is_below_it() {
        assert_eq!(verdict(&step(&["N+I", "D"], &["N+I", "D"], false)), Seen::NONE);
        let seen = verdict(&step(&["N+U", "N+I"], &["N+I", "D"], false));
        assert!(seen.meets(Seen::named("N+I")) && seen.meets(Seen::named("N+U")));
        assert!(!seen.meets(Seen::named("C-WD")));
        assert_eq!(verdict(&step(&[], &[], true)), Seen::FLOW);
    }
}
