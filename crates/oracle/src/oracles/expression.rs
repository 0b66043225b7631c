//! Oracle expressions: `C-WD | N+I`, `2 of (C-WD, N+I | T, D)`.

use std::fmt;
use std::str::FromStr;

use restage_model::Difference;

use crate::comparators::comparator::Comparator;
use crate::comparators::registry::Comparators;
use crate::diff::page_diff::differences;
use crate::oracles::parser::{self, ExpressionError};
use crate::page::document::Document;

/// An expression over comparators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// Fails when the comparator sees a difference.
    One(Comparator),
    /// Fails when any of them does.
    Any(Vec<Oracle>),
    /// Fails when all of them do.
    All(Vec<Oracle>),
    /// Fails when at least that many of them do.
    Of(usize, Vec<Oracle>),
    /// Never fails: nothing is left to judge by but the flow of pages.
    Nothing,
}

impl Oracle {
    /// Reads an expression that may name a project's own comparators.
    pub fn parse(text: &str, comparators: &Comparators) -> Result<Self, ExpressionError> {
        parser::parse(text, comparators)
    }

    /// Whether it says fail.
    pub fn fails(&self, expected: &Document<'_>, actual: &Document<'_>) -> bool {
        self.holds(&|comparator| comparator.differs(expected, actual))
    }

    /// Whether it says fail, where `sees` tells what each comparator says.
    pub(crate) fn holds(&self, sees: &dyn Fn(&Comparator) -> bool) -> bool {
        match self {
            Self::One(comparator) => sees(comparator),
            Self::Any(parts) => parts.iter().any(|p| p.holds(sees)),
            Self::All(parts) => parts.iter().all(|p| p.holds(sees)),
            Self::Of(least, parts) => parts.iter().filter(|p| p.holds(sees)).count() >= *least,
            Self::Nothing => false,
        }
    }

    /// What differs, where the oracle says fail; nothing where it says pass.
    pub fn judge(&self, expected: &Document<'_>, actual: &Document<'_>) -> Vec<Difference> {
        if !self.fails(expected, actual) {
            return Vec::new();
        }
        let failing = self.failing(expected, actual);
        differences(&failing.iter().collect::<Vec<_>>(), expected, actual)
    }

    /// The comparators that see a difference and make it fail.
    pub fn failing(&self, expected: &Document<'_>, actual: &Document<'_>) -> Vec<Comparator> {
        let mut found: Vec<Comparator> = Vec::new();
        self.collect_failing(expected, actual, &mut found);
        found
    }

    fn collect_failing(&self, expected: &Document<'_>, actual: &Document<'_>, found: &mut Vec<Comparator>) {
        match self {
            Self::One(comparator) if comparator.differs(expected, actual) && !found.contains(comparator) => {
                found.push(comparator.clone());
            }
            Self::Any(parts) | Self::All(parts) | Self::Of(_, parts) => {
                let failing = parts.iter().filter(|p| p.fails(expected, actual));
                failing.for_each(|p| p.collect_failing(expected, actual, found));
            }
            Self::One(_) | Self::Nothing => {}
        }
    }

    /// The oracle to use where `noisy` comparators see differences between runs of the same version:
    /// each noisy one gives way to the strictest ones below it that saw none. It is never stricter
    /// than what was asked for: a comparator that saw no noise today may see a date tomorrow.
    ///
    /// Where nothing is left of a part, it drops out of the count, as if it saw a difference each time, which
    /// is what noise does: of `A & B` the other is left, and of `2 of (A, B, C)` both others must fail.
    pub fn without(&self, noisy: &[Comparator]) -> Self {
        match self {
            Self::One(comparator) if noisy.contains(comparator) => {
                let quiet: Vec<&Comparator> =
                    Comparator::ALL.iter().filter(|c| c.is_below(comparator) && !noisy.contains(c)).collect();
                let strictest = quiet.iter().filter(|c| !quiet.iter().any(|other| c.is_below(other)));
                Self::any(strictest.map(|c| Self::One((*c).clone())).collect())
            }
            Self::Any(parts) => Self::any(parts.iter().map(|p| p.without(noisy)).collect()),
            Self::All(parts) => match still_there(parts, noisy) {
                left if left.is_empty() => Self::Nothing,
                left => Self::all(left),
            },
            Self::Of(least, parts) => {
                let left = still_there(parts, noisy);
                let least = left.len().min(*least);
                Self::of(least, left)
            }
            other => other.clone(),
        }
    }

