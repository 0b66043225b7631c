//! Every faulty run and its clean twin, judged in one way; and how an oracle scores on them.

use bookstore::{Fault, FaultCategory};

use super::counts::Counts;
use super::spread::mean;
use crate::seen::Seen;

/// A fault's run, and a run of the clean release on the same day.
#[derive(Clone, Debug)]
pub struct Case {
    /// The fault.
    pub fault: Fault,
    /// For each step, whether the fault shows in it, and by whom it fails.
    pub faulty: Vec<(bool, Seen)>,
    /// By whom each step of the clean run fails.
    pub clean: Vec<Seen>,
}

impl Case {
    /// Steps reported rightly and wrongly in the faulty run.
    pub fn counts(&self, oracle: Seen) -> Counts {
        Counts::of(self.faulty.iter().map(|&(shows, seen)| (seen.meets(oracle), shows)))
    }

    fn wrong_on_clean(&self, oracle: Seen) -> usize {
        self.clean.iter().filter(|seen| seen.meets(oracle)).count()
    }
}

/// All faults, judged in one way.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its short name, for files.
    pub name: &'static str,
    /// Its name.
    pub title: &'static str,
    /// In what it differs from the others, in a sentence or two.
    pub about: &'static str,
    /// Who judges beside any comparator.
    pub always: Seen,
    /// The oracle that a user of this way has, unless another is asked for.
    pub usual: Seen,
    /// One a fault that shows in any page.
    pub cases: Vec<Case>,
}

/// How an oracle does in a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Over the steps of all faulty runs.
    pub steps: Counts,
    /// The mean of the faults' own F-measures: paper 2's average.
    pub mean_f: f64,
    /// Over runs: faults found in a step where they show, faults missed, clean runs that fail.
    pub runs: Counts,
    /// Steps of clean runs that fail, each of them wrongly.
    pub clean_steps: usize,
}

impl Trial {
    /// A comparator or a union of some as this trial judges by it. The flow of pages and printed errors are
    /// themselves alone.
    pub fn oracle(&self, members: Seen) -> Seen {
        if members.comparators().next().is_some() { members | self.always } else { members }
    }

    /// How an oracle does.
    pub fn score(&self, members: Seen) -> Score {
        let oracle = self.oracle(members);
        let each: Vec<Counts> = self.cases.iter().map(|case| case.counts(oracle)).collect();
        let clean: Vec<usize> = self.cases.iter().map(|case| case.wrong_on_clean(oracle)).collect();
        let found = each.iter().map(|counts| (counts.right > 0, true));
        let wrong = clean.iter().map(|&steps| (steps > 0, false));
        Score {
            steps: each.iter().copied().sum(),
            mean_f: mean(each.iter().map(|counts| counts.f_measure())).unwrap_or(0.0),
            runs: Counts::of(found.chain(wrong)),
            clean_steps: clean.into_iter().sum(),
        }
    }

    /// How many faults the usual oracle finds in a step where they show.
    pub fn found(&self) -> usize {
        self.score(self.usual).runs.right
    }

    /// Steps of the first clean runs that fail by the usual oracle, each of them wrongly.
    pub fn wrong_in_first(&self, runs: usize) -> usize {
        let oracle = self.oracle(self.usual);
        self.cases.iter().take(runs).map(|case| case.wrong_on_clean(oracle)).sum()
    }

    /// The trial on the faults of one category.
    pub fn only(&self, category: FaultCategory) -> Self {
        let cases = self.cases.iter().filter(|case| case.fault.category() == category);
        Self { cases: cases.cloned().collect(), ..self.clone() }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A trial of steps written as `+C-WD,N+I`: where the fault shows, and who sees something.
    pub(crate) fn trial(cases: &[(&[&str], &[&str])]) -> Trial {
        let seen = |text: &str| text.split(',').fold(Seen::NONE, |all, id| all | Seen::named(id));
        let case = |(faulty, clean): &(&[&str], &[&str])| Case {
            fault: Fault::ALL[0],
            faulty: faulty.iter().map(|t| (t.starts_with('+'), seen(t.trim_start_matches('+')))).collect(),
            clean: clean.iter().map(|t| seen(t)).collect(),
        };
        let cases = cases.iter().map(case).collect();
        Trial { name: "test", title: "test", about: "", always: Seen::NONE, usual: Seen::named("C"), cases }
    }

    /// Catches a fault that counts as found by a step in which it does not show, and a mean of the sums in place
    /// of the faults' own.
    #[test]
    fn steps_and_runs_are_counted_apart() {
        let trial = trial(&[(&["+C", "+", "C", ""], &["C", "C"]), (&["+", "C"], &["", "T"])]);
        let score = trial.score(Seen::named("C"));
        assert_eq!(score.steps, Counts { right: 1, wrong: 2, missed: 2 });
        assert_eq!(score.runs, Counts { right: 1, wrong: 1, missed: 1 });
        assert_eq!((score.mean_f, score.clean_steps), (0.25, 2));
    }

    /// Catches a flow of pages that is credited with what printed errors find, or a comparator without them.
    #[test]
    fn what_judges_always_joins_comparators_alone() {
        let trial = Trial { always: Seen::FLOW | Seen::ERRORS, ..trial(&[(&["+Flist"], &[""])]) };
        assert_eq!(trial.score(Seen::named("C")).runs.right, 1);
        assert_eq!(trial.score(Seen::ERRORS).runs.right, 0);
    }
}
