//! The comparators that an expression may name: the 22, and a project's own.

use thiserror::Error;

use crate::comparators::comparator::Comparator;
use crate::comparators::features::Features;

/// The comparators that an expression may name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparators {
    own: Vec<Comparator>,
}

/// Why a comparator cannot be called so.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NameError {
    /// It would hide one that is there.
    #[error("a comparator is called `{0}` already\n  hint: give it another name")]
    Taken(String),
    /// An expression could not name it.
    #[error(
        "`{0}` cannot name a comparator\n  hint: begin with a letter, go on with letters, digits, `-`, `_` and `+`"
    )]
    Unusable(String),
}

impl Comparators {
    /// Adds a comparator of the project's own.
    pub fn define(&mut self, id: &str, features: Features) -> Result<(), NameError> {
        let usable = id.starts_with(|c: char| c.is_ascii_alphabetic())
            && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'));
        if !usable {
            return Err(NameError::Unusable(id.to_owned()));
        }
        if self.named(id).is_some() || id.eq_ignore_ascii_case("Flist") {
            return Err(NameError::Taken(id.to_owned()));
        }
        self.own.push(Comparator::own(id, features));
        Ok(())
    }

    /// The comparator of an id, in any case.
    pub fn named(&self, id: &str) -> Option<&Comparator> {
        self.iter().find(|c| c.is_called(id))
    }

    /// All of them: the 22 first.
    pub fn iter(&self) -> impl Iterator<Item = &Comparator> {
        Comparator::ALL.iter().chain(&self.own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparators::features::TextDetail;

    #[test]
    fn names_are_new_and_usable() {
        let mut comparators = Comparators::default();
        let words = Features::text(TextDetail::Words);
        comparators.define("mine", words).unwrap();
        assert_eq!(comparators.named("MINE").unwrap().features(), words);
        for taken in ["Mine", "c-wd", "flist"] {
            assert_eq!(comparators.define(taken, words), Err(NameError::Taken(taken.to_owned())));
        }
        for unusable in ["", "2", "a b", "a|b", "-a", "ä"] {
            assert_eq!(comparators.define(unusable, words), Err(NameError::Unusable(unusable.to_owned())));
        }
    }
}