    /// The comparators it is made of, each once.
    pub fn comparators(&self) -> Vec<Comparator> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<Comparator>) {
        match self {
            Self::One(comparator) if !found.contains(comparator) => found.push(comparator.clone()),
            Self::Any(parts) | Self::All(parts) | Self::Of(_, parts) => {
                parts.iter().for_each(|p| p.collect(found));
            }
            Self::One(_) | Self::Nothing => {}
        }
    }

    /// `A | B`, in the one form that such an expression has.
    pub fn any(parts: Vec<Self>) -> Self {
        let parts = parts.into_iter().filter(|part| *part != Self::Nothing);
        let flat = parts.flat_map(|part| match part {
            Self::Any(parts) => parts,
            other => vec![other],
        });
        Self::joined(flat, Self::Any)
    }

    /// `A & B`, in the one form that such an expression has.
    pub fn all(parts: Vec<Self>) -> Self {
        if parts.contains(&Self::Nothing) {
            return Self::Nothing;
        }
        let flat = parts.into_iter().flat_map(|part| match part {
            Self::All(parts) => parts,
            other => vec![other],
        });
        Self::joined(flat, Self::All)
    }

    /// Each part once; one part is itself, and none is nothing.
    fn joined(parts: impl Iterator<Item = Self>, join: fn(Vec<Self>) -> Self) -> Self {
        let mut distinct: Vec<Self> = Vec::new();
        for part in parts {
            if !distinct.contains(&part) {
                distinct.push(part);
            }
        }
        match distinct.len() {
            0 => Self::Nothing,
            1 => distinct.remove(0),
            _ => join(distinct),
        }
    }

    /// `N of (A, B, C)`, in the one form that such an expression has.
    pub fn of(least: usize, parts: Vec<Self>) -> Self {
        if least > parts.len() || least == 0 {
            Self::Nothing
        } else if least == 1 {
            Self::any(parts)
        } else if least == parts.len() {
            Self::all(parts)
        } else {
            Self::Of(least, parts)
        }
    }
}

/// The parts without the noisy; those of which nothing is left are left out.
fn still_there(parts: &[Oracle], noisy: &[Comparator]) -> Vec<Oracle> {
    let weaker = parts.iter().map(|p| (p, p.without(noisy)));
    weaker.filter(|(was, is)| *is != Oracle::Nothing || **was == Oracle::Nothing).map(|(_, is)| is).collect()
}

impl fmt::Display for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |parts: &[Self], sign: &str| {
            let shown = parts.iter().map(|p| match p {
                Self::Any(_) if sign == " & " => format!("({p})"),
                _ => p.to_string(),
            });
            shown.collect::<Vec<_>>().join(sign)
        };
        match self {
            Self::One(comparator) => write!(f, "{comparator}"),
            Self::Any(parts) => f.write_str(&joined(parts, " | ")),
            Self::All(parts) => f.write_str(&joined(parts, " & ")),
            Self::Of(least, parts) => write!(f, "{least} of ({})", joined(parts, ", ")),
            Self::Nothing => f.write_str("Flist"),
        }
    }
}

impl FromStr for Oracle {
    type Err = ExpressionError;

    fn from_str(text: &str) -> Result<Self, ExpressionError> {
        Self::parse(text, &Comparators::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oracle(text: &str) -> Oracle {
        text.parse().unwrap()
    }

    fn named(ids: &[&str]) -> Vec<Comparator> {
        ids.iter().map(|id| Comparator::named(id).unwrap()).collect()
    }

    #[test]
    fn noise_weakens_to_the_strictest_that_is_quiet() {
        // A token in a hidden field: links and names are quiet.
        let noisy = named(&[
            "D",
            "DB",
            "DB-W",
            "T",
            "T-S",
            "T-SL",
            "N+I",
            "N+I-S",
            "N+I-SL",
            "N+F",
            "N+F-Sel",
            "N-SL+F",
            "N-SL+F-Sel",
        ]);
        assert_eq!(oracle("C-WD | N+I").without(&noisy).to_string(), "C-WD | N+U");
        assert_eq!(oracle("D").without(&named(&["D", "DB", "C"])).to_string(), "DB-W");
        assert_eq!(oracle("C-WD").without(&named(&["C-WD"])), Oracle::Nothing);
        assert_eq!(oracle("C-WD & N").without(&named(&["N", "N-S", "N-SL"])).to_string(), "C-WD");
    }

    #[test]
    fn noise_shrinks_the_count() {
        let noisy = named(&["N", "N-S", "N-SL"]);
        assert_eq!(oracle("2 of (C-WD, N+U, N)").without(&noisy).to_string(), "C-WD & N+U");
        assert_eq!(oracle("3 of (C-WD, T, N+U, N)").without(&noisy).to_string(), "C-WD & T & N+U");
        assert_eq!(oracle("2 of (N, N-S, C-WD, T)").without(&noisy).to_string(), "C-WD & T");
        assert_eq!(oracle("2 of (N, N-S, N-SL)").without(&noisy), Oracle::Nothing);
        assert_eq!(oracle("2 of (C-W, T, D)").without(&named(&["C-W"])).to_string(), "2 of (C-WD, T, D)");
    }

    #[test]
    fn a_noisy_comparator_of_ones_own_gives_way_to_named_ones() {
        let mut comparators = Comparators::default();
        let features = crate::Features {
            text: crate::TextDetail::Words,
            ..crate::Features::tags(crate::TagDetail::Names)
        };
        comparators.define("mine", features).unwrap();
        let oracle = Oracle::parse("mine", &comparators).unwrap();
        let mine = comparators.named("mine").unwrap().clone();
        assert_eq!(oracle.without(std::slice::from_ref(&mine)).to_string(), "C-W | N");
        let noisy = [vec![mine], named(&["C-W", "N"])].concat();
        assert_eq!(oracle.without(&noisy).to_string(), "C-WD | N-S");
    }
}
