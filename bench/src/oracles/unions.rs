//! The best unions of comparators (paper 2, table 4), out of all.

use restage_oracle::Comparator;

use super::trial::{Score, Trial};
use crate::seen::Seen;

/// A union and its score.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// The comparators.
    pub members: Seen,
    /// How it does.
    pub score: Score,
    /// How many other unions score the very same.
    pub alike: usize,
}

/// All unions of so many comparators, none of them below another of it; by mean F-measure, then by that over
/// all steps, the best first. Of those that score the same the first stands for all.
pub fn best_unions(trial: &Trial, size: usize) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = Vec::new();
    for members in unions(size) {
        let score = trial.score(members);
        match ranked.iter_mut().find(|known| known.score == score) {
            Some(known) => known.alike += 1,
            None => ranked.push(Ranked { members, score, alike: 0 }),
        }
    }
    let key = |score: &Score| (score.mean_f, score.steps.f_measure());
    ranked.sort_by(|a, b| key(&b.score).partial_cmp(&key(&a.score)).unwrap_or(std::cmp::Ordering::Equal));
    ranked
}

/// Sets of so many comparators of which none sees all that another does: that one would add nothing.
fn unions(size: usize) -> Vec<Seen> {
    fn extend(from: usize, left: usize, members: Seen, found: &mut Vec<Seen>) {
        if left == 0 {
            found.push(members);
            return;
        }
        for (place, next) in Comparator::ALL.iter().enumerate().skip(from) {
            if !members.comparators().any(|c| c.is_below(next) || next.is_below(c)) {
                extend(place + 1, left - 1, members | Seen::by(place), found);
            }
        }
    }
    let mut found = Vec::new();
    extend(0, size, Seen::NONE, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::super::trial::tests::trial;
    use super::*;

    /// Catches a search that leaves pairs out, or takes the one with a member that adds nothing.
    #[test]
    fn all_pairs_that_complement_each_other_are_tried() {
        let pairs = unions(2);
        let all = Comparator::ALL.iter().enumerate();
        let expected = all.flat_map(|(at, a)| Comparator::ALL[at + 1..].iter().map(move |b| (a, b)));
        assert_eq!(pairs.len(), expected.filter(|(a, b)| !a.is_below(b) && !b.is_below(a)).count());
        assert!(pairs.contains(&(Seen::named("C-WD") | Seen::named("N+I"))));
        assert!(!pairs.contains(&(Seen::named("C-W") | Seen::named("C-WD"))));
        assert!(unions(3).iter().all(|three| three.places().count() == 3));
    }

    /// Catches a ranking by recall alone, which would take T's false reports into the bargain.
    #[test]
    fn the_best_union_is_found_and_equals_are_told_once() {
        let cases: &[(&[&str], &[&str])] = &[(&["+C-WD", "+N+U", "T", "T", ""], &[""])];
        let ranked = best_unions(&trial(cases), 2);
        assert_eq!(ranked[0].members, Seen::named("C-WD") | Seen::named("N+U"));
        assert_eq!(ranked[0].score.mean_f, 1.0);
        assert!(ranked.windows(2).all(|w| w[0].score != w[1].score));
        assert!(ranked.iter().map(|r| r.alike + 1).sum::<usize>() == unions(2).len());
    }
}
