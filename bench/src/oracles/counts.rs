//! Right and wrong reports (paper 2, section 4.1).

use std::iter::Sum;

/// How many of what was to be reported was, and what else was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reported, and rightly.
    pub right: usize,
    /// Reported, and wrongly: false positives.
    pub wrong: usize,
    /// Not reported that should have been: false negatives.
    pub missed: usize,
}

impl Counts {
    /// Counts what was reported against what is true, item by item.
    pub fn of(items: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counts = Self::default();
        for (reported, is_true) in items {
            match (reported, is_true) {
                (true, true) => counts.right += 1,
                (true, false) => counts.wrong += 1,
                (false, true) => counts.missed += 1,
                (false, false) => {}
            }
        }
        counts
    }

    /// Which part of what was reported is right; unknown where nothing was reported.
    pub fn precision(self) -> Option<f64> {
        share(self.right, self.right + self.wrong)
    }

    /// Which part of what is true was reported; unknown where there is nothing to report.
    pub fn recall(self) -> Option<f64> {
        share(self.right, self.right + self.missed)
    }

    /// The harmonic mean of the two: 0 where nothing right was reported.
    pub fn f_measure(self) -> f64 {
        share(2 * self.right, 2 * self.right + self.wrong + self.missed).unwrap_or(0.0)
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            right: a.right + b.right,
            wrong: a.wrong + b.wrong,
            missed: a.missed + b.missed,
        })
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches precision and recall that are each other's, and an F-measure that is not their harmonic mean.
    #[test]
    fn the_measures_are_those_of_the_paper() {
        let items = [(true, true), (true, true), (true, true), (true, false), (false, true), (false, true)];
        let counts = Counts::of(items.into_iter().chain([(false, false); 10]));
        assert_eq!(counts, Counts { right: 3, wrong: 1, missed: 2 });
        let (precision, recall) = (counts.precision().unwrap(), counts.recall().unwrap());
        assert_eq!((precision, recall), (0.75, 0.6));
        let harmonic = 2.0 * precision * recall / (precision + recall);
        assert!((counts.f_measure() - harmonic).abs() < 1e-12);
    }

    /// Catches a perfect precision for an oracle that never says anything.
    #[test]
    fn silence_is_neither_right_nor_wrong() {
        let silent = Counts { missed: 4, ..Counts::default() };
        assert_eq!((silent.precision(), silent.recall(), silent.f_measure()), (None, Some(0.0), 0.0));
        assert_eq!(Counts::default().recall(), None);
    }
}
